"""Reactions and the rule that each author has at most one per part of a message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum

from tui_tapback.domain.values import value


class Author(StrEnum):
    """Who reacted."""

    USER = "user"
    AGENT = "agent"

    @property
    def other(self) -> Author:
        """The other side of the chat."""
        return Author.AGENT if self is Author.USER else Author.USER


@value
class Reaction:
    """One tapback.

    ``emoji`` is a fully-qualified RGI sequence (see ``tui_tapback.emoji.normalise``), or the cleaned text
    of a foreign gateway. ``at`` is Unix seconds. ``part`` is None for the whole message, else an anchor, and
    ``quote`` then the beginning of that part. ``confirmed`` is False while the gateway has not acknowledged
    it; it is a matter of display only.
    """

    emoji: str
    author: Author
    at: float
    part: str | None = None
    confirmed: bool = True
    quote: str = ""

    @property
    def slot(self) -> tuple[Author, str | None]:
        """The place this reaction occupies; a second one in the same slot replaces it."""
        return self.author, self.part


@value
class ReactionSet:
    """The reactions of one message, one per slot, in the order in which they were set (oldest first)."""

    items: tuple[Reaction, ...] = ()

    @classmethod
    def of(cls, reactions: Iterable[Reaction]) -> ReactionSet:
        """Build a set; of several reactions in one slot the last stays, at its own place."""
        slots: dict[tuple[Author, str | None], Reaction] = {}
        for reaction in reactions:
            slots.pop(reaction.slot, None)
            if reaction.emoji:
                slots[reaction.slot] = reaction
        return cls(tuple(slots.values()))

    def set(self, reaction: Reaction) -> ReactionSet:
        """Put ``reaction`` into its slot, replacing what was there; the same emoji again changes nothing."""
        present = self.by(reaction.author, reaction.part)
        if (
            present is not None
            and present.emoji == reaction.emoji
            and present.confirmed == reaction.confirmed
        ):
            return self
        if present is not None and present.emoji == reaction.emoji:
            kept = replace(present, confirmed=reaction.confirmed)
            return ReactionSet(tuple(kept if item is present else item for item in self.items))
        return ReactionSet.of((*self.items, reaction))

    def remove(self, author: Author, part: str | None = None) -> ReactionSet:
        """Empty the slot; an empty one stays so."""
        left = tuple(item for item in self.items if item.slot != (author, part))
        return self if len(left) == len(self.items) else ReactionSet(left)

    def by(self, author: Author, part: str | None = None) -> Reaction | None:
        """The reaction in a slot, or None."""
        return next((item for item in self.items if item.slot == (author, part)), None)

    def newest_first(self) -> tuple[Reaction, ...]:
        """The reactions as badges stack: newest on top."""
        return tuple(reversed(self.items))

    def __iter__(self) -> Iterator[Reaction]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __bool__(self) -> bool:
        return bool(self.items)


NO_REACTIONS = ReactionSet()


def toggled(present: Reaction | None, pressed: str) -> str | None:
    """What a press of ``pressed`` asks for: the emoji, or None where it is already there.

    The only place where a toggle exists: in the hand. Everything behind it is absolute.
    """
    return None if present is not None and present.emoji == pressed else pressed
