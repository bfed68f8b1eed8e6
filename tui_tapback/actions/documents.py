"""What each preset changes, as Markdown for docs/keys.md."""

from __future__ import annotations

from .keymap import Keymap
from .presets import PRESETS, TOLD
from .resolving import resolve, standard
from .showing import show_keys
from .table import ACTIONS


def presets_markdown() -> str:
    """A section for each preset beside the default one: what differs, with the default keys beside it."""
    found: list[str] = []
    for name in PRESETS:
        if name != "default":
            found += [f"### {name}", "", f"{TOLD[name]}.", "", *_rows(resolve(name)), ""]
    return "\n".join(found).rstrip() + "\n"


def _rows(keymap: Keymap) -> list[str]:
    changed = [item for item in ACTIONS if keymap.keys(item.id) != standard().keys(item.id)]
    return [
        "| action | where | keys | default |",
        "| --- | --- | --- | --- |",
        *(
            f"| {item.title} (`{item.id}`) | {item.group.value.lower()} "
            f"| {_code(keymap.keys(item.id))} | {_code(item.keys)} |"
            for item in changed
        ),
    ]


def _code(keys: tuple[str, ...]) -> str:
    return f"`{show_keys(keys)}`" if keys else "none"
