"""Each part of the picker works alone, and an app made of them works as a picker does."""

import asyncio
from collections.abc import Sequence

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from tui_tapback.demo.picker_app import PickerApp
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.recents import Recents
from tui_tapback.emoji.search import Match, search
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.terminal.segments import install
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets import (
    CategoryBar,
    EmojiGrid,
    EmojiPreview,
    EmojiSearch,
    PickerSource,
    ToneSelector,
)


def find(query: str, limit: int) -> Sequence[Match]:
    return search(query, limit)


def a_source() -> PickerSource:
    recents = Recents(lambda: 1_000_000.0)
    recents.use("🦊")
    return PickerSource(find, load_catalogue(), recents.shown, recents.form)


FITTER = EmojiFitter(SAFE)


class Alone(App[None]):
    """One part and what it says."""

    def __init__(self, part: Widget) -> None:
        super().__init__()
        install()
        self.part = part
        self.said: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.part

    def on_mount(self) -> None:
        if self.part.focusable:
            self.part.focus()

    def on_emoji_grid_picked(self, message: EmojiGrid.Picked) -> None:
        self.said.append(message)

    def on_emoji_grid_highlighted(self, message: EmojiGrid.Highlighted) -> None:
        self.said.append(message)

    def on_emoji_search_changed(self, message: EmojiSearch.Changed) -> None:
        self.said.append(message)

    def on_emoji_search_moved(self, message: EmojiSearch.Moved) -> None:
        self.said.append(message)

    def on_category_bar_chosen(self, message: CategoryBar.Chosen) -> None:
        self.said.append(message)

    def on_tone_selector_chosen(self, message: ToneSelector.Chosen) -> None:
        self.said.append(message)


async def press(pilot: Pilot[None] | Pilot[str], *keys: str) -> None:
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await quiet(pilot)


async def leave(app: PickerApp) -> None:
    """Take the emoji, which ends the app: it comes to no rest after that."""
    app.post_message(events.Key("enter", None))
    async with asyncio.timeout(10):
        while app.return_value is None:  # noqa: ASYNC110  (the app tells nobody else)
            await asyncio.sleep(0.01)


async def test_the_grid_alone_walks_names_and_picks() -> None:
    grid = EmojiGrid(a_source(), FITTER)
    app = Alone(grid)
    async with app.run_test(size=(50, 10)) as pilot:
        await quiet(pilot)
        assert grid.state.grid.current == "🦊"
        grid.show("cat")
        await press(pilot, "right", "left", "enter")
        picked = [m.emoji for m in app.said if isinstance(m, EmojiGrid.Picked)]
        assert picked == [find("cat", 1)[0].emoji]
        assert isinstance(app.said[-1], EmojiGrid.Picked)
        places = [m.place for m in app.said if isinstance(m, EmojiGrid.Highlighted)]
        assert places[-1].startswith("1 of ")
        await pilot.click(EmojiGrid, offset=(4, 0))
        await quiet(pilot)
        assert [m.emoji for m in app.said if isinstance(m, EmojiGrid.Picked)][-1] == find("cat", 2)[1].emoji
        assert set(line_widths(app)) == {50}


async def test_the_search_line_alone_edits_and_hands_the_rest_on() -> None:
    line = EmojiSearch(a_source(), FITTER)
    app = Alone(line)
    async with app.run_test(size=(40, 3)) as pilot:
        await press(pilot, *"smle", "left", "left", "i", "down", "enter", "tab")
        assert line.state.query.text == "smile"
        assert [m.command for m in app.said if isinstance(m, EmojiSearch.Moved)] == [
            "down",
            "pick",
            "next_category",
        ]
        assert [m.query for m in app.said if isinstance(m, EmojiSearch.Changed)][-1] == "smile"


async def test_a_click_on_a_category_says_which() -> None:
    bar = CategoryBar(a_source(), FITTER)
    app = Alone(bar)
    async with app.run_test(size=(40, 3)) as pilot:
        await pilot.click(CategoryBar, offset=(1 + 3 * 2, 0))
        await pilot.click(CategoryBar, offset=(3 * 2, 0))  # a gap
        await quiet(pilot)
        assert [m.section for m in app.said if isinstance(m, CategoryBar.Chosen)] == [2]


async def test_the_preview_alone_tells_in_one_row_or_in_two() -> None:
    source = a_source()
    preview = EmojiPreview(source, FITTER)
    app = Alone(preview)
    async with app.run_test(size=(60, 4)) as pilot:
        await quiet(pilot)
        text = screen_text(app)
        for words in ("fox", "1 of 1", ":fox_face:", "Emoji 3", "Animals"):
            assert words in text
        preview.styles.height = 1
        await quiet(pilot)
        assert "Emoji 3" not in screen_text(app)
        assert ":fox_face:" in screen_text(app)


@pytest.mark.parametrize(
    ("keys", "tones"), [(("right", "right"), [1, 2]), (("left",), [5]), (("4", "4", "9"), [4])]
)
async def test_the_tone_selector_alone(keys: tuple[str, ...], tones: list[int]) -> None:
    app = Alone(ToneSelector(a_source(), FITTER))
    async with app.run_test(size=(60, 4)) as pilot:
        await press(pilot, *keys)
        assert [m.tone for m in app.said if isinstance(m, ToneSelector.Chosen)] == tones


async def test_the_arrows_of_the_tone_selector_can_be_clicked() -> None:
    app = Alone(ToneSelector(a_source(), FITTER))
    async with app.run_test(size=(60, 4)) as pilot:
        await quiet(pilot)
        row = screen_text(app).splitlines()[0]
        await pilot.click(ToneSelector, offset=(11, 0))
        await quiet(pilot)
        assert [m.tone for m in app.said if isinstance(m, ToneSelector.Chosen)] == [5], row


async def test_the_parts_together_are_a_picker() -> None:
    app = PickerApp(FITTER, Recents(lambda: 1_000_000.0))
    async with app.run_test(size=(70, 20)) as pilot:
        await press(pilot, *"party popper")
        assert "party popper" in screen_text(app)
        assert "1 of" in screen_text(app)
        await leave(app)
    assert app.return_value == "🎉"


async def test_a_tone_of_the_selector_reaches_the_grid() -> None:
    app = PickerApp(FITTER, Recents(lambda: 1_000_000.0))
    async with app.run_test(size=(70, 20)) as pilot:
        app.tones.focus()
        await press(pilot, "right")
        app.search_line.focus()
        await press(pilot, *"thumbs up")
        await leave(app)
    assert app.return_value == "👍🏻"
