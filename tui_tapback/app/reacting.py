"""From a wish (key, click, typed name) to a reaction of the chat, with a sentence where it cannot be."""

from __future__ import annotations

from collections.abc import Callable

from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.intents import ANYTHING, Expected
from tui_tapback.client.state import Phase
from tui_tapback.client.tapback_history import Change
from tui_tapback.domain.errors import NotSupported, RowNotFound, TapbackError
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.widgets.composer.commands import React, TapbackCommand, Unreact
from tui_tapback.words import _, plural

from .ports import ChatSession


class Reactor:
    """Reacts in one chat. ``refused`` is told each error; nothing else comes of it."""

    def __init__(self, chat: ChatSession, refused: Callable[[TapbackError], None]) -> None:
        self._chat = chat
        self._refused = refused

    def set(
        self,
        key: str,
        emoji: str | None,
        part: str | None = None,
        quote: str = "",
        *,
        expected: Expected = ANYTHING,
    ) -> Change | None:
        """Set or with None remove the user's reaction on message ``key``, or on a ``part`` of it.

        Returns what became of it; None where it was refused. ``expected``: only if that stands there still.
        """
        before = self.present(key, part)
        try:
            if part is not None:
                self._require_parts()
            self._chat.set_reaction(key, emoji, part, quote, expected=expected)
        except TapbackError as error:
            self._refused(error)
            return None
        return Change(key, before, self.present(key, part), part, quote)

    def present(self, key: str, part: str | None) -> str | None:
        """The user's emoji there now."""
        message = self.message(key)
        mine = message.reactions.by(Author.USER, part) if message is not None else None
        return mine.emoji if mine is not None else None

    def message(self, key: str) -> Message | None:
        """The message of that key if it is still here."""
        return next((m for m in self._chat.state.messages if m.key == key), None)

    def typed(self, command: TapbackCommand) -> tuple[str, str | None] | None:
        """The message and the emoji (None: nothing) that ``+:tada:``, ``2-`` and their like mean.

        None where it was refused.
        """
        try:
            target = self.answer(command.back)
            match command:
                case React():
                    from tui_tapback.emoji.resolve import resolve  # with the search: not at the start

                    return target.key, resolve(command.emoji)
                case Unreact():
                    return target.key, None
        except TapbackError as error:
            self._refused(error)
            return None

    def answer(self, back: int = 1) -> Message:
        """The agent's ``back``-th last message. Raises RowNotFound where there is none."""
        answers = [m for m in self._chat.state.messages if m.role is Role.ASSISTANT]
        if len(answers) < back:
            if not answers:
                raise RowNotFound(
                    _("There is no message of the agent yet in this chat, so there is nothing to react to.")
                )
            raise RowNotFound(
                plural(
                    "There is only {count} message of the agent in this chat, "
                    "so there is nothing to react to.",
                    "There is only {count} messages of the agent in this chat, "
                    "so there is nothing to react to.",
                    len(answers),
                ).format(count=len(answers))
            )
        return answers[-back]

    def _require_parts(self) -> None:
        """A gateway that is there and has no parts: said before anything is painted."""
        state = self._chat.state
        if state.connection.phase is Phase.ONLINE and Ability.PARTS not in state.abilities:
            raise NotSupported(lack_of(Ability.PARTS), hint=_("React to the whole message."))
