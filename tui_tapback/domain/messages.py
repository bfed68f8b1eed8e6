"""The message of a transcript as a value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from tui_tapback.domain.values import value

from .reactions import NO_REACTIONS, Author, ReactionSet
from .work import Subagent


class Role(StrEnum):
    """Whose row it is."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"

    @property
    def author(self) -> Author | None:
        """The side of the chat that wrote it, None for tool and system rows."""
        return _AUTHORS.get(self)


_AUTHORS = {Role.USER: Author.USER, Role.ASSISTANT: Author.AGENT}


class Status(StrEnum):
    """How far a message has come."""

    WAITING = "waiting"  # typed while offline, or behind a running turn
    SENDING = "sending"  # on its way, not acknowledged
    STREAMING = "streaming"  # the agent is writing it
    STORED = "stored"  # has a row
    INTERRUPTED = "interrupted"  # a partial answer
    FAILED = "failed"  # a turn that ended in an error, or a message that was refused


TAPBACK_TOOLS: Final = frozenset({"send_message", "react_to_message"})
"""Tools by which the agent speaks or taps back. Their point is what they did, a bubble or a badge; to show or
tell their call would only repeat it."""


@value
class ToolActivity:
    """What a tool row shows: ``name``, a one-line ``context``, ``running``, and the cut ``result``.

    ``diff`` is what an edit changed in files, ``subagents`` are the helpers that the call sent off.
    """

    call_id: str
    name: str
    context: str = ""
    running: bool = False
    result: str = ""
    diff: str = ""
    subagents: tuple[Subagent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One bubble.

    ``key`` identifies it for as long as this process lives: it is given once and does not change when the
    row id arrives. ``row_id`` is the durable id, None until the gateway stored it. ``at`` is Unix seconds.
    Text is clean (``domain.text.clean_text``). ``error`` says why the message or its turn failed,
    ``reaction_error`` why the last reaction to it was refused, ``reaction_note`` why it does not stand in the
    other chat that the message went out to. ``attached`` are the names of its files.
    """

    key: str
    role: Role
    text: str
    at: float
    row_id: int | None = None
    reactions: ReactionSet = NO_REACTIONS
    status: Status = Status.STORED
    kind: str = ""
    reasoning: str = ""
    tool: ToolActivity | None = None
    error: str = ""
    reaction_error: str = ""
    reaction_note: str = ""
    attached: tuple[str, ...] = ()

    @property
    def retriable(self) -> bool:
        """Whether something about it failed that can be tried again."""
        return self.status is Status.FAILED or bool(self.reaction_error or self.reaction_note)

    @property
    def reactable(self) -> bool:
        """Whether a tapback makes sense: bubbles of either side, not tools, not notices."""
        return self.role.author is not None

    def with_reactions(self, reactions: ReactionSet) -> Message:
        """The same message with other reactions (the same object when nothing changes)."""
        return self if reactions == self.reactions else replace(self, reactions=reactions)
