"""What the model hears of the tapbacks: the lines that are due, keeping one back, and the gateway's gate."""

from __future__ import annotations

from typing import Any

import msgspec

from tui_tapback.domain.errors import RowNotFound
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.wire.base import SessionParams
from tui_tapback.wire.conversation import PendingNotes, WithholdParams
from tui_tapback.wire.methods import History
from tui_tapback.wire.rows import WireRow, reactions_from_wire
from tui_tapback.words import _

from .abilities import Ability
from .desk import Desk

QUOTE = 120
"""Characters that a Hermes gateway quotes."""


@value
class PendingLine:
    """One line for the model. ``key`` is the bubble it is about (None: outside of the window).

    ``withheld``: it is kept back until the reaction changes again.
    """

    row_id: int
    text: str
    key: str | None = None
    part: str | None = None
    withheld: bool = False


class Telling:
    """Works on the session on screen. Raises NotSupported, LinkDown, RpcError."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def offered(self) -> bool:
        """Whether tapbacks are switched off on this gateway, so that switching them on can be offered."""
        return self._desk.engine.gate.offered

    async def enable(self) -> None:
        """Switch tapbacks on at the gateway, for all its chats."""
        await self._desk.engine.enable_reactions()

    async def pending(self) -> tuple[PendingLine, ...]:
        """What the next message will tell, in order; on Hermes it is worked out from the stored rows."""
        conversation = self._desk.conversation
        session_id = conversation.runtime_id
        if session_id is None:
            return ()
        key_of = conversation.mirror.transcript.key_of
        if self._desk.foreign:
            read = await self._desk.call("session.history", SessionParams(session_id), History)
            due = [(row, emoji) for row in read.messages if (emoji := _untold(row)) is not None]
            return tuple(
                PendingLine(row.row_id, _hermes_line(row, emoji), key_of(row.row_id))
                for row, emoji in due
                if row.row_id is not None
            )
        found = await self._desk.call("reactions.pending", SessionParams(session_id), PendingNotes)
        return tuple(
            PendingLine(n.row_id, clean_line(n.text, 400), key_of(n.row_id), n.part, n.withheld)
            for n in found.lines
        )

    async def head(self) -> tuple[str, ...]:
        """Exactly what stands at the head of the next message."""
        session_id = self._desk.conversation.runtime_id
        if session_id is None:
            return ()
        if self._desk.foreign:
            return tuple(line.text for line in await self.pending())
        found = await self._desk.call("reactions.pending", SessionParams(session_id), PendingNotes)
        return tuple(clean_line(line, 400) for line in found.head)

    async def withhold(self, key: str, withheld: bool, *, part: str | None = None) -> None:
        """Keep the line about this bubble back, or no longer. Raises RowNotFound too."""
        self._desk.require(Ability.WITHHOLD)
        row_id = self._message(key).row_id
        if row_id is None:
            raise RowNotFound(_("That message is not stored yet."), hint=_("Wait a moment."))
        params = WithholdParams(self._desk.runtime_id(), row_id, withheld, part)
        await self._desk.call("reactions.withhold", params, PendingNotes)

    def _message(self, key: str) -> Message:
        message = self._desk.conversation.message(key)
        if message is None:
            raise RowNotFound(_("That message is not in this chat."), hint=_("Choose one that is there."))
        return message


def _untold(row: WireRow) -> str | None:
    """The user's emoji on a row that the model has not heard of."""
    try:
        entries = msgspec.convert((row.display_metadata or {}).get("reactions", []), list[dict[str, Any]])
    except msgspec.ValidationError:
        return None
    mine = reactions_from_wire([entry for entry in entries if not entry.get("seen")]).by(Author.USER)
    return mine.emoji if mine is not None and row.role in (Role.USER, Role.ASSISTANT) else None


def _hermes_line(row: WireRow, emoji: str) -> str:
    whose = "your" if row.role == Role.ASSISTANT else "their own"
    text = " ".join((row.text or "").split("\n"))
    if not text.strip():
        return f"[The user reacted {emoji} to your earlier message]"
    quote = text if len(text) <= QUOTE else text[:QUOTE] + "…"
    return clean_line(f'[The user reacted {emoji} to {whose} message: "{quote}"]', 400)
