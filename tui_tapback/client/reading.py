"""Turns rows of a history into bubbles, so that a bubble that is here already keeps its key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.wire.events import row_key
from tui_tapback.wire.rows import WireRow, message_from_wire

from .live import call_key
from .orphans import Orphans
from .transcript import Transcript


class Reader:
    """Reads for one transcript and changes nothing in it."""

    def __init__(self, transcript: Transcript, orphans: Orphans) -> None:
        self._transcript = transcript
        self._orphans = orphans

    def whole(self, rows: Iterable[WireRow]) -> list[Message]:
        """The end of a chat, as the truth: a row without reactions has none."""
        calls: Counter[str] = Counter()
        messages: list[Message] = []
        for row in rows:
            if row.role == Role.TOOL and row.tool_call_id and self._known(row) is None:
                calls[row.tool_call_id] += 1
                key = call_key(row.tool_call_id, calls[row.tool_call_id])
            else:
                key = self._key_of(row)
            messages.append(self._with_result(message_from_wire(row, lambda _, key=key: key)))
        return list(filter(drawn, messages))

    def part(self, rows: Iterable[WireRow]) -> list[Message]:
        """Some rows: one that does not mention its reactions keeps those it has."""
        seen: Counter[str] = Counter()
        messages: list[Message] = []
        for row in rows:
            key = self._key_of(row)
            if row.role == Role.TOOL:
                # The calls of a part cannot be counted through, so that their time tells them apart.
                past = f"past-{row.tool_call_id}-{row.timestamp}"
                seen[past] += 1
                key = f"{past}-{seen[past]}"
            message = message_from_wire(row, lambda _, key=key: key)
            if "reactions" not in (row.display_metadata or {}) and row.row_id is not None:
                present = self._transcript.get(key)
                orphan = self._orphans.take(row.row_id)
                message = message.with_reactions(present.reactions if present is not None else orphan)
            messages.append(message)
        return list(filter(drawn, messages))

    def _known(self, row: WireRow) -> str | None:
        return self._transcript.key_of(row.row_id)

    def _key_of(self, row: WireRow) -> str:
        known = self._known(row)
        if known is not None:
            return known
        ref = (row.display_metadata or {}).get("client_ref")
        return local_key(ref) if isinstance(ref, str) and ref else row_key(row)

    def _with_result(self, message: Message) -> Message:
        """A tool row with what its events told: a Hermes history leaves most results out."""
        present = self._transcript.get(message.key)
        if message.tool is None or message.tool.result or present is None or present.tool is None:
            return message
        return replace(message, tool=replace(message.tool, result=present.tool.result))


def once(rows: list[WireRow]) -> list[WireRow]:
    """A Hermes chat summed up into a new session lists rows twice: the later place is the true one."""
    last = {row.row_id: place for place, row in enumerate(rows) if row.row_id is not None}
    return [row for place, row in enumerate(rows) if row.row_id is None or last[row.row_id] == place]


def local_key(client_ref: str) -> str:
    """The key of a message that was sent with this reference."""
    return f"local-{client_ref}"


def drawn(message: Message) -> bool:
    """Whether a row is a bubble at all: an answer that only calls tools has no text of its own."""
    if message.role is not Role.ASSISTANT or message.text.strip():
        return True
    return message.status not in (Status.STORED, Status.STREAMING)
