"""Lenses: which messages to show by the tapbacks on them, by emoji, author, or questions still open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.values import value
from tui_tapback.emoji.normalise import base_of
from tui_tapback.words import _

QUESTION: Final = "❓"


@value
class Lens:
    """What to look for; every field narrows.

    ``emoji`` matches in every skin tone. ``unanswered`` keeps questions (❓) that nobody has answered since.
    """

    emoji: str | None = None
    author: Author | None = None
    unanswered: bool = False

    @property
    def label(self) -> str:
        """A short name, as it stands in the status line and in the list of lenses."""
        if self.unanswered:
            what = _("{emoji} unanswered").format(emoji=QUESTION)
        else:
            what = self.emoji or _("all tapbacks")
        match self.author:
            case Author.USER:
                return _("{tapbacks} by me").format(tapbacks=what)
            case Author.AGENT:
                return _("{tapbacks} by the agent").format(tapbacks=what)
            case None:
                return what


ALL: Final = Lens()
OPEN_QUESTIONS: Final = Lens(unanswered=True)


def shown(lens: Lens, messages: Sequence[Message]) -> tuple[str, ...]:
    """Keys of the messages that the lens lets through, in order of the transcript."""
    latest = _latest_words(messages) if lens.unanswered else {}
    return tuple(
        message.key
        for message in messages
        if any(_matches(lens, reaction, latest) for reaction in message.reactions)
    )


def _matches(lens: Lens, reaction: Reaction, latest: dict[Author, float]) -> bool:
    if lens.author is not None and reaction.author is not lens.author:
        return False
    if lens.unanswered:
        return reaction.emoji == QUESTION and latest.get(reaction.author.other, 0.0) <= reaction.at
    return lens.emoji is None or base_of(reaction.emoji) == base_of(lens.emoji)


def _latest_words(messages: Iterable[Message]) -> dict[Author, float]:
    """When each side last said something: that is what answers the other side's questions before it."""
    latest: dict[Author, float] = {}
    for message in messages:
        author = message.role.author
        if author is not None:
            latest[author] = max(message.at, latest.get(author, 0.0))
    return latest


def choices(messages: Sequence[Message]) -> tuple[tuple[Lens, int], ...]:
    """The lenses that show something here, with how many messages: all, open questions, by author, by emoji.

    Emoji come by how often they stand in the session, most first, else in the order of the chat.
    """
    counts: dict[str, int] = {}
    for message in messages:
        for emoji in dict.fromkeys(base_of(reaction.emoji) for reaction in message.reactions):
            counts[emoji] = counts.get(emoji, 0) + 1
    by_emoji = sorted(counts, key=lambda emoji: -counts[emoji])
    offered = (
        ALL,
        OPEN_QUESTIONS,
        Lens(author=Author.AGENT),
        Lens(author=Author.USER),
        *(Lens(emoji=emoji) for emoji in by_emoji),
    )
    found = ((lens, len(shown(lens, messages))) for lens in offered)
    return tuple((lens, count) for lens, count in found if count)


class LensView:
    """What is seen through one lens: once let through a message stays, so that no line moves by itself."""

    def __init__(self, lens: Lens) -> None:
        self.lens = lens
        self._through: set[str] = set()
        self._over: tuple[Sequence[Message], tuple[Message, ...]] = ((), ())

    def take(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The messages of a new state that are seen, in its order."""
        if self._over[0] is not messages:
            self._through.update(shown(self.lens, messages))
            seen = tuple(message for message in messages if message.key in self._through)
            self._over = (messages, seen)
        return self._over[1]
