"""A running turn: what the agent says is stored and told to the clients here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tui_tapback.domain.errors import ModelGarbled
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.gateway.store.messages import MessageTable
from tui_tapback.gateway.store.records import MessageRecord, NewMessage, SessionRecord
from tui_tapback.wire.rows import TOOL_RESULT_LIMIT

from .context import model_request, size
from .core import Core
from .draft import Draft
from .inputs import whole_characters
from .own_words import own_words
from .ports import ModelRequest, ToolCall
from .provider_messages import assistant_message, tool_message, user_message
from .rewind import STEER
from .rows import MEANWHILE, QUEUED, STREAMING, listed, row_payload
from .usage import Usage

SAVE_EVERY = 0.5
"""Seconds between two savings of an answer that is being written: what a crash may cost of it. The clock may
be set back meanwhile."""
MAX_ANSWER_CHARS = 1_000_000
_CONTEXT_LIMIT = 200


def live_row(session_id: str, at: float) -> NewMessage:
    """A new row for an answer that is about to be written."""
    return NewMessage(session_id=session_id, role="assistant", text="", at=at, metadata={STREAMING: True})


def take_in(messages: MessageTable, row: MessageRecord, kind: str, now: float) -> MessageRecord:
    """Put words that waited at the end of the turn that runs, without notes; inside a transaction."""
    messages.place(row.row_id, now)
    messages.set_kind(row.row_id, kind, row.text)
    metadata = {key: value for key, value in row.metadata.items() if key not in (QUEUED, MEANWHILE)}
    messages.set_metadata(row.row_id, metadata)
    return messages.seal(row.row_id, user_message((), own_words(row.text)))


class LiveTurn:
    """Implements ``ports.Turn``.

    The answer has its row from the start, so that a reaction finds it while it is being written: the first
    row is made with the turn, each further one with its first piece.
    """

    def __init__(
        self,
        core: Core,
        session: SessionRecord,
        user_row_id: int,
        live_row_id: int,
        *,
        usage: Usage,
        row_ids: Sequence[int] = (),
    ) -> None:
        self._core = core
        self._usage = usage
        self._session = session
        self._user_row_id = user_row_id
        self._live: int | None = live_row_id
        self._draft = Draft()
        self._size = 0
        self._saved_at = core.clock()
        self._open: dict[str, ToolCall] = {}
        self._contexts: dict[str, str] = {}
        self._stopped = False
        self._asked = 0
        self.row_ids: list[int] = [*row_ids] or [user_row_id]
        self.redirected = bool(row_ids)
        self.final: MessageRecord | None = None

    @property
    def session_id(self) -> str:
        """The session this turn belongs to."""
        return self._session.id

    @property
    def user_row_id(self) -> int:
        """The row that started the turn."""
        return self._user_row_id

    @property
    def live_row_id(self) -> int | None:
        """The row that is being written."""
        return self._live

    @property
    def partial(self) -> str:
        """The text of that row so far, for people."""
        return self._draft.text

    def stop(self) -> None:
        """Let nothing more through, whatever the agent makes of its cancellation."""
        self._stopped = True

    def save(self) -> None:
        """Write the text so far to its row; inside a transaction or alone."""
        if self._live is not None:
            self._core.store.messages.set_text(self._live, self._draft.text, self._draft.reasoning)

    def request(self) -> ModelRequest:
        """The next request: the stored texts, exactly as they were sent before.

        What the user has said meanwhile stands at its end, unless an answer is being written already.
        """
        self._go_on()
        if self._live is None and not self._open:
            self._take_meanwhile()
        request = model_request(self._core.store, self._session)
        self._asked = size(request)
        return request

    async def text(self, delta: str) -> None:
        """A piece of the answer. Raises ModelGarbled where the answer grows beyond all measure."""
        self._go_on()
        self._begin_piece(delta)
        unseen = not self._draft.visible
        shown = self._draft.add(delta)
        now = self._core.clock()
        # The first visible piece makes the row one that people see and can react to.
        if self._draft.visible and (unseen or abs(now - self._saved_at) >= SAVE_EVERY):
            self._saved_at = now
            self.save()
        if shown:
            self._tell("message.delta", {"text": shown})
        await asyncio.sleep(0)

    async def reasoning(self, delta: str) -> None:
        """A piece of the model's reasoning."""
        self._go_on()
        self._begin_piece(delta)
        if delta:
            self._tell("reasoning.delta", {"text": self._draft.think(delta)})
        await asyncio.sleep(0)

    async def assistant(self, calls: Sequence[ToolCall] = ()) -> int:
        """Close the row that is being written, with its tool calls.

        Raises ModelGarbled where there is neither text nor a call.
        """
        self._go_on()
        self._refuse_open_calls()
        if not self._draft.visible and not calls:
            raise ModelGarbled("The model gave an empty answer.", hint="Send the message again.")
        row = self._close(tuple(calls))
        self._open = {call.call_id: call for call in calls}
        self.row_ids.append(row.row_id)
        if listed(row):
            self.final = row
            self._tell("tapback.row", row_payload(row))
        return row.row_id

    async def tool_started(self, call: ToolCall, context: str) -> None:
        """``call`` begins."""
        self._go_on()
        self._contexts[call.call_id] = clean_line(whole_characters(context), _CONTEXT_LIMIT)
        self._tell("tool.start", self._tool_facts(call))

    async def tool_result(self, call: ToolCall, content: str) -> int:
        """``call`` ended: store its row, tell the clients; returns the row id."""
        self._go_on()
        if call.call_id not in self._open:
            raise ValueError(f"the call {call.call_id!r} is not open")
        content = whole_characters(content)
        context = self._contexts.get(call.call_id, "")
        with self._core.store.transaction():
            row = self._core.store.messages.insert(
                NewMessage(
                    session_id=self.session_id,
                    role="tool",
                    text=clean_text(content),
                    at=self._core.clock(),
                    sent=tool_message(call.call_id, content),
                    tool_call_id=whole_characters(call.call_id),
                    tool_name=clean_line(whole_characters(call.name), 60),
                    metadata={"context": context} if context else {},
                )
            )
        del self._open[call.call_id]
        self.row_ids.append(row.row_id)
        self._tell(
            "tool.complete", self._tool_facts(call) | {"result": clean_text(content[:TOOL_RESULT_LIMIT])}
        )
        return row.row_id

    async def usage(self, input_tokens: int, output_tokens: int) -> None:
        """What the model's server counted for the request that was answered last."""
        self._go_on()
        self._usage.count(self._session, input_tokens, output_tokens, self._asked)

    def go_on_from(self, row_ids: Sequence[int], live_row_id: int) -> LiveTurn:
        """The same turn after it was redirected, with an answer of its own."""
        ids = [*self.row_ids, *row_ids]
        return LiveTurn(
            self._core, self._session, self._user_row_id, live_row_id, usage=self._usage, row_ids=ids
        )

    def _take_meanwhile(self) -> None:
        messages, now = self._core.store.messages, self._core.clock()
        waiting = [row for row in messages.waiting(self.session_id) if row.metadata.get(MEANWHILE) == STEER]
        if not waiting:
            return
        with self._core.store.transaction():
            taken = [take_in(messages, row, STEER, now) for row in waiting]
        for row in taken:
            self.row_ids.append(row.row_id)
            self._tell("tapback.row", row_payload(row))

    def _close(self, calls: tuple[ToolCall, ...]) -> MessageRecord:
        messages = self._core.store.messages
        with self._core.store.transaction():
            row_id = self._live if self._live is not None else self._insert_live()
            messages.set_text(row_id, self._draft.text, self._draft.reasoning)
            metadata = messages.fetch(row_id).metadata
            messages.set_metadata(row_id, {k: v for k, v in metadata.items() if k != STREAMING})
            row = messages.seal(row_id, assistant_message(self._draft.raw, calls))
        self._live = None
        self._draft = Draft()
        return row

    def _begin_piece(self, delta: str) -> None:
        self._refuse_open_calls()
        self._size += len(delta)
        if self._size > MAX_ANSWER_CHARS:
            raise ModelGarbled(
                f"The answer grew beyond {MAX_ANSWER_CHARS:,} characters and was stopped.",
                hint="Ask again, or choose another model.",
            )
        if self._live is None and delta:
            with self._core.store.transaction():
                self._live = self._insert_live()
            self._tell("message.start", {"row_id": self._live})

    def _insert_live(self) -> int:
        return self._core.store.messages.insert(live_row(self.session_id, self._core.clock())).row_id

    def _tool_facts(self, call: ToolCall) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "tool_id": whole_characters(call.call_id),
            "name": clean_line(whole_characters(call.name), 60),
        }
        context = self._contexts.get(call.call_id)
        return facts | ({"context": context} if context else {})

    def _refuse_open_calls(self) -> None:
        if self._open:
            raise RuntimeError("the answer goes on before all of its calls have a result")

    def _go_on(self) -> None:
        if self._stopped:
            raise asyncio.CancelledError

    def _tell(self, kind: str, payload: dict[str, Any]) -> None:
        self._core.broadcast.emit(self.session_id, kind, payload)
