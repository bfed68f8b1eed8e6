"""A chat of nothing but a transcript, for the benchmarks: ``transcript_app.py COUNT [--held N] …``.

With ``--held`` it holds that many of COUNT messages at a time and takes the others in pages, as the chat
does from its gateway. Keys: ``j`` a line up, ``k`` a line down, PgUp, PgDn, ``2`` and ``3`` tap back, ``q``
leaves. With ``--stream`` an answer grows by RATE tokens a second; loop lag, CPU and tokens are reported.
``--bare`` shows finished lines and nothing else, with the same keys: what Textual itself costs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.testing.conversation import START, agent, streaming, user
from tui_tapback.widgets import Transcript
from tui_tapback.widgets.transcript.collector import set_aside_what_is_loaded

ANSWER = "Here is **bold** and `code`:\n\n- one\n- two\n\nAnd a paragraph that is so long that it wraps. "
PAGE = 100


def corpus(first: int, stop: int) -> list[Message]:
    """Messages by their number: the same ones whichever part is asked for."""
    return [
        user(f"m{n}", f"question number {n}", row_id=n, at=START + n)
        if n % 2 == 0
        else agent(f"m{n}", f"NUMBER-{n} " + ANSWER * (1 + n % 3), row_id=n, at=START + n)
        for n in range(first, stop)
    ]


class BareLines(Widget):
    """A screenful of finished lines that is moved about."""

    def __init__(self) -> None:
        super().__init__()
        self.top = 0
        self.strips = [Strip([Segment(f"{n} {ANSWER[:60]!r}".ljust(120)[:120])], 120) for n in range(1_000)]

    def render_lines(self, crop: Region) -> list[Strip]:
        """As they are."""
        return [self.strips[(self.top + y) % 1_000] for y in range(crop.y, crop.bottom)]


class BareApp(App[None]):
    """The floor: the same keys, no transcript."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, report: Path | None) -> None:
        super().__init__()
        self.report, self.lines = report, BareLines()

    def compose(self) -> ComposeResult:
        """Only the lines."""
        yield self.lines

    def on_mount(self) -> None:
        """Say so when there is something to see."""
        set_aside_what_is_loaded()
        if self.report is not None:
            self.report.with_suffix(".ready").write_text("")

    def on_key(self, event: events.Key) -> None:
        """Move the lines."""
        self.lines.top += {"j": -1, "k": 1, "pageup": -38, "pagedown": 38}.get(event.key, 0)
        self.lines.refresh()


class TranscriptApp(App[None]):
    """One transcript, and keys that scroll it without a selection, as the peers do."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll(-1)", priority=True),
        Binding("k", "scroll(1)", priority=True),
        Binding("pageup", "page(-1)", priority=True),
        Binding("pagedown", "page(1)", priority=True),
        Binding("q", "quit", priority=True),
    ]

    def __init__(self, count: int, held: int, rate: float, report: Path | None) -> None:
        super().__init__()
        self.count, self.rate, self.report = count, rate, report
        self.first = max(0, count - held) if held else 0
        self.stop = count
        self.messages = corpus(self.first, count)
        self.transcript = Transcript(pace=1 / 30 if rate else 0.0, motion=False)
        self.lags: list[float] = []

    def compose(self) -> ComposeResult:
        """Only it."""
        yield self.transcript

    def on_mount(self) -> None:
        """Show the newest screen."""
        self.show()
        self.transcript.focus()
        self.set_timer(0.5, self.settled)

    def show(self) -> None:
        """The messages that are held."""
        self.transcript.show_session("s", self.messages, older=self.first, newer=self.count - self.stop)

    def settled(self) -> None:
        """The first screen is there."""
        set_aside_what_is_loaded()
        self.title = "ready"
        if self.report is not None:
            self.report.with_suffix(".ready").write_text(str(time.time()))
        if self.rate:
            self.run_worker(self.stream())

    async def stream(self) -> None:
        """Let an answer grow; every tick tells how late it is."""
        text, begun, tokens = "", time.perf_counter(), 0
        cpu = time.process_time()
        while time.perf_counter() - begun < 6:
            due = begun + tokens / self.rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            self.lags.append((time.perf_counter() - due) * 1e3)
            tokens += 1
            text += "**word** and " if tokens % 40 else "end.\n\n"
            self.transcript.amend(streaming("live", text, at=START + self.count))
        spent = time.process_time() - cpu
        ordered = sorted(self.lags)
        figures = {
            "tokens": tokens,
            "cpu_percent_of_a_core": round(100 * spent / (time.perf_counter() - begun), 1),
            "lag_p50_ms": round(ordered[len(ordered) // 2], 2),
            "lag_p99_ms": round(ordered[len(ordered) * 99 // 100], 2),
        }
        if self.report is not None:
            self.report.write_text(json.dumps(figures))

    def action_scroll(self, rows: int) -> None:
        """A line."""
        self.transcript.scroll_rows(rows)

    def action_page(self, delta: int) -> None:
        """A page."""
        (self.transcript.page_up if delta < 0 else self.transcript.page_down)()

    def on_transcript_older_wanted(self) -> None:
        """A page more, and at most ten of them."""
        first = max(0, self.first - PAGE)
        self.messages = [*corpus(first, self.first), *self.messages][: 10 * PAGE]
        self.first, self.stop = first, first + len(self.messages)
        self.show()

    def on_transcript_newer_wanted(self) -> None:
        """The same downward."""
        stop = min(self.count, self.stop + PAGE)
        self.messages = [*self.messages, *corpus(self.stop, stop)][-10 * PAGE :]
        self.first, self.stop = stop - len(self.messages), stop
        self.show()

    def on_transcript_reaction_requested(self, event: Transcript.ReactionRequested) -> None:
        """Paint it at once, as the chat's overlay does."""
        at = next(n for n in range(len(self.messages) - 1, -1, -1) if self.messages[n].key == event.key)
        message = self.messages[at]
        reactions = message.reactions.remove(Author.USER)
        if event.emoji is not None:
            reactions = reactions.set(Reaction(event.emoji, Author.USER, START))
        self.messages[at] = replace(message, reactions=reactions)
        self.transcript.amend(self.messages[at])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--held", type=int, default=0)
    parser.add_argument("--stream", type=float, default=0.0)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--bare", action="store_true")
    given = parser.parse_args()
    if given.bare:
        BareApp(given.report).run()
        return
    TranscriptApp(given.count, given.held, given.stream, given.report).run()


if __name__ == "__main__":
    sys.exit(main())
