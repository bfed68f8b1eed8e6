"""The value of one setting: read from what a person typed, checked, and written as TOML."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from typing import Any

import msgspec

from tui_tapback.domain.errors import NotAnEmoji, SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

from .quick import QUICK_LIMIT, Normalise, reaction
from .reference import Row, rows
from .secret import Secret
from .settings import Settings, find_emoji

Value = str | bool | int | float | tuple[str, ...]
"""A secret is given as text here, for it has to be written."""

Path = tuple[str, ...]
FREE = "NAME"
"""Stands in the key of a row for a name that the person chooses."""
_TRUE = ("true", "on", "yes", "1")
_FALSE = ("false", "off", "no", "0")


def split_key(key: str) -> Path:
    """``connections."a.b".url`` → its parts. Raises SettingsError where that is no key of TOML."""
    try:
        found: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            _("“{key}” is not the name of a setting.").format(key=clean_line(key, 60)),
            hint=_("A name has its table before a dot, for example model.base_url."),
        ) from error
    path: list[str] = []
    while isinstance(found, dict) and found:
        (name, found), *_others = msgspec.convert(found, dict[str, Any]).items()
        path.append(name)
    return tuple(path)


def join_key(path: Sequence[str]) -> str:
    """The other way round, quoted where that is needed."""
    return ".".join(name if _bare(name) else literal(name) for name in path)


def row_of(key: str) -> Row:
    """The description of a setting, also ``connections.home.url``. Raises SettingsError, with the nearest."""
    path = split_key(key)
    known = {row.key: row for row in rows(Settings)}
    for row in known.values():
        parts = row.key.split(".")
        if len(parts) == len(path) and all(
            part in (FREE, name) for part, name in zip(parts, path, strict=True)
        ):
            return row
    import difflib

    near = difflib.get_close_matches(key, known, 1)
    raise SettingsError(
        _("There is no setting {key}.").format(key=clean_line(key, 60)),
        hint=_("Did you mean {near}?").format(near=near[0])
        if near
        else _("tui-tapback config get lists all."),
    )


def literal(value: Value) -> str:
    """The value as TOML."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case tuple():
            return f"[{', '.join(map(literal, value))}]"
        case float():
            return f"{value:g}" if value == float(f"{value:g}") else repr(value)
        case int():
            return str(value)


def read_value(key: str, text: str) -> Value:
    """What a person typed for a setting: words for a switch, ``a, b`` or a TOML list for a list.

    Raises SettingsError with what was expected.
    """
    row, text = row_of(key), text.strip()
    if row.base is bool:
        if text.lower() not in (*_TRUE, *_FALSE):
            raise _refused(key, row, _("“{text}”").format(text=clean_line(text, 40)))
        return checked(key, text.lower() in _TRUE)
    if row.base is float:
        try:
            return checked(key, float(text))
        except ValueError as error:
            raise _refused(key, row, _("“{text}”").format(text=clean_line(text, 40))) from error
    if row.base == tuple[str, ...]:
        return checked(key, _items(text))
    return checked(key, text)


def _items(text: str) -> tuple[str, ...]:
    if text.startswith("["):
        try:
            return msgspec.convert(tomllib.loads(f"x = {text}")["x"], tuple[str, ...])
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise SettingsError(
                _("“{text}” is not a list of texts.").format(text=clean_line(text, 60)),
                hint=_('Write ["one", "two"] or one, two.'),
            ) from error
    parts = text.split(",") if "," in text else text.split()
    return tuple(part.strip() for part in parts if part.strip())


def checked(key: str, value: Value, normalise: Normalise = find_emoji) -> Value:
    """The value in its one form. Raises SettingsError where the setting does not take it.

    ``normalise`` turns text into one emoji or raises NotAnEmoji.
    """
    row = row_of(key)
    if row.base is not Secret:
        try:
            value = msgspec.convert(value, row.hint)
        except msgspec.ValidationError as error:
            raise _refused(key, row, "" if isinstance(value, tuple) else literal(value)) from error
    if isinstance(value, str) and "\x00" in value:
        raise _refused(key, row, _("text with a NUL"))
    return _emoji(key, value, normalise) if row.extra.get("emoji") else value


def _emoji(key: str, value: Value, normalise: Normalise) -> Value:
    try:
        if isinstance(value, str):
            return reaction(value, normalise) if value else value
        if not isinstance(value, tuple):
            return value
        found = tuple(reaction(item, normalise) for item in value)
    except NotAnEmoji as error:
        raise SettingsError(f"{key}: {error}", hint=_("Give one emoji, such as 🎉.")) from error
    if len(set(found)) < len(found):
        raise SettingsError(
            _("{key} holds an emoji twice.").format(key=key), hint=_("Each has a key of its own.")
        )
    if not 0 < len(found) <= QUICK_LIMIT:
        raise SettingsError(
            _("{key} holds {count} emoji.").format(key=key, count=len(found)),
            hint=_("There are keys for 1 to {quick_limit}.").format(quick_limit=QUICK_LIMIT),
        )
    return found


def _refused(key: str, row: Row, found: str) -> SettingsError:
    return SettingsError(
        _("The setting {key} must be {expected}{found}.").format(
            key=key, expected=row.expected, found=_(", not {found}").format(found=found) if found else ""
        ),
        hint=_(row.meaning),
    )


def _bare(name: str) -> bool:
    return bool(name) and name.isascii() and all(c.isalnum() or c in "-_" for c in name)
