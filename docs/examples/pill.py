"""A pill and badges in an app of one's own: what is chosen in the one shows in the other.

Run: ``python docs/examples/pill.py`` in an environment that has tui_tapback.
"""

from __future__ import annotations

import time

from textual import on
from textual.app import App, ComposeResult
from textual.widgets import Label

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.widgets import BadgeStack, TapbackPill


class Card(App[None]):
    """The state is one frozen set of reactions; who changes it shows it to both widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.reactions = ReactionSet.of([Reaction("❤️", Author.AGENT, time.time())])

    def compose(self) -> ComposeResult:
        """A text, its badges, the pill below."""
        yield Label("Shall we meet at eight?")
        yield BadgeStack(self.reactions)
        yield TapbackPill(self.reactions, suggestion="🎉")

    @on(TapbackPill.Chosen)
    def choose(self, event: TapbackPill.Chosen) -> None:
        """``emoji`` is what is wanted, None for nothing: one reaction for each author."""
        self.reactions = self.reactions.remove(Author.USER)
        if event.emoji is not None:
            self.reactions = self.reactions.set(Reaction(event.emoji, Author.USER, time.time()))
        event.pill.show(self.reactions)
        self.query_one(BadgeStack).show(self.reactions)

    @on(TapbackPill.Dismissed)
    def leave(self) -> None:
        """Esc."""
        self.exit()


if __name__ == "__main__":
    Card().run()
