"""What Esc and Ctrl+C mean in each situation, as pure functions."""

from __future__ import annotations

from enum import Enum, auto

from tui_tapback.domain.values import value

QUIT_WINDOW = 2.0
"""Seconds within which a second Ctrl+C on an empty composer quits."""


@value
class Situation:
    """What is on the screen when the key comes."""

    running: bool = False  # the agent is at work
    selection: bool = False  # text is selected somewhere
    draft: bool = False  # the composer holds text
    composing: bool = True  # the composer has the focus
    editing: bool = False  # a message is loaded into the composer to be said otherwise
    messages: bool = True  # there is something in the transcript to go to


class Step(Enum):
    """One rung of a ladder."""

    CANCEL_EDIT = auto()
    INTERRUPT = auto()
    ENTER_TRANSCRIPT = auto()
    ENTER_COMPOSER = auto()
    COPY = auto()
    CLEAR = auto()
    WARN_QUIT = auto()
    QUIT = auto()
    NOTHING = auto()


def escape(now: Situation) -> Step:
    """Esc cancels an edit, else interrupts, else changes between composer and transcript.

    What floats has taken its Esc before.
    """
    if now.editing:
        return Step.CANCEL_EDIT
    if now.running:
        return Step.INTERRUPT
    if not now.composing:
        return Step.ENTER_COMPOSER
    return Step.ENTER_TRANSCRIPT if now.messages else Step.NOTHING


def ctrl_c(now: Situation, *, since_last: float) -> Step:
    """Ctrl+C copies, else interrupts, else clears the composer, else quits at the second press.

    ``since_last`` is the time in seconds since Ctrl+C last warned, infinite if it never did.
    """
    if now.selection:
        return Step.COPY
    if now.running:
        return Step.INTERRUPT
    if now.draft:
        return Step.CLEAR
    return Step.QUIT if since_last <= QUIT_WINDOW else Step.WARN_QUIT
