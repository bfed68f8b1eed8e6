"""Times opening and typing in the emoji picker against the floor, a Grid of Buttons and textual-emoji-picker.

Each figure is the CPU time of a round in a headless app of 100×30, event loop and composed lines included.
The floor is a widget of the picker's size that draws itself line by line and is told to repaint. The peer is
optional: ``pip install textual-emoji-picker``. Read the ratios to the floor, not the milliseconds.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import time
from collections.abc import Awaitable, Callable

from measuring import median_and_p99, timed
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Grid, VerticalScroll
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.recents import Recents
from tui_tapback.emoji.search import Match, search
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.terminal.segments import install
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_lines
from tui_tapback.widgets.picker import EmojiPicker

SIZE = (100, 30)
TYPED = ("heart", "thumbs up", "cat", "party popper", "flag germany")


def find(query: str, limit: int) -> list[Match]:
    return search(query, limit)


class Lines(Widget):
    """The least that a widget of this size can cost."""

    DEFAULT_CSS = "Lines { width: 40; height: 16; }"

    def render_line(self, y: int) -> Strip:
        return Strip.blank(40, self.rich_style)


class Host(App[None]):
    def __init__(self, widget: Widget) -> None:
        super().__init__()
        install()
        self.widget = widget

    def compose(self) -> ComposeResult:
        yield Static("\n".join(f"line {n} of a chat" for n in range(60)))
        yield self.widget


def row(name: str, taken: list[float], floor: float) -> None:
    p50, p99 = median_and_p99(taken)
    print(f"| {name} | {p50:.1f} | {p99:.1f} | {p50 / floor:.1f} |")


async def nothing() -> float:
    widget = Lines()
    async with Host(widget).run_test(size=SIZE) as pilot:
        await settle(pilot)
        taken = await timed(pilot, [widget.refresh] * 100)
        row("repaint of an empty widget (the floor)", taken, taken[50])
        return taken[50]


async def ours(floor: float) -> None:
    recents = Recents(lambda: 1e6)
    picker = EmojiPicker(EmojiFitter(SAFE), find, load_catalogue(), recents.shown, forms=recents.form)
    search("warm")
    async with Host(picker).run_test(size=SIZE) as pilot:
        await settle(pilot)
        row("ours: first opening", await timed(pilot, [picker.open]), floor)
        picker.close()
        taken: list[float] = []
        for _ in range(20):
            taken += await timed(pilot, [lambda: picker.open(Region(2, 2, 20, 3), "🎉", suggested=["🎂"])])
            picker.close()
            await settle(pilot)
        row("ours: opening", sorted(taken), floor)
        picker.open()
        await settle(pilot)
        keys: list[Callable[[], object]] = []
        for text in TYPED:
            keys += [lambda char=char: picker.post_message(events.Key(char, char)) for char in text]
            keys.append(lambda: picker.post_message(events.Key("escape", None)))
        row("ours: keystroke, search included", await timed(pilot, keys), floor)
        downs = [lambda: picker.post_message(events.Key("down", None))] * 150
        row("ours: cursor down through the grid", await timed(pilot, downs), floor)


class ButtonGrid(Widget):
    """The design to beat: a Button for each emoji, hidden when it does not match."""

    DEFAULT_CSS = """
    ButtonGrid { width: 60; height: 24; }
    ButtonGrid Grid { grid-size: 12; grid-rows: 1; height: auto; }
    ButtonGrid Button { min-width: 3; width: 4; height: 1; border: none; }
    """

    def compose(self) -> ComposeResult:
        yield Input()
        with VerticalScroll(), Grid():
            for emoji in load_catalogue().all:
                button = Button(emoji.char)
                button.tooltip = emoji.name
                yield button

    def on_input_changed(self, event: Input.Changed) -> None:
        for button in self.query(Button):
            button.display = event.value in str(button.tooltip)


async def rival(
    name: str, make: Callable[[], Widget], floor: float, rest: Callable[[], Awaitable[None]]
) -> None:
    install()
    app = Host(Static(""))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        start = time.process_time()
        widget = make()
        await app.screen.mount(widget)
        await settle(pilot)
        screen_lines(app)
        row(f"{name}: opening", [(time.process_time() - start) * 1000], floor)
        field = widget.query_one(Input)
        taken: list[float] = []
        for text in TYPED[:2]:
            for length in range(1, len(text) + 1):
                start = time.process_time()
                field.value = text[:length]
                await rest()
                await settle(pilot)
                screen_lines(app)
                taken.append((time.process_time() - start) * 1000)
        row(f"{name}: keystroke", sorted(taken), floor)


async def main() -> None:
    print("| | p50 ms | p99 ms | × floor |\n| --- | --- | --- | --- |")
    floor = await nothing()
    await ours(floor)

    async def at_once() -> None:
        return None

    async def debounced() -> None:
        # It waits before it searches; waiting costs no CPU time.
        await asyncio.sleep(0.4)

    await rival("1,914 Buttons in a Grid", ButtonGrid, floor, at_once)
    if importlib.util.find_spec("textual_emoji_picker") is not None:
        peer = importlib.import_module("textual_emoji_picker")
        await rival("textual-emoji-picker", peer.EmojiPicker, floor, debounced)


if __name__ == "__main__":
    asyncio.run(main())
