"""What each setting is, read off the struct: for docs/settings.md and for the sentences of errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from tui_tapback.domain.values import value
from tui_tapback.words import _, mark

from .secret import Secret

_WORDS: dict[object, str] = {
    str: mark("text"),
    Secret: mark("text"),
    bool: mark("true or false"),
    int: mark("a whole number"),
    float: mark("a number"),
    tuple[str, ...]: mark("a list of texts"),
}


@value
class Row:
    """One setting: dotted ``key``, what is ``expected``, ``default`` as TOML, and its ``meaning``.

    ``hint`` is its type as declared, ``base`` the same without bounds, ``standard`` the default itself, and
    ``extra`` what else the declaration says: ``emoji`` (the value is made of emoji), ``needs`` (``"restart"``
    or ``"gateway"``: what has to start again before a change counts).
    """

    key: str
    expected: str
    default: str
    meaning: str
    hint: Any
    base: Any
    standard: Any
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be chosen, where there is a choice."""
        return get_args(self.base) if get_origin(self.base) is Literal else ()


def rows(struct: type[msgspec.Struct], prefix: str = "") -> Iterator[Row]:
    """Yield the settings of ``struct`` in the order of their declaration, tables after plain keys."""
    hints = get_type_hints(struct, include_extras=True)
    tables: list[tuple[str, type[msgspec.Struct]]] = []
    for each in msgspec.structs.fields(struct):
        hint = hints[each.name]
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            tables.append((each.name, hint))
            continue
        if get_origin(hint) is dict:
            tables.append((f"{each.name}.NAME", get_args(hint)[1]))
            continue
        base, metas = _unwrap(hint)
        named = get_origin(base) is dict  # a table of values with free names
        if named:
            base = get_args(base)[1]
        meaning = next(meta.description for meta in metas if meta.description)
        extra: dict[str, Any] = {}
        for meta in metas:
            extra |= meta.extra or {}
        name, default = prefix + each.name, each.default
        if named:
            name, default, hint = f"{name}.NAME", base(), base
        yield Row(name, _expected(base, metas), _toml(default), meaning, hint, base, default, extra)
    for name, table in tables:
        yield from rows(table, f"{prefix}{name}.")


def expectation(struct: type[msgspec.Struct], key: str) -> str:
    """What is expected of the dotted ``key``: words for "expected …"; "a table" where it is none."""
    return next((row.expected for row in rows(struct) if row.key == key), _("a table"))


def settings_table(struct: type[msgspec.Struct]) -> str:
    """The settings as a Markdown table, for docs/settings.md."""
    lines = ["| key | value | default | meaning |", "| --- | --- | --- | --- |"]
    lines += [f"| `{row.key}` | {row.expected} | `{row.default}` | {row.meaning} |" for row in rows(struct)]
    return "\n".join(lines)


def _unwrap(hint: Any) -> tuple[Any, list[Meta]]:
    metas: list[Meta] = []
    while get_origin(hint) is Annotated:
        hint, *found = get_args(hint)
        metas += [meta for meta in found if isinstance(meta, Meta)]
    return hint, metas


def _expected(base: Any, metas: list[Meta]) -> str:
    if get_origin(base) is Literal:
        return _("one of {values}").format(values=", ".join(f'"{value}"' for value in get_args(base)))
    words = _(_WORDS[base])
    for meta in metas:
        if meta.title:
            words = _(meta.title)
        if meta.ge is not None and meta.le is not None:
            words = _("{what} from {least} to {most}").format(what=words, least=meta.ge, most=meta.le)
        elif meta.ge is not None:
            words = _("{what}, {least} or more").format(what=words, least=meta.ge)
    return words


def _toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return "[" + ", ".join(f'"{item}"' for item in msgspec.convert(value, tuple[str, ...])) + "]"
        case Secret():
            return '""'
        case str():
            return f'"{value}"'
        case _:
            return f"{value:g}" if isinstance(value, float) else str(value)
