"""The mouse on the transcript: select, badges, smile, pill, wheel; no double click on what just changed."""

from __future__ import annotations

from typing import Any, Final, Literal

from textual import events

from tui_tapback.domain.reactions import Author, toggled

from ..fitter import Fitter
from .marking import MarkingView
from .painter import Target

WHEEL_ROWS: Final = 3
RIGHT_BUTTON: Final = 3
Spot = Target | tuple[Literal["pill"], int | str] | Literal["chip"] | None


class PointedView(MarkingView):
    """A view that understands clicks.

    What a click of a chain (double, triple) finds counts only if it is what the first click found, and only
    as a double click on text: whatever the first one made appear or vanish is safe from the second.
    """

    def __init__(self, fitter: Fitter, quick: tuple[str, ...], **options: Any) -> None:
        super().__init__(fitter, quick, **options)
        self._first_click: Spot = None
        self._dragged = False

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Text may be selected from here."""
        self._dragged = False
        self.press(event)

    def on_mouse_up(self, _: events.MouseUp) -> None:
        """The selection is made; the click that follows is none."""
        self._dragged = self.release()

    def spot(self, x: int, y: int) -> Spot:
        """What a click there would act on."""
        slot = self.pill_slot(x, y)
        if slot is not None:
            return "pill", slot
        if y == self.size.height - 1 and x in self.chip_at:
            return "chip"
        return self.target_at(x, y)

    def on_click(self, event: events.Click) -> None:
        """A left click acts on what is there, a right click on a bubble opens the pill for it."""
        event.stop()
        if self._dragged:
            self._dragged = False
            return
        spot = self.spot(event.x, event.y)
        if event.button > 1:
            if event.button == RIGHT_BUTTON and isinstance(spot, Target) and spot.part != "outside":
                self.open_pill(spot.key)
            return
        if event.chain == 1:
            self._first_click = spot
            self._single(spot)
            return
        double = event.chain == 2 and spot == self._first_click
        if double and isinstance(spot, Target) and spot.part == "text" and not self.pill_open:
            self._tap_twice(spot.key)

    def _tap_twice(self, key: str) -> None:
        message = self.sheet.roll.get(key)
        if not self.double_click or message is None or not message.reactable:
            self.open_pill(key)
            return
        own = message.reactions.by(Author.USER)
        self.post_message(self.ReactionRequested(key, toggled(own, self.double_click)))

    def _single(self, spot: Spot) -> None:
        if self.pill_open and not isinstance(spot, tuple):
            self._first_click = None  # a click outside closes, and that is all it does
            self.close_pill()
            return
        match spot:
            case "chip":
                self.scroll_end()
            case ("pill", int(slot)):
                self.point_at(slot)
                self.choose()
            case Target():
                self._on_target(spot)
            case _:
                pass

    def _on_target(self, target: Target) -> None:
        message = self.sheet.roll.get(target.key)
        if message is None:
            return
        if target.part == "fold":
            self.toggle_fold(message.key)
            return
        if not message.reactable or target.part == "outside":
            return
        self.selected = message.key
        if target.link is not None:
            self.post_message(self.LinkRequested(message.key, (target.link,)))
        if target.part == "smile":
            self.open_pill(message.key)
        elif target.reaction is not None:
            own = message.reactions.by(Author.USER)
            # One's own badge goes away; the agent's is echoed.
            self.post_message(self.ReactionRequested(message.key, toggled(own, target.reaction.emoji)))

    def toggle_fold(self, *keys: str) -> None:
        """Unfold what is folded of messages, or fold it again."""
        unfolded = any(self.sheet.looks.is_unfolded(key) for key in keys)
        self.sheet.fold(keys, unfolded=not unfolded)
        self.repaint()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Offer the smile on the bubble under the mouse; in the pill the cursor follows."""
        if self.drag(event):
            return
        slot = self.pill_slot(event.x, event.y)
        if isinstance(slot, int):
            self.point_at(slot)
            return
        target = None if self.pill_open else self.target_at(event.x, event.y)
        self._hover(target.key if target is not None and target.part != "outside" else None)

    def on_leave(self) -> None:
        """Nothing is under the mouse any more."""
        self._hover(None)

    def _hover(self, key: str | None) -> None:
        if key != self.sheet.looks.hovered:
            self.sheet.looks.hovered = key
            self.repaint()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down; an open pill holds the window."""
        self._wheel(event, WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up; an open pill holds the window."""
        self._wheel(event, -WHEEL_ROWS)

    def _wheel(self, event: events.MouseEvent, rows: int) -> None:
        event.stop()
        event.prevent_default()
        if not self.pill_open:
            self.scroll_rows(rows)
