"""What each platform's shape of reactions carries and what it cannot, and how the latter is shown."""

from __future__ import annotations

from dataclasses import dataclass

from tui_tapback.domain.reactions import Author, ReactionSet

from .discord import from_discord, to_discord
from .imessage import from_imessage, to_imessage
from .matrix import from_matrix, to_matrix
from .people import People, whole
from .slack import from_slack, to_slack
from .telegram import from_telegram, to_telegram

_PEOPLE = People(user="U1", agent="A1")
_MESSAGE = "m1"


@dataclass(frozen=True, slots=True)
class Shape:
    """One platform's shape. Each text is empty where the shape carries that, else it says what is shown.

    ``who``, ``when``, ``part``, ``tone``, ``emoji`` (any RGI emoji) and ``order`` (which came last).
    """

    name: str
    who: str = ""
    when: str = ""
    part: str = ""
    tone: str = ""
    emoji: str = ""
    order: str = ""

    def lacks(self, aspect: str) -> bool:
        """Whether the shape cannot carry ``aspect``."""
        return bool(getattr(self, aspect))


ASPECTS = ("who", "when", "part", "tone", "emoji", "order")
_NO_PARTS = "left out there; the badge stays here"
_NO_TIME = "shown without a time"
_BY_EMOJI = "in the order of the emoji's first use"

SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape(
            "Slack",
            when=_NO_TIME,
            part=_NO_PARTS,
            tone="two people of two tones: without tones",
            emoji="an emoji newer than Slack's names is left out there",
            order=_BY_EMOJI,
        ),
        Shape(
            "Discord",
            who="a chat of two: the other one; elsewhere only a number, shown as “others”",
            when=_NO_TIME,
            part=_NO_PARTS,
            order=_BY_EMOJI,
        ),
        Shape(
            "Telegram",
            who="a bot sends its own only; the person's comes with its news",
            when="only the person's news tell a time",
            part=_NO_PARTS,
            tone="without its tone",
            emoji="the nearest of the allowed list, else left out there",
            order="one for each side, as their news came",
        ),
        Shape("Matrix", part=_NO_PARTS),
        Shape("iMessage", part="a part that is not one of iMessage's counts for the whole message"),
    )
}
"""Name → what it lacks. A test holds every line against what the converters do."""


def through(name: str, reactions: ReactionSet) -> ReactionSet:
    """``reactions`` as they come back from a shape, in a direct chat of the two sides."""
    match name:
        case "Slack":
            return from_slack(to_slack(reactions, _PEOPLE), _PEOPLE).reactions
        case "Discord":
            return from_discord(to_discord(reactions), direct=True).reactions
        case "Telegram":
            return from_telegram(ReactionSet(), to_telegram(reactions), Author.AGENT, 0.0)
        case "Matrix":
            return from_matrix(to_matrix(reactions, _MESSAGE, _PEOPLE), _MESSAGE, _PEOPLE).reactions
        case "iMessage":
            found = ReactionSet()
            for tapback in to_imessage(reactions, _MESSAGE):
                found = from_imessage(found, tapback, _MESSAGE)
            return found
        case _:
            raise KeyError(name)


def survives(aspect: str, name: str, reactions: ReactionSet) -> bool:
    """Whether ``aspect`` of every reaction is the same after the way through a shape and back.

    Aspects other than ``part`` are asked of the reactions to the whole message.
    """
    back = through(name, reactions)
    if aspect == "part":
        return {(r.author, r.part) for r in back} == {(r.author, r.part) for r in reactions}
    sent = whole(reactions)
    match aspect:
        case "who":
            return {r.author for r in back} == {r.author for r in sent}
        case "when":
            return {(r.author, round(r.at, 3)) for r in back} == {(r.author, round(r.at, 3)) for r in sent}
        case "order":
            return [r.author for r in back] == [r.author for r in sent]
        case "tone" | "emoji":
            return {(r.author, r.emoji) for r in back} == {(r.author, r.emoji) for r in sent}
        case _:
            raise KeyError(aspect)


def table() -> str:
    """The table for the documents."""
    lines = [
        "| shape | who | when | part | tone | any emoji | order |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for shape in SHAPES.values():
        cells = (getattr(shape, aspect) or "carried" for aspect in ASPECTS)
        lines.append(f"| {shape.name} | {' | '.join(cells)} |")
    return "\n".join(lines)
