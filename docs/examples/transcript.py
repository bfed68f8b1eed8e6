"""Tapbacks in an app of one's own: a transcript fed with plain values, and what comes back from it.

Run: ``python docs/examples/transcript.py`` in an environment that has tui_tapback.
"""

from __future__ import annotations

import time
from dataclasses import replace

from textual import on
from textual.app import App, ComposeResult

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.widgets import Transcript


class Conversation(App[None]):
    """The state is a list of frozen messages; a changed message is a new value in its place."""

    def __init__(self) -> None:
        super().__init__()
        now = time.time()
        self.messages = [
            Message(key="1", role=Role.USER, text="Is the harbour open today?", at=now - 60),
            Message(key="2", role=Role.ASSISTANT, text="**Yes**, until *eight*.\n\n- bring a coat", at=now),
        ]

    def compose(self) -> ComposeResult:
        """One widget; it draws itself and takes its keys and the mouse itself."""
        yield Transcript(empty_hint="Nothing has been said.")

    def on_mount(self) -> None:
        """Values go down."""
        transcript = self.query_one(Transcript)
        transcript.show_session("harbour", self.messages)
        transcript.focus()

    @on(Transcript.ReactionRequested)
    def set_reaction(self, event: Transcript.ReactionRequested) -> None:
        """Messages come up: the wish is absolute, ``emoji`` None takes back, ``part`` may be meant."""
        at = next(n for n, message in enumerate(self.messages) if message.key == event.key)
        anchor = event.part.anchor if event.part is not None else None
        reactions = self.messages[at].reactions.remove(Author.USER, anchor)
        if event.emoji is not None:
            reactions = reactions.set(Reaction(event.emoji, Author.USER, time.time(), anchor))
        self.messages[at] = replace(self.messages[at], reactions=reactions)
        self.query_one(Transcript).show(self.messages)

    @on(Transcript.CopyRequested)
    def copy(self, event: Transcript.CopyRequested) -> None:
        """Whatever was chosen, as its author wrote it."""
        self.copy_to_clipboard(event.text)

    @on(Transcript.LinkRequested)
    def follow(self, event: Transcript.LinkRequested) -> None:
        """Only web and mail addresses come up here."""
        self.open_url(event.links[0])


if __name__ == "__main__":
    Conversation().run()
