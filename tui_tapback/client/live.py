"""The running turn as it is written: answer bubbles, their rows, and the tools between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tui_tapback.domain import events as ev
from tui_tapback.domain.messages import Message, Role, Status, ToolActivity
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.work import Subagent
from tui_tapback.wire.attached import said_and_attached
from tui_tapback.wire.methods import Inflight
from tui_tapback.wire.rows import HELPERS_DONE, WireRow, reactions_from_wire

from .orphans import Orphans
from .transcript import Transcript

TURNS_REMEMBERED = 64
"""Turns of which it is known where they begin."""


class LiveTurn:
    """Writes into the transcript. One object lives through all turns of a session, one after another.

    ``start_of`` gives the key of a turn's first bubble; ``user_key`` is that of the message that began it
    where the gateway did not name its row yet.
    """

    def __init__(
        self,
        transcript: Transcript,
        orphans: Orphans,
        *,
        clock: Callable[[], float],
        ids: Callable[[], str],
    ) -> None:
        self._transcript = transcript
        self._orphans = orphans
        self._clock = clock
        self._ids = ids
        self.count = 0
        self.active = False
        self._firsts: dict[int, str] = {}
        self.user_key: str | None = None
        self._live: str | None = None
        self._next_row: int | None = None
        self._pieces: list[str] = []
        self._unnamed: list[str] = []
        self._named: frozenset[int] = frozenset()
        self._from_start = False

    def begin(self, *, from_start: bool = True) -> None:
        """A turn begins, or (``from_start`` False) one that began before is seen for the first time."""
        self.count += 1
        self.active = True
        self._from_start = from_start
        self.user_key = self._live = self._next_row = None
        self._pieces, self._unnamed, self._named = [], [], frozenset()
        self._firsts.pop(self.count - TURNS_REMEMBERED, None)
        self._orphans.age(self.count)

    def expect_row(self, row_id: int) -> None:
        """The bubble that comes next is this row."""
        self.close()
        self._next_row = row_id

    def end(self, row_ids: Iterable[int]) -> None:
        """The turn is over and named its rows; ``bind_pieces`` will match them with a history."""
        self._unnamed, self._named = self._pieces, frozenset(row_ids)
        self.active = False
        self.user_key = self._live = self._next_row = None
        self._pieces = []

    def start_of(self, turn: int) -> str | None:
        """The key of the first bubble of that turn (counted as ``count`` does), also once it is over.

        The message that began the turn stands before it, however late its row is learnt.
        """
        return self._firsts.get(turn)

    def forget(self) -> None:
        """A history was read while nothing runs: there is no turn and nothing to match."""
        self.end(())
        self._unnamed = []

    @property
    def bubble(self) -> Message | None:
        """The bubble that is being written."""
        return self._transcript.get(self._live)

    def kept(self) -> tuple[str, ...]:
        """Keys that a snapshot of the running turn may not list yet."""
        return tuple(key for key in (self.user_key, self._live) if key is not None) if self.active else ()

    def owns(self, row_id: int) -> bool:
        """Whether the row is the one that is being written."""
        live = self.bubble
        return self.active and ((live is not None and live.row_id == row_id) or self._next_row == row_id)

    def stored(self, row_id: int) -> None:
        """The row that was being written has its final text."""
        live = self.bubble
        if live is not None and live.row_id == row_id:
            self._live = None
        if self._next_row == row_id:
            self._next_row = None

    # --- pieces ----------------------------------------------------------------------------------------

    def text(self, piece: str) -> None:
        """A piece of the answer."""
        live = self.open()
        # After a tool a Hermes answer begins with blank lines, which belong to no bubble.
        text = live.text + piece if live.text else piece.lstrip("\n")
        if text != live.text:
            self._transcript.put(replace(live, text=text, status=Status.STREAMING))

    def reasoning(self, piece: str) -> None:
        """A piece of the reasoning."""
        live = self.open()
        self._transcript.put(replace(live, reasoning=live.reasoning + piece))

    def open(self) -> Message:
        """The bubble that is being written, made now if there is none."""
        live = self.bubble
        if live is not None:
            return live
        if not self.active:
            self.begin()
        row_id, self._next_row = self._next_row, None
        known = self._transcript.key_of(row_id)
        self._live = known or f"live-{self._ids()}"
        present = self._transcript.get(self._live)
        if present is not None:
            return present
        live = Message(
            key=self._live, role=Role.ASSISTANT, text="", at=self._clock(), status=Status.STREAMING
        )
        if row_id is None:
            self._pieces.append(self._live)
        else:
            self._transcript.bind(row_id, self._live)
            live = replace(live, row_id=row_id, reactions=self._orphans.take(row_id))
        self.add(live)
        return live

    def add(self, message: Message) -> None:
        """Put a bubble of this turn into the transcript."""
        if self.active and self._transcript.get(message.key) is None:
            self._firsts.setdefault(self.count, message.key)
        self._transcript.put(message)

    def told(self, words: str) -> None:
        """The person gave the running turn words whose row comes with the next history."""
        line = Message(key=f"told-{self._ids()}", role=Role.SYSTEM, text=f"› {words}", at=self._clock())
        self._transcript.put(line)

    def close(self) -> None:
        """The bubble is complete as far as its text goes; one without text disappears."""
        live, self._live = self.bubble, None
        if live is None:
            return
        if not live.text:
            self._transcript.drop(live.key)
            if live.key in self._pieces:
                self._pieces.remove(live.key)
            if self.start_of(self.count) == live.key:
                del self._firsts[self.count]
        elif live.status is Status.STREAMING:
            self._transcript.put(replace(live, status=Status.STORED))

    def resume(self, inflight: Inflight) -> None:
        """Continue a turn that was running when a snapshot was made."""
        if not self.active:
            self.begin(from_start=False)
        messages = self._transcript.messages
        last_user = next((m for m in reversed(messages) if m.role is Role.USER), None)
        # A Hermes history does not list the message that began the running turn.
        # What its helpers brought back is told to a Hermes agent as if the person had said it.
        by_person = inflight.display_kind != HELPERS_DONE
        said, attached = said_and_attached((inflight.user or "") if by_person else "")
        if said and self.user_key is None and (last_user is None or last_user.text != said):
            self.user_key = f"live-{self._ids()}"
            message = Message(key=self.user_key, role=Role.USER, text=said, at=self._clock())
            self._transcript.put(replace(message, attached=attached))
        if inflight.row_id is not None and not self.owns(inflight.row_id):
            self._live = None
            self._next_row = inflight.row_id
        if not inflight.assistant and self.bubble is None:
            return
        live = self.open()
        text = inflight.assistant or live.text
        live = replace(live, text=text, status=Status.STREAMING)
        if inflight.row_id is not None:
            live = live.with_reactions(reactions_from_wire(inflight.reactions))
        self._transcript.put(live)

    # --- tools -----------------------------------------------------------------------------------------

    def tool_started(self, event: ev.ToolStarted) -> None:
        """A tool runs; the bubble before it is complete."""
        self.close()
        key = call_key(event.call_id, self._transcript.calls(event.call_id) + 1)
        helpers = tuple(Subagent(goal) for goal in event.goals)
        tool = ToolActivity(event.call_id, event.name, event.context, running=True, subagents=helpers)
        self.add(Message(key=key, role=Role.TOOL, text="", at=self._clock(), tool=tool))

    def tool_finished(self, event: ev.ToolFinished) -> None:
        """A tool is done; its start may have been missed."""
        message = self._transcript.tool(event.call_id)
        if message is None or message.tool is None or not message.tool.running:
            self.tool_started(ev.ToolStarted(event.call_id, event.name))
            message = self._transcript.tool(event.call_id)
        if message is not None and message.tool is not None:
            tool = replace(message.tool, running=False, result=event.result, diff=event.diff)
            self._transcript.put(replace(message, tool=tool))

    # --- the end ---------------------------------------------------------------------------------------

    def finish(self, event: ev.TurnEnded, *, known_rows: bool) -> tuple[int, str] | None:
        """Give the answer its final text and state; returns its row and key where they belong together.

        ``known_rows``: the gateway told every stored row already, so that no bubble is made up here.
        """
        row_id = event.final_row_id
        if row_id is None and event.status != "complete":
            # After an interrupt the partial answer is stored, and is the last row of the turn.
            row_id = next((n for n in reversed(event.row_ids) if n != event.user_row_id), None)
        status = {"interrupted": Status.INTERRUPTED, "error": Status.FAILED}.get(event.status, Status.STORED)
        live = self.bubble
        if known_rows:
            self.close()
            return None
        if live is None:
            live = self._transcript.get(self._transcript.key_of(row_id))
        text = (event.text or "").strip("\n")
        if live is None:
            if not text and status is not Status.FAILED:
                return None
            live = self.open()
        if not live.text.strip() and not text and status is not Status.FAILED:
            self.close()
            return None
        error = event.error or (clean_line(text, 400) if status is Status.FAILED else "")
        # What only says why the turn failed is no words of the agent.
        if text and (status is not Status.FAILED or not (live.text or clean_line(text, 400) == error)):
            live = replace(live, text=text)
        reasoning = event.reasoning or live.reasoning
        self._transcript.put(replace(live, status=status, error=error or live.error, reasoning=reasoning))
        if live.key in self._pieces and row_id is not None:
            self._pieces.remove(live.key)
        return (row_id, live.key) if row_id is not None and live.row_id is None else None

    def bind_pieces(self, rows: Sequence[WireRow]) -> None:
        """Give the bubbles of this turn their rows out of a history.

        An ended turn named its rows. Of one whose end was missed only the order is known: its bubbles are the
        answers behind the message that began it, in the order in which they were written.
        """
        if self.active:
            answers = _answers_in(_after_row(rows, _question(self._transcript)), self._transcript)
            pairs = list(zip(answers, self._pieces, strict=False)) if self._from_start else []
        else:
            answers = _answers_in((row for row in rows if row.row_id in self._named), self._transcript)
            pairs = list(zip(answers, self._unnamed, strict=False))
            pairs = pairs if len(answers) == len(self._unnamed) else []
            self._unnamed, self._named = [], frozenset()
        for number, key in pairs:
            self._transcript.bind(number, key)
            if key in self._pieces:
                self._pieces.remove(key)


def _answers_in(rows: Iterable[WireRow], transcript: Transcript) -> list[int]:
    """Ids of the answers that people see and that belong to no bubble yet."""
    return [
        row.row_id
        for row in rows
        if row.row_id is not None
        and row.role == Role.ASSISTANT
        and (row.text or "").strip()
        and transcript.key_of(row.row_id) is None
    ]


def _question(transcript: Transcript) -> int | None:
    """The row of the user's newest message, which began the turn."""
    users = (m for m in reversed(transcript.messages) if m.role is Role.USER)
    newest = next(users, None)
    return newest.row_id if newest is not None else None


def _after_row(rows: Sequence[WireRow], row_id: int | None) -> Sequence[WireRow]:
    """The rows behind that one; none where it is not there."""
    for index, row in enumerate(rows):
        if row_id is not None and row.row_id == row_id:
            return rows[index + 1 :]
    return ()


def call_key(call_id: str, occurrence: int) -> str:
    """The key of a tool row. Some models give every call of a chat the same id, hence the number."""
    return f"call-{call_id}-{occurrence}"
