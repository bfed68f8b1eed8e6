"""Changes one setting in TOML text and nothing else: comments, order, layout and unknown keys stay."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from typing import Any, cast

from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

from .toml_lines import line_of
from .values import FREE, Path, Value, join_key, literal, row_of

Tree = dict[str, Any]
_HEADER = re.compile(r"\s*(?P<off>#\s?)?\[\s*(?P<name>[^\[\]#]+?)\s*\]\s*(?:#.*)?$")
_NOISE = re.compile(r"[\s\"']")


def with_value(text: str, path: Path, value: Value) -> str:
    """``text`` with that setting; its line stays where it is, or a commented default comes to life.

    Raises SettingsError where the text is no TOML, or leaves no room for the setting.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    wanted = read(text)
    inner = wanted
    for name in path[:-1]:
        below = _table(inner.setdefault(name, {}))
        if below is None:
            raise _no_room(path)
        inner = below
    inner[path[-1]] = list(value) if isinstance(value, tuple) else value
    ways: tuple[Callable[[], str | None], ...] = (
        lambda: _replaced(text, path, value),
        lambda: _brought_to_life(text, path, value),
        lambda: _inserted(text, path, value),
        lambda: _with_new_table(text, path, value),
        lambda: _put(text, path, value),
    )
    return _first(ways, wanted, path)


def without_value(text: str, path: Path, default: str | None) -> str:
    """``text`` without that setting or table; its line becomes a comment with the ``default`` (TOML; None:
    it goes). Raises SettingsError as above."""
    wanted = read(text)
    inner = wanted
    for name in path[:-1]:
        inner = _table(inner.get(name)) or {}
    if path[-1] not in inner:
        return text
    del inner[path[-1]]
    ways: tuple[Callable[[], str | None], ...] = (
        lambda: None if default is None else _commented_out(text, path, default),
        lambda: _removed(text, path),
    )
    return _first(ways, wanted, path)


def holds(text: str, path: Path) -> bool:
    """Whether the text gives that setting or table. Raises SettingsError where it is no TOML."""
    found: object = read(text)
    for name in path:
        table = _table(found)
        if table is None or name not in table:
            return False
        found = table[name]
    return True


def read(text: str) -> Tree:
    """The text as values. Raises SettingsError with the line where it is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            _("The settings file is not valid TOML: {error}.").format(error=clean_line(str(error), 200)),
            hint=_("Correct that line; nothing was written."),
        ) from error


def _first(ways: tuple[Callable[[], str | None], ...], wanted: Tree, path: Path) -> str:
    """The first result that says what is wanted and nothing else: whatever a way got wrong is not written."""
    from tomlkit.exceptions import TOMLKitError

    for way in ways:
        with suppress(TOMLKitError, KeyError, TypeError, ValueError, AttributeError):
            found = way()
            if found is not None and _same(tomllib.loads(found), wanted):
                return found
    raise _no_room(path)


def _no_room(path: Path) -> SettingsError:
    return SettingsError(
        _("The setting {join_key} cannot be written without a change to other settings.").format(
            join_key=clean_line(join_key(path), 80)
        ),
        hint=_("Edit the file by hand: tui-tapback config edit."),
    )


def _table(value: object) -> Tree | None:
    return cast(Tree, value) if isinstance(value, dict) else None


def _same(one: Tree, other: Tree) -> bool:
    return _canon(one) == _canon(other)


def _canon(tree: Tree) -> str:
    return json.dumps(_pruned(tree), sort_keys=True, default=repr)


def _pruned(tree: Tree) -> Tree:
    """Without tables that hold nothing, which mean nothing, but for those that have a name of their own."""
    kept: Tree = {}
    for name, value in tree.items():
        table = _table(value)
        kept[name] = value if table is None else _pruned(table)
    return {name: value for name, value in kept.items() if value != {} or name in tree.get("connections", {})}


# the ways


def _parsed(text: str) -> MutableMapping[str, Any]:
    import tomlkit

    return tomlkit.parse(text)


def _dumped(document: MutableMapping[str, Any]) -> str:
    import tomlkit

    return tomlkit.dumps(document)  # pyright: ignore[reportUnknownMemberType] -- tomlkit types it in part


def _replaced(text: str, path: Path, value: Value) -> str | None:
    """Where the setting stands already; what is written behind it stays."""
    document = _parsed(text)
    table = document
    for name in path[:-1]:
        table = table[name]
    if path[-1] not in table:
        return None
    _assign(table, path[-1], value)
    return _dumped(document)


def _assign(table: MutableMapping[str, Any], name: str, value: Value) -> None:
    present = table.get(name)
    if isinstance(value, tuple) and isinstance(present, list):
        # One by one: comments between the items stay where they are.
        items = cast("list[Any]", present)
        for place, item in enumerate(value[: len(items)]):
            if items[place] != item:
                items[place] = item
        for _item in items[len(value) :]:
            items.pop()
        for item in value[len(items) :]:
            items.append(item)
        return
    table[name] = list(value) if isinstance(value, tuple) else value


def _put(text: str, path: Path, value: Value) -> str:
    """As tomlkit sees fit: inline tables, dotted keys."""
    import tomlkit

    document = _parsed(text)
    table = document
    for name in path[:-1]:
        if name not in table:
            table[name] = tomlkit.table()
        table = table[name]
    table[path[-1]] = list(value) if isinstance(value, tuple) else value
    return _dumped(document)


def _removed(text: str, path: Path) -> str:
    document = _parsed(text)
    table = document
    for name in path[:-1]:
        table = table[name]
    del table[path[-1]]
    return _dumped(document)


def _commented_out(text: str, path: Path, default: str) -> str | None:
    number = line_of(text, join_key(path).replace('"', ""))
    if number is None:
        return None
    lines = text.split("\n")
    line = lines[number - 1]
    name = line.partition("=")[0].strip()
    _before, mark, behind = _put(line.strip(), split_name(name), "x").partition('"x"')
    lines[number - 1] = f"# {name} = {default}{behind.rstrip() if mark else ''}"
    return "\n".join(lines)


def split_name(name: str) -> Path:
    """The parts of a name as it stands in a line."""
    return tuple(part.strip().strip("\"'") for part in name.split("."))


def _regions(text: str) -> Iterator[tuple[str, int, int]]:
    """Table name ("" at the top), line after its header and line behind its last (from 0)."""
    name, start = "", 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if match := _HEADER.match(line):
            yield name, start, number
            # What stands below a header that is commented out belongs to nothing.
            name = "\0" if match.group("off") else _NOISE.sub("", match.group("name"))
            start = number + 1
    yield name, start, len(lines)


def _region(text: str, path: Path) -> tuple[int, int] | None:
    table = ".".join(path[:-1])
    return next(((start, stop) for name, start, stop in _regions(text) if name == table), None)


def _brought_to_life(text: str, path: Path, value: Value) -> str | None:
    """A line that holds the commented default, as in the file that we make, becomes the setting."""
    region = _region(text, path)
    if region is None:
        return None
    lines = text.split("\n")
    name = join_key(path[-1:])
    row = row_of(join_key(path))
    if FREE in row.key.split("."):
        return None
    standard = tomllib.loads(f"x = {row.default}")
    for number in range(*region):
        line = lines[number].strip().removeprefix("#").strip()
        if not re.match(rf"{re.escape(name)}\s*=", line):
            continue
        try:
            found = tomllib.loads(line)
        except tomllib.TOMLDecodeError:
            continue  # prose
        if lines[number].lstrip().startswith("#") and found.get(path[-1]) == standard["x"]:
            lines[number] = _replaced(line, path[-1:], value) or ""
            return "\n".join(lines)
    return None


def _inserted(text: str, path: Path, value: Value) -> str | None:
    """Behind the last setting of its table, before the comment that belongs to the next table."""
    region = _region(text, path)
    if region is None:
        return None
    start, stop = region
    lines = text.split("\n")
    new = f"{join_key(path[-1:])} = {literal(value)}"
    full = [n for n in range(start, stop) if lines[n].strip() and not lines[n].lstrip().startswith("#")]
    if full:
        lines.insert(full[-1] + 1, new)
    elif path[:-1]:
        lines.insert(start, new)
    else:
        while stop > start and lines[stop - 1].lstrip().startswith("#"):
            stop -= 1
        above = [] if stop == start or not lines[stop - 1].strip() else [""]
        below = [""] if stop < len(lines) and lines[stop].strip() else []
        lines[stop:stop] = [*above, new, *below]
    return "\n".join(lines)


def _with_new_table(text: str, path: Path, value: Value) -> str | None:
    if not path[:-1]:
        return None
    body = text.rstrip("\n")
    new = f"[{join_key(path[:-1])}]\n{join_key(path[-1:])} = {literal(value)}\n"
    return f"{body}\n\n{new}" if body else new
