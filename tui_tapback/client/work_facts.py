"""What goes on in and behind one session: the agent's list to do, its helpers, commands, asides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from tui_tapback.domain import events as ev
from tui_tapback.domain.work import Subagent, Task, Todo, WorkState

from .children import merged

T = TypeVar("T")
ENDED_KEPT = 20
"""Tasks that are over and still listed."""
KEPT_MOST = 256
"""Helpers, commands and asides of one chat, of each kind; the oldest go first."""


class WorkFacts:
    """Pure state. ``wanted`` grows when something may have begun behind the chat of which no event tells."""

    def __init__(self) -> None:
        self.todos: tuple[Todo, ...] = ()
        self._revision = -1
        self._helpers: dict[str, Subagent] = {}
        self._processes: dict[str, Task] = {}
        self._asides: dict[str, Task] = {}
        self.tasks: tuple[Task, ...] = ()
        self.wanted = 0

    def apply(self, event: ev.SessionEvent) -> None:
        """Take an event; those about messages change nothing here."""
        match event:
            case ev.TodosChanged(todos, revision):
                if revision >= self._revision:
                    self.todos, self._revision = todos, revision
            case ev.SubagentChanged(helper):
                number = helper.id or helper.goal
                self._helpers[number] = merged(self._helpers.get(number, Subagent(helper.goal)), event)
                _trim(self._helpers)
                self._list()
            case ev.AsideFinished(number, text, question):
                known = self._asides.get(number)
                title = known.title if known is not None else question
                kind = "question" if question else "background"
                self._asides[number] = Task(kind, number, title, WorkState.DONE, detail=text)
                _trim(self._asides)
                self._list()
            case ev.ToolFinished(started=True):
                self.wanted += 1
            case ev.TurnEnded():
                self.wanted += 1
            case _:
                pass

    def restart(self) -> None:
        """The gateway was started anew: its lists are counted from the beginning, nothing of it runs."""
        self._revision = -1
        self._helpers = {n: replace(h, state=_over(h.state)) for n, h in self._helpers.items()}
        self._asides = {n: replace(t, state=_over(t.state)) for n, t in self._asides.items()}
        self._processes = {}
        self._list()

    def aside(self, task: Task) -> None:
        """Something was asked for beside the chat; its end may have been told already."""
        present = self._asides.get(task.id)
        self._asides[task.id] = task if present is None else replace(present, title=task.title)
        self._list()

    def running(self, processes: Iterable[Task], helpers: Iterable[str]) -> None:
        """What the gateway says that runs now; a helper that is not among them is over, however it ended."""
        self._processes = {task.id: task for task in islice(processes, KEPT_MOST)}
        alive = frozenset(helpers)
        for number, helper in self._helpers.items():
            if helper.state in (WorkState.OPEN, WorkState.RUNNING) and helper.id not in alive:
                self._helpers[number] = replace(helper, state=WorkState.UNKNOWN)
        self._list()

    def _list(self) -> None:
        tasks = (
            *(_task(helper) for helper in self._helpers.values()),
            *self._processes.values(),
            *self._asides.values(),
        )
        ended = [task for task in tasks if not task.running]
        self.tasks = (*(task for task in tasks if task.running), *ended[::-1][:ENDED_KEPT])


def _trim(known: dict[str, T]) -> None:
    """Let the oldest go, of which there is one too many: a gateway may tell of any number."""
    if len(known) > KEPT_MOST:
        del known[next(iter(known))]


def _over(state: WorkState) -> WorkState:
    return WorkState.UNKNOWN if state in (WorkState.OPEN, WorkState.RUNNING) else state


def _task(helper: Subagent) -> Task:
    detail = "\n".join(filter(None, (*helper.tools, helper.summary)))
    running = helper.state in (WorkState.OPEN, WorkState.RUNNING)
    return Task(
        "subagent", helper.id, helper.goal, helper.state, detail=detail, stoppable=running and bool(helper.id)
    )
