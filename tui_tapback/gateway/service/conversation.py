"""What the agent may do to a conversation beside answering: react, and add a bubble of its own."""

from __future__ import annotations

from tui_tapback.gateway.store.posts import Address
from tui_tapback.gateway.store.records import NewMessage

from .core import Core
from .elsewhere import Elsewhere
from .inputs import message_text
from .ports import ReactionOutcome
from .questions import Questions
from .reactions import Reactions
from .rows import row_payload
from .sessions import Sessions


class Conversation:
    """Implements ``ports.ConversationTools``."""

    def __init__(
        self,
        core: Core,
        sessions: Sessions,
        reactions: Reactions,
        questions: Questions,
        *,
        elsewhere: Elsewhere,
    ) -> None:
        self._elsewhere = elsewhere
        self._core = core
        self._sessions = sessions
        self._reactions = reactions
        self._questions = questions

    async def react_as_agent(
        self, session_id: str, emoji: str | None, *, messages_back: int = 0
    ) -> ReactionOutcome:
        """Set (or with None remove) the agent's reaction; see ``Reactions.set_as_agent``."""
        return self._reactions.set_as_agent(session_id, emoji, messages_back)

    async def say(self, session_id: str, text: str) -> int:
        """Add a bubble of the agent, outside the model's context (which has the call that said it).

        Raises SessionNotFound, EmptyMessage, MessageTooLong, StoreError.
        """
        self._sessions.require(session_id)
        cleaned = message_text(text)
        now = self._core.clock()
        with self._core.store.transaction():
            row = self._core.store.messages.insert(
                NewMessage(session_id=session_id, role="assistant", text=cleaned, at=now)
            )
            self._core.store.sessions.touch(session_id, now)
        self._core.broadcast.emit(session_id, "tapback.row", row_payload(row))
        return row.row_id

    async def posted(self, session_id: str, target: str, message_id: str, text: str) -> int:
        """Show what has gone out to ``target`` (``name:chat``); see ``Elsewhere.posted``."""
        platform, _, chat = target.partition(":")
        return self._elsewhere.posted(session_id, Address(platform, chat, message_id), text)

    async def approve(self, session_id: str, command: str, description: str, pattern: str) -> bool:
        """Whether a person allows what the agent wants to do; see ``Questions.approve``."""
        return await self._questions.approve(session_id, command, description, pattern)
