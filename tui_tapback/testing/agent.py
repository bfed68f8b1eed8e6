"""Doubles of the service for tests of agents: a turn that records, and a conversation to react in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tui_tapback.domain.errors import RowNotFound, TapbackError
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.gateway.agent.prompt import SYSTEM_PROMPT
from tui_tapback.gateway.agent.tools import TOOL_SCHEMA
from tui_tapback.gateway.service.ports import ModelRequest, ReactionOutcome, ToolCall
from tui_tapback.gateway.service.provider_messages import (
    assistant_message,
    system_message,
    tool_message,
    user_message,
)


class MemoryConversation:
    """User rows with reactions, kept by the rules of the domain. ``refusal`` is raised by every use of it."""

    def __init__(self, rows: Sequence[int] = (1,)) -> None:
        self.rows = list(rows)
        self.reactions: dict[int, ReactionSet] = {}
        self.said: list[str] = []
        self.posts: list[tuple[str, str, str]] = []
        self.approves = True
        self.asked: list[tuple[str, str, str]] = []
        self.refusal: TapbackError | None = None
        self.changes = 0

    async def react_as_agent(
        self, session_id: str, emoji: str | None, *, messages_back: int = 0
    ) -> ReactionOutcome:
        """Set or remove the agent's reaction."""
        if self.refusal is not None:
            raise self.refusal
        if messages_back >= len(self.rows):
            raise RowNotFound(f"There is no message {messages_back} back in this chat.")
        row = self.rows[-1 - messages_back]
        before = self.reactions.get(row, ReactionSet())
        after = (
            before.remove(Author.AGENT) if emoji is None else before.set(Reaction(emoji, Author.AGENT, 7.5))
        )
        self.reactions[row] = after
        self.changes += after != before
        return ReactionOutcome(row, after, after != before)

    async def say(self, session_id: str, text: str) -> int:
        """Keep the text in ``said``."""
        if self.refusal is not None:
            raise self.refusal
        self.said.append(text)
        self.changes += 1
        return 900 + len(self.said)

    async def posted(self, session_id: str, target: str, message_id: str, text: str) -> int:
        """Keep the message in ``posts``."""
        if self.refusal is not None:
            raise self.refusal
        self.posts.append((target, message_id, text))
        return 800 + len(self.posts)

    async def approve(self, session_id: str, command: str, description: str, pattern: str) -> bool:
        """Keep the question in ``asked`` and answer with ``approves``."""
        self.asked.append((command, description, pattern))
        return self.approves

    def emoji_on(self, row: int) -> list[str]:
        """The emoji on a row, oldest first."""
        return [reaction.emoji for reaction in self.reactions.get(row, ReactionSet())]


@dataclass
class RecordingTurn:
    """A ``ports.Turn`` that keeps everything in lists; requests are built with the service's own writer."""

    user_texts: tuple[str, ...] = ("hello",)
    session_id: str = "s1"
    user_row_id: int = 1
    tool_list: str = TOOL_SCHEMA
    pieces: list[str] = field(default_factory=list[str])
    thoughts: list[str] = field(default_factory=list[str])
    answers: list[str] = field(default_factory=list[str])
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    contexts: list[str] = field(default_factory=list[str])
    results: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])
    counted: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def __post_init__(self) -> None:
        self.messages = [system_message(SYSTEM_PROMPT)]
        for text in self.user_texts:
            self.messages.append(user_message((), text))
        self._open = ""

    @property
    def all_text(self) -> str:
        """Everything that was streamed."""
        return "".join(self.pieces)

    def request(self) -> ModelRequest:
        """Build the next request from the messages so far."""
        self.requests.append(ModelRequest(tuple(self.messages), self.tool_list))
        return self.requests[-1]

    async def text(self, delta: str) -> None:
        """Keep a piece."""
        self.pieces.append(delta)
        self._open += delta

    async def reasoning(self, delta: str) -> None:
        """Keep a thought."""
        self.thoughts.append(delta)

    async def usage(self, input_tokens: int, output_tokens: int) -> None:
        """Keep what was counted."""
        self.counted.append((input_tokens, output_tokens))

    async def assistant(self, calls: Sequence[ToolCall] = ()) -> int:
        """Close an answer."""
        self.messages.append(assistant_message(self._open, calls))
        self.answers.append(self._open)
        self._open = ""
        self.calls.extend(calls)
        return len(self.messages)

    async def tool_started(self, call: ToolCall, context: str) -> None:
        """Keep the line for people."""
        self.contexts.append(context)

    async def tool_result(self, call: ToolCall, content: str) -> int:
        """Keep the result."""
        self.messages.append(tool_message(call.call_id, content))
        self.results.append((call.call_id, content))
        return len(self.messages)

    @property
    def outcomes(self) -> list[dict[str, Any]]:
        """The results of the tools, decoded."""
        return [json.loads(content) for _, content in self.results]
