"""What an agent has in hand beside its words: a list to do, helpers of its own, tasks behind the chat."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from .values import value


class WorkState(StrEnum):
    """How a piece of work stands."""

    OPEN = "open"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    UNKNOWN = "unknown"  # it ran once; nobody tells any more how it ended


@value
class Todo:
    """One line of the agent's list; ``depth`` is 1 and more for parts of the line above."""

    text: str
    state: WorkState = WorkState.OPEN
    depth: int = 0


@value
class Subagent:
    """A helper that the agent sent off with ``goal``.

    ``id`` and ``delegation`` (the call that sent it) are empty while unknown, ``tools`` are the last lines
    about what it does, ``tool_count`` all of them, ``summary`` what it brought back. ``seconds`` is how long
    it took, None while it runs. ``depth`` is 1 and more for helpers of helpers.
    """

    goal: str
    state: WorkState = WorkState.OPEN
    id: str = ""
    delegation: str = ""
    depth: int = 0
    tools: tuple[str, ...] = ()
    tool_count: int = 0
    summary: str = ""
    seconds: float | None = None


@value
class Task:
    """Something that goes on behind the chat.

    ``since`` is Unix seconds (None: unknown), ``detail`` what it has said so far or brought back.
    ``stoppable``: the gateway can be asked to end it.
    """

    kind: Literal["subagent", "process", "background", "question"]
    id: str
    title: str
    state: WorkState = WorkState.RUNNING
    since: float | None = None
    detail: str = ""
    stoppable: bool = False

    @property
    def running(self) -> bool:
        """Whether it is not over."""
        return self.state in (WorkState.OPEN, WorkState.RUNNING)


@value
class Attachment:
    """A file of this machine that goes out with the next message; ``size`` in bytes."""

    path: str
    name: str
    size: int
    image: bool
