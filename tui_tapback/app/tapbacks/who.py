"""Who reacted to a message, when, and what the other side has seen of it: lines of words, pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from tui_tapback.client.telling import PendingLine
from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.sentence import AGENT, YOU, about, quoted
from tui_tapback.export.bare import bare
from tui_tapback.words import _
from tui_tapback.words.dates import clock_since


def who(
    message: Message,
    pending: Sequence[PendingLine] | None,
    *,
    now: float,
    zone: tzinfo | None,
) -> tuple[str, ...]:
    """One line for each reaction, newest first.

    ``pending`` is what the next message will tell (None: not known at the moment). What the agent gave has
    been seen: it is on the screen.
    """
    lines: list[str] = []
    for reaction in message.reactions.newest_first():
        mine = reaction.author is Author.USER
        what = (
            _("this")
            if reaction.part is None
            else quoted(clean_line(bare(reaction.quote), 24) or _("a part of it"))
        )
        seen = _seen(message, reaction, pending) if mine else _("you saw it")
        said = about(YOU if mine else AGENT, clean_line(reaction.emoji, 20), what)
        if reaction.emoji not in said:
            said += f" {clean_line(reaction.emoji, 20)}"
        when = moment(reaction.at, now, zone)
        lines.append(" · ".join(filter(None, (said, when, seen))))
    return tuple(lines)


def _seen(message: Message, mine: Reaction, pending: Sequence[PendingLine] | None) -> str:
    """What the agent knows of one's own reaction."""
    if not mine.confirmed:
        return _("on its way")
    if pending is None:
        return ""
    line = next((each for each in pending if each.key == message.key and each.part == mine.part), None)
    if line is None:
        return _("the agent has seen it")
    if line.withheld:
        return _("kept back from the agent")
    return _("the agent sees it with your next message")


def moment(at: float, now: float, zone: tzinfo | None) -> str:
    """``18:05``, with the day where it is not today; nothing for a time that nobody knows."""
    if at <= 0:
        return ""
    try:
        when, today = datetime.fromtimestamp(at, zone), datetime.fromtimestamp(now, zone)
    except (OverflowError, OSError, ValueError):
        return ""
    return clock_since(when, today)
