"""From a wish (key, click, typed name) to a reaction of the chat, with a sentence where it cannot be."""

from __future__ import annotations

from collections.abc import Callable

from tui_tapback.domain.errors import RowNotFound, TapbackError
from tui_tapback.domain.messages import Message, Role
from tui_tapback.emoji.resolve import resolve
from tui_tapback.widgets.composer.commands import React, TapbackCommand, Unreact

from .ports import ChatSession


class Reactor:
    """Reacts in one chat. ``refused`` is told each error; nothing else comes of it."""

    def __init__(self, chat: ChatSession, refused: Callable[[TapbackError], None]) -> None:
        self._chat = chat
        self._refused = refused

    def set(self, key: str, emoji: str | None) -> bool:
        """Set or with None remove the user's reaction on message ``key``; False where it was refused."""
        try:
            self._chat.set_reaction(key, emoji)
        except TapbackError as error:
            self._refused(error)
            return False
        return True

    def typed(self, command: TapbackCommand) -> bool:
        """Carry out ``+:tada:``, ``2-`` and their like; False where it was refused."""
        try:
            target = self.answer(command.back)
            match command:
                case React():
                    wanted = resolve(command.emoji)
                case Unreact():
                    wanted = None
        except TapbackError as error:
            self._refused(error)
            return False
        return self.set(target.key, wanted)

    def answer(self, back: int = 1) -> Message:
        """The agent's ``back``-th last message. Raises RowNotFound where there is none."""
        answers = [m for m in self._chat.state.messages if m.role is Role.ASSISTANT]
        if len(answers) < back:
            which = (
                "no message of the agent yet" if not answers else f"only {len(answers)} messages of the agent"
            )
            raise RowNotFound(f"There is {which} in this chat, so there is nothing to react to.")
        return answers[-back]
