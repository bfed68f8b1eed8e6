"""What hooks are told: an event's name, its session, and facts, made from what the clients are told."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

_REACTION_FACTS = (
    "`row_id`, `role` of the message, `author`, `emoji`, `part` where it is to one, "
    "`reactions` as they stand now"
)
EVENTS = {
    "reaction:added": ("a tapback was set, by either side", _REACTION_FACTS),
    "reaction:removed": ("a tapback was taken back or replaced", _REACTION_FACTS),
    "message:added": (
        "a message was sent or an answer is whole",
        "`row_id`, `role`, `text`, `cut` where it was cut",
    ),
    "turn:started": ("the agent begins to work", "`row_id` of the answer to come"),
    "turn:ended": (
        "it has ended",
        "`status` (complete, interrupted, error), `user_row_id`, `row_id` of the answer, `error`",
    ),
    "session:renamed": ("a session got a title", "`title`"),
    "session:changed": ("a session was begun, named, put away or removed", "none; `session_id` is empty"),
}
"""Every event: when it happens, and what is told beside the event's name, session and time."""
NAMES = tuple(EVENTS)
TEXT_LIMIT = 16_000
"""Characters of a message's text that a hook is given; ``cut`` says that there was more."""
_KNOWN_ROWS = 512


@dataclass(frozen=True, slots=True)
class HookEvent:
    """``facts`` is JSON: see docs/hooks.md for what each event tells. ``at`` is Unix seconds."""

    name: str
    session_id: str
    at: float
    facts: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The object that a command reads."""
        return {"event": self.name, "session_id": self.session_id, "at": self.at, **self.facts}


class Translator:
    """Turns events of the wire into events for hooks. One for a gateway; it sees all sessions."""

    def __init__(self) -> None:
        self._told: deque[int] = deque(maxlen=_KNOWN_ROWS)

    def read(self, params: Mapping[str, Any], at: float) -> Iterator[HookEvent]:
        """The events that ``params`` of an event frame mean; most mean none."""
        session_id = str(params.get("session_id") or "")
        payload = _object(params.get("payload"))
        for name, facts in self._facts(str(params.get("type")), payload):
            yield HookEvent(name, session_id, at, facts)

    def _facts(self, kind: str, payload: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        match kind:
            case "message.reaction":
                yield from _reaction(payload)
            case "tapback.row":
                yield from self._message(_object(payload.get("row")))
            case "message.start":
                yield "turn:started", {"row_id": payload.get("row_id")}
            case "message.complete":
                yield "turn:ended", _turn_end(payload)
            case "session.title":
                yield "session:renamed", {"title": payload.get("title")}
            case "sessions.changed":
                yield "session:changed", {}
            case _:
                pass

    def _message(self, row: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        row_id = row.get("row_id")
        # A prompt that waited is told again when its turn begins, and an answer when it is repaired.
        if not isinstance(row_id, int) or row_id in self._told:
            return
        self._told.append(row_id)
        text = str(row.get("text") or "")
        facts: dict[str, Any] = {"row_id": row_id, "role": row.get("role"), "text": text[:TEXT_LIMIT]}
        yield "message:added", facts | ({"cut": True} if len(text) > TEXT_LIMIT else {})


def _reaction(payload: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A replacement is one removal and one addition, in this order."""
    change = _object(payload.get("change"))
    base: dict[str, Any] = {
        "row_id": payload.get("row_id"),
        "role": payload.get("role"),
        "author": change.get("author"),
    }
    if change.get("part"):
        base["part"] = change["part"]
    reactions = payload.get("reactions")
    if change.get("before"):
        yield "reaction:removed", base | {"emoji": change["before"], "reactions": reactions}
    if change.get("emoji"):
        yield "reaction:added", base | {"emoji": change["emoji"], "reactions": reactions}


def _turn_end(payload: Mapping[str, Any]) -> dict[str, Any]:
    rows = _object(payload.get("persisted_turn"))
    facts: dict[str, Any] = {
        "status": payload.get("status"),
        "user_row_id": rows.get("user_row_id"),
        "row_id": rows.get("final_assistant_row_id"),
    }
    return facts | ({"error": payload["error"]} if payload.get("error") else {})


def _object(value: object) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def table() -> str:
    """The events with their facts, for the documents."""
    return "\n".join(
        ["| event | when | facts |", "| --- | --- | --- |"]
        + [f"| `{name}` | {when} | {facts} |" for name, (when, facts) in EVENTS.items()]
    )
