"""Matrix: a reaction is an event of its own, an annotation of another event, and is removed by redaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from tui_tapback.domain.reactions import Reaction, ReactionSet
from tui_tapback.emoji.normalise import clean_foreign

from .people import People, Read, whole

ANNOTATION = "m.annotation"
REACTION = "m.reaction"
MatrixEvent = dict[str, Any]


def to_matrix(reactions: ReactionSet, target: str, people: People) -> list[MatrixEvent]:
    """The events as they stand in the room's timeline. Only the agent's may be sent, by its own account."""
    return [
        {
            "type": REACTION,
            "sender": people.id_of(reaction.author),
            "origin_server_ts": round(reaction.at * 1000),
            "content": annotation(target, reaction.emoji),
        }
        for reaction in whole(reactions)
    ]


def annotation(target: str, emoji: str) -> dict[str, Any]:
    """The ``content`` to send."""
    return {"m.relates_to": {"rel_type": ANNOTATION, "event_id": target, "key": emoji}}


def from_matrix(events: Iterable[Mapping[str, Any]], target: str, people: People) -> Read:
    """The reactions to ``target`` among ``events``; of several of one side the newest stays.

    Events that were redacted, belong elsewhere or are malformed do not count.
    """
    found: list[Reaction] = []
    others = 0
    for event in events:
        key = _key(event, target)
        emoji = clean_foreign(key) if key is not None else ""
        if not emoji:
            continue
        author = people.author_of(str(event.get("sender", "")))
        if author is None:
            others += 1
            continue
        stamp = event.get("origin_server_ts")
        at = stamp / 1000 if isinstance(stamp, int | float) and not isinstance(stamp, bool) else 0.0
        found.append(Reaction(emoji, author, at))
    return Read(ReactionSet.of(sorted(found, key=lambda reaction: reaction.at)), others)


def _key(event: Mapping[str, Any], target: str) -> str | None:
    content = event.get("content")
    if event.get("type") != REACTION or not isinstance(content, Mapping):
        return None
    relation = cast(Mapping[str, Any], content).get("m.relates_to")
    if not isinstance(relation, Mapping):
        return None
    about = cast(Mapping[str, Any], relation)
    key = about.get("key")
    fits = about.get("rel_type") == ANNOTATION and about.get("event_id") == target
    return key if fits and isinstance(key, str) else None
