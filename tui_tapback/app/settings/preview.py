"""A small chat that shows what the settings do: two bubbles with badges, and the six in a pill."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.widgets.tapbacks import TapbackPill
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _


def example(quick: tuple[str, ...]) -> list[Message]:
    """One message that bears a tapback of both sides."""
    first, second = quick[0], quick[1 % len(quick)]
    theirs = Reaction(second, Author.AGENT, 1.0)
    mine = Reaction(first, Author.USER, 2.0)
    return [
        Message(
            key="preview",
            role=Role.ASSISTANT,
            text=_("This is how tapbacks look."),
            at=0.0,
            reactions=ReactionSet.of([theirs, mine]),
        )
    ]


class Preview(Horizontal):
    """Nothing in it takes keys or clicks: it is a picture."""

    DEFAULT_CSS = """
    Preview { height: 5; padding: 0 1; border-top: solid $border; border-title-color: $foreground 60%; }
    Preview > Transcript { width: 1fr; height: 4; }
    Preview > TapbackPill { margin: 0 0 0 1; }
    """

    def __init__(self, fitter: EmojiFitter, quick: tuple[str, ...], *, marked: bool = False) -> None:
        super().__init__(disabled=True)
        self._fitter, self._quick, self._marked = fitter, quick, marked

    def compose(self) -> ComposeResult:
        """The bubble, and the pill beside it."""
        transcript = Transcript(self._fitter, quick=self._quick, motion=False)
        transcript.can_focus = False
        yield transcript
        yield TapbackPill(fitter=self._fitter, quick=self._quick)

    def on_mount(self) -> None:
        """Show the message."""
        self.query_one(Transcript).show_session("preview", example(self._quick))

    async def look(self, fitter: EmojiFitter, quick: tuple[str, ...]) -> None:
        """Show another way to draw, or other quick reactions."""
        if fitter.profile == self._fitter.profile and quick == self._quick:
            return
        self._fitter, self._quick = fitter, quick
        await self.recompose()
        self.query_one(Transcript).show_session("preview", example(quick))
