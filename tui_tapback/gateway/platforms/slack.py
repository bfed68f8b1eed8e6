"""Slack: a message's ``reactions`` are ``{name, count, users}``, the name a short code with its skin tone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypedDict

from tui_tapback.domain.errors import NotAnEmoji
from tui_tapback.domain.reactions import Reaction, ReactionSet
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.core import tones_in, with_tone
from tui_tapback.emoji.normalise import base_of
from tui_tapback.emoji.resolve import resolve

from .people import People, Read, whole

_TONES = ("2", "3", "4", "5", "6")
_OWN_STYLE = ("flag-", "female-", "male-", "woman-", "man-")


class SlackReaction(TypedDict):
    """One entry; Slack may list fewer ``users`` than ``count`` says."""

    name: str
    count: int
    users: list[str]


@lru_cache(maxsize=4096)
def slack_name(emoji: str) -> str | None:
    """The name without colons, such as ``+1`` or ``wave::skin-tone-4``; None where Slack has none.

    Where two people have a tone each, only the bare emoji can be named.
    """
    base, tones = base_of(emoji), tones_in(emoji)
    entry = load_catalogue().get(base)
    if entry is None:
        return None
    codes = sorted(entry.shortcodes, key=lambda code: not code.startswith(_OWN_STYLE))
    tone = f"::skin-tone-{tones[0] + 1}" if len(set(tones)) == 1 else ""
    wanted = emoji if tone else base
    return next((code + tone for code in codes if emoji_of(code + tone) == wanted), None)


@lru_cache(maxsize=4096)
def emoji_of(name: str) -> str | None:
    """The emoji that a name stands for; None for a picture of the workspace's own."""
    code, _, tone = name.partition("::skin-tone-")
    try:
        base = resolve(f":{code}:")
    except NotAnEmoji:
        return None
    return with_tone(base, int(tone[0]) - 1) if tone[:1] in _TONES else base


def to_slack(reactions: ReactionSet, people: People) -> list[SlackReaction]:
    """The list as Slack has it, in the order in which each emoji came first."""
    entries: dict[str, SlackReaction] = {}
    for reaction in whole(reactions):
        name = slack_name(reaction.emoji)
        if name is not None:
            entry = entries.setdefault(name, SlackReaction(name=name, count=0, users=[]))
            entry["count"] += 1
            entry["users"].append(people.id_of(reaction.author))
    return list(entries.values())


def from_slack(entries: Sequence[SlackReaction], people: People) -> Read:
    """What Slack tells. Of several reactions of one side the last entry's stays; times are unknown (0)."""
    found: list[Reaction] = []
    others = 0
    for entry in entries:
        emoji = emoji_of(entry["name"])
        ours = [author for user in entry["users"] if (author := people.author_of(user)) is not None]
        if emoji is None:
            others += entry["count"]
            continue
        others += max(entry["count"] - len(ours), 0)
        found.extend(Reaction(emoji, author, 0.0) for author in ours)
    return Read(ReactionSet.of(found), others)
