"""The sentences about tapbacks: what was taken back, put back or left alone; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tui_tapback.client.tapback_history import Change
from tui_tapback.domain.messages import Message
from tui_tapback.emoji.sentence import AGENT, sentence
from tui_tapback.emoji.sentence import quoted as as_quoted
from tui_tapback.export.bare import bare_line
from tui_tapback.terminal.graphemes import crop
from tui_tapback.words import _, plural

QUOTE = 30
"""Cells of a message that a sentence quotes."""
Find = Callable[[str], Message | None]
"""Message key → the message, None where it is gone."""


def quoted(message: Message | None, cells: int = QUOTE) -> str:
    """``“Booked for eight…”``, or ``a message`` where there is nothing to quote."""
    text = crop(bare_line(message), cells, ellipsis="…") if message is not None else ""
    return as_quoted(text)


def undone(changes: Sequence[Change], find: Find) -> str:
    """What an undo has done, in one line that says how it is undone itself."""
    return f"{_done(changes, find)} {_('U does it again.')}" if changes else ""


def redone(changes: Sequence[Change], find: Find) -> str:
    """What a redo has done."""
    return f"{_done(changes, find)} {_('u takes it back.')}" if changes else ""


def _done(changes: Sequence[Change], find: Find) -> str:
    if len(changes) > 1:
        away = all(change.after is None for change in changes)
        text = (
            plural("Taken back: {count} tapback.", "Taken back: {count} tapbacks.", len(changes))
            if away
            else plural("Changed: {count} tapback.", "Changed: {count} tapbacks.", len(changes))
        )
        return text.format(count=len(changes))
    (change,) = changes
    where = quoted(find(change.key))
    if change.after is None:
        return _("Taken back: {emoji} from {message}.").format(emoji=change.before, message=where)
    if change.before is None:
        return _("Put back: {emoji} on {message}.").format(emoji=change.after, message=where)
    return _("Back to {emoji} on {message}.").format(emoji=change.after, message=where)


def kept(changes: Sequence[Change], find: Find) -> str:
    """What an undo or redo has left alone, since somebody chose anew there."""
    if not changes:
        return ""
    if len(changes) > 1:
        return plural(
            "{count} was changed meanwhile; the newer choice stays.",
            "{count} were changed meanwhile; the newer choices stay.",
            len(changes),
        ).format(count=len(changes))
    return _("The tapback on {message} was changed meanwhile; the newer choice stays.").format(
        message=quoted(find(changes[0].key))
    )


def received(message: Message, emoji: str) -> str:
    """``Agent loved “see you at 8”``, as it is announced."""
    return sentence(AGENT, emoji, crop(bare_line(message), QUOTE, ellipsis="…")) + "."
