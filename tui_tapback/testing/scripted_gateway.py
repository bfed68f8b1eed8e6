"""A gateway that does what a test tells it: delays, refuses, loses, doubles, breaks, freezes, restarts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tui_tapback.client.ports import Transport
from tui_tapback.domain.errors import LinkDown, RpcError
from tui_tapback.wire.methods import PROTOCOL

from .scripted_sessions import ScriptedSessions
from .scripted_turns import Payload, ScriptedSession

Fate = Literal["hold", "refuse", "lose answer", "lose call", "garble", "queue"]


@dataclass(slots=True)
class _Rule:
    method: str
    fate: Fate
    error: RpcError | None = None
    left: int = 1


class MemoryTransport:
    """A client's transport over two queues, and the gateway's end of it."""

    def __init__(self, take: Callable[[MemoryTransport, str], None]) -> None:
        self._take = take
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._open = True

    async def send(self, text: str) -> None:
        """From the client."""
        await asyncio.sleep(0)
        if not self._open:
            raise LinkDown("The link to the gateway broke.")
        self._take(self, text)

    async def receive(self) -> str:
        """To the client."""
        text = await self._inbox.get()
        if text is None:
            self._inbox.put_nowait(None)
            raise LinkDown("The gateway closed the link.")
        return text

    async def close(self) -> None:
        """From the client."""
        self.break_off()

    def deliver(self, frame: Payload) -> None:
        """From the gateway."""
        if self._open:
            self._inbox.put_nowait(json.dumps(frame))

    def break_off(self) -> None:
        """Break the connection; what was sent before still arrives."""
        if self._open:
            self._open = False
            self._inbox.put_nowait(None)


class ScriptedGateway:
    """A Connector with a gateway behind it. ``sessions`` is its world, ``calls`` what it was asked.

    Rules are for the next matching call: ``hold`` carries it out (with an error: refuses it) and keeps the
    answer until ``release``,
    ``refuse`` answers an error, ``lose answer`` carries it out and breaks the link, ``lose call`` breaks the
    link before anything was done, ``garble`` answers nonsense, ``queue`` answers that the message waits.
    """

    def __init__(
        self, *, hermes: bool = False, protocol: int = PROTOCOL, max_chars: int = 0, ring: int = 512
    ) -> None:
        self.sessions = ScriptedSessions(hermes=hermes, ring=ring)
        self.sessions.emit = self._broadcast
        self.calls: list[tuple[str, Payload]] = []
        self.connects = 0
        self.refusal: LinkDown | None = None
        self.silent = False
        self.frozen = False
        self.hold_events = False
        self.duplicate_events = False
        self.lost_events: int = 0
        self._protocol = protocol
        self._max_chars = max_chars
        self._rules: list[_Rule] = []
        self._held: list[tuple[MemoryTransport, Payload]] = []
        self._held_events: list[tuple[MemoryTransport, Payload]] = []
        self._wires: dict[MemoryTransport, set[str]] = {}

    # --- the client's side -----------------------------------------------------------------------------

    async def __call__(self) -> Transport:
        """Connect."""
        self.connects += 1
        await asyncio.sleep(0)
        if self.refusal is not None:
            raise self.refusal
        wire = MemoryTransport(self._take)
        self._wires[wire] = set()
        if not self.silent:
            payload = {"replay_epoch": self.sessions.epoch, "heartbeat": True}
            self._event(wire, {"type": "gateway.ready", "session_id": "", "payload": payload})
        return wire

    # --- the test's side -------------------------------------------------------------------------------

    @property
    def links(self) -> int:
        """How many connections are open."""
        return len(self._wires)

    def rule(self, method: str, fate: Fate, error: RpcError | None = None, *, times: int = 1) -> None:
        """Decide over the next ``times`` calls of a method."""
        self._rules.append(_Rule(method, fate, error, times))

    def refuse(self, method: str, code: int, message: str, data: Any = None) -> None:
        """Refuse the next call of a method."""
        self.rule(method, "refuse", RpcError(code, message, data))

    def release_one(self) -> None:
        """Send the oldest answer that was held."""
        wire, frame = self._held.pop(0)
        wire.deliver(frame)

    def release(self, *, backwards: bool = False) -> None:
        """Send the answers that were held, if asked in reverse order."""
        held, self._held = self._held, []
        for wire, frame in reversed(held) if backwards else held:
            wire.deliver(frame)

    def release_events(self, *, order: Callable[[list[Payload]], list[Payload]] | None = None) -> None:
        """Send the events that were held."""
        self.hold_events = False
        held, self._held_events = self._held_events, []
        frames = [frame for _, frame in held]
        for (wire, _), frame in zip(held, order(frames) if order else frames, strict=True):
            wire.deliver(frame)

    def cut(self) -> None:
        """Break every connection."""
        for wire in tuple(self._wires):
            wire.break_off()
        self._wires.clear()
        self._held.clear()
        self._held_events.clear()

    def restart(self) -> None:
        """``kill -9`` and a new start: the ring and the numbers are lost."""
        self.cut()
        self.sessions.restart()

    def ask(self, number: str, method: str, params: Payload) -> None:
        """Ask every client a question."""
        for wire in self._wires:
            wire.deliver({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def send_raw(self, frame: Payload) -> None:
        """Send any frame to every client."""
        for wire in self._wires:
            wire.deliver(frame)

    def called(self, method: str) -> list[Payload]:
        """The parameters of every call of a method so far."""
        return [params for name, params in self.calls if name == method]

    # --- inside ----------------------------------------------------------------------------------------

    def _take(self, wire: MemoryTransport, text: str) -> None:
        frame = json.loads(text)
        if self.frozen or wire not in self._wires:
            return
        method, params = frame.get("method"), frame.get("params", {})
        if method is None:
            self.calls.append(("answer", frame))
            return
        self.calls.append((method, params))
        rule = self._rule_for(method)
        if rule is not None and rule.fate == "lose call":
            self._cut_one(wire)
            return
        if rule is not None and rule.fate == "queue":
            self._answer(wire, frame["id"], {"status": "queued"})
            return
        refused = rule.error if rule is not None else None
        outcome = refused or self._carry_out(wire, method, params)
        if rule is None or rule.fate == "refuse":
            self._answer(wire, frame["id"], outcome)
        elif rule.fate == "hold":
            self._held.append((wire, _answer_frame(frame["id"], outcome)))
        elif rule.fate == "lose answer":
            self._cut_one(wire)
        else:
            wire.deliver({"jsonrpc": "2.0", "id": frame["id"], "result": ["nonsense"]})

    def _carry_out(self, wire: MemoryTransport, method: str, params: Payload) -> Payload | RpcError:
        if method == "gateway.capabilities":
            tapback = {"protocol": self._protocol, "max_message_chars": self._max_chars}
            return {} if self.sessions.hermes else {"tapback": tapback}

        def attach(session: ScriptedSession) -> None:
            if wire in self._wires:
                self._wires[wire] |= {session.id, session.runtime_id}

        try:
            return self.sessions.handle(method, params, attach)
        except RpcError as error:
            return error

    def _rule_for(self, method: str) -> _Rule | None:
        for rule in self._rules:
            if rule.method == method:
                rule.left -= 1
                if rule.left <= 0:
                    self._rules.remove(rule)
                return rule
        return None

    def _cut_one(self, wire: MemoryTransport) -> None:
        self._wires.pop(wire, None)
        wire.break_off()

    def _answer(self, wire: MemoryTransport, number: Any, outcome: Payload | RpcError) -> None:
        wire.deliver(_answer_frame(number, outcome))

    def _broadcast(self, params: Payload) -> None:
        if self.frozen:
            return
        if self.lost_events:
            self.lost_events -= 1
            return
        for wire, attached in tuple(self._wires.items()):
            if params["session_id"] in attached:
                for _ in range(2 if self.duplicate_events else 1):
                    self._event(wire, params)

    def _event(self, wire: MemoryTransport, params: Payload) -> None:
        frame = {"jsonrpc": "2.0", "method": "event", "params": params}
        if self.hold_events:
            self._held_events.append((wire, frame))
        else:
            wire.deliver(frame)


def _answer_frame(number: Any, outcome: Payload | RpcError) -> Payload:
    if isinstance(outcome, RpcError):
        error = {"code": int(outcome.code), "message": str(outcome), "data": outcome.data}
        return {"jsonrpc": "2.0", "id": number, "error": error}
    # Through JSON at once: what happens later must not change an answer that was given.
    return {"jsonrpc": "2.0", "id": number, "result": json.loads(json.dumps(outcome))}
