"""The short way to the screen: what the terminal shows is what a full repaint would show."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

import pyte
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.driver import Driver
from textual.geometry import Size
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Static

from tui_tapback.domain.messages import Message
from tui_tapback.testing.conversation import START, agent, streaming, user
from tui_tapback.testing.quiet import quiet
from tui_tapback.widgets import Transcript
from tui_tapback.widgets.transcript.direct import shift_of, shifted

COLUMNS, ROWS = 60, 18


class MemoryTerminal(Driver):
    """A terminal in memory: what is written to it is what can be seen."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self.shown = pyte.Screen(COLUMNS, ROWS)
        self.written = 0
        self._stream = pyte.Stream(self.shown)

    def write(self, data: str) -> None:
        """Show it."""
        self.written += len(data)
        self._stream.feed(data)

    def start_application_mode(self) -> None:
        """Tell the size, as a terminal does."""
        size = Size(COLUMNS, ROWS)
        asyncio.get_running_loop().create_task(self._app._post_message(events.Resize(size, size)))  # pyright: ignore[reportPrivateUsage] -- as Textual's own drivers do

    def disable_input(self) -> None:
        """There is none."""

    def stop_application_mode(self) -> None:
        """Nothing to give back."""

    def cells(self) -> list[list[Any]]:
        """Sign and style of every cell."""
        return [[self.shown.buffer[row][column] for column in range(COLUMNS)] for row in range(ROWS)]


class Chat(App[None]):
    """A transcript between two lines, and something that can be laid over it."""

    CSS = """
    Screen { layers: base top; }
    #over { layer: top; width: 20; height: 4; offset: 10 5; display: none; background: red; }
    #side { dock: left; width: 9; display: none; background: blue; }
    """
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__(driver_class=MemoryTerminal)
        self.transcript = Transcript(motion=False)
        self.transcript.ahead = 0
        self.over = Static("something", id="over")
        self.side = Static("beside it", id="side")
        self.messages = [
            user(f"m{n}", f"question {n}", row_id=n, at=START + n)
            if n % 2
            else agent(
                f"m{n}",
                f"**answer** {n} in words 你好 that are `many` and wrap " * (n % 4 + 1),
                row_id=n,
                at=START + n,
            )
            for n in range(40)
        ]

    def compose(self) -> ComposeResult:
        """The transcript takes what is left."""
        yield Static("above")
        yield self.transcript
        yield Static("below")
        yield self.side
        yield self.over

    def on_mount(self) -> None:
        """Show it."""
        self.show()
        self.transcript.focus()

    def show(self) -> None:
        """Show what there is."""
        self.transcript.show_session("s", self.messages)

    def add(self, message: Message) -> None:
        """One message more."""
        self.messages = [*self.messages, message]
        self.show()

    def in_turn(self) -> None:
        """A frame that Textual is to draw and one past it, before it has."""
        self.transcript.direct.apart = math.inf
        sheet = self.transcript.sheet
        visible = sheet.window.visible()
        keys = [sheet.roll.entries[index].message.key for index in visible]
        self.transcript.selected = next(key for key in keys[-2:] if key != self.transcript.selected)
        self.transcript.direct.apart = 0.0
        self.transcript.scroll_rows(-3)

    def grow(self) -> None:
        """An answer in the writing becomes longer."""
        last = self.messages[-1]
        if last.key != "live":
            self.add(streaming("live", "begun", at=START + 99))
        else:
            self.messages = [
                *self.messages[:-1],
                streaming("live", last.text + " and on it goes", at=START + 99),
            ]
            self.transcript.amend(self.messages[-1])


ACTS: dict[str, Callable[[Chat], object]] = {
    "line up": lambda app: app.transcript.scroll_rows(-1),
    "line down": lambda app: app.transcript.scroll_rows(1),
    "five up": lambda app: app.transcript.scroll_rows(-5),
    "three down": lambda app: app.transcript.scroll_rows(3),
    "page up": lambda app: app.transcript.page_up(),
    "page down": lambda app: app.transcript.page_down(),
    "home": lambda app: app.transcript.scroll_home(),
    "end": lambda app: app.transcript.scroll_end(),
    "step up": lambda app: app.transcript.move_selection(-1),
    "step down": lambda app: app.transcript.move_selection(1),
    "pill": lambda app: app.transcript.open_pill(),
    "no pill": lambda app: app.transcript.close_pill(),
    "over": lambda app: setattr(app.over, "display", not app.over.display),
    "side": lambda app: setattr(app.side, "display", not app.side.display),
    "in turn": Chat.in_turn,
    "grow": Chat.grow,
    "two at once": lambda app: (app.transcript.scroll_rows(-2), app.transcript.scroll_rows(1)),
    "repaint first": lambda app: (app.transcript.refresh(), app.transcript.scroll_rows(-1)),
}  # fmt: skip


def driven(walk: Callable[[Chat, MemoryTerminal, Pilot[Any]], Awaitable[None]]) -> None:
    """Run an app on a terminal in memory for the time of ``walk``."""

    async def run() -> None:
        app, done = Chat(), False

        async def pilot(by: Pilot[Any]) -> None:
            nonlocal done
            await quiet(by)
            terminal = app._driver  # pyright: ignore[reportPrivateUsage] -- the terminal of this test
            assert isinstance(terminal, MemoryTerminal)
            app.transcript.direct.apart = 0.0
            await walk(app, terminal, by)
            done = True
            app.exit()

        await app.run_async(size=(COLUMNS, ROWS), auto_pilot=pilot)
        assert done

    asyncio.run(run())


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(sorted(ACTS)), min_size=1, max_size=14))
@example(sorted(ACTS))
@example(["page up", "side", "line up", "line up", "in turn", "in turn"])
def test_what_is_shown_is_what_a_full_repaint_shows(acts: list[str]) -> None:
    async def walk(app: Chat, terminal: MemoryTerminal, by: Pilot[Any]) -> None:
        for act in acts:
            ACTS[act](app)
            await quiet(by)
            seen = terminal.cells()
            app.screen.refresh()
            await quiet(by)
            for row, (was, should) in enumerate(zip(seen, terminal.cells(), strict=True)):
                assert was == should, f"after {act}, row {row}: {''.join(cell.data for cell in was)}"

    driven(walk)


def test_a_line_is_scrolled_by_the_terminal_itself() -> None:
    async def walk(app: Chat, terminal: MemoryTerminal, by: Pilot[Any]) -> None:
        before, frames = terminal.written, app.transcript.direct.frames
        for act in ("line up", "line up", "line down"):
            ACTS[act](app)
        assert app.transcript.direct.frames == frames + 3, "at once, and not by the compositor"
        assert terminal.written - before < 3 * 700, "a full repaint of these rows takes 3,000 characters"
        await quiet(by)

    driven(walk)


def test_a_batch_is_drawn_as_one() -> None:
    async def walk(app: Chat, terminal: MemoryTerminal, by: Pilot[Any]) -> None:
        with app.batch_update():
            before = terminal.written
            ACTS["line up"](app)
            assert terminal.written == before
        await quiet(by)

    driven(walk)


def test_what_is_under_something_is_left_to_the_compositor() -> None:
    async def walk(app: Chat, terminal: MemoryTerminal, by: Pilot[Any]) -> None:
        app.over.display = True
        await quiet(by)
        frames = app.transcript.direct.frames
        ACTS["line up"](app)
        await quiet(by)
        assert app.transcript.direct.frames == frames
        assert "something" in "".join(terminal.shown.display)

    driven(walk)


def test_while_something_waits_for_the_compositor_the_terminal_scrolls_nothing() -> None:
    async def walk(app: Chat, terminal: MemoryTerminal, by: Pilot[Any]) -> None:
        frames = app.transcript.direct.frames
        app.in_turn()
        assert app.transcript.direct.frames == frames, "it would move rows that are not there yet"
        await quiet(by)
        ACTS["line up"](app)
        assert app.transcript.direct.frames == frames + 1

    driven(walk)


def _strips(*names: str) -> list[Strip]:
    known: dict[str, Strip] = {}
    return [known.setdefault(name, Strip([Segment(name)])) for name in names]


def test_a_shift_is_found_by_the_strips_themselves() -> None:
    rows = _strips(*"abcdefgh")
    more = _strips(*"xyz")
    assert shift_of(rows, [*rows[2:], *more[:2]]) == 2
    assert shift_of(rows, [*more, *rows[:5]]) == -3
    assert shift_of(rows, rows) == 0
    assert shift_of(rows, _strips(*"abcdefgh")) == 0, "equal ones are not the same ones"
    blank = rows[:1] * 8
    assert shift_of(blank, blank) == 0, "blank rows tell nothing"
    assert shifted(rows, 2) == [*rows[2:], None, None]
    assert shifted(rows, -1) == [None, *rows[:-1]]
