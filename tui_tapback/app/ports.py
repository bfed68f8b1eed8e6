"""What the screens need from a chat: ``ChatClient`` is one such, the doubles of tests and demo another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Protocol

from tui_tapback.client.commands import Command, Outcome, Proposal
from tui_tapback.client.gateway_settings import GatewaySettings, Value
from tui_tapback.client.intents import ANYTHING, Expected
from tui_tapback.client.library import Hits
from tui_tapback.client.models import Chosen, ModelChoice, SettingRow
from tui_tapback.client.state import ClientState, Notice, SessionSummary
from tui_tapback.client.telling import PendingLine
from tui_tapback.client.turns import Cost
from tui_tapback.domain.work import Attachment, Task
from tui_tapback.wire.questions import Choice


class Paging(Protocol):
    """A long chat in parts; each call returns how many messages came. Raises TapbackError."""

    async def load_older(self, count: int = 200) -> int:
        """Read what lies before what is held."""
        ...

    async def load_newer(self, count: int = 200) -> int:
        """Read what lies behind what is held."""
        ...

    async def load_first(self, count: int = 200) -> None:
        """Move to the beginning of the chat."""
        ...

    async def load_around(self, row_id: int, count: int = 200) -> str | None:
        """Move to a row; returns its key (None: it is not in this chat)."""
        ...

    def to_end(self) -> None:
        """Move to the newest messages, in the background."""
        ...


class Turning(Protocol):
    """Saying things again or otherwise. Raises TapbackError."""

    def cost_of_edit(self, key: str) -> Cost:
        """What falls when this message of the user is said anew."""
        ...

    def edit(self, key: str, text: str) -> str:
        """Say this message of the user otherwise; returns the new bubble's key."""
        ...

    def regenerate(self, key: str) -> str:
        """Ask again for the answer of that key."""
        ...

    async def undo(self) -> str:
        """Take the last turn back; returns what the user had said there."""
        ...

    async def branch(self, name: str | None = None, *, upto: str | None = None) -> str:
        """Copy this chat as far as a message, and show the copy; returns its session id."""
        ...

    async def compress(self, focus: str | None = None) -> str:
        """Sum up the old part for the model; returns how it went."""
        ...

    async def steer(self, text: str) -> bool:
        """Slip words into the running turn; False where none runs."""
        ...

    async def redirect(self, text: str) -> bool:
        """Cut the running answer short, to go on from these words; False where none runs."""
        ...


class Answering(Protocol):
    """Answers to what the gateway asks; True when the answer counted. Raises TapbackError."""

    async def approve(self, number: str, choice: Choice) -> bool:
        """Answer an approval."""
        ...

    async def answer(self, number: str, answers: Mapping[str, str]) -> bool:
        """Answer the agent's questions, a text for each ``qid``."""
        ...

    async def give_secret(self, number: str, value: str) -> bool:
        """Hand over a password or secret."""
        ...

    async def cancel(self, number: str) -> bool:
        """Decline to answer."""
        ...


class Commanding(Protocol):
    """The slash commands of a gateway that has its own. Raises TapbackError."""

    async def catalog(self) -> tuple[Command, ...]:
        """All commands."""
        ...

    async def complete(self, text: str) -> tuple[Proposal, ...]:
        """What ``text`` could become."""
        ...

    async def run(self, line: str) -> Outcome:
        """Run a command."""
        ...


class Working(Protocol):
    """What goes on behind the chat, as far as the gateway has that. Raises TapbackError."""

    async def refresh(self) -> None:
        """Ask what runs; it is in the state then."""
        ...

    async def stop(self, task: Task) -> bool:
        """End one; False where it had ended already."""
        ...

    async def begin(self, text: str) -> str:
        """Let something be done behind the chat."""
        ...

    async def ask(self, text: str) -> str:
        """Ask something beside the chat."""
        ...


class Choosing(Protocol):
    """The models of the gateway, and its settings. Raises TapbackError."""

    async def list(self) -> tuple[ModelChoice, ...]:
        """Those that can be chosen."""
        ...

    async def choose(self, name: str, provider: str = "", *, agreed: bool = False) -> Chosen:
        """Answer this chat with that one from now on."""
        ...

    async def settings(self) -> tuple[SettingRow, ...]:
        """The settings that the gateway shows."""
        ...


class Attaching(Protocol):
    """The files of the next message. Raises InvalidInput, NotSupported, LinkDown."""

    def add(self, path: str | Path) -> Attachment:
        """Let one go with it."""
        ...

    def remove(self, path: str) -> None:
        """Let it not."""
        ...


class Finding(Protocol):
    """The stored sessions. Raises TapbackError."""

    async def list(
        self,
        query: str | None = None,
        *,
        archived: bool | None = None,
        reacted_with: str | None = None,
        limit: int | None = None,
    ) -> tuple[SessionSummary, ...]:
        """Newest activity first."""
        ...

    async def rename(self, session_id: str, title: str) -> None:
        """Give one another title."""
        ...

    async def archive(self, session_id: str, archived: bool = True) -> None:
        """Put one away, or take it back."""
        ...

    async def delete(self, session_id: str) -> float:
        """Delete one; returns the seconds in which ``restore`` brings it back (0: it cannot)."""
        ...

    async def restore(self, session_id: str) -> None:
        """Bring one back that was just deleted."""
        ...

    async def search(
        self,
        query: str = "",
        *,
        session_id: str | None = None,
        author: str | None = None,
        emoji: str | None = None,
        limit: int = 50,
        before_row_id: int | None = None,
    ) -> Hits:
        """Messages that say all words, newest first."""
        ...


class Told(Protocol):
    """What the model hears of the tapbacks. Raises NotSupported, LinkDown, RpcError."""

    async def pending(self) -> tuple[PendingLine, ...]:
        """What the next message will tell, in order."""
        ...

    async def withhold(self, key: str, withheld: bool, *, part: str | None = None) -> None:
        """Keep the line about this bubble back, or no longer. Raises RowNotFound too."""
        ...

    async def enable(self) -> None:
        """Switch tapbacks on at the gateway, for all its chats."""
        ...


class Sharing(Protocol):
    """The settings that the gateway keeps for all its clients. Raises NotSupported, LinkDown, RpcError."""

    async def set(self, key: str, value: Value) -> GatewaySettings:
        """Change one; returns them as they are then."""
        ...


class Rooms(Protocol):
    """What is needed less often, each in a room of its own."""

    @property
    def history(self) -> Paging:
        """A long chat in parts."""
        ...

    @property
    def turns(self) -> Turning:
        """Saying things again or otherwise."""
        ...

    @property
    def questions(self) -> Answering:
        """Answers to what the gateway asks."""
        ...

    @property
    def commands(self) -> Commanding:
        """The gateway's own slash commands."""
        ...

    @property
    def work(self) -> Working:
        """What goes on behind the chat."""
        ...

    @property
    def models(self) -> Choosing:
        """Which model answers."""
        ...

    @property
    def sharing(self) -> Sharing:
        """Settings of the gateway."""
        ...

    @property
    def attaching(self) -> Attaching:
        """The files of the next message."""
        ...

    @property
    def sessions(self) -> Finding:
        """What is stored."""
        ...

    @property
    def reactions(self) -> Told:
        """What the model will be told."""
        ...


class ChatSession(Rooms, Protocol):
    """A conversation somewhere, its newest state, and what a person may ask of it.

    ``send``, ``edit_waiting``, ``set_reaction``, ``retry`` and ``discard`` change ``state`` before they
    return and are delivered in the background; the coroutines ask the gateway and raise ``TapbackError``.
    What is needed less often stands in rooms of its own.
    """

    @property
    def state(self) -> ClientState:
        """The current value."""
        ...

    async def start(self, *, session_id: str | None = None, new: bool = False) -> None:
        """Connect in the background and open a session; returns at once."""
        ...

    async def close(self) -> None:
        """Leave the gateway."""
        ...

    def changes(self) -> AsyncIterator[ClientState]:
        """The present state, then the newest one after each change."""
        ...

    def notices(self) -> AsyncIterator[Notice]:
        """What a person should be told."""
        ...

    def send(self, text: str) -> str:
        """Send a message; returns its key. Raises EmptyMessage, MessageTooLong."""
        ...

    def edit_waiting(self, key: str, text: str) -> None:
        """Say a message otherwise that has not left. Raises Busy (it has), RowNotFound, EmptyMessage."""
        ...

    def set_reaction(
        self,
        key: str,
        emoji: str | None,
        part: str | None = None,
        quote: str = "",
        *,
        expected: Expected = ANYTHING,
    ) -> None:
        """React, or with None take it back; a ``part`` begins with ``quote``. Raises NotAnEmoji, RowNotFound.

        ``expected``: only if that stands there still.
        """
        ...

    def retry(self, key: str) -> None:
        """Try a failed message or a refused reaction again."""
        ...

    def discard(self, key: str) -> str:
        """Withdraw a waiting or failed message; returns its text."""
        ...

    async def interrupt(self) -> None:
        """Stop the running turn."""
        ...

    async def new_session(self) -> None:
        """Open a new, empty session."""
        ...

    async def open_session(self, session_id: str) -> None:
        """Open a session of the list."""
        ...

    async def list_sessions(self) -> tuple[SessionSummary, ...]:
        """The sessions of this gateway, newest first."""
        ...

    async def set_title(self, title: str) -> None:
        """Name the open session."""
        ...

    def reconnect_now(self) -> None:
        """Try the connection at once instead of at the next planned moment."""
        ...
