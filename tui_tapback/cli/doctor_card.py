"""A card of emoji between borders: where the right border bends, emoji and terminal do not agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.probe import PROBES
from tui_tapback.terminal.profile import WidthProfile
from tui_tapback.words import _, mark

_EACH: Final = 4
_INNER: Final = _EACH * 3 + 1
_NAMES: Final = {
    "wide": mark("simple"),
    "vs16": mark("with U+FE0F"),
    "wide vs16": mark("ideographs with U+FE0F"),
    "keycaps": mark("keycaps"),
    "tones": mark("toned"),
    "joined": mark("joined"),
    "flags": mark("flags"),
    "tag flags": mark("flags by tags"),
}
_NEWEST: Final = (mark("newest"), tuple(PROBES[f"unicode {version}"][0] for version in (14, 15, 16, 17)))
QUICK: Final = ("❤️", "👍", "👎", "😂", "‼️", "❓")


def card(profile: WidthProfile) -> Iterator[str]:
    """Lines: on the left as the chat draws it, whose border must be straight; on the right as it is sent."""
    fitter = EmojiFitter(profile)
    corner, bar, dash = ("┌┐└┘", "│", "─") if profile.utf8 else ("++++", "|", "-")
    edge = dash * _INNER
    raw = profile.utf8
    yield f"{_('in this chat'):<{_INNER + 4}}" + (_("in other programs") if raw else "")
    yield f"{corner[0]}{edge}{corner[1]}" + (f"  {corner[0]}{edge}{corner[1]}" if raw else "")
    for name, members in _rows():
        fitted = _row([fitter.fit(member) for member in members], bar)
        yield fitted + (f"  {_row(members, bar)}" if raw else "") + f"  {name}"
    yield f"{corner[2]}{edge}{corner[3]}" + (f"  {corner[2]}{edge}{corner[3]}" if raw else "")


def quick_line(profile: WidthProfile) -> str:
    """The six quick reactions as they are drawn here."""
    return " ".join(map(EmojiFitter(profile).fit, QUICK))


def two_cells(profile: WidthProfile) -> list[str]:
    """The classes of emoji that are drawn as they are."""
    if not profile.wide:
        return []
    facts = {
        "wide": profile.wide,
        "vs16": profile.vs16,
        "wide vs16": profile.wide_vs16,
        "keycaps": profile.keycaps,
        "tones": profile.tones,
        "joined": profile.joined,
        "flags": profile.flags,
        "tag flags": profile.tag_flags,
    }
    return [_(_NAMES[probe]) for probe, two in facts.items() if two]


def _rows() -> Iterator[tuple[str, tuple[str, ...]]]:
    yield _("tapbacks 1-4"), QUICK[:4]
    yield _("tapbacks 5-6"), QUICK[4:]
    for probe, name in _NAMES.items():
        yield _(name), PROBES[probe][:_EACH]
    yield _(_NEWEST[0]), _NEWEST[1]


def _row(members: list[str] | tuple[str, ...], bar: str) -> str:
    text = " " + " ".join(members)
    return f"{bar}{text}{' ' * (_INNER - cell_len(text))}{bar}"
