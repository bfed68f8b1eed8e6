"""What the rooms of a client share: the conversation on screen, calls to its gateway, news for the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tui_tapback.domain.errors import Busy, NotSupported, RpcError, SessionNotFound
from tui_tapback.wire.base import Params, Result
from tui_tapback.wire.errors import Code
from tui_tapback.words import _

from .abilities import Ability, lack_of
from .book import Book
from .conversation import Conversation
from .engine import Engine
from .state import Notice

ATTEMPTS = 10
"""How often a gateway that is busy is asked."""
R = TypeVar("R", bound=Result)


class Desk:
    """``changed`` is to be called after anything that a screen shows was changed."""

    def __init__(
        self, book: Book, engine: Engine, changed: Callable[[], None], notify: Callable[[Notice], None]
    ) -> None:
        self.book = book
        self.engine = engine
        self.changed = changed
        self.notify = notify

    @property
    def conversation(self) -> Conversation:
        """The one on screen at this moment."""
        return self.book.current

    @property
    def foreign(self) -> bool:
        """Whether it is a Hermes gateway."""
        return self.engine.foreign

    def require(self, ability: Ability) -> None:
        """Raises NotSupported where the gateway lacks it, LinkDown where there is none."""
        self.engine.link()
        if ability not in self.engine.abilities:
            raise NotSupported(lack_of(ability))

    def runtime_id(self) -> str:
        """The live id of the session on screen. Raises LinkDown, SessionNotFound."""
        self.engine.link()
        runtime_id = self.conversation.runtime_id
        if runtime_id is None:
            raise SessionNotFound(_("This chat has not begun yet."), hint=_("Write something first."))
        return runtime_id

    async def call_idle(
        self, method: str, params: Params, result: type[R], *, within: float | None = None
    ) -> R:
        """Ask for what needs a quiet session. Raises Busy too.

        A Hermes gateway says that an answer is complete a moment before it is ready for the next thing.
        """
        if self.conversation.mirror.running:
            raise Busy(_("The agent is answering just now."), hint=_("Interrupt it first."))
        for _attempt in range(ATTEMPTS):
            try:
                return await self.call(method, params, result, within=within)
            except RpcError as error:
                if error.code != Code.BUSY:
                    raise
                await asyncio.sleep(self.engine.again)
        raise Busy(_("The gateway is still busy with the last answer."), hint=_("Try again in a moment."))

    async def call(self, method: str, params: Params, result: type[R], *, within: float | None = None) -> R:
        """Ask the gateway. Raises NotSupported, RpcError, MalformedFrame, LinkDown."""
        try:
            return await self.engine.link().call(method, params, result, within=within)
        except RpcError as error:
            if error.code == Code.UNKNOWN_METHOD:
                raise NotSupported(_("This gateway does not know that yet."), hint=_("Update it.")) from error
            raise
