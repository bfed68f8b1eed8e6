"""The transcript as people use it: selection, keys and mouse upon the view with its pill."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import ClassVar, Literal

from textual import events
from textual.binding import BindingType

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, toggled
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE

from ..fitter import Fitter
from .copying import CopyingView
from .events import TurnWish, Wish
from .keys import TRANSCRIPT_COMMANDS, bindings
from .looks import tools_of
from .palette import CSS


class Transcript(CopyingView):
    """A conversation in bubbles. Values go in (``show``), messages come up (``ReactionRequested`` …).

    ``fitter`` turns emoji into cells (the safe profile if none is given), ``quick`` are the pill's reactions,
    ``zone`` the time zone of day lines (the machine's if None), ``empty_hint`` what an empty chat says.
    ``motion`` False keeps new badges from popping; ``pace`` is the least time between two frames of a growing
    answer in seconds.
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
        motion: bool = True,
        pace: float = 0.0,
        classes: str | None = None,
    ) -> None:
        super().__init__(
            fitter or EmojiFitter(SAFE),
            tuple(quick),
            zone=zone,
            motion=motion,
            pace=pace,
            name=name,
            id=id,
            classes=classes,
        )
        self.set_reactive(Transcript.suggestion, suggestion)
        self.set_reactive(Transcript.empty_hint, empty_hint)

    # -- keys ------------------------------------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        """While the pill is open its keys come first, then those of the table.

        They are not left to the bindings: those are looked up only after the key has bubbled to the app, by
        when the next key may have moved the focus, and this one would be lost.
        """
        if self.pill_open:
            # What is printable and no key of the pill's would act on a message nobody thinks of now.
            taken = self.pill_key(event.key) or event.is_printable
        elif self.searching:
            taken = self.search_key(event)
        elif self.marking and self.marking_key(event.key):
            taken = True
        elif taken := event.key in TRANSCRIPT_COMMANDS:
            await self.run_action(TRANSCRIPT_COMMANDS[event.key])
        if taken:
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Into the query, if one is being typed."""
        if self.paste_into_search(event.text):
            event.stop()

    @property
    def takes_letters(self) -> bool:
        """Whether letters mean something else than usual now: the pill is open, a query is typed, text is
        selected with the keys. Whoever binds keys above this widget must leave them to it then."""
        return self.pill_open or self.searching or self.marking

    @property
    def takes_escape(self) -> bool:
        """Whether Esc has something to close in here before it may mean anything else."""
        return (
            self.takes_letters
            or self._span is not None
            or self._search is not None
            or self.part is not None
            or self._range_from is not None
        )

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
        """React at once with a quick reaction; the same again takes it back.

        In a range all get it, and it is taken back only where all have it. Never out of sight.
        """
        messages = [message for message in self.chosen if message.reactable]
        if not messages or number > len(self.quick):
            return
        self.bring_into_view(messages[-1].key)
        emoji = self.quick[number - 1]
        parts = [self.aim(message) if len(messages) == 1 else None for message in messages]
        own = [
            message.reactions.by(Author.USER, part.anchor if part is not None else None)
            for message, part in zip(messages, parts, strict=True)
        ]
        wanted = None if all(toggled(present, emoji) is None for present in own) else emoji
        joins = False
        for message, part, present in zip(messages, parts, own, strict=True):
            if (present.emoji if present is not None else None) != wanted:
                self.post_message(self.ReactionRequested(message.key, wanted, part, joins=joins))
                joins = True

    def action_pill(self) -> None:
        """Open the pill on the selected message."""
        self.open_pill()

    def action_picker(self) -> None:
        """Ask for the picker for the selected message."""
        if self._message is not None and self._message.reactable:
            self.ask_picker(self._message.key)

    def action_unreact(self) -> None:
        """Take back the user's reaction."""
        joins = False
        for message in self.chosen:
            joins = self.remove_own(message, joins=joins) or joins

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

    def action_extend(self, delta: int) -> None:
        """Select a range of messages."""
        self.extend_selection(delta)

    def action_fold(self) -> None:
        """Unfold the selected message with its thoughts and tool calls, or fold them again."""
        index = self.sheet.roll.index(self.selected)
        if index is not None:
            entries = self.sheet.roll.entries
            tools = [entries[at].message.key for at in tools_of(index, self.sheet.roll)]
            self.toggle_fold(entries[index].message.key, *tools)

    def action_part(self, delta: int) -> None:
        """Select the next or previous part of the selected message."""
        self.walk_parts(delta)

    def action_search(self) -> None:
        """Type a query."""
        self.begin_search()

    def action_hit(self, delta: int) -> None:
        """Go to the next hit of the search."""
        self.next_hit(delta)

    def action_mark(self) -> None:
        """Select text with the keys, or stop that."""
        if not self.unmark():
            self.begin_marking()

    def action_unread(self) -> None:
        """Select the message with the oldest tapback that has not been seen; others may know of more."""
        key = self.next_unread()
        if key is not None:
            self.select(key)
        else:
            self.post_message(self.Asked("unread"))

    def action_turn(self, wish: TurnWish) -> None:
        """Ask for another course of the conversation."""
        self.post_message(self.TurnWanted(wish))

    def action_ask(self, wish: Wish, digit: int = 0) -> None:
        """Ask for what the transcript cannot do itself."""
        self.post_message(self.Asked(wish, digit))

    def action_activate(self) -> None:
        """Try again what was refused or has failed, else tell that the message was chosen."""
        message = self._message
        if message is not None:
            kind = self.RetryRequested if message.retriable else self.MessageActivated
            self.post_message(kind(message.key))

    def action_composer(self) -> None:
        """Close what is open in here, step by step, then go back to writing."""
        if not (self.unmark() or self.leave_part() or self.leave_range() or self.end_search()):
            self.post_message(self.ComposerRequested())
