"""Tells every attached connection what happens, numbered per session, and keeps the newest for replay."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tui_tapback.wire.methods import EventsSince

from .ports import EventSink

RING_EVENTS = 512
RING_BYTES = 1024 * 1024
RINGS = 256
ALL_BYTES = 64 * 1024 * 1024
"""What is kept for replay: of each session, of how many, and of all together."""


@dataclass(slots=True)
class _Ring:
    """The newest events of a session, bounded by number and by size."""

    entries: deque[tuple[dict[str, Any], int]] = field(default_factory=deque[tuple[dict[str, Any], int]])
    size: int = 0

    def add(self, params: dict[str, Any]) -> None:
        size = len(msgspec.json.encode(params))
        self.entries.append((params, size))
        self.size += size
        while len(self.entries) > RING_EVENTS or (self.size > RING_BYTES and len(self.entries) > 1):
            self.size -= self.entries.popleft()[1]


class Broadcast:
    """Connections by session, sequence numbers and rings.

    ``epoch`` names this run of the gateway: numbers of another epoch mean nothing here. ``watchers`` hear
    everything about every session, without being anybody who is there.
    """

    def __init__(self, epoch: str, watchers: Sequence[EventSink] = ()) -> None:
        self.epoch = epoch
        self._watchers = tuple(watchers)
        self._everyone: list[EventSink] = []
        self._attached: dict[str, list[EventSink]] = {}
        self._seq: dict[str, int] = {}
        self._rings: dict[str, _Ring] = {}
        self._size = 0
        self._held: list[dict[str, Any]] | None = None

    def join(self, sink: EventSink) -> None:
        """Let ``sink`` hear what concerns no session in particular."""
        if not any(known is sink for known in self._everyone):
            self._everyone.append(sink)

    def attach(self, session_id: str, sink: EventSink) -> None:
        """Let ``sink`` hear the session, and what concerns none; twice is once."""
        self.join(sink)
        sinks = self._attached.setdefault(session_id, [])
        if not any(known is sink for known in sinks):
            sinks.append(sink)

    def listeners(self, session_id: str) -> tuple[EventSink, ...]:
        """Who hears the session."""
        return tuple(self._attached.get(session_id, ()))

    def detach(self, sink: EventSink, session_id: str | None = None) -> None:
        """Take ``sink`` off one session, or (None) off everything."""
        sessions = list(self._attached) if session_id is None else [session_id]
        for key in sessions:
            left = [known for known in self._attached.get(key, []) if known is not sink]
            if left:
                self._attached[key] = left
            else:
                self._attached.pop(key, None)
        if session_id is None:
            self._everyone = [known for known in self._everyone if known is not sink]

    def attached(self, session_id: str) -> int:
        """How many connections hear the session."""
        return len(self._attached.get(session_id, ()))

    def latest(self, session_id: str) -> int:
        """The number of the session's newest event, 0 before the first."""
        return self._seq.get(session_id, 0)

    def emit(self, session_id: str, kind: str, payload: Mapping[str, Any] | None = None) -> int:
        """Tell everyone attached to the session; returns the number of the event."""
        seq = self.latest(session_id) + 1
        self._seq[session_id] = seq
        params: dict[str, Any] = {"type": kind, "session_id": session_id, "seq": seq}
        if payload is not None:
            params["payload"] = dict(payload)
        if self._held is not None:
            self._held.append(params)
        else:
            self._send(params)
        return seq

    def _send(self, params: dict[str, Any]) -> None:
        session_id = params["session_id"]
        self._record(session_id, params)
        for sink in (*self._attached.get(session_id, ()), *self._watchers):
            sink.deliver(params)

    @contextmanager
    def held(self) -> Generator[None]:
        """What is emitted in the block goes out at its end, or never where it raises; its numbers are then
        given again. Not nested, and nothing else may run meanwhile."""
        numbers, self._held = dict(self._seq), list[dict[str, Any]]()
        try:
            yield
        except BaseException:
            self._seq, self._held = numbers, None
            raise
        events, self._held = self._held, None
        for params in events:
            self._send(params)

    def _record(self, session_id: str, params: dict[str, Any]) -> None:
        ring = self._rings.pop(session_id, None) or _Ring()
        before = ring.size
        ring.add(params)
        self._size += ring.size - before
        self._rings[session_id] = ring  # newest last
        while len(self._rings) > RINGS or (self._size > ALL_BYTES and len(self._rings) > 1):
            # The session that has been quiet longest; one that nobody hears goes first.
            quiet = next((key for key in self._rings if key not in self._attached), next(iter(self._rings)))
            self._size -= self._rings.pop(quiet).size

    def announce(self, kind: str, payload: Mapping[str, Any] | None = None) -> None:
        """Tell every connection something that concerns no session; without a number, never replayed."""
        params: dict[str, Any] = {"type": kind, "session_id": "", "payload": dict(payload or {})}
        for sink in (*self._everyone, *self._watchers):
            sink.deliver(params)

    def since(self, session_id: str, last_seen: int) -> EventsSince:
        """The events after ``last_seen``; ``truncated`` where some of them are no longer there, or where the
        number is not one of this epoch."""
        latest = self.latest(session_id)
        ring = self._rings.get(session_id, _Ring())
        events = [params for params, _ in ring.entries if params["seq"] > last_seen]
        truncated = last_seen > latest or last_seen + len(events) < latest
        return EventsSince(
            events=events, latest_seq=latest, truncated=truncated, count=len(events), epoch=self.epoch
        )

    def leave(self, session_id: str) -> None:
        """Let nobody hear the session any more. Its numbers go on, should it come back."""
        self._attached.pop(session_id, None)

    def forget(self, session_id: str) -> None:
        """Drop everything about a session that is gone for good."""
        ring = self._rings.pop(session_id, None)
        self._size -= 0 if ring is None else ring.size
        self._attached.pop(session_id, None)
        self._seq.pop(session_id, None)
