"""What a platform adapter is: a chat elsewhere, to which the agent can write and where it can react."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MessageRef:
    """A message of a platform: the chat it stands in, and its id there."""

    chat: str
    id: str


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an adapter's platform can do.

    ``several_per_author``: a second reaction of one author stands beside the first (else it replaces it).
    ``allowed``: the only emoji it takes, fully qualified; None for all. ``tells_who`` and ``tells_when``: its
    news of reactions name the author and the time. ``tells_removal``: it tells when one is taken back.
    ``reacts``: this account may react there; ``takes_back``: and take its reaction back.
    """

    several_per_author: bool = False
    allowed: frozenset[str] | None = None
    tells_who: bool = True
    tells_when: bool = True
    tells_removal: bool = True
    reacts: bool = True
    takes_back: bool = True


@dataclass(frozen=True, slots=True)
class ReactionNews:
    """A reaction that somebody there set (or, with ``removed``, took back).

    ``author`` is the platform's id of that person, empty where it is not told; ``at`` is Unix seconds or
    None. The adapter's own reactions are not told.
    """

    message: MessageRef
    emoji: str
    author: str = ""
    removed: bool = False
    at: float | None = None


ReactionHandler = Callable[[ReactionNews], Awaitable[None]]


class Adapter(Protocol):
    """One platform, as one account.

    All calls come from one event loop. Emoji are fully qualified on both sides of it. Every method may raise
    PlatformError where the platform cannot be reached; nothing was changed then as far as is known.
    """

    @property
    def name(self) -> str:
        """The first half of a target: ``name:chat``."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What the platform can do; it does not change."""
        ...

    async def send(self, chat: str, text: str) -> MessageRef:
        """Write to a chat. Raises NotFound for a chat that is not there."""
        ...

    async def add_reaction(self, message: MessageRef, emoji: str) -> None:
        """React as this account; what stands already stays, and is no error.

        Raises NotFound for a message that is not there, NotAnEmoji for one that the platform does not take.
        """
        ...

    async def remove_reaction(self, message: MessageRef, emoji: str) -> None:
        """Take this account's reaction back; what is not there is no error. Raises NotFound."""
        ...

    def set_reaction_handler(self, handler: ReactionHandler | None) -> None:
        """Tell ``handler`` of reactions of others, in their order, one at a time; None tells nobody.

        What the handler raises does not reach the platform.
        """
        ...

    async def close(self) -> None:
        """End; a second call does nothing."""
        ...
