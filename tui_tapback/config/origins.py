"""Where the value of each setting comes from: the default, the file, the environment, the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

import msgspec

from tui_tapback.domain.values import value

from .reference import Row, rows
from .secret import Secret
from .settings import Settings
from .toml_edit import read
from .toml_lines import line_of
from .values import FREE, Path, Value, join_key, literal

VARIABLES: Mapping[str, str] = {
    "model.base_url": "OPENAI_BASE_URL",
    "model.model": "OPENAI_MODEL",
    "model.api_key": "OPENAI_API_KEY",
    "emoji_profile": "TUI_TAPBACK_EMOJI",
}
"""Variables of the environment that go before a setting (the last one only where it is ``auto``)."""


class Origin(StrEnum):
    """In the order in which they win, the last one over all."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    COMMAND_LINE = "command line"


@value
class Overriding:
    """A value that goes before that of the file; ``by`` names the variable or the option."""

    value: Value
    origin: Origin
    by: str


@value
class Setting:
    """One setting as it stands. ``value`` counts, ``filed`` is what the file says (None: nothing), ``line``
    where; ``by`` names what goes before the file. Secrets are never in here: of them only ``given`` tells."""

    key: str
    row: Row
    value: Value
    origin: Origin
    filed: Value | None = None
    line: int | None = None
    by: str = ""
    given: bool = True

    @property
    def secret(self) -> bool:
        """Whether its value is not to be seen."""
        return self.row.base is Secret

    @property
    def shown(self) -> str:
        """The value for a person, as TOML; stars for a secret."""
        if self.secret:
            return '"***"' if self.given else '""'
        return literal(self.value)


def overridings(
    environ: Mapping[str, str], options: Mapping[str, tuple[Value, str]]
) -> dict[str, Overriding]:
    """What environment and command line decide. ``options``: key → value and the option's name."""
    found: dict[str, Overriding] = {}
    for key, name in VARIABLES.items():
        if value := environ.get(name, "").strip():
            found[key] = Overriding(value, Origin.ENVIRONMENT, name)
    if environ.get("TEXTUAL_ANIMATIONS") == "none":
        found["reduced_motion"] = Overriding(True, Origin.ENVIRONMENT, "TEXTUAL_ANIMATIONS")
    for key, (value, name) in options.items():
        found[key] = Overriding(value, Origin.COMMAND_LINE, name)
    return found


def settings_of(text: str, over: Mapping[str, Overriding]) -> tuple[Setting, ...]:
    """All settings of a file with that text, those of named tables (connections) at the place of their kind.

    Raises SettingsError where the text is no TOML; values of a wrong type are given as they stand.
    """
    raw = read(text)
    return tuple(_setting(path, row, raw, text, over) for row in rows(Settings) for path in _paths(row, raw))


def _paths(row: Row, raw: Mapping[str, Any]) -> Iterator[Path]:
    path = tuple(row.key.split("."))
    if FREE not in path:
        yield path
        return
    place = path.index(FREE)
    table: Any = raw
    for name in path[:place]:
        table = msgspec.convert(table, dict[str, Any]).get(name) if isinstance(table, dict) else None
    for name in msgspec.convert(table, dict[str, Any]) if isinstance(table, dict) else ():
        yield (*path[:place], name, *path[place + 1 :])


def _setting(
    path: Path, row: Row, raw: Mapping[str, Any], text: str, over: Mapping[str, Overriding]
) -> Setting:
    key, filed = join_key(path), _filed(path, raw)
    if row.base is Secret:
        by = over.get(key)
        origin = by.origin if by else Origin.DEFAULT if filed is None else Origin.FILE
        given = by is not None or bool(filed)
        return Setting(key, row, "", origin, None, line_of(text, key), by.by if by else "", given)
    value: Value = row.standard if filed is None else filed
    by = over.get(key)
    if by and by.by == VARIABLES["emoji_profile"] and value != "auto":
        by = None
    if by:
        return Setting(key, row, by.value, by.origin, filed, line_of(text, key), by.by)
    origin = Origin.DEFAULT if filed is None else Origin.FILE
    return Setting(key, row, value, origin, filed, None if filed is None else line_of(text, key))


def _filed(path: Path, raw: Mapping[str, Any]) -> Value | None:
    found: Any = raw
    for name in path:
        if not isinstance(found, dict) or name not in found:
            return None
        found = msgspec.convert(found, dict[str, Any])[name]
    return tuple(map(str, msgspec.convert(found, list[Any]))) if isinstance(found, list) else found
