"""Finds the line of a setting in TOML text, and settings that no struct knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import msgspec

from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

_TABLE = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*([A-Za-z0-9_."'-]+(?:\s*\.\s*[A-Za-z0-9_."'-]+)*)\s*=""")
_NOISE = re.compile(r"[\s\"']")


def line_of(text: str, key: str) -> int | None:
    """The line (from 1) where the dotted ``key`` or its table is given, or None.

    A scan good enough for sentences: multi-line strings that look like settings can mislead it.
    """
    table = ""
    fallback: int | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _TABLE.match(line):
            table = _NOISE.sub("", match.group(1))
            found = table
        elif match := _KEY.match(line):
            name = _NOISE.sub("", match.group(1))
            found = f"{table}.{name}" if table else name
        else:
            continue
        if found == key:
            return number
        if fallback is None and key.startswith(f"{found}."):
            fallback = number  # an inline table: ``model = { base_url = … }``
    return fallback


def place_of(name: str, text: str, key: str) -> str:
    """``name, line 12`` for a setting that stands in ``text``, the file of that name; else its name alone."""
    line = line_of(text, key)
    return _("{name}, line {line}").format(name=name, line=line) if line else name


def unknown_keys(
    raw: Mapping[str, Any], struct: type[msgspec.Struct], prefix: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield each key that ``struct`` does not have, with the nearest one it has (or "")."""
    fields = {field.name: field.type for field in msgspec.structs.fields(struct)}
    for key, value in raw.items():
        if key not in fields:
            import difflib

            near = difflib.get_close_matches(key, fields, 1)
            yield prefix + clean_line(key, 40), prefix + near[0] if near else ""
            continue
        kind = fields[key]
        if isinstance(value, dict) and get_origin(kind) is dict:
            for name, table in msgspec.convert(value, dict[str, Any]).items():
                if isinstance(table, dict):
                    inner = msgspec.convert(table, dict[str, Any])
                    yield from unknown_keys(
                        inner, get_args(kind)[1], f"{prefix}{key}.{clean_line(name, 40)}."
                    )
        elif isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from unknown_keys(msgspec.convert(value, dict[str, Any]), kind, f"{prefix}{key}.")
