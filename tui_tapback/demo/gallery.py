"""The gallery: every widget in every state, by keys and by mouse, with what it says in the last line."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widgets import Static

from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.terminal import marks, segments
from tui_tapback.widgets import BadgeStack, EmojiPicker, TapbackPill, Transcript

from .stages import PAGES, PartsStage, PickerStage, Playing


class Head(Static):
    """The title of the page between two arrows that can be clicked."""

    class Turned(Message):
        """Another page is wanted: ``by`` is 1 or -1."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def on_click(self, event: events.Click) -> None:
        """The left half leads back, the right half on."""
        self.post_message(self.Turned(1 if event.x >= self.size.width // 2 else -1))


class Gallery(App[None]):
    """One page at a time; ``said`` is what the widgets of this page have told, oldest first."""

    TITLE = "tui_tapback gallery"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+n,f8", "turn(1)", "Next page", priority=True),
        Binding("ctrl+p,f7", "turn(-1)", "Previous page", priority=True),
    ]
    CSS = """
    Head { height: 1; background: $panel; text-align: center; text-style: bold; }
    #hint, #said { height: 1; color: $foreground 60%; padding: 0 1; }
    #stage { height: 1fr; padding: 0 1; }
    #stage VerticalScroll { height: 1fr; }
    #stage TapbackPill { margin-bottom: 1; }
    #stage TapbackPill:focus { tint: $accent 8%; }
    #stage EmojiGrid { height: 1fr; }
    """

    def __init__(self, page: int = 0) -> None:
        super().__init__()
        segments.install()
        marks.install()
        self._page = page % len(PAGES)
        self.said: list[str] = []

    def compose(self) -> ComposeResult:
        """Head, hint, stage, last line."""
        yield Head(markup=False)
        yield Static(id="hint", markup=False)
        yield Container(id="stage")
        yield Static(id="said", markup=False)

    async def on_mount(self) -> None:
        """Show the first page."""
        await self._show()

    @property
    def page(self) -> int:
        """Which page is shown, from 0."""
        return self._page

    async def action_turn(self, by: int) -> None:
        """Show another page; behind the last comes the first."""
        self._page = (self._page + by) % len(PAGES)
        await self._show()

    @on(Head.Turned)
    async def _turned(self, event: Head.Turned) -> None:
        await self.action_turn(event.by)

    async def _show(self) -> None:
        page = PAGES[self._page]
        self.query_one(Head).update(f"‹ ^P  {self._page + 1}/{len(PAGES)} {page.title}  ^N ›")
        self.query_one("#hint", Static).update(page.hint)
        self.said.clear()
        self.query_one("#said", Static).update("")
        stage = self.query_one("#stage", Container)
        await stage.remove_children()
        widgets = page.make()
        await stage.mount(*widgets)
        if widgets[0].focusable:
            widgets[0].focus()

    def _say(self, words: str) -> None:
        self.said.append(words)
        self.query_one("#said", Static).update(words)

    @on(BadgeStack.Pressed)
    def _badge(self, event: BadgeStack.Pressed) -> None:
        self._say(f"{event.reaction.emoji} of the {event.reaction.author}; all: {event.stack.spoken}")

    @on(TapbackPill.Chosen)
    def _chosen(self, event: TapbackPill.Chosen) -> None:
        reactions = event.pill.reactions.remove(Author.USER)
        event.pill.show(reactions.set(Reaction(event.emoji, Author.USER, 4.0)) if event.emoji else reactions)
        self._say(f"chosen: {event.emoji}" if event.emoji else "taken back")

    @on(TapbackPill.PickerRequested)
    def _all_emoji(self) -> None:
        self._say("all emoji are wanted")
        for stage in self.query(PickerStage):
            stage.offer()

    @on(TapbackPill.Dismissed)
    def _dismissed(self) -> None:
        self._say("the pill was dismissed")

    @on(EmojiPicker.Picked)
    def _picked(self, event: EmojiPicker.Picked) -> None:
        self._say(f"picked: {event.emoji}")

    @on(EmojiPicker.Dismissed)
    def _left(self) -> None:
        self._say("the picker was dismissed")

    @on(PartsStage.Picked)
    def _part_picked(self, event: PartsStage.Picked) -> None:
        self._say(f"picked: {event.emoji}")

    @on(Transcript.ReactionRequested)
    def _reacted(self, event: Transcript.ReactionRequested) -> None:
        for transcript in self.query(Playing):
            transcript.grant(event)
        self._say(f"{event.key}: {event.emoji}" if event.emoji else f"{event.key}: taken back")

    @on(Transcript.CopyRequested)
    def _copied(self, event: Transcript.CopyRequested) -> None:
        self._say(f"copied {len(event.text)} characters as {event.kind}")


def main() -> int:
    """Run the gallery in the terminal; returns the exit status."""
    Gallery().run()
    return 0
