"""Tells of tapbacks once they have settled: a burst of changes in one place is one sentence; pure."""

from __future__ import annotations

from collections.abc import Iterator

from tui_tapback.client.state import ClientState
from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author, Reaction

from . import sentences
from .numbers import Numbers, counts
from .speech import Speech

SETTLE = 0.7
"""Seconds without a change after which a tapback counts as meant."""
_Slot = tuple[str, Author, str | None]


class TapbackNews:
    """Remembers what was said of every slot. A tapback of this hand that nobody confirmed is not said yet."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self.reset()

    def reset(self) -> None:
        """Another chat."""
        self._said: dict[_Slot, Reaction] = {}
        self._seen: dict[_Slot, Reaction] = {}
        self._since: dict[_Slot, float] = {}

    @property
    def due(self) -> float | None:
        """When the next change will have settled."""
        return min(self._since.values()) + SETTLE if self._since else None

    def begin(self, state: ClientState) -> None:
        """What is there at the beginning is old news."""
        self._said = dict(_slots(state))
        self._seen = dict(self._said)

    def news(self, state: ClientState, speech: Speech, now: float, *, muted: bool = False) -> Iterator[str]:
        """A sentence for each place whose last change has settled and that is otherwise than it was said.

        ``muted``: what the agent does is taken note of, and nothing said of it.
        """
        present = dict(_slots(state))
        for slot in present.keys() | self._seen.keys():
            if _emoji(present.get(slot)) != _emoji(self._seen.get(slot)):
                self._since[slot] = now
        self._seen = present
        messages = {message.key: message for message in state.messages}
        for slot in [slot for slot, since in self._since.items() if now >= since + SETTLE]:
            reaction = present.get(slot)
            if reaction is not None and not reaction.confirmed:
                continue  # on its way: it counts when the gateway says so
            del self._since[slot]
            message = messages.get(slot[0])
            if message is not None and counts(message):
                said = list(self._settled(speech, message, slot, reaction))
                if not muted or slot[1] is not Author.AGENT:
                    yield from said

    def _settled(
        self, speech: Speech, message: Message, slot: _Slot, reaction: Reaction | None
    ) -> Iterator[str]:
        before = self._said.pop(slot, None)
        number = self._numbers.of(message.key)
        if reaction is not None:
            self._said[slot] = reaction
        if _emoji(before) == _emoji(reaction):
            return
        if reaction is not None:
            yield sentences.tapback(speech, message, number, reaction)
        elif before is not None:
            yield sentences.taken_back(speech, message, number, before)


def _emoji(reaction: Reaction | None) -> str:
    return reaction.emoji if reaction is not None else ""


def _slots(state: ClientState) -> Iterator[tuple[_Slot, Reaction]]:
    for message in state.messages:
        if counts(message):
            for reaction in message.reactions:
                yield (message.key, reaction.author, reaction.part), reaction
