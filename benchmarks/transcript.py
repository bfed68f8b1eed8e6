"""Times the transcript against doing nothing and against one Static per message.

Each figure is the CPU time from the call to composed lines in a headless app of 120×40, event loop included
(CPU time, so that other work on the machine counts little). Read the ratios to the floor, which is the same
round without a change, rather than the milliseconds.
"""

from __future__ import annotations

import asyncio
import sys
import time

from measuring import median_and_p99, timed
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.testing.conversation import agent, mine, streaming, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_lines
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets.transcript.collector import set_aside_what_is_loaded

SIZE = (120, 40)
ANSWER = "Here is **bold** and `code`:\n\n- one\n- two\n\nAnd a paragraph that is so long that it wraps. "


def corpus(count: int) -> list[Message]:
    return [
        user(f"m{n}", f"question number {n}") if n % 2 == 0 else agent(f"m{n}", ANSWER * (1 + n % 3))
        for n in range(count)
    ]


class StaticPerMessage(App[None]):
    """The design to beat: a widget for each message."""

    CSS = "Static { width: 80%; height: auto; border: round gray; padding: 0 1; }"

    def __init__(self, messages: list[Message]) -> None:
        super().__init__()
        self.messages = messages

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            for message in self.messages:
                yield Static(message.text, markup=False)


def row(name: str, taken: list[float], floor: float) -> None:
    p50, p99 = median_and_p99(taken)
    print(f"{name:<38} {p50:9.2f} {p99:9.2f}   {p50 / floor:8.2f}")


async def nothing() -> float:
    """The floor: what a round costs in which nothing changes."""
    app = TranscriptHost()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        taken = await timed(pilot, [lambda: None] * 200)
        row("nothing (the floor)", taken, taken[100])
        return taken[100]


async def ours(count: int, floor: float) -> None:
    messages = corpus(count)
    app = TranscriptHost()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        transcript = app.transcript
        row(
            f"{count:,}: open",
            await timed(pilot, [lambda: transcript.show_session("x", messages)]),
            floor,
        )
        on = [False]
        index = transcript.sheet.window.visible()[0] + 1

        def badge() -> None:
            on[0] = not on[0]
            messages[index] = messages[index].with_reactions(ReactionSet.of([mine("👍")] * on[0]))
            transcript.show(messages)

        row(f"{count:,}: badge", await timed(pilot, [badge] * 100), floor)
        row(f"{count:,}: line up", await timed(pilot, [lambda: transcript.scroll_rows(-1)] * 100), floor)
        row(f"{count:,}: page up", await timed(pilot, [transcript.page_up] * 50), floor)
        row(f"{count:,}: pill", await timed(pilot, [transcript.open_pill] * 30), floor)
        transcript.close_pill()
        transcript.scroll_end()
        text = [""]

        def token() -> None:
            text[0] += "**word** and " if len(text[0]) % 200 < 180 else "end.\n\n"
            transcript.show([*messages, streaming("live", text[0])])

        row(f"{count:,}: token of an answer", await timed(pilot, [token] * 200), floor)

        def amended() -> None:
            text[0] += "**word** and " if len(text[0]) % 200 < 180 else "end.\n\n"
            transcript.amend(streaming("live", text[0]))

        row(f"{count:,}: token, amended", await timed(pilot, [amended] * 200), floor)
        set_aside_what_is_loaded()
        row(f"{count:,}: page up, collector calmed", await timed(pilot, [transcript.page_up] * 50), floor)
        newest, older = messages[-200:], max(0, count - 200)
        opened = [lambda n=n: transcript.show_session(f"p{n}", newest, older=older) for n in range(9)]
        row(f"{count:,}: open, paged", await timed(pilot, opened), floor)
        row(f"{count:,}: search", await timed(pilot, [lambda: transcript.search("so long")] * 9), floor)
        transcript.show_session("all", messages)
        row(
            f"{count:,}: search in all",
            await timed(pilot, [lambda: transcript.search("wraps. Here")] * 5),
            floor,
        )


async def statics(count: int, floor: float) -> None:
    app = StaticPerMessage(corpus(count))
    start = time.process_time()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        screen_lines(app)
        opened = (time.process_time() - start) * 1000
        scroll = app.query_one(VerticalScroll)
        widgets = list(app.query(Static))
        row(f"{count:,} Statics: open", [opened], floor)
        scroll.scroll_end(animate=False)
        await settle(pilot)

        def badge() -> None:
            widgets[-2].border_subtitle = None if widgets[-2].border_subtitle else "👍"

        row(f"{count:,} Statics: badge", await timed(pilot, [badge] * 50), floor)
        row(
            f"{count:,} Statics: page up",
            await timed(pilot, [lambda: scroll.scroll_page_up(animate=False)] * 20),
            floor,
        )
        text = [""]

        def token() -> None:
            text[0] += "**word** and "
            widgets[-1].update(text[0])

        row(f"{count:,} Statics: token of an answer", await timed(pilot, [token] * 50), floor)


async def main(counts: list[int]) -> None:
    print(f"{'':<38} {'p50 ms':>9} {'p99 ms':>9}   {'× floor':>8}")
    floor = await nothing()
    for count in counts:
        await ours(count, floor)
    await statics(300, floor)


if __name__ == "__main__":
    asyncio.run(main([int(argument) for argument in sys.argv[1:]] or [100, 10_000, 100_000]))
