"""The turns of a scripted gateway: rows come to be, the agent writes, every step is an event."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tui_tapback.domain.errors import RpcError
from tui_tapback.wire.errors import Code

Payload = dict[str, Any]


@dataclass(slots=True)
class ScriptedSession:
    """One session. ``rows`` are wire rows; ``live`` is the answer that is being written."""

    id: str
    runtime_id: str
    rows: list[Payload] = field(default_factory=list[Payload])
    title: str = ""
    running: bool = False
    live: Payload | None = None
    turn_rows: list[int] = field(default_factory=list[int])
    user_row: int | None = None
    queue: list[Payload] = field(default_factory=list[Payload])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    ring: list[Payload] = field(default_factory=list[Payload])

    def row(self, row_id: object) -> Payload:
        """The row. Raises RpcError 4040."""
        for row in [*self.rows, *([self.live] if self.live else [])]:
            if row.get("row_id") == row_id:
                return row
        raise RpcError(Code.ROW_NOT_FOUND, "That message is not in this chat.")


class ScriptedTurns:
    """Sessions, and what happens in them. ``emit`` receives the ``params`` of every event.

    ``ring`` bounds what can be replayed; with ``auto_reply`` a turn answers itself (``{}`` is the prompt).
    """

    def __init__(self, *, hermes: bool = False, ring: int = 512, first_row: int = 1) -> None:
        self.hermes = hermes
        self.ring = ring
        self.sessions: dict[str, ScriptedSession] = {}
        self.emit: Callable[[Payload], None] = lambda params: None
        self.auto_reply: str | None = None
        self.epoch = "epoch-1"
        self._rows = itertools.count(first_row)
        self._names = itertools.count(1)
        self._clock = itertools.count(1000)

    def add(self, *texts: tuple[str, str], title: str = "") -> ScriptedSession:
        """A stored session with rows ``(role, text)``."""
        number = next(self._names)
        name = f"20260101_00000{number}_abcdef"
        session = ScriptedSession(name, f"rt{number:06d}" if self.hermes else name, title=title)
        for role, text in texts:
            session.rows.append(self.new_row(role, text))
        self.sessions[name] = session
        return session

    def restart(self) -> None:
        """The gateway was killed and started again: rows stay, everything else is gone."""
        self.epoch = f"epoch-{next(self._names)}"
        for session in self.sessions.values():
            if session.live is not None and session.live["text"]:
                session.rows.append(
                    session.live
                    | {"display_metadata": {**session.live.get("display_metadata", {}), "interrupted": True}}
                )
            session.live = None
            session.running = False
            session.counts = {}
            session.ring = []
            session.turn_rows = []
            if self.hermes:
                session.runtime_id = f"rt{next(self._names):06d}"

    def begin(self, session: ScriptedSession) -> None:
        """The agent begins to answer."""
        session.running = True
        session.live = self.new_row("assistant", "")
        self.tell(session, "session.info", {"running": True, "model": "scripted", "title": session.title})
        self.tell(session, "message.start", None if self.hermes else {"row_id": session.live["row_id"]})

    def write(self, session: ScriptedSession, text: str) -> None:
        """A piece of the answer."""
        if session.live is None:
            session.live = self.new_row("assistant", "")
            if not self.hermes:
                self.tell(session, "message.start", {"row_id": session.live["row_id"]})
        session.live["text"] += text
        self.tell(session, "message.delta", {"text": text})

    def tool(self, session: ScriptedSession, name: str, call_id: str, result: Any) -> None:
        """The agent calls a tool and gets its result."""
        self._close_live(session)
        facts = {"tool_id": call_id, "name": name}
        self.tell(session, "tool.start", facts)
        session.rows.append(
            {"role": "tool", "name": name, "tool_call_id": call_id, "timestamp": float(next(self._clock))}
        )
        self.tell(session, "tool.complete", facts | {"result": result})

    def end(self, session: ScriptedSession, status: str = "complete") -> None:
        """The turn is over."""
        text = session.live["text"] if session.live is not None else None
        final = self._close_live(session, interrupted=status == "interrupted")
        session.running = False
        persisted: Payload = {"row_ids": session.turn_rows, "user_row_id": session.user_row}
        if final is not None and (status == "complete" or not self.hermes):
            persisted["final_assistant_row_id"] = final
        self.tell(session, "message.complete", {"text": text, "status": status, "persisted_turn": persisted})
        session.turn_rows = []
        self.tell(session, "session.info", {"running": False})
        if session.queue:
            self._drain(session)

    def agent_reacts(self, session: ScriptedSession, row_id: int, emoji: str | None) -> None:
        """The agent reacts."""
        self.react(session, session.row(row_id), "agent", emoji, None)

    def user_reacts_elsewhere(self, session: ScriptedSession, row_id: int, emoji: str | None) -> None:
        """Another device of the user reacts."""
        self.react(session, session.row(row_id), "user", emoji, None)

    def start(self, session: ScriptedSession, row: Payload) -> None:
        """A message of the user starts a turn."""
        meta = {k: v for k, v in row.get("display_metadata", {}).items() if k != "_queued_prompt"}
        if meta or "display_metadata" in row:
            row["display_metadata"] = meta
        if row in session.rows:
            session.rows.remove(row)
        session.rows.append(row)
        session.user_row = row["row_id"]
        session.turn_rows = [row["row_id"]]
        self.tell_row(session, row)
        self.begin(session)
        if self.auto_reply is not None:
            self.write(session, self.auto_reply.format(row["text"]))
            self.end(session)

    def _drain(self, session: ScriptedSession) -> None:
        if self.hermes:  # several become one row, with a new id
            text = "\n\n".join(row["text"] for row in session.queue)
            session.queue = []
            self.start(session, self.new_row("user", text))
        else:
            self.start(session, session.queue.pop(0))

    def react(
        self, session: ScriptedSession, row: Payload, author: str, emoji: str | None, part: str | None
    ) -> int | None:
        """Bring a slot to ``emoji``; the event's number, None where nothing changed or nobody is told."""
        before = reactions_in(row)
        slot = [r for r in before if r["author"] == author and r.get("part") == part]
        if (slot[0]["emoji"] if slot else None) == emoji:
            return None
        after = [r for r in before if r not in slot]
        if emoji is not None:
            entry: Payload = {"emoji": emoji, "author": author, "at": float(next(self._clock))}
            after.append(entry | ({"part": part} if part else {}))
        meta = {**row.get("display_metadata", {}), "reactions": after}
        row["display_metadata"] = meta if after else {k: v for k, v in meta.items() if k != "reactions"}
        if self.hermes and author == "user":
            return None  # nobody is told
        payload: Payload = {"row_id": row["row_id"], "reactions": after}
        return self.tell(session, "message.reaction", payload, stored=self.hermes)

    def new_row(self, role: str, text: str) -> Payload:
        """A row with the next id, not stored yet."""
        return {"role": role, "text": text, "row_id": next(self._rows), "timestamp": float(next(self._clock))}

    def tell(
        self, session: ScriptedSession, kind: str, payload: Payload | None, *, stored: bool = False
    ) -> int:
        """Emit an event; returns its number."""
        session_id = session.id if stored else session.runtime_id
        seq = session.counts.get(session_id, 0) + 1
        session.counts[session_id] = seq
        params: Payload = {"type": kind, "session_id": session_id, "seq": seq}
        if payload is not None:
            params["payload"] = payload
        session.ring = [*session.ring, params][-self.ring :]
        self.emit(params)
        return seq

    def tell_row(self, session: ScriptedSession, row: Payload) -> None:
        """Tell of a stored row, as only our gateway does."""
        if not self.hermes:
            payload: Payload = {"row": dict(row)}
            ref = row.get("display_metadata", {}).get("client_ref")
            self.tell(session, "tapback.row", payload | ({"client_ref": ref} if ref else {}))

    def _close_live(self, session: ScriptedSession, *, interrupted: bool = False) -> int | None:
        live, session.live = session.live, None
        if live is None or not live["text"]:
            return None
        if interrupted:
            live["display_metadata"] = {**live.get("display_metadata", {}), "interrupted": True}
        session.rows.append(live)
        session.turn_rows.append(live["row_id"])
        self.tell_row(session, live)
        return live["row_id"]


def reactions_in(row: Payload) -> list[Payload]:
    """The reactions of a wire row."""
    return list(row.get("display_metadata", {}).get("reactions", []))
