"""The event table: event names and payloads on the wire, decoded into domain events and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from tui_tapback.domain import events as ev
from tui_tapback.domain.errors import MalformedFrame
from tui_tapback.domain.messages import TAPBACK_TOOLS
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.domain.work import WorkState

from .conversation import SessionUsage
from .rows import TOOL_RESULT_LIMIT, WireRow, message_from_wire, reactions_from_wire
from .work import (
    AsidePayload,
    SubagentPayload,
    TodosPayload,
    aside_of,
    context_of,
    diff_of,
    goals_of,
    leaves_running,
    subagent_of,
    todos_of,
)

SESSIONS_CHANGED: Final = "sessions.changed"
"""Kind of the event that belongs to no session: one was begun, named or removed."""

SETTING_CHANGED: Final = "config.changed"
"""Kind of the event that tells of a setting that all clients share."""


class EventParams(msgspec.Struct, omit_defaults=True):
    """``params`` of an event frame. ``seq`` counts per session and is missing on global events."""

    type: str
    session_id: str = ""
    payload: dict[str, Any] | None = None
    seq: int | None = None


class GatewayReady(msgspec.Struct):
    """The first frame of a gateway. ``replay_epoch`` changes when the gateway restarts."""

    replay_epoch: str = ""
    heartbeat: bool = False


class _Text(msgspec.Struct):
    text: str = ""


class _Start(msgspec.Struct):
    row_id: int | None = None


class _Tool(msgspec.Struct):
    tool_id: str = ""
    name: str = "tool"
    context: str | None = None
    result: Any = None
    args: Any = None
    inline_diff: str | None = None


class _Persisted(msgspec.Struct):
    row_ids: list[int] = []
    user_row_id: int | None = None
    final_assistant_row_id: int | None = None


class _Complete(msgspec.Struct):
    text: str | None = None
    status: str = "complete"
    error: Any = None
    reasoning: str | None = None
    persisted_turn: _Persisted | None = None


class _Reaction(msgspec.Struct):
    row_id: int
    reactions: Any = None
    change: dict[str, Any] | None = None  # ours: {author, emoji, before, part?}, for whoever acts on it
    complaint: str | None = None


class _Row(msgspec.Struct):
    row: WireRow
    client_ref: str = ""


class _Removed(msgspec.Struct):
    row_ids: list[int] = []


class _History(msgspec.Struct):
    reason: str = ""
    from_row_id: int | None = None


class _Status(msgspec.Struct):
    kind: str = ""
    text: str = ""


class _Usage(msgspec.Struct):
    usage: SessionUsage = msgspec.field(default_factory=SessionUsage)


class _Info(msgspec.Struct):
    running: bool | None = None
    model: str | None = None
    title: str | None = None
    tools: Any = None


class _Feeling(msgspec.Struct):
    kind: str = ""


class _Setting(msgspec.Struct):
    key: str = ""
    value: str | int | bool = ""


class _Withdrawn(msgspec.Struct):
    id: str
    method: str = ""
    reason: str = ""


class _Notice(msgspec.Struct):
    text: str = ""
    level: str = "info"


class _Refusal(msgspec.Struct):
    message: str = ""


def row_key(row: WireRow) -> str:
    """The key of a stored row; tool rows have no id on Hermes and go by their call."""
    if row.row_id is not None:
        return f"row-{row.row_id}"
    return f"call-{row.tool_call_id or ''}-{row.timestamp}"


def _as_text(value: object) -> str:
    """Text as it is, nothing as "", any other JSON value as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return msgspec.json.encode(value).decode()


def _tool_finished(p: _Tool) -> ev.ToolFinished:
    try:
        report = msgspec.convert(p.result, _Reaction)
        reacted = (report.row_id, reactions_from_wire(report.reactions))
    except msgspec.ValidationError:
        reacted = None  # not a reacting tool
    return ev.ToolFinished(
        call_id=p.tool_id,
        name=clean_line(p.name, 60),
        result=clean_text(_as_text(p.result)[:TOOL_RESULT_LIMIT]),
        reacted=reacted,
        diff=diff_of(p.inline_diff, p.result),
        started=leaves_running(p.args),
    )


def _tool_started(p: _Tool) -> ev.ToolStarted:
    name = clean_line(p.name, 60)
    return ev.ToolStarted(p.tool_id, name, context_of(p.context), goals_of(name, p.args))


def _complete(p: _Complete) -> ev.TurnEnded:
    rows = p.persisted_turn or _Persisted()
    status = p.status if p.status in ("interrupted", "error") else "complete"
    return ev.TurnEnded(
        status=status,
        text=None if p.text is None else clean_text(p.text),
        error=clean_line(_as_text(p.error), 400),
        row_ids=tuple(rows.row_ids),
        user_row_id=rows.user_row_id,
        final_row_id=rows.final_assistant_row_id,
        reasoning=clean_text(p.reasoning or ""),
    )


def _agent_reacts(tools: object) -> bool | None:
    """Whether the agent has a reacting tool; None where that cannot be seen, which must not cost the rest."""
    try:
        groups = msgspec.convert(tools, dict[str, list[str]])
    except msgspec.ValidationError:
        return None
    return any(name in TAPBACK_TOOLS for group in groups.values() for name in group)


def _info(p: _Info) -> ev.SessionInfo:
    return ev.SessionInfo(
        running=p.running,
        model=None if p.model is None else clean_line(p.model, 80),
        title=None if p.title is None else clean_line(p.title, 200),
        agent_reacts=_agent_reacts(p.tools),
    )


def _notice(p: _Notice) -> ev.Notice:
    level = p.level if p.level in ("warning", "error") else "info"
    return ev.Notice(clean_line(p.text, 400), level)


def _row_stored(p: _Row) -> ev.RowStored:
    tells = "reactions" in (p.row.display_metadata or {})
    return ev.RowStored(message_from_wire(p.row, row_key), p.client_ref, tells)


_Decoder = tuple[type[msgspec.Struct], Callable[[Any], ev.SessionEvent]]

DECODERS: dict[str, _Decoder] = {
    "message.start": (_Start, lambda p: ev.TurnStarted(p.row_id)),
    "message.delta": (_Text, lambda p: ev.TextArrived(clean_text(p.text))),
    "reasoning.delta": (_Text, lambda p: ev.ReasoningArrived(clean_text(p.text))),
    "tool.start": (_Tool, _tool_started),
    "tool.complete": (_Tool, _tool_finished),
    "todo.updated": (TodosPayload, todos_of),
    "subagent.spawn_requested": (SubagentPayload, partial(subagent_of, WorkState.OPEN)),
    "subagent.start": (SubagentPayload, partial(subagent_of, WorkState.RUNNING)),
    "subagent.tool": (SubagentPayload, partial(subagent_of, WorkState.RUNNING)),
    "subagent.progress": (SubagentPayload, partial(subagent_of, WorkState.RUNNING)),
    "subagent.complete": (SubagentPayload, partial(subagent_of, WorkState.DONE)),
    "background.complete": (AsidePayload, aside_of),
    "btw.complete": (AsidePayload, aside_of),
    "message.complete": (_Complete, _complete),
    "message.reaction": (
        _Reaction,
        lambda p: ev.ReactionsChanged(
            p.row_id,
            reactions_from_wire(p.reactions),
            None if p.complaint is None else clean_line(p.complaint, 400),
        ),
    ),
    "session.info": (_Info, _info),
    "session.title": (_Info, lambda p: ev.SessionInfo(title=clean_line(p.title or "", 200))),
    SESSIONS_CHANGED: (_Text, lambda p: ev.SessionsChanged()),
    SETTING_CHANGED: (_Setting, lambda p: ev.SettingChanged(clean_line(p.key, 60), p.value)),
    "reaction": (_Feeling, lambda p: ev.AffectionShown(clean_line(p.kind, 40))),
    "request.cancel": (
        _Withdrawn,
        lambda p: ev.QuestionWithdrawn(p.id, clean_line(p.method, 40), clean_line(p.reason, 40)),
    ),
    "notice": (_Notice, _notice),
    "error": (_Refusal, lambda p: ev.Notice(clean_line(p.message, 400), "error", refusal=True)),
    "tapback.row": (_Row, _row_stored),
    "tapback.rows_removed": (_Removed, lambda p: ev.RowsRemoved(tuple(p.row_ids))),
    "history.changed": (_History, lambda p: ev.HistoryChanged(clean_line(p.reason, 20), p.from_row_id)),
    "reactions.pending": (_Text, lambda p: ev.PendingChanged()),
    "status.update": (
        _Status,
        lambda p: ev.StatusTold(clean_line(p.kind, 40), clean_line(p.text, 200)),
    ),
    "session.usage": (
        _Usage,
        lambda p: ev.UsageReported(p.usage.context_used, p.usage.context_max, p.usage.total),
    ),
}
"""Event name → (payload, conversion). The rest is ``Unknown``: counted, never an error."""


def event_params(raw: object) -> EventParams:
    """Read the ``params`` of an event frame, also as they come in a replay. Raises MalformedFrame."""
    try:
        return msgspec.convert(raw, EventParams)
    except msgspec.ValidationError as error:
        raise MalformedFrame(
            f"The gateway sent an event that lacks its parts: {error}.", field="params"
        ) from error


def decode_event(params: EventParams) -> ev.SessionEvent:
    """Turn an event frame into a domain event.

    Raises MalformedFrame, with the field's name, where a known event has a payload of the wrong type.
    """
    entry = DECODERS.get(params.type)
    if entry is None:
        return ev.Unknown(clean_line(params.type, 60))
    payload_type, build = entry
    try:
        return build(msgspec.convert(params.payload or {}, payload_type))
    except msgspec.ValidationError as error:
        raise MalformedFrame(
            f"The gateway sent a {params.type} event that does not fit the protocol: {error}.",
            field=params.type,
        ) from error
