"""What a Hermes gateway tells of its agent's work: lists to do, helpers, edits of files, answers aside."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from tui_tapback.domain import events as ev
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.domain.work import Subagent, Todo, WorkState

DIFF_LIMIT: Final = 60_000
"""Characters of a difference that are kept."""
SUMMARY_LIMIT: Final = 4_000
GOALS_MOST: Final = 64
LISTED_MOST: Final = 256
DELEGATING: Final = "delegate_task"
_STATES: Final = {
    "pending": WorkState.OPEN,
    "in_progress": WorkState.RUNNING,
    "completed": WorkState.DONE,
    "cancelled": WorkState.STOPPED,
}
_ENDS: Final = {
    "completed": WorkState.DONE,
    "success": WorkState.DONE,
    "interrupted": WorkState.STOPPED,
    "cancelled": WorkState.STOPPED,
    "stopped": WorkState.STOPPED,
}
_RAW_KEYS: Final = ("display.", "slash.")
"""Some texts of the package are names of texts."""


class TodosPayload(msgspec.Struct):
    """``todo.updated`` and ``todo_state``."""

    todos: list[Any] = []
    revision: int = 0


class _Todo(msgspec.Struct):
    content: str = ""
    status: str = "pending"
    id: str | int | None = None
    parent: str | int | None = None


class SubagentPayload(msgspec.Struct):
    """``subagent.start``, ``.tool``, ``.complete`` and their like."""

    goal: str = ""
    task_index: int = 0
    subagent_id: str | None = None
    delegation_id: str | None = None
    depth: int | None = None
    tool_count: int | None = None
    tool_name: str | None = None
    tool_preview: str | None = None
    text: str | None = None
    status: str | None = None
    summary: str | None = None
    duration_seconds: float | None = None


class AsidePayload(msgspec.Struct):
    """``btw.complete`` and ``background.complete``."""

    task_id: str = ""
    text: str | None = None
    question: str | None = None


class _Delegated(msgspec.Struct):
    goal: str = ""


class _Delegation(msgspec.Struct):
    tasks: list[_Delegated] = []
    goal: str = ""


class _Edited(msgspec.Struct):
    diff: str = ""


class _Sidecar(msgspec.Struct):
    inline_diff: str = ""


class _Beside(msgspec.Struct):
    tool_result_metadata: _Sidecar = msgspec.field(default_factory=_Sidecar)


class _Background(msgspec.Struct):
    background: bool = False


def todos_of(payload: TodosPayload) -> ev.TodosChanged:
    """The list; lines that are none are left out. A part stands one deeper than the line it belongs to."""
    depths: dict[str, int] = {}
    found: list[Todo] = []
    for raw in payload.todos[:LISTED_MOST]:
        try:
            item = msgspec.convert(raw, _Todo)
        except msgspec.ValidationError:
            continue
        depth = min(depths.get(str(item.parent), -1) + 1, 4) if item.parent is not None else 0
        depths[str(item.id)] = depth
        state = _STATES.get(item.status, WorkState.OPEN)
        if text := clean_line(item.content, 400):
            found.append(Todo(text, state, depth))
    return ev.TodosChanged(tuple(found), payload.revision)


def read_todos(raw: object) -> ev.TodosChanged | None:
    """``todo_state`` of a snapshot; None where there is none that makes sense."""
    try:
        return todos_of(msgspec.convert(raw, TodosPayload))
    except msgspec.ValidationError:
        return None


def subagent_of(state: WorkState, p: SubagentPayload) -> ev.SubagentChanged:
    """News of a helper that stands at ``state``, unless the payload says how it ended."""
    if p.status and state is WorkState.DONE:
        state = _ENDS.get(p.status, WorkState.FAILED)
    tool = clean_line(f"{p.tool_name or ''} {p.tool_preview or p.text or ''}", 200) if p.tool_name else ""
    subagent = Subagent(
        goal=clean_line(p.goal, 300),
        state=state,
        id=clean_line(p.subagent_id or "", 80),
        delegation=clean_line(p.delegation_id or "", 80),
        depth=max(0, min(p.depth or 0, 8)),
        tool_count=max(0, p.tool_count or 0),
        summary=clean_text((p.summary or "")[:SUMMARY_LIMIT]),
        seconds=p.duration_seconds,
    )
    return ev.SubagentChanged(subagent, max(0, p.task_index), tool)


def aside_of(p: AsidePayload) -> ev.AsideFinished:
    """An answer beside the chat."""
    text = clean_text((p.text or "")[: 10 * SUMMARY_LIMIT])
    return ev.AsideFinished(clean_line(p.task_id, 80), text, clean_line(p.question or "", 400))


def goals_of(name: str, args: object) -> tuple[str, ...]:
    """The goals of the helpers that a call sends off, out of its arguments."""
    if name != DELEGATING:
        return ()
    try:
        sent = msgspec.convert(args, _Delegation)
    except msgspec.ValidationError:
        return ()
    goals = [task.goal for task in sent.tasks] or [sent.goal]
    return tuple(filter(None, (clean_line(goal, 300) for goal in goals[:GOALS_MOST])))


def diff_of(told: str | None, result: object, metadata: object = None) -> str:
    """What a call changed in files: as the gateway tells it, else the ``diff`` of its result.

    ``metadata`` is what stands beside a row of a history.
    """
    if not told:
        try:
            told = msgspec.convert(metadata or {}, _Beside).tool_result_metadata.inline_diff
        except msgspec.ValidationError:
            told = ""
    if not told:
        try:
            told = _edited(result).diff
        except (msgspec.DecodeError, RecursionError):
            return ""
    return clean_text(told[:DIFF_LIMIT]).strip("\n")


def _edited(result: object) -> _Edited:
    if isinstance(result, str):
        return msgspec.json.decode(result, type=_Edited) if '"diff"' in result else _Edited()
    return msgspec.convert(result, _Edited)


def leaves_running(args: object) -> bool:
    """Whether a call asked for something to go on behind the chat."""
    try:
        return msgspec.convert(args, _Background).background
    except msgspec.ValidationError:
        return False


def context_of(context: str | None) -> str:
    """What a tool row says behind its name; nothing where the gateway sends the name of a text."""
    line = clean_line(context or "", 200)
    return "" if line.startswith(_RAW_KEYS) else line
