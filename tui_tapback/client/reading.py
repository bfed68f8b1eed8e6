"""Turns rows of a history into bubbles, so that a bubble that is here already keeps its key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.wire.events import row_key
from tui_tapback.wire.rows import WireRow, message_from_wire

from .children import kept, settled
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
        rows = list(rows)
        calls: Counter[str] = Counter()
        messages: list[Message] = []
        for row in rows:
            if row.role == Role.TOOL and row.tool_call_id and self._known(row) is None:
                calls[row.tool_call_id] += 1
                key = call_key(row.tool_call_id, calls[row.tool_call_id])
            else:
                key = self._key_of(row)
            messages.append(self._with_what_was_told(message_from_wire(row, lambda _, key=key: key)))
        return list(filter(drawn, settled(messages, rows)))

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

    def _with_what_was_told(self, message: Message) -> Message:
        """A row with what was told of it before: a Hermes history leaves most results of tools out, and has
        names of its own for images."""
        present = self._transcript.get(message.key)
        if present is None:
            return message
        if len(message.attached) == len(present.attached):
            message = replace(message, attached=present.attached)
        if message.tool is None or present.tool is None:
            return message
        tool = kept(message.tool, present.tool)
        result = tool.result or present.tool.result
        return replace(message, tool=replace(tool, result=result, diff=tool.diff or present.tool.diff))


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
