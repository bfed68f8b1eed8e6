"""Short ways to make messages and reactions for tests, examples and the gallery."""

from __future__ import annotations

from typing import Any

from tui_tapback.domain.messages import Message, Role, Status, ToolActivity
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet

# Sunday, 15 June 2025, 15:06 UTC
START = 1_750_000_000.0


def mine(emoji: str, *, confirmed: bool = True, part: str | None = None) -> Reaction:
    """A reaction of the user's."""
    return Reaction(emoji, Author.USER, START, part, confirmed)


def theirs(emoji: str, *, confirmed: bool = True, part: str | None = None) -> Reaction:
    """A reaction of the agent's."""
    return Reaction(emoji, Author.AGENT, START, part, confirmed)


def user(key: str, text: str, *reactions: Reaction, at: float = START, **fields: Any) -> Message:
    """A message of the user's; ``reactions`` from the oldest to the newest."""
    return Message(key=key, role=Role.USER, text=text, at=at, reactions=ReactionSet.of(reactions), **fields)


def agent(key: str, text: str, *reactions: Reaction, at: float = START, **fields: Any) -> Message:
    """A message of the agent's; ``reactions`` from the oldest to the newest."""
    return Message(
        key=key, role=Role.ASSISTANT, text=text, at=at, reactions=ReactionSet.of(reactions), **fields
    )


def streaming(key: str, text: str, **fields: Any) -> Message:
    """An answer that is being written."""
    return agent(key, text, status=Status.STREAMING, **fields)


def tool(key: str, name: str, context: str = "", *, running: bool = False, at: float = START) -> Message:
    """A row about a tool call."""
    return Message(key=key, role=Role.TOOL, text="", at=at, tool=ToolActivity(key, name, context, running))


def chat(count: int, *, prefix: str = "m") -> list[Message]:
    """``count`` messages of both sides in turn, keys ``m0``, ``m1``, …; every text says its number."""
    return [
        (user if index % 2 == 0 else agent)(f"{prefix}{index}", f"message number {index}")
        for index in range(count)
    ]
