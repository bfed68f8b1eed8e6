"""Keeps Python's garbage collector from stopping the screen: what has been loaded is set aside for good."""

from __future__ import annotations

import gc

YOUNG = 3_000
"""Objects made before the youngest are looked through; a frame makes a few hundred that live on."""


def set_aside_what_is_loaded() -> None:
    """Collect once, then leave everything alive out of all later collections.

    To be called by a program (never by a widget: the collector is the whole process's) when its first screen
    has been drawn, and again after it has loaded much. Without it a full collection walks through every
    module and message each time and holds up a key by 20 to 100 ms. What is set aside and dies later in a
    reference cycle is not freed; messages, lines and strips are in none.
    """
    gc.collect()
    leave_alone_what_is_loaded()


def leave_alone_what_is_loaded() -> None:
    """The same without the collection, which takes a hundred milliseconds after a start: costs nothing.

    The collector works from then on, also where it was off.
    """
    gc.freeze()
    _, middle, old = gc.get_threshold()
    gc.set_threshold(YOUNG, middle, old)
    gc.enable()
