"""The loopback adapter: a platform in this process, for trying out and testing what uses adapters."""

from __future__ import annotations

import asyncio
import itertools
import logging
from dataclasses import dataclass, field

from tui_tapback.domain.errors import InvalidInput, NotAnEmoji, NotFound, PlatformError
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.normalise import normalise_or_none

from .adapter import Capabilities, MessageRef, ReactionHandler, ReactionNews

_log = logging.getLogger(__name__)
MOST_MESSAGES = 1000
"""Messages of a chat that are kept."""


@dataclass(slots=True)
class LoopbackMessage:
    """A message, and who reacted with what: (author, emoji), oldest first. Our own author is empty."""

    id: str
    text: str
    reactions: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


class LoopbackAdapter:
    """Implements ``Adapter``. Every chat name exists; ``react`` plays the people on the other side. In a chat
    whose name is an emoji somebody taps back with it at once, for trying out: ``loopback:👍``."""

    def __init__(self, name: str = "loopback", capabilities: Capabilities | None = None) -> None:
        self._name = name
        self._capabilities = capabilities or Capabilities()
        self._chats: dict[str, dict[str, LoopbackMessage]] = {}
        self._ids = itertools.count(1)
        self._handler: ReactionHandler | None = None
        self._news: asyncio.Queue[ReactionNews] = asyncio.Queue()
        self._teller: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def name(self) -> str:
        """The first half of a target."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """What it was told to be able to do."""
        return self._capabilities

    def messages(self, chat: str) -> list[LoopbackMessage]:
        """What was written to a chat, oldest first."""
        return list(self._chats.get(chat, {}).values())

    async def send(self, chat: str, text: str) -> MessageRef:
        """Write to a chat, which begins with its first message. Raises PlatformError after ``close``."""
        self._check_open()
        message = LoopbackMessage(str(next(self._ids)), text)
        written = self._chats.setdefault(chat, {})
        written[message.id] = message
        while len(written) > MOST_MESSAGES:
            del written[next(iter(written))]
        ref = MessageRef(chat, message.id)
        echo = normalise_or_none(chat)
        if echo is not None:
            self.react(ref, "echo", echo)
        return ref

    async def add_reaction(self, message: MessageRef, emoji: str) -> None:
        """React as ourselves. Raises NotFound, NotAnEmoji, PlatformError."""
        self._put(message, "", emoji)

    async def remove_reaction(self, message: MessageRef, emoji: str) -> None:
        """Take ours back. Raises NotFound, PlatformError, InvalidInput where that cannot be."""
        found = self._find(message)
        if not self._capabilities.takes_back:
            raise InvalidInput(f"{clean_line(self._name, 40)} lets nobody take a reaction back.")
        found.reactions = [entry for entry in found.reactions if entry != ("", emoji)]

    def set_reaction_handler(self, handler: ReactionHandler | None) -> None:
        """Tell ``handler`` what ``react`` and ``unreact`` do."""
        self._handler = handler

    async def close(self) -> None:
        """End."""
        self._closed = True
        teller, self._teller = self._teller, None
        if teller is not None:
            teller.cancel()
            await asyncio.gather(teller, return_exceptions=True)

    # --- the people on the other side ------------------------------------------------------------------

    def react(self, message: MessageRef, author: str, emoji: str, at: float | None = None) -> None:
        """``author`` reacts. Raises NotFound, NotAnEmoji."""
        if self._put(message, author, emoji):
            self._tell(ReactionNews(message, emoji, author, at=at))

    def unreact(self, message: MessageRef, author: str, emoji: str, at: float | None = None) -> None:
        """``author`` takes a reaction back. Raises NotFound."""
        found = self._find(message)
        left = [entry for entry in found.reactions if entry != (author, emoji)]
        if left != found.reactions:
            found.reactions = left
            if self._capabilities.tells_removal:
                self._tell(ReactionNews(message, emoji, author, removed=True, at=at))

    async def told(self) -> None:
        """Wait until the handler has heard everything."""
        await self._news.join()

    def _put(self, message: MessageRef, author: str, emoji: str) -> bool:
        found = self._find(message)
        allowed = self._capabilities.allowed
        if not author and not self._capabilities.reacts:
            raise NotAnEmoji(f"{clean_line(self._name, 40)} takes no reactions of ours.")
        if allowed is not None and emoji not in allowed:
            raise NotAnEmoji(
                f"{clean_line(self._name, 40)} does not take {clean_line(emoji, 20)} as a reaction.",
                hint="It takes " + " ".join(sorted(allowed)[:20]) + ".",
            )
        if (author, emoji) in found.reactions:
            return False
        if not self._capabilities.several_per_author:
            found.reactions = [entry for entry in found.reactions if entry[0] != author]
        found.reactions.append((author, emoji))
        return True

    def _find(self, message: MessageRef) -> LoopbackMessage:
        self._check_open()
        found = self._chats.get(message.chat, {}).get(message.id)
        if found is None:
            raise NotFound(f"There is no message {clean_line(message.id, 40)} in that chat.")
        return found

    def _check_open(self) -> None:
        if self._closed:
            raise PlatformError(f"The adapter {clean_line(self._name, 40)} is closed.")

    def _tell(self, news: ReactionNews) -> None:
        shown = ReactionNews(
            news.message,
            news.emoji,
            news.author if self._capabilities.tells_who else "",
            news.removed,
            news.at if self._capabilities.tells_when else None,
        )
        self._news.put_nowait(shown)
        if self._teller is None:
            self._teller = asyncio.create_task(self._tell_all(), name=f"news of {self._name}")

    async def _tell_all(self) -> None:
        while True:
            news = await self._news.get()
            try:
                if self._handler is not None:
                    await self._handler(news)
            except Exception:  # noqa: BLE001 - the contract: what a handler raises does not reach the platform
                _log.exception("A handler of reactions failed.")
            finally:
                self._news.task_done()
