"""The card: keys, mouse and drawing; it never takes the focus by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from textual import events
from textual.message import Message

from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.editing import EditState
from tui_tapback.widgets.incoming import clean_paste

from .face import CardFace
from .sheet import Asking, CardState

_EDITS: Final = {
    "backspace": EditState.delete_left,
    "delete": EditState.delete_right,
    "left": EditState.left,
    "right": EditState.right,
    "home": EditState.line_start,
    "end": EditState.line_end,
}


class QuestionCard(CardFace):
    """``ask`` shows a question or, with None, nothing. ``clock`` gives Unix time, ``ticks`` seconds."""

    class Answered(Message):
        """The person has answered. ``value`` may be a secret: it is shown and logged nowhere."""

        def __init__(self, asking: Asking, value: str) -> None:
            super().__init__()
            self.asking = asking
            self.value = value

        def __rich_repr__(self) -> Iterator[str]:
            yield self.asking.id

    class Declined(Message):
        """Esc: the person does not want to answer."""

        def __init__(self, asking: Asking) -> None:
            super().__init__()
            self.asking = asking

    class Left(Message):
        """The person goes back to where they were; the question stays open."""

    def ask(self, asking: Asking | None) -> None:
        """Show this question; the same one again keeps what was done with it."""
        before, self.asking = self.asking, asking
        if asking is None or before is None or before.id != asking.id:
            self._state, self._top = CardState(), 0
            self._since = self._ticks()
        self.set_class(asking is not None, "-asking")
        if before != asking:
            self.refresh(layout=True)

    def tick(self) -> None:
        """A second has passed."""
        if self.asking is not None and self.asking.until is not None:
            self.refresh()

    def on_focus(self) -> None:
        """A key that was meant for what had the focus before must not answer."""
        self._since = self._ticks()

    @property
    def _counts(self) -> bool:
        return self.asking is not None and self._ticks() - self._since >= self._guard

    # -- keys ------------------------------------------------------------------------------------------------

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Printable keys are answers here, whatever else they are bound to."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """Letters and arrows answer; typed text is text."""
        asking = self.asking
        if asking is None:
            return
        if event.key in ("alt+a", "tab", "shift+tab"):
            event.stop()
            event.prevent_default()
            self.post_message(self.Left())
            return
        if event.key in ("pageup", "pagedown"):
            event.stop()
            self.scroll_body(-3 if event.key == "pageup" else 3)
            return
        if not (event.is_printable or event.key in ("enter", "escape", "up", "down", "ctrl+u", *_EDITS)):
            return
        event.stop()
        event.prevent_default()
        if not self._counts:
            return
        if event.key == "escape":
            self.post_message(self.Declined(asking))
        elif event.key == "enter":
            self._answer(self._state.answer(asking))
        elif asking.options:
            self._choose(event, asking)
        elif event.key == "ctrl+u":
            self._type(EditState())
        elif event.key in _EDITS:
            self._type(_EDITS[event.key](self._state.typed))
        elif event.is_printable and event.character:
            self._type(self._state.typed.insert(event.character))

    def _choose(self, event: events.Key, asking: Asking) -> None:
        steps = {"up": -1, "left": -1, "down": 1, "right": 1}
        if event.key in steps:
            self._state = self._state.move(steps[event.key], asking)
            self.refresh()
            return
        if event.key == "space" and asking.many:
            self._state = self._state.toggle()
            self.refresh()
            return
        for place, option in enumerate(asking.options):
            if event.character and event.character.casefold() == option.key:
                self._pick(place, asking)
                return

    def _pick(self, place: int, asking: Asking) -> None:
        self._state = CardState(place, self._state.chosen, self._state.typed)
        if asking.many:
            self._state = self._state.toggle()
            self.refresh()
        else:
            self._answer(asking.options[place].value)

    def _answer(self, value: str | None) -> None:
        if self.asking is not None and value is not None:
            self._state = CardState()
            self.post_message(self.Answered(self.asking, value))

    def _type(self, typed: EditState) -> None:
        self._state = CardState(typed=typed)
        self.refresh()

    def on_paste(self, event: events.Paste) -> None:
        """Into the answer, if it is typed."""
        event.stop()
        if self._counts and self.asking is not None and not self.asking.options:
            self._type(self._state.typed.insert(clean_line(clean_paste(event.text), 10_000)))

    # -- mouse -----------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """The first click goes to the card, one on an option then answers."""
        event.stop()
        asking = self.asking
        if asking is None or not self._counts:
            return
        for place, span in self.spots(asking):
            if event.y == self.size.height - 2 and event.x in span:
                self._pick(place, asking)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Read on."""
        event.stop()
        self.scroll_body(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Read back."""
        event.stop()
        self.scroll_body(-1)
