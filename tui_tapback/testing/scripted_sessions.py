"""A small model of a gateway, ours or a Hermes one, without time, store or network: it answers requests."""

from __future__ import annotations

from collections.abc import Callable

from tui_tapback.domain.errors import RpcError
from tui_tapback.wire.errors import Code

from .scripted_turns import Payload, ScriptedSession, ScriptedTurns, reactions_in


class ScriptedSessions(ScriptedTurns):
    """Answers the methods of the wire. ``effects`` counts how often each operation id or reference really did
    something, which must never exceed one."""

    def __init__(self, *, hermes: bool = False, ring: int = 512, first_row: int = 1) -> None:
        super().__init__(hermes=hermes, ring=ring, first_row=first_row)
        self.effects: dict[str, int] = {}
        self._ops: dict[str, Payload] = {}

    def reactions(self, session: ScriptedSession, row_id: int) -> list[tuple[str, str]]:
        """``(author, emoji)`` of a row, as the store has them."""
        return [(r["author"], r["emoji"]) for r in reactions_in(session.row(row_id))]

    # --- the wire --------------------------------------------------------------------------------------

    def find(self, session_id: object) -> ScriptedSession:
        """By stored or by runtime id. Raises RpcError 4007."""
        for session in self.sessions.values():
            if session_id in (session.id, session.runtime_id):
                return session
        raise RpcError(Code.SESSION_NOT_FOUND, "There is no such chat.")

    def handle(self, method: str, params: Payload, attach: Callable[[ScriptedSession], None]) -> Payload:
        """Carry out a request. Raises RpcError."""
        match method:
            case "client.capabilities":
                return {"server_requests": []}
            case "gateway.ping":
                return {"ok": True}
            case "session.create":
                session = self.add()
                attach(session)
                return self.snapshot(session)
            case "session.most_recent":
                newest = list(self.sessions.values())[-1:]
                return {"session_id": newest[0].id if newest else None}
            case "session.list":
                return {"sessions": [{"id": s.id, "title": s.title} for s in self.sessions.values()]}
            case _:
                return self._of_session(method, params, attach)

    def _of_session(self, method: str, params: Payload, attach: Callable[[ScriptedSession], None]) -> Payload:
        session = self.find(params.get("session_id"))
        match method:
            case "session.resume":
                attach(session)
                limit = params.get("limit")
                return self.snapshot(session, omit=params.get("omit_messages", False), limit=limit)
            case "session.page" if not self.hermes:
                return self._page(session, params)
            case "session.history":
                return {"messages": list(session.rows), "count": len(session.rows)}
            case "session.events.since":
                return self.since(session, params["last_seen"])
            case "session.interrupt":
                if session.running:
                    self.end(session, "interrupted")
                return {"status": "interrupted"}
            case "session.title":
                session.title = params.get("title") or session.title
                return {"title": session.title}
            case "session.close":
                return {"ok": True}
            case "prompt.submit":
                attach(session)
                return self._submit(session, params)
            case "reaction.set" if not self.hermes:
                return self._reaction_set(session, params)
            case "message.react":
                return self._toggle(session, params)
            case "reactions.pending" if not self.hermes:
                return {"lines": [], "head": []}
            case _:
                raise RpcError(Code.UNKNOWN_METHOD, "unknown method")

    def snapshot(self, session: ScriptedSession, *, omit: bool = False, limit: int | None = None) -> Payload:
        """What resume answers."""
        rows = [] if omit else session.rows[-limit:] if limit else session.rows
        inflight: Payload | None = None
        if session.running:
            inflight = {"streaming": True, "assistant": session.live["text"] if session.live else ""}
            if not self.hermes and session.live is not None:
                inflight |= {"row_id": session.live["row_id"], "reactions": reactions_in(session.live)}
        found: Payload = {
            "session_id": session.runtime_id,
            "stored_session_id": session.id,
            "messages": list(rows),
            "running": session.running,
            "info": {"model": "scripted", "title": session.title, "tools": {}},
            "inflight": inflight,
        }
        if self.hermes:
            return found
        parts: Payload = {"has_older": len(rows) < len(session.rows), "total": len(session.rows)}
        return found | parts | {"seq": session.counts.get(session.id, 0)}

    @staticmethod
    def _page(session: ScriptedSession, params: Payload) -> Payload:
        ids = [row.get("row_id") for row in session.rows]
        limit = params["limit"]
        if "before_row_id" in params:
            end = ids.index(params["before_row_id"])
            begin = max(0, end - limit)
        elif "after_row_id" in params:
            begin = ids.index(params["after_row_id"]) + 1
            end = min(len(ids), begin + limit)
        else:
            begin = max(0, ids.index(params["around_row_id"]) - limit // 2)
            end = min(len(ids), begin + limit)
        more = {"has_older": begin > 0, "has_newer": end < len(ids), "total": len(ids)}
        return {"messages": session.rows[begin:end], **more}

    def since(self, session: ScriptedSession, last_seen: int) -> Payload:
        """What a replay answers."""
        latest = session.counts.get(session.runtime_id, 0)
        events = [p for p in session.ring if p["session_id"] == session.runtime_id and p["seq"] > last_seen]
        truncated = last_seen > latest or last_seen + len(events) < latest
        return {"events": events, "latest_seq": latest, "truncated": truncated, "epoch": self.epoch}

    # --- inside ----------------------------------------------------------------------------------------

    def _submit(self, session: ScriptedSession, params: Payload) -> Payload:
        ref = params.get("client_ref")
        if self.hermes and ref is not None:
            raise RpcError(Code.UNKNOWN_PARAMETER, "unknown parameter client_ref")
        if ref is not None and f"prompt {ref}" in self._ops:
            return self._ops[f"prompt {ref}"]
        row = self.new_row("user", params["text"])
        if ref is not None:
            row["display_metadata"] = {"client_ref": ref}
        self._effect(ref or f"row {row['row_id']}")
        if session.running:
            session.queue.append(row)
            answer: Payload = {"status": "queued"}
            if not self.hermes:
                row["display_metadata"]["_queued_prompt"] = True
                answer["user_row_id"] = row["row_id"]
                session.rows.append(row)
                self.tell_row(session, row)
        else:
            answer = {"status": "streaming", "user_row_id": row["row_id"]}
            self.start(session, row)
        if ref is not None:
            self._ops[f"prompt {ref}"] = answer
        return answer

    def _reaction_set(self, session: ScriptedSession, params: Payload) -> Payload:
        before = self._ops.get(f"op {params['op_id']}")
        if before is not None:
            return before if before["epoch"] == self.epoch else before | {"seq": None}
        row = session.row(params["row_id"])
        present = next((r["emoji"] for r in reactions_in(row) if r["author"] == "user"), None)
        if "expected" in params and present not in (params["expected"], params["emoji"]):
            raise RpcError(Code.STALE_REACTION, "Meanwhile it was changed.", {"reactions": reactions_in(row)})
        seq = self.react(session, row, "user", params["emoji"], params.get("part"))
        if seq is not None:
            self._effect(params["op_id"])
        answer: Payload = {
            "row_id": row["row_id"],
            "reactions": reactions_in(row),
            "seq": seq,
            "epoch": self.epoch,
        }
        self._ops[f"op {params['op_id']}"] = answer
        return answer

    def _toggle(self, session: ScriptedSession, params: Payload) -> Payload:
        row = session.row(params["row_id"])
        present = next((r["emoji"] for r in reactions_in(row) if r["author"] == "user"), None)
        emoji = params["emoji"]
        self.react(session, row, "user", None if emoji == present else emoji, None)
        return {"row_id": row["row_id"], "reactions": reactions_in(row)}

    def _effect(self, name: str) -> None:
        self.effects[name] = self.effects.get(name, 0) + 1
