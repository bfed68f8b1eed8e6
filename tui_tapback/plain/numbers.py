"""Gives the messages of a chat numbers that stay until another chat is opened; none is given twice."""

from __future__ import annotations

from collections.abc import Sequence

from tui_tapback.domain.errors import RowNotFound
from tui_tapback.domain.messages import Message
from tui_tapback.words import _


def counts(message: Message) -> bool:
    """Whether a message can be read and reacted to; an answer that was nothing but a tool call cannot."""
    return message.reactable and bool(message.text.strip() or message.error or message.reactions)


class Numbers:
    """By message key. A number is never given twice, so that no command meets another message than meant."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}
        self._messages: tuple[Message, ...] = ()

    @property
    def messages(self) -> tuple[Message, ...]:
        """The bubbles of both sides, oldest first."""
        return self._messages

    def see(self, messages: Sequence[Message]) -> None:
        """What stands in the chat now; tool rows, notices and empty answers have no number."""
        self._messages = tuple(message for message in messages if counts(message))
        for message in self._messages:
            if message.key not in self._number:
                self._number[message.key] = len(self._number) + 1

    def of(self, key: str) -> int:
        """The number of a message that was seen. Raises KeyError."""
        return self._number[key]

    def place(self, number: int) -> int:
        """Where it stands in ``messages``. Raises RowNotFound."""
        for place, message in enumerate(self._messages):
            if self._number[message.key] == number:
                return place
        if not self._messages:
            raise RowNotFound(_("There is no message in this chat yet."))
        first, last = self._number[self._messages[0].key], self._number[self._messages[-1].key]
        raise RowNotFound(
            _("There is no message {number} in this chat.").format(number=number),
            hint=_("The numbers go from {first} to {last}; /list reads them.").format(first=first, last=last),
        )

    def message(self, number: int) -> Message:
        """The message of that number. Raises RowNotFound."""
        return self._messages[self.place(number)]

    def find(self, key: str) -> Message | None:
        """The message of that key, if it is still there."""
        return next((message for message in self._messages if message.key == key), None)

    def clear(self) -> None:
        """Another chat."""
        self._number.clear()
        self._messages = ()
