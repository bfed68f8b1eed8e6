"""Tables of the reference pages, read off the code: settings, methods, events and error codes of the wire."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from tui_tapback.config.reference import settings_table
from tui_tapback.config.settings import Settings
from tui_tapback.gateway.hooks.events import table as hook_events
from tui_tapback.gateway.platforms.shapes import table as platform_shapes
from tui_tapback.gateway.server.faults import CODES
from tui_tapback.wire.errors import Code
from tui_tapback.wire.events import DECODERS
from tui_tapback.wire.library import SearchHit, SessionRow
from tui_tapback.wire.methods import METHODS, Inflight, Tapback
from tui_tapback.wire.rows import WireReaction, WireRow

_NAMES: dict[object, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    Any: "any",
    type(None): "null",
    object: "any",
}
_SAMPLE: dict[str, Any] = {"row_id": 1, "row": {"role": "user"}, "id": "q1"}
"""Fields that some events need; only the type of the result is looked at."""


def settings() -> str:
    """The settings of ``settings.toml``."""
    return settings_table(Settings)


def methods() -> str:
    """Every request, its parameters and its result; what is ours alone is marked."""
    lines = ["| method | parameters | result | meaning |", "| --- | --- | --- | --- |"]
    for method in METHODS.values():
        mark = " (ours)" if method.origin == "tapback" else ""
        taken, given = _fields(method.params), _fields(method.result, mark=False)
        lines.append(f"| `{method.name}`{mark} | {taken} | {given} | {method.doc} |")
    return "\n".join(lines)


def events() -> str:
    """Every event that our client understands, its payload and its meaning."""
    lines = ["| event | payload | meaning |", "| --- | --- | --- |"]
    for name, (payload, build) in DECODERS.items():
        event = build(msgspec.convert(_SAMPLE, payload))
        meaning = (inspect.getdoc(type(event)) or "").split("\n\n", maxsplit=1)[0].replace("\n", " ")
        lines.append(f"| `{name}` | {_fields(payload, mark=False)} | {meaning.replace('``', '`')} |")
    return "\n".join(lines)


def shapes() -> str:
    """The objects that requests and events refer to."""
    lines = ["| object | fields | notes |", "| --- | --- | --- |"]
    for shape in (WireRow, WireReaction, SessionRow, SearchHit, Inflight, Tapback):
        notes = (inspect.getdoc(shape) or "").replace("\n", " ").replace("``", "`").replace("|", "\\|")
        lines.append(f"| {_name(shape)} | {_fields(shape, mark=False)} | {notes or '–'} |")
    return "\n".join(lines)


def errors() -> str:
    """The error codes, and which of our exceptions they stand for."""
    lines = ["| code | name | our exceptions |", "| --- | --- | --- |"]
    for code in Code:
        kinds = ", ".join(f"`{kind.__name__}`" for kind, meant in CODES if meant is code)
        lines.append(f"| {code.value} | {code.name.lower().replace('_', ' ')} | {kinds or '–'} |")
    return "\n".join(lines)


PARTS: dict[tuple[str, str], Callable[[], str]] = {
    ("docs/settings.md", "settings"): settings,
    ("docs/hooks.md", "hook-events"): hook_events,
    ("docs/adapters.md", "shapes"): platform_shapes,
    ("docs/wire.md", "methods"): methods,
    ("docs/wire.md", "events"): events,
    ("docs/wire.md", "shapes"): shapes,
    ("docs/wire.md", "errors"): errors,
}
"""(document, name of the part) → text, for ``demo.docs``."""


def _fields(struct: type[msgspec.Struct], *, mark: bool = True) -> str:
    """The fields with their types; ``mark`` puts a question mark behind those that may be left out."""
    hints = get_type_hints(struct)
    parts: list[str] = []
    for field in msgspec.structs.fields(struct):
        optional = "?" if mark and not field.required else ""
        kind = _name(hints[field.name])
        if not field.required and field.default is None:
            kind = kind.removesuffix(" or null")
        parts.append(f"`{field.encode_name}{optional}` {kind}")
    return ", ".join(parts) or "–"


def _name(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _NAMES:
        return _NAMES[hint]
    if origin in (Union, types.UnionType):
        return " or ".join(_name(part) for part in inner if part is not msgspec.UnsetType)
    if origin is list:
        return f"list of {_name(inner[0])}"
    if origin is Literal:
        return " or ".join(f'"{value}"' for value in inner)
    if origin is dict or not issubclass(hint, msgspec.Struct):
        return "object"
    return str(hint.__name__).removeprefix("_")
