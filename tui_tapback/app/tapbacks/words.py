"""The sentences about tapbacks: what was taken back, put back or left alone; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tui_tapback.client.tapback_history import Change
from tui_tapback.domain.messages import Message
from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.graphemes import crop

QUOTE = 30
"""Cells of a message that a sentence quotes."""
Find = Callable[[str], Message | None]
"""Message key → the message, None where it is gone."""


def quoted(message: Message | None, cells: int = QUOTE) -> str:
    """``“Booked for eight…”``, or ``a message`` where there is nothing to quote."""
    text = crop(clean_line(message.text), cells, ellipsis="…") if message is not None else ""
    return f"“{text}”" if text else "a message"


def undone(changes: Sequence[Change], find: Find) -> str:
    """What an undo has done, in one line that says how it is undone itself."""
    return f"{_done(changes, find)} U does it again." if changes else ""


def redone(changes: Sequence[Change], find: Find) -> str:
    """What a redo has done."""
    return f"{_done(changes, find)} u takes it back." if changes else ""


def _done(changes: Sequence[Change], find: Find) -> str:
    if len(changes) > 1:
        away = all(change.after is None for change in changes)
        return f"{'Taken back' if away else 'Changed'}: {len(changes)} tapbacks."
    (change,) = changes
    where = quoted(find(change.key))
    if change.after is None:
        return f"Taken back: {change.before} from {where}."
    if change.before is None:
        return f"Put back: {change.after} on {where}."
    return f"Back to {change.after} on {where}."


def kept(changes: Sequence[Change], find: Find) -> str:
    """What an undo or redo has left alone, since somebody chose anew there."""
    if not changes:
        return ""
    if len(changes) > 1:
        return f"{len(changes)} were changed meanwhile; the newer choices stay."
    return f"The tapback on {quoted(find(changes[0].key))} was changed meanwhile; the newer choice stays."


def received(message: Message, emoji: str) -> str:
    """``Agent loved “see you at 8”``, as it is announced."""
    from tui_tapback.emoji.sentence import sentence

    return sentence("Agent", emoji, crop(clean_line(message.text), QUOTE, ellipsis="…")) + "."
