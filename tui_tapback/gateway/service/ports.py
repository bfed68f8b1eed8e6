"""What the service asks of the agent and of the connections, and what it offers to a running turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tui_tapback.domain.reactions import ReactionSet


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asked for. ``arguments`` is the JSON text exactly as the model wrote it."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What goes to the provider.

    ``messages`` are the provider messages as JSON texts, each exactly as it was sent before or is sent now
    (the system prompt first); ``tools`` is the JSON text of the tool list, fixed when the session was made.
    """

    messages: tuple[str, ...]
    tools: str


class Turn(Protocol):
    """A running turn, as the agent sees it. All storing and broadcasting happens behind it.

    The service stores partial text in repaired form when the agent raises or is cancelled; the agent itself
    only lets ``asyncio.CancelledError`` and ``ModelError`` pass.
    """

    @property
    def session_id(self) -> str:
        """The session this turn belongs to."""
        ...

    @property
    def user_row_id(self) -> int:
        """The row that started the turn."""
        ...

    def request(self) -> ModelRequest:
        """The next request, built from the stored rows: call again after each tool round."""
        ...

    async def text(self, delta: str) -> None:
        """A piece of the answer."""
        ...

    async def reasoning(self, delta: str) -> None:
        """A piece of the model's reasoning (shown, stored for display, never sent back)."""
        ...

    async def assistant(self, calls: Sequence[ToolCall] = ()) -> int:
        """Close the assistant row from the pieces so far, with its tool calls; returns the row id."""
        ...

    async def tool_started(self, call: ToolCall, context: str) -> None:
        """``call`` begins; ``context`` is one line for people."""
        ...

    async def tool_result(self, call: ToolCall, content: str) -> int:
        """``call`` ended: store its tool row (``content`` is what the model reads) and tell the clients."""
        ...

    async def usage(self, input_tokens: int, output_tokens: int) -> None:
        """What the model's server counted for the request that was answered last."""
        ...


class Agent(Protocol):
    """Whoever answers: a model behind an endpoint, or the offline companion."""

    @property
    def model(self) -> str:
        """Name for the status line."""
        ...

    def system_prompt(self) -> str:
        """The system prompt of a new session: nothing in it changes with time."""
        ...

    def tools(self) -> str:
        """The tool list of a new session as JSON text."""
        ...

    async def run(self, turn: Turn) -> None:
        """Answer one turn. Raises ModelError."""
        ...

    async def complete(self, request: ModelRequest) -> str:
        """Answer a request outside any turn, in words alone (calls of tools are left undone).

        Raises ModelError, also where this agent cannot do that.
        """
        ...


@dataclass(frozen=True, slots=True)
class ReactionOutcome:
    """The row's reactions after a call; ``changed`` False: it was so already; ``seq``: the event's number."""

    row_id: int
    reactions: ReactionSet
    changed: bool
    seq: int | None = None


class ConversationTools(Protocol):
    """What the agent's ``send_message`` tool may do to a conversation (implemented by the service)."""

    async def react_as_agent(
        self, session_id: str, emoji: str | None, *, messages_back: int = 0
    ) -> ReactionOutcome:
        """Set (or with None remove) the agent's reaction on a message of the user.

        ``messages_back`` 0 is the newest user row that stands in the conversation, 1 the one before.
        Absolute: the same emoji again leaves it. Raises RowNotFound, NotAnEmoji.
        """
        ...

    async def say(self, session_id: str, text: str) -> int:
        """Add a bubble of the agent to the chat, outside the model's context; returns its row id."""
        ...

    async def posted(self, session_id: str, target: str, message_id: str, text: str) -> int:
        """Show a message that has gone out to another chat (``target``: name:chat) as a bubble here, so that
        reactions of people there have a place; returns its row id."""
        ...

    async def approve(self, session_id: str, command: str, description: str, pattern: str) -> bool:
        """Ask the people of the chat whether ``command`` (one line; ``description`` says it in words) may be
        done. ``pattern`` names what an answer "session" or "always" allows from then on."""
        ...


class EventSink(Protocol):
    """A connection that is attached to sessions. ``deliver`` never blocks and never raises."""

    def deliver(self, params: dict[str, Any]) -> None:
        """Send ``params`` of an event frame: ``{type, session_id, payload?, seq?}``."""
        ...


class Respondent(EventSink, Protocol):
    """A connection that can also be asked. ``ask`` never blocks and never raises."""

    def ask(self, frame: dict[str, Any]) -> None:
        """Send a question: ``{id, method, params}``."""
        ...
