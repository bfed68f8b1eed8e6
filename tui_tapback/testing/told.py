"""What a model would be told of the tapbacks of a ``MemoryChat``, with lines that can be kept back."""

from __future__ import annotations

from collections.abc import Callable

from tui_tapback.client.state import ClientState
from tui_tapback.client.telling import PendingLine
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.messages import Role
from tui_tapback.domain.reactions import Author


class MemoryTold:
    """Implements ``app.ports.Told``: each reaction of the user is due until ``told`` says it was told.

    A ``failure`` is raised by the next call.
    """

    def __init__(self, state: Callable[[], ClientState]) -> None:
        self._state = state
        self._told: set[tuple[str, str | None, str]] = set()
        self.withheld: set[tuple[str, str | None]] = set()
        self.failure: TapbackError | None = None
        self.enabled = False

    def told(self) -> None:
        """The model has heard of everything that is not kept back."""
        for message in self._state().messages:
            for reaction in message.reactions:
                if (message.key, reaction.part) not in self.withheld:
                    self._told.add((message.key, reaction.part, reaction.emoji))

    async def pending(self) -> tuple[PendingLine, ...]:
        """A line for each reaction of the user that is due."""
        self._fail()
        lines: list[PendingLine] = []
        for message in self._state().messages:
            for each in message.reactions:
                if each.author is not Author.USER or (message.key, each.part, each.emoji) in self._told:
                    continue
                whose = "your" if message.role is Role.ASSISTANT else "their own"
                text = f'[The user reacted {each.emoji} to {whose} message: "{each.quote or message.text}"]'
                kept = (message.key, each.part) in self.withheld
                lines.append(PendingLine(message.row_id or 0, text, message.key, each.part, kept))
        return tuple(lines)

    async def withhold(self, key: str, withheld: bool, *, part: str | None = None) -> None:
        """Keep a line back, or no longer."""
        self._fail()
        (self.withheld.add if withheld else self.withheld.discard)((key, part))

    async def enable(self) -> None:
        """Note that tapbacks were switched on."""
        self._fail()
        self.enabled = True

    def _fail(self) -> None:
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure
