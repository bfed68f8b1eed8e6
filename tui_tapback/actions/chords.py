"""Keys as people write them in settings: names, spellings, what is text, and what terminals cannot send."""

from __future__ import annotations

import unicodedata
from typing import Final

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.words import _

Chord = tuple[str, ...]
"""One key, or two that are pressed one after the other."""

LONGEST: Final = 2
_MODIFIERS: Final = ("alt", "ctrl", "shift", "super", "meta", "hyper")
_NAMES: Final = frozenset(
    {
        *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete"),
        *("enter", "escape", "tab", "space", "backspace"),
        *(f"f{number}" for number in range(1, 25)),
    }
)
_SAME: Final = {"return": "enter", "esc": "escape", "del": "delete", "ins": "insert", "pgup": "pageup"} | {
    "pgdn": "pagedown",
    "control": "ctrl",
    "option": "alt",
    "cmd": "super",
}
_SHORTER: Final = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_LONGER: Final = {short: long for long, short in _SHORTER.items()}
_SENT_AS: Final = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+left_square_bracket": "escape",
    "ctrl+shift+i": "tab",
    "ctrl+shift+m": "enter",
}
"""Codes that are one and the same on the line: which of the two was pressed cannot be told."""


def name_of(character: str) -> str:
    """The name of the key that gives ``character``: itself for letters and digits, ``slash`` for ``/``."""
    if character in ("", " "):
        return "space" if character else ""
    if character.isalnum():
        return character
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return _SHORTER.get(name, name)


def character_of(key: str) -> str:
    """What the key types: ``slash`` → ``/``; empty for keys that type nothing."""
    if key == "space":
        return " "
    if len(key) == 1:
        return key
    if "+" in key or key in _NAMES:
        return ""
    name = _LONGER.get(key, key)
    for spelling in (name.replace("_", " "), name.replace("_", "-", 1).replace("_", " ")):
        try:
            return unicodedata.lookup(spelling)
        except KeyError:
            continue
    return ""


def is_text(key: str) -> bool:
    """Whether the key is text where one types."""
    return bool(character_of(key))


def parse_key(text: str) -> str:
    """One key in its one spelling: ``Ctrl+Y`` → ``ctrl+y``, ``?`` → ``question_mark``.

    Raises InvalidInput for what is no key, or what a terminal sends as another one.
    """
    if len(text) < 2:
        if name := name_of(text):
            return name
        raise InvalidInput(_("There is no key “{key}”.").format(key=text.encode("unicode_escape").decode()))
    *before, last = text.split("+") if not text.endswith("++") else [*text[:-2].split("+"), "+"]
    modifiers = [_SAME.get(each.lower(), each.lower()) for each in before]
    key = _SAME.get(last.lower(), last.lower()) if len(last) > 1 else name_of(last)
    if modifiers and len(key) == 1:
        key = key.lower()
    known = key in _NAMES or bool(character_of(key))
    if not known or any(each not in _MODIFIERS for each in modifiers) or len(set(modifiers)) < len(modifiers):
        raise InvalidInput(
            _("There is no key “{key}”.").format(key=text),
            hint=_("Keys are written like ctrl+y, alt+up, f7, slash or ?."),
        )
    if modifiers == ["shift"] and len(key) == 1 and key.isalpha():
        return key.upper()
    whole = "+".join([*sorted(modifiers), key])
    if whole in _SENT_AS:
        raise InvalidInput(
            _("Terminals send the same for {key} as for {other}, so it cannot be a key of its own.").format(
                key=whole, other=_SENT_AS[whole]
            )
        )
    return whole


def parse_chord(text: str) -> Chord:
    """One key, or two with a space between. Raises InvalidInput."""
    keys = tuple(map(parse_key, text.split()))
    if not 0 < len(keys) <= LONGEST:
        raise InvalidInput(
            _("“{keys}” is not one key and not two.").format(keys=text.strip()),
            hint=_("Several ways are written with commas: ctrl+y, f7."),
        )
    return keys


def split_chords(text: str) -> tuple[str, ...]:
    """The parts between commas; the comma itself is a key as ``comma``. Empty text means no key."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def doubtful(key: str) -> bool:
    """Whether many terminals do not send this key, or send another one for it."""
    modifiers, _plus, last = key.rpartition("+")
    parts = set(modifiers.split("+")) if modifiers else set[str]()
    if parts & {"super", "meta", "hyper"} or {"ctrl", "shift"} <= parts:
        return True
    if key == "ctrl+h" or ("ctrl" in parts and (last.isdigit() or last in ("enter", "backspace"))):
        return True
    return "shift" in parts and last in ("enter", "backspace", "space")
