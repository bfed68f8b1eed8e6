"""Records public names and their parameters (``python -m tui_tapback.demo.api``); a test compares them."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

from textual.reactive import Reactive

RECORD: Final = Path(__file__).parents[2] / "tests" / "library" / "api.txt"
PUBLIC: Final[dict[str, tuple[str, ...]]] = {
    "tui_tapback.widgets": (),
    "tui_tapback.client": (),
    "tui_tapback.client.commands": ("Commands",),
    "tui_tapback.client.library": ("Library",),
    "tui_tapback.client.paging": ("History",),
    "tui_tapback.client.ports": ("Connector", "Transport"),
    "tui_tapback.client.questions": ("Questions",),
    "tui_tapback.client.telling": ("Telling",),
    "tui_tapback.client.turns": ("Turns",),
    "tui_tapback.domain.errors": ("TapbackError",),
    "tui_tapback.domain.messages": ("Message", "Role", "Status", "ToolActivity"),
    "tui_tapback.domain.reactions": ("Author", "Reaction", "ReactionSet", "toggled"),
    "tui_tapback.emoji.catalogue": ("load_catalogue",),
    "tui_tapback.emoji.recents": ("Recents",),
    "tui_tapback.emoji.resolve": ("resolve",),
    "tui_tapback.emoji.search": ("Match", "search"),
    "tui_tapback.emoji.sentence": ("sentence", "spoken", "about", "quoted"),
    "tui_tapback.terminal.cells": ("EmojiFitter",),
    "tui_tapback.terminal.profile": ("detect_profile",),
}
"""Module → its public names; none given means all of its ``__all__``."""
TRANSCRIPT: Final = frozenset(
    {
        "show",
        "show_session",
        "amend",
        "bookmark",
        "restore",
        "mark_unread",
        "ask_again",
        "offer_hits",
        "show_hit",
    }
    | {"open_pill", "close_pill", "pill", "pill_open", "takes_letters", "takes_escape", "select", "selected"}
    | {"fitter", "quick", "suggestion", "suggest", "region_for"}
)
"""What is promised of the transcript: its layers have many more names for each other."""
_INSIDE: Final = frozenset(
    {"become", "check_consume_key", "frame", "grid_top", "lines", "occasion", "painter", "run_command"}
    | {"rows", "colorless"}
)
_HOOKS: Final = ("on_", "action_", "watch_", "validate_", "render", "compose", "get_content_", "notify_style")


@dataclass(frozen=True, slots=True)
class Entry:
    """A public name. ``parameters`` as ``name``, ``name=`` (may be left out), ``*name`` or ``**name``, with a
    bare ``*`` before those that are given by name; None where it is no call."""

    name: str
    parameters: tuple[str, ...] | None = None

    def line(self) -> str:
        """As it stands in the record."""
        return self.name if self.parameters is None else f"{self.name}({', '.join(self.parameters)})"

    @classmethod
    def read(cls, line: str) -> Entry:
        """The entry of a line of the record."""
        name, bracket, rest = line.strip().partition("(")
        if not bracket:
            return cls(name)
        inside = rest.removesuffix(")")
        return cls(name, tuple(inside.split(", ")) if inside else ())


def present() -> list[Entry]:
    """What the packages offer now, sorted by name."""
    found: dict[str, Entry] = {}
    for module_name, names in PUBLIC.items():
        module = import_module(module_name)
        for name in names or cast("list[str]", module.__all__):
            for entry in _entries(f"{module_name}.{name}", getattr(module, name)):
                found[entry.name] = entry
    return [found[name] for name in sorted(found)]


def _entries(name: str, value: Any) -> Iterator[Entry]:
    if not inspect.isclass(value):
        yield Entry(name, _parameters(value) if callable(value) else None)
        return
    if issubclass(value, Enum):
        yield Entry(name)
        yield from (Entry(f"{name}.{member}") for member in value.__members__)
        return
    yield Entry(name, _parameters(value))
    yield from (Entry(f"{name}.{one}") for one in _attributes(value) if _promised(name, one))
    for owner in reversed(value.__mro__):
        if owner.__module__.startswith("tui_tapback"):
            for member, what in vars(owner).items():
                if _promised(name, member):
                    yield from _member(f"{name}.{member}", what)


def _promised(owner: str, member: str) -> bool:
    if owner.endswith(".Transcript") and not member[0].isupper():
        return member in TRANSCRIPT
    return not (member in _INSIDE or member.isupper() or member.startswith(("_", *_HOOKS)))


def _member(name: str, what: Any) -> Iterator[Entry]:
    if isinstance(what, property | cached_property | Reactive):
        yield Entry(name)
    elif isinstance(what, classmethod):
        yield Entry(name, _parameters(cast("classmethod[Any, ..., Any]", what).__func__, skip=True))
    elif isinstance(what, staticmethod):
        yield Entry(name, _parameters(cast("staticmethod[..., Any]", what).__func__))
    elif inspect.isfunction(what):
        yield Entry(name, _parameters(what, skip=True))
    elif inspect.isclass(what) and what.__module__.startswith("tui_tapback"):
        yield from _entries(name, what)


def _attributes(value: type) -> list[str]:
    """The public attributes that ``__init__`` sets."""
    made: list[str] = []
    for owner in value.__mro__:
        init = vars(owner).get("__init__")
        if not owner.__module__.startswith("tui_tapback") or not inspect.isfunction(init):
            continue
        if init.__code__.co_filename == "<string>":
            continue  # a dataclass's: its fields are the parameters
        made += [
            node.attr
            for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(init))))
            if isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            and not node.attr.startswith("_")
        ]
    return made


def _parameters(call: Callable[..., Any], *, skip: bool = False) -> tuple[str, ...]:
    """The parameters of a call, without the first where that is given by Python."""
    try:
        parameters = list(inspect.signature(call).parameters.values())[skip:]
    except ValueError:
        return ()
    told: list[str] = []
    for parameter in parameters:
        named_only = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if named_only and not any(one.startswith("*") for one in told):
            told.append("*")
        stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
        sign = "=" if parameter.default is not inspect.Parameter.empty else ""
        told.append(f"{stars.get(parameter.kind, '')}{parameter.name}{sign}")
    return tuple(told)


def broken(recorded: Iterable[Entry], now: Iterable[Entry]) -> list[str]:
    """What a program written for the record would miss, a sentence each."""
    names = {entry.name: entry for entry in now}
    faults: list[str] = []
    for entry in recorded:
        if entry.name not in names:
            faults.append(f"{entry.name} is gone.")
        elif entry.parameters is not None:
            faults += _changed(entry, names[entry.name])
    return faults


def _changed(old: Entry, new: Entry) -> Iterator[str]:
    before, after = old.parameters or (), new.parameters
    if after is None:
        yield f"{old.name} can no longer be called."
        return
    names = {one.rstrip("="): one for one in after}
    anything = any(one.startswith("**") for one in after)
    for one in before:
        bare = one.rstrip("=")
        if bare == "*":
            continue
        if bare not in names:
            if not (anything and "*" in "".join(before) and not bare.startswith("*")):
                yield f"{old.name} has no parameter {bare} any more."
        elif one.endswith("=") and not names[bare].endswith("="):
            yield f"{old.name} demands its parameter {bare} now."
    known = {one.rstrip("=") for one in before}
    for one in after:
        if one.rstrip("=") not in known and not one.endswith("=") and not one.startswith("*"):
            yield f"{old.name} demands a new parameter {one}."
    placed, placed_now = _placed(before), _placed(after)
    if placed_now[: len(placed)] != placed and set(placed) <= set(names):
        yield f"{old.name} takes its parameters in another order, or by name only."


def _placed(parameters: tuple[str, ...]) -> list[str]:
    """The names of those that may be given by their place."""
    placed: list[str] = []
    for one in parameters:
        if one.startswith("*"):
            break
        placed.append(one.rstrip("="))
    return placed


def recorded() -> list[Entry]:
    """What the record promises."""
    return [Entry.read(line) for line in RECORD.read_text("utf-8").splitlines() if line]


def main() -> int:
    """Write the record anew, and say what this breaks."""
    now = present()
    for fault in broken(recorded(), now) if RECORD.exists() else ():
        print(f"breaking: {fault}")
    RECORD.write_text("".join(f"{entry.line()}\n" for entry in now), "utf-8")
    print(f"{len(now)} public names")
    return 0


if __name__ == "__main__":
    sys.exit(main())
