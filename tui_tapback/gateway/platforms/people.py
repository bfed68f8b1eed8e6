"""Who is who on a platform, and what came out of a conversion beside the reactions."""

from __future__ import annotations

from dataclasses import dataclass

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet


@dataclass(frozen=True, slots=True)
class People:
    """The platform's ids of our two sides."""

    user: str
    agent: str

    def id_of(self, author: Author) -> str:
        """The id of a side."""
        return self.user if author is Author.USER else self.agent

    def author_of(self, person: str) -> Author | None:
        """The side that a person is, or None for somebody else."""
        if person == self.agent:
            return Author.AGENT
        return Author.USER if person == self.user else None


@dataclass(frozen=True, slots=True)
class Read:
    """Reactions read from a platform. ``others`` counts what stands there and is neither side's, or no emoji
    that we could show as one (a picture of that platform's own)."""

    reactions: ReactionSet
    others: int = 0


def whole(reactions: ReactionSet) -> tuple[Reaction, ...]:
    """The reactions to the whole message, oldest first: platforms without parts get no others."""
    return tuple(reaction for reaction in reactions if reaction.part is None)
