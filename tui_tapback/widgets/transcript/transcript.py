"""The transcript as people use it: selection, keys and mouse upon the view with its pill."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import ClassVar, Literal

from textual import events
from textual.binding import BindingType

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author, toggled
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE

from ..fitter import Fitter
from ..host import app_of
from .keys import ACTIONS, bindings
from .mouse import PointedView
from .palette import CSS
from .roll import Changes, Entry


class Transcript(PointedView):
    """A conversation in bubbles. Values go in (``show``), messages come up (``ReactionRequested`` …).

    ``fitter`` turns emoji into cells (the safe profile if none is given), ``quick`` are the pill's reactions,
    ``zone`` the time zone of day lines (the machine's if None), ``empty_hint`` what an empty chat says.
    """

    DEFAULT_CSS = CSS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]

    def __init__(
        self,
        fitter: Fitter | None = None,
        *,
        quick: Sequence[str] = QUICK_REACTIONS,
        suggestion: str | None = None,
        zone: tzinfo | None = None,
        empty_hint: str = "",
        name: str | None = None,
        id: str | None = None,  # noqa: A002 -- Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(
            fitter or EmojiFitter(SAFE), tuple(quick), zone=zone, name=name, id=id, classes=classes
        )
        self.set_reactive(Transcript.suggestion, suggestion)
        self.set_reactive(Transcript.empty_hint, empty_hint)

    # -- selection -------------------------------------------------------------------------------------------

    def select(self, key: str | None) -> None:
        """Select a message and bring it into view; None selects nothing, an unknown key changes nothing."""
        index = self.sheet.roll.index(key)
        if key is not None and index is None:
            return
        if index is not None:
            self.sheet.window.reveal(index, upward=True)
            self.sheet.seen()
        self.selected = key
        self.relight()

    def select_last(self, author: Author | None = None) -> None:
        """Select the last message of a side, or of either."""
        role = {None: None, Author.USER: Role.USER, Author.AGENT: Role.ASSISTANT}[author]
        index = self.sheet.newest(role)
        if index is not None:
            self.select(self.sheet.roll.entries[index].message.key)

    def move_selection(self, delta: int) -> None:
        """Select the next (or previous) message; one taller than the window is first scrolled through."""
        roll, window = self.sheet.roll, self.sheet.window
        index = roll.index(self.selected)
        if index is None:
            self.select_last()
            return
        row = window.row_of(index)
        if row is not None and delta:
            hidden = row + window.heights[index] - window.rows if delta > 0 else -row
            if hidden > 0 and window.heights[index] > window.rows:
                self.scroll_rows(min(hidden, max(1, window.rows // 2)) * (1 if delta > 0 else -1))
                return
        target = roll.nearest(index + delta, 1 if delta > 0 else -1)
        if target is None:
            self.scroll_rows(window.rows if delta > 0 else -window.rows)
            return
        window.reveal(target, upward=delta < 0)
        self.sheet.seen()
        self.selected = roll.entries[target].message.key
        self.relight()

    def watch_selected(self, key: str | None) -> None:
        """Tell the parents and draw it."""
        if self.is_mounted:
            self.post_message(self.SelectionChanged(key))
        self.relight()

    def took(self, old: Sequence[Entry], changes: Changes) -> None:
        """With focus, the last of the first messages is selected; a lost selection goes to a neighbour."""
        super().took(old, changes)
        roll = self.sheet.roll
        if self.selected is None:
            index = self.sheet.newest() if self.has_focus and changes.appended == len(roll) else None
        elif changes.rebuilt and roll.get(self.selected) is None:
            was = next((i for i, entry in enumerate(old) if entry.message.key == self.selected), 0)
            index = roll.nearest(min(was, len(roll) - 1))
            self.selected = None
        else:
            return
        if index is not None:
            self.selected = roll.entries[index].message.key

    def watch_has_focus(self, has_focus: bool) -> None:
        """Keys act on a message while the focus is here: the last one in view if none was selected."""
        super().watch_has_focus(has_focus)
        if has_focus:
            self._picker_asked = False
            if self.sheet.roll.get(self.selected) is None:
                self._select_in_view()
        elif not self._picker_asked and app_of(self).app_focus:
            self.close_pill()  # it goes with the focus, unless the terminal itself lost it
        self.relight()

    def _select_in_view(self) -> None:
        """Select without scrolling."""
        visible = self.sheet.window.visible()
        index = self.sheet.roll.nearest(visible[-1] if visible else len(self.sheet.roll) - 1, -1)
        self.selected = None if index is None else self.sheet.roll.entries[index].message.key

    # -- keys ------------------------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        """While the pill is open its keys come first, then those of the table.

        They are not left to the bindings: those are looked up only after the key has bubbled to the app, by
        when the next key may have moved the focus, and this one would be lost.
        """
        if self.pill_open:
            # What is printable and no key of the pill's would act on a message nobody thinks of now.
            taken = self.pill_key(event.key) or event.is_printable
        elif taken := event.key in ACTIONS:
            await self.run_action(ACTIONS[event.key])
        if taken:
            event.stop()
            event.prevent_default()

    @property
    def _message(self) -> Message | None:
        return self.sheet.roll.get(self.selected)

    def action_step(self, delta: int) -> None:
        """Move the selection."""
        self.move_selection(delta)

    def action_edge(self, last: bool) -> None:
        """Select the first or the last message."""
        if last:
            self.select_last()
            self.scroll_end()
        else:
            first = self.sheet.roll.nearest(0, 1)
            self.scroll_home()
            if first is not None:
                self.select(self.sheet.roll.entries[first].message.key)

    def action_page(self, windows: float) -> None:
        """Scroll by a part of the window and keep the selection in it."""
        rows = max(1, int(abs(windows) * max(1, self.size.height - 2)))
        self.scroll_rows(rows if windows > 0 else -rows)
        index, visible = self.sheet.roll.index(self.selected), self.sheet.window.visible()
        if visible and (index is None or index not in visible):
            near = self.sheet.roll.nearest(visible[0] if windows > 0 else visible[-1])
            if near is not None and near in visible:
                self.selected = self.sheet.roll.entries[near].message.key

    def action_quick(self, number: int) -> None:
        """React at once with a quick reaction; the same again takes it back."""
        message = self._message
        if message is not None and message.reactable and number <= len(self.quick):
            own = message.reactions.by(Author.USER)
            self.post_message(self.ReactionRequested(message.key, toggled(own, self.quick[number - 1])))

    def action_pill(self) -> None:
        """Open the pill on the selected message."""
        self.open_pill()

    def action_picker(self) -> None:
        """Ask for the picker for the selected message."""
        if self._message is not None and self._message.reactable:
            self.ask_picker(self._message.key)

    def action_unreact(self) -> None:
        """Take back the user's reaction."""
        if self._message is not None:
            self.remove_own(self._message)

    def action_jump(self, kind: Literal["prompt", "reacted"], delta: int) -> None:
        """Select the next own prompt or reacted message in a direction."""
        entries = self.sheet.roll.entries
        index = self.sheet.roll.index(self.selected)
        index = (len(entries) if delta < 0 else -1) if index is None else index
        while 0 <= (index := index + delta) < len(entries):
            message = entries[index].message
            if (
                message.role is Role.USER
                if kind == "prompt"
                else message.reactable and bool(message.reactions)
            ):
                self.select(message.key)
                return

    def action_copy(self) -> None:
        """Ask for the selected message's text in the clipboard."""
        if self._message is not None:
            self.post_message(self.CopyRequested(self._message.key))

    def action_activate(self) -> None:
        """Try again what was refused or has failed, else tell that the message was chosen."""
        message = self._message
        if message is not None:
            failed = message.status is Status.FAILED or bool(message.reaction_error)
            self.post_message((self.RetryRequested if failed else self.MessageActivated)(message.key))

    def action_composer(self) -> None:
        """Back to writing."""
        self.post_message(self.ComposerRequested())
