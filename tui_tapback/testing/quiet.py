"""Waits until a Textual app has handled every message and has nothing left to lay out or to paint."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.widget import Widget

_layout_pending = attrgetter("_layout_required")
_repaint_pending = attrgetter("_repaint_required")
_dirty = attrgetter("_dirty_widgets")


async def quiet(pilot: Pilot[Any], *, deadline: float = 10.0) -> None:
    """Return when the app has come to rest; raises ``TimeoutError`` after ``deadline`` seconds.

    Looks at what is pending, not at the clock or at the load of the machine: message queues, layouts asked
    for, widgets to repaint. Rest must hold over two rounds, since a timer may just be about to paint.
    """
    async with asyncio.timeout(deadline):
        calm = 0
        while calm < 2:
            await pilot.press()  # no key: waits until every widget has taken what is in its queue
            await asyncio.sleep(0)
            if _at_rest(pilot):
                calm += 1
            else:
                calm = 0
                await asyncio.sleep(0.002)


def _at_rest(pilot: Pilot[Any]) -> bool:
    screen = pilot.app.screen
    widgets: list[Widget] = [screen, *(node for node in screen.walk_children(Widget))]
    pumps: Iterable[MessagePump] = (pilot.app, *widgets)
    return (
        all(pump.message_queue_size == 0 for pump in pumps)
        and not any(_layout_pending(widget) or _repaint_pending(widget) for widget in widgets)
        and not _dirty(screen)
    )
