"""Textual's bindings for the actions that a screen binds itself, made from the action table."""

from __future__ import annotations

from textual.binding import Binding

from tui_tapback.actions.action import Group
from tui_tapback.actions.table import action, in_group


def bindings(group: Group, *, priority: bool | None = None) -> list[Binding]:
    """Textual bindings of a group the app binds itself; ``priority`` keeps only those with that flag."""
    return [
        Binding(",".join(item.keys), item.command or item.id, item.title, show=False, priority=item.priority)
        for item in in_group(group)
        if item.keys and priority in (None, item.priority)
    ]


def closing(action_id: str) -> Binding:
    """The keys that opened a window close it."""
    return Binding(",".join(action(action_id).keys), "leave", show=False)
