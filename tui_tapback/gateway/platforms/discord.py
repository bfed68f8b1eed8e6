"""Discord: a message's ``reactions`` are ``{emoji, count, me}``: how many, and whether we are among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.emoji.normalise import normalise_or_none

from .people import Read, whole


class DiscordEmoji(TypedDict):
    """``id`` is None for a Unicode emoji, whose text is ``name``."""

    id: str | None
    name: str | None


class DiscordReaction(TypedDict):
    """One entry."""

    emoji: DiscordEmoji
    count: int
    me: bool


def to_discord(reactions: ReactionSet) -> list[DiscordReaction]:
    """The list as the agent's account sees it (``me`` is the agent)."""
    entries: dict[str, DiscordReaction] = {}
    for reaction in whole(reactions):
        entry = entries.setdefault(
            reaction.emoji,
            DiscordReaction(emoji=DiscordEmoji(id=None, name=reaction.emoji), count=0, me=False),
        )
        entry["count"] += 1
        entry["me"] = entry["me"] or reaction.author is Author.AGENT
    return list(entries.values())


def from_discord(entries: Sequence[DiscordReaction], *, direct: bool) -> Read:
    """What Discord tells. In a ``direct`` chat of two, who is not ``me`` is the user; elsewhere nobody knows,
    and only the agent's reactions are ours. Of several of one side the last entry's stays; times are 0."""
    found: list[Reaction] = []
    others = 0
    for entry in entries:
        count = max(entry["count"], int(entry["me"]))
        emoji = None if entry["emoji"]["id"] is not None else normalise_or_none(entry["emoji"]["name"] or "")
        if emoji is None:
            others += count
            continue
        rest = count - int(entry["me"])
        if entry["me"]:
            found.append(Reaction(emoji, Author.AGENT, 0.0))
        if rest and direct:
            found.append(Reaction(emoji, Author.USER, 0.0))
            rest -= 1
        others += rest
    return Read(ReactionSet.of(found), others)
