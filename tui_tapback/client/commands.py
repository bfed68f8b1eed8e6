"""The slash commands of a gateway that has its own: catalogue, completion, and running one."""

from __future__ import annotations

from typing import Literal

from tui_tapback.domain.errors import RpcError
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.domain.values import value
from tui_tapback.wire.foreign import (
    Catalog,
    CatalogParams,
    CompleteParams,
    Completions,
    DispatchParams,
    Ran,
    RunParams,
)

from .abilities import Ability
from .desk import Desk

_PLAIN = 4018
"""A command that only prints is not dispatched."""
_SLOW = 120.0
"""Seconds that a command may take; the first one of a process starts a worker."""
_RAW_KEY = "slash."
"""Some helps of the package are names of texts, not texts."""


@value
class Command:
    """``name`` with its slash, and what it does in one line."""

    name: str
    help: str


@value
class Proposal:
    """``text`` replaces what was typed from column ``start`` on."""

    text: str
    shown: str
    meta: str
    start: int


@value
class Outcome:
    """What a command led to: ``kind`` "shown" (read ``text``), "prefill" (put it into the composer) or
    "send" (send it as a message of the user)."""

    kind: Literal["shown", "prefill", "send"]
    text: str


class Commands:
    """Raises NotSupported, LinkDown, RpcError."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def catalog(self) -> tuple[Command, ...]:
        """All commands, by name."""
        self._desk.require(Ability.COMMANDS)
        params = CatalogParams(self._desk.conversation.runtime_id)
        found = await self._desk.call("commands.catalog", params, Catalog)
        pairs = [pair for pair in found.pairs if len(pair) >= 2]
        return tuple(
            Command(clean_line(name, 60), "" if _RAW_KEY in text else clean_line(text, 200))
            for name, text, *_ in pairs
        )

    async def complete(self, text: str) -> tuple[Proposal, ...]:
        """What ``text``, which begins with a slash, could become."""
        self._desk.require(Ability.COMMANDS)
        params = CompleteParams(text, self._desk.conversation.runtime_id)
        found = await self._desk.call("complete.slash", params, Completions)
        start = found.replace_from or 0
        return tuple(
            Proposal(
                clean_line(item.text, 200),
                clean_line(item.display or item.text, 200),
                clean_line(item.meta, 200),
                start,
            )
            for item in found.items
        )

    async def run(self, line: str) -> Outcome:
        """Run a command, with or without its slash."""
        self._desk.require(Ability.COMMANDS)
        session_id = self._desk.runtime_id()
        name, _, rest = line.lstrip("/").partition(" ")
        try:
            ran = await self._desk.call(
                "command.dispatch", DispatchParams(name, session_id, rest or None), Ran
            )
        except RpcError as error:
            if error.code != _PLAIN:
                raise
            ran = await self._desk.call(
                "slash.exec", RunParams(session_id, line.lstrip("/")), Ran, within=_SLOW
            )
        if self._desk.foreign:
            self._desk.conversation.stale = True
            self._desk.engine.wake()
        match ran.type:
            case "send":
                return Outcome("send", clean_text(ran.message or ""))
            case "prefill":
                return Outcome("prefill", clean_text(ran.message or ""))
            case _:
                text = ran.output or ran.message or ran.notice or ran.warning or ""
                return Outcome("shown", clean_text(text))
