"""The emoji picker: one floating widget that draws itself and takes its keys and the mouse itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from textual import events
from textual.geometry import Region
from textual.widget import Widget

from tui_tapback.emoji.catalogue import Catalogue
from tui_tapback.widgets.editing import STEPS, EditState
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.found import Searcher
from tui_tapback.widgets.incoming import TypedCharacters, clean_paste
from tui_tapback.widgets.picker.box import PickerBox
from tui_tapback.widgets.picker.hits import Hit, hit
from tui_tapback.widgets.picker.keys import MOVES, PICKER_KEYS
from tui_tapback.widgets.picker.messages import Dismissed, FormChosen, Picked, ToneChosen
from tui_tapback.widgets.picker.source import Forms, PickerSource, RecentsShown, toned
from tui_tapback.widgets.picker.state import TONES
from tui_tapback.words import _

RIGHT: Final = 3
GRACE: Final = 0.35
"""Seconds after opening in which no click picks: it may be the second half of a double click."""


class EmojiPicker(PickerBox):
    """A picker over a catalogue: ``open`` it beside a region, and wait for ``Picked`` or ``Dismissed``.

    ``recents`` gives ``(limit, tone)`` the emoji used lately, ``forms`` the form that is wanted of an emoji.
    The default tone (0 none, 1 light to 5 dark) and the forms are kept by the caller, who is told of a
    change by ``ToneChosen`` and ``FormChosen``.
    """

    Picked = Picked
    Dismissed = Dismissed
    ToneChosen = ToneChosen
    FormChosen = FormChosen

    def __init__(
        self,
        fitter: Fitter,
        search: Searcher,
        catalogue: Catalogue,
        recents: RecentsShown,
        *,
        forms: Forms = toned,
        tone: int = 0,
        keys: Mapping[str, str] = PICKER_KEYS,
        clock: Callable[[], float] = time.monotonic,
        ascii_only: bool = False,
        id: str | None = None,  # noqa: A002  (Textual's own name for it)
    ) -> None:
        source = PickerSource(search, catalogue, recents, forms)
        super().__init__(source, fitter, tone=tone, ascii_only=ascii_only, id=id)
        self._keys = keys
        self._clock = clock
        self._typed = TypedCharacters()
        self._opened_at = 0.0
        self._pressed: Hit | None = None

    def open(
        self,
        anchor: Region | None = None,
        current: str | None = None,
        *,
        present: Sequence[str] = (),
        suggested: Sequence[str] = (),
        within: Widget | None = None,
    ) -> None:
        """As ``PickerBox.open``; the mouse is the picker's until it closes."""
        self._opened_at = self._clock()
        self.capture_mouse()
        super().open(anchor, current, present=present, suggested=suggested, within=within)

    def close(self) -> None:
        """Take it away and give the focus back to what had it; tells nobody."""
        if self.is_open:
            self.release_mouse()
        super().close()

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Everything printable is search."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """Keys of the table are commands, everything printable is search, the rest is the app's."""
        if not self.is_open:
            self._pass_on(event)
            return
        command = self._keys.get(event.key)
        if command is not None:
            event.stop()
            event.prevent_default()
            self.run_command(command)
        elif piece := self._typed.take(event.character):
            event.stop()
            event.prevent_default()
            self._type(piece)

    def _pass_on(self, event: events.Key) -> None:
        """Typed ahead: the key was on its way here while the choice was made; it is for who has the focus."""
        event.stop()
        focused = self.screen.focused
        if focused is not None and focused is not self:
            focused.post_message(events.Key(event.key, event.character))

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is searched for."""
        event.stop()
        self._type(clean_paste(event.text))

    def _type(self, piece: str) -> None:
        self._leave_variants()
        if self._state.choosing:
            if piece.isdecimal() and int(piece) < len(TONES):
                self._become(self._state.toned(int(piece), self._sections))
                return
            self._close_tones()
        piece = " ".join(piece.split()) if piece.strip() else " " * bool(piece)
        self._become(self._state.edited(self._state.query.insert(piece), self._sections))

    def run_command(self, command: str) -> None:
        """Do what a key stands for."""
        state = self._state
        if state.choosing:
            chosen = state.tone_command(command, self._sections)
            if chosen.choosing:
                self._become(chosen)
                return
            self._become(chosen)
            self._close_tones()
            if command in ("pick", "back"):
                return
            state = self._state
        if state.under is not None and command not in MOVES and command != "pick":
            self._leave_variants()
            if command in ("back", "variants"):
                return
            state = self._state
        match command:
            case "pick":
                if state.grid.current is not None:
                    self._pick(state.grid.current)
            case "back":
                self._back()
            case "tone":
                self._become(state.choose_tone())
            case "variants":
                self._show_variants()
            case "next_category" | "previous_category":
                self._become(state.next_category(1 if command == "next_category" else -1))
            case _ if command in MOVES:
                self._become(state.moved(command))
            case _:
                self._become(state.edited(STEPS[command](state.query), self._sections))

    def _show_variants(self) -> None:
        emoji = self._state.shown
        forms = () if emoji is None else self._source.variants(emoji)
        if forms:
            self._become(
                self._state.with_variants(
                    _("Tones of {name}").format(name=self._source.name(forms[0])), forms
                )
            )

    def _leave_variants(self) -> None:
        if self._state.under is not None:
            self._become(self._state.under)

    def _close_tones(self) -> None:
        self._become(replace(self._state, choosing=False))
        if self._state.tone != self._tone:
            self._tone = self._state.tone
            self.post_message(self.ToneChosen(self, self._tone))

    def _back(self) -> None:
        if self._state.query.text:
            self._become(self._state.edited(EditState(), self._sections))
        else:
            self._dismiss()

    def _pick(self, emoji: str) -> None:
        if not self.is_open:
            return
        self._close_tones()
        if self._state.under is not None:
            self._source.forget_forms()
            self.post_message(self.FormChosen(self, emoji))
        self.close()
        self.post_message(self.Picked(self, emoji))

    def _dismiss(self, *, outside: bool = False) -> None:
        if not self.is_open:
            return
        self._close_tones()
        self.close()
        self.post_message(self.Dismissed(self, outside=outside))

    # Mouse: while it is open it has captured the mouse, so that a click elsewhere only closes it.

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The preview tells about what is under the mouse."""
        found = self._hit(event)
        self._become(replace(self._state, hover=found.value if found.kind == "cell" else None))

    def on_enter(self) -> None:
        """A screen that was pushed over it took the mouse away: take it again."""
        if self.is_open:
            self.capture_mouse()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A press outside closes; inside it waits for the release."""
        event.stop()
        self._pressed = None
        if self._clock() - self._opened_at < GRACE:
            return
        self._pressed = self._hit(event)
        if self._pressed.kind == "outside":
            self._dismiss(outside=True)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Released where it was pressed: take the emoji, go to the category, choose the tone."""
        event.stop()
        pressed, self._pressed = self._pressed, None
        if pressed is None or pressed != self._hit(event):
            return
        state = self._state
        if event.button == RIGHT:
            if pressed.kind == "cell" and state.under is None:
                self._become(replace(state, hover=pressed.value))
                self._show_variants()
            return
        match pressed.kind:
            case "cell":
                self._pick(state.grid.layout.emoji[pressed.value])
            case "category":
                self._become(replace(state, grid=state.grid.to_section(pressed.value), hover=None))
            case "tones":
                self._become(state.choose_tone())
            case "tone":
                self._become(state.toned(state.tone + pressed.value, self._sections))
            case _:
                pass

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the window over the grid."""
        self._scroll(event, 2)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the window over the grid."""
        self._scroll(event, -2)

    def _scroll(self, event: events.MouseEvent, rows: int) -> None:
        event.stop()
        self._become(replace(self._state, grid=self._state.grid.scrolled(rows), hover=None))

    def _hit(self, event: events.MouseEvent) -> Hit:
        return hit(self._state, self._frame, self._painter.bar_emoji(self._state), event.x, event.y)
