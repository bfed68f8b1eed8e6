"""The room of a client for what goes on behind a chat: looked for, stopped, begun."""

from __future__ import annotations

from collections.abc import Callable

from tui_tapback.domain import events as ev
from tui_tapback.domain.errors import EmptyMessage, NotFound, NotSupported
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.domain.work import Subagent, Task, WorkState
from tui_tapback.wire.base import SessionParams
from tui_tapback.wire.foreign_work import (
    AsideParams,
    Began,
    Found,
    Killed,
    LiveSubagent,
    LiveSubagents,
    Process,
    Processes,
    ProcessKillParams,
    SubagentParams,
)
from tui_tapback.words import _

from .abilities import Ability
from .desk import Desk
from .work_facts import KEPT_MOST

OUTPUT_KEPT = 4_000
"""Characters of what a command has printed."""


class Work:
    """Raises NotSupported, LinkDown, RpcError; SessionNotFound before the chat has begun."""

    def __init__(self, desk: Desk, clock: Callable[[], float]) -> None:
        self._desk = desk
        self._clock = clock

    async def refresh(self) -> None:
        """Ask what runs behind this chat: no event tells of commands, nor of what began before one came."""
        self._desk.require(Ability.TASKS)
        conversation = self._desk.conversation
        params = SessionParams(self._desk.runtime_id())
        processes = await self._desk.call("process.list", params, Processes)
        helpers = await self._desk.call("subagent.list", params, LiveSubagents)
        facts = conversation.facts.work
        for helper in helpers.subagents[:KEPT_MOST]:
            news = _news(helper)
            facts.apply(news)
            conversation.mirror.apply(news)
        now = self._clock()
        facts.running(
            (_command(process, now) for process in processes.processes),
            (clean_line(helper.subagent_id, 80) for helper in helpers.subagents[:KEPT_MOST]),
        )
        self._desk.changed()

    async def stop(self, task: Task) -> bool:
        """End a task; False where it had ended already. Raises NotSupported for what cannot be."""
        self._desk.require(Ability.TASKS)
        session_id = self._desk.runtime_id()
        match task.kind:
            case "process":
                killed = await self._desk.call("process.kill", ProcessKillParams(session_id, task.id), Killed)
                if killed.status == "error":
                    reason = clean_line(killed.error or "", 200)
                    raise NotFound(_("The gateway could not end it: {reason}").format(reason=reason))
                stopped = killed.status == "killed"
            case "subagent":
                found = await self._desk.call(
                    "subagent.interrupt", SubagentParams(session_id, task.id), Found
                )
                stopped = found.found
            case "background" | "question":
                raise NotSupported(_("A Hermes gateway cannot stop this; it ends by itself."))
        await self.refresh()
        return stopped

    async def begin(self, text: str) -> str:
        """Let an agent of its own do something behind the chat; returns the task's id."""
        return await self._aside("prompt.background", "background", text)

    async def ask(self, text: str) -> str:
        """Ask something about this chat without a place in it; returns the task's id."""
        return await self._aside("prompt.btw", "question", text)

    async def _aside(self, method: str, kind: str, text: str) -> str:
        self._desk.require(Ability.TASKS)
        if not text.strip():
            raise EmptyMessage(_("There is nothing to do yet."), hint=_("Write what it is about behind it."))
        conversation = self._desk.conversation
        params = AsideParams(self._desk.runtime_id(), clean_text(text))
        began = await self._desk.call(method, params, Began)
        task_id = clean_line(began.task_id, 80)
        title = clean_line(text, 300)
        conversation.facts.work.aside(
            Task("question" if kind == "question" else "background", task_id, title, since=self._clock())
        )
        self._desk.changed()
        return task_id


def _news(helper: LiveSubagent) -> ev.SubagentChanged:
    return ev.SubagentChanged(
        Subagent(
            goal=clean_line(helper.goal, 300),
            state=WorkState.RUNNING,
            id=clean_line(helper.subagent_id, 80),
            delegation=clean_line(helper.delegation_id or "", 80),
            depth=max(0, min(helper.depth or 0, 8)),
            tool_count=max(0, helper.tool_count or 0),
        )
    )


def _command(process: Process, now: float) -> Task:
    running = process.status == "running"
    ended = WorkState.FAILED if process.exit_code else WorkState.DONE
    ended = WorkState.STOPPED if process.completion_reason == "killed" else ended
    since = None if process.uptime_seconds is None else now - max(0.0, process.uptime_seconds)
    return Task(
        "process",
        clean_line(process.session_id, 80),
        clean_line(process.command, 300),
        WorkState.RUNNING if running else ended,
        since=since,
        detail=clean_text((process.output_tail or process.output_preview)[-OUTPUT_KEPT:]),
        stoppable=running,
    )
