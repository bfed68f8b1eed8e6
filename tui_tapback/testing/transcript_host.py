"""A tiny app around one transcript that records what the transcript says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Any

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.message import Message as TextualMessage
from textual.widgets import Input

from tui_tapback.domain.messages import Message
from tui_tapback.testing.screen import screen_lines
from tui_tapback.widgets import Transcript


class TranscriptHost(App[None]):
    """Shows a :class:`Transcript` above an input line; ``said`` are the transcript's messages in order."""

    CSS = "Input { dock: bottom; height: 1; border: none; }"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, messages: Sequence[Message] = (), *, focus: bool = True, **options: Any) -> None:
        super().__init__()
        self.transcript = Transcript(zone=UTC, **options)
        self.said: list[TextualMessage] = []
        self._first = list(messages)
        self._focus = focus

    def compose(self) -> ComposeResult:
        """The transcript and a line to type in."""
        yield self.transcript
        yield Input(placeholder="message")

    def on_mount(self) -> None:
        """Show the first messages."""
        self.transcript.show_session("s", self._first)
        (self.transcript if self._focus else self.query_one(Input)).focus()

    def on_transcript_reaction_requested(self, event: Transcript.ReactionRequested) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_picker_requested(self, event: Transcript.PickerRequested) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_selection_changed(self, event: Transcript.SelectionChanged) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_composer_requested(self, event: Transcript.ComposerRequested) -> None:
        """Record it and do it."""
        self.said.append(event)
        self.query_one(Input).focus()

    def on_transcript_retry_requested(self, event: Transcript.RetryRequested) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_message_activated(self, event: Transcript.MessageActivated) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_copy_requested(self, event: Transcript.CopyRequested) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_range_changed(self, event: Transcript.RangeChanged) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_link_requested(self, event: Transcript.LinkRequested) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_older_wanted(self, event: Transcript.OlderWanted) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_newer_wanted(self, event: Transcript.NewerWanted) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_edge_wanted(self, event: Transcript.EdgeWanted) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_search_requested(self, event: Transcript.SearchRequested) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_row_wanted(self, event: Transcript.RowWanted) -> None:
        """Record it."""
        self.said.append(event)

    def on_transcript_pill_closed(self, event: Transcript.PillClosed) -> None:
        """Record it."""
        self.said.append(event)

    def reactions(self) -> list[tuple[str, str | None]]:
        """The reactions asked for: ``(key, emoji)``, emoji None for a removal."""
        return [(e.key, e.emoji) for e in self.said if isinstance(e, Transcript.ReactionRequested)]

    def find(self, text: str) -> tuple[int, int]:
        """Cell (x, y) at which ``text`` begins on the screen; ``AssertionError`` if it is not there."""
        for y, line in enumerate(screen_lines(self)):
            if (at := line.find(text)) >= 0:
                return cell_len(line[:at]), y
        raise AssertionError(f"{text!r} is not on the screen")
