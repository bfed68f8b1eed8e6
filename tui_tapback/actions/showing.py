"""Keys in the words of people, and the tables of keys for documents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tui_tapback.words import _, mark

from .action import Group, Line
from .chords import character_of
from .table import ACTIONS, in_group, lines
from .transcript import BIG_KEYS

_BIG: Final = tuple(key for keys in BIG_KEYS for key in keys)
_SHOWN: Final = {
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "space": mark("Space"),
    "backspace": mark("Backspace"),
    "home": mark("Home"),
    "end": mark("End"),
    "shift": mark("Shift"),
}


def show_key(key: str) -> str:
    """A key name for people: ``ctrl+o`` → ``Ctrl+O``, ``f1`` → ``F1``, ``g`` stays, ``slash`` → ``/``."""
    parts = key.split("+") if len(key) > 1 else [key]
    return "+".join(_show_part(part, alone=len(parts) == 1) for part in parts)


def _show_part(part: str, *, alone: bool) -> str:
    if part in _SHOWN:
        return _(_SHOWN[part])
    if len(part) == 1:
        return part if alone else part.upper()
    return character_of(part) or part.capitalize()


def show_keys(keys: Iterable[str]) -> str:
    """All keys of an action: ``F1``, ``j k ↑ ↓``, ``Home, g g``; a run of digits becomes ``1-6``."""
    keys = tuple(keys)
    if keys == _BIG:
        return f"{_(_SHOWN['shift'])}+1-{len(BIG_KEYS)}"
    shown = [" ".join(map(show_key, chord.split())) for chord in keys]
    if len(shown) > 2 and all(key.isdigit() for key in shown):
        return f"{shown[0]}-{shown[-1]}"
    return (", " if any(" " in chord for chord in shown) else " ").join(shown)


def markdown_table(groups: Iterable[Group] = tuple(Group)) -> str:
    """All keys as Markdown, a table for each group, with the ids that settings name (docs/keys.md)."""
    found: list[str] = []
    for group in groups:
        found += [
            f"### {group}",
            "",
            "| key | typed | what it does | id |",
            "| --- | --- | --- | --- |",
        ]
        found += [
            f"| {_code(show_keys(line.keys))} | {_code(line.slash)} | {line.told} | {_ids(line)} |"
            for line in lines(in_group(group))
        ]
        found.append("")
    return "\n".join(found).rstrip() + "\n"


def basic_table() -> str:
    """The keys that one needs first, for the README."""
    found = ["| key | where | what it does |", "| --- | --- | --- |"]
    found += [
        f"| {_code(show_keys(line.keys))} | {line.actions[0].group.value.lower()} | {line.told} |"
        for line in lines(item for item in ACTIONS if item.basic)
    ]
    return "\n".join(found) + "\n"


def _ids(line: Line) -> str:
    first, last = line.actions[0].id, line.actions[-1].id
    return f"`{first}`" if first == last else f"`{first}` … `{last}`"


def _code(text: str) -> str:
    if "`" in text:
        return f"`` {text} ``"
    return f"`{text}`" if text else ""
