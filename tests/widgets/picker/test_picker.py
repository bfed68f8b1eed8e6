from __future__ import annotations

from collections.abc import Sequence

import pytest
from syrupy.assertion import SnapshotAssertion
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.message import Message
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.normalise import base_of, normalise
from tui_tapback.emoji.recents import Recents
from tui_tapback.emoji.search import Match, search
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import ASCII_ONLY, SAFE
from tui_tapback.terminal.segments import install
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.widgets.found import Searcher
from tui_tapback.widgets.picker import EmojiPicker

SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)], ids=lambda s: f"{s[0]}x{s[1]}")
ANCHOR = Region(2, 2, 20, 3)
TRANSCRIPT = "\n".join(f"message {n} 👨‍👩‍👧 ❤ 日本語 {'x' * 20}" for n in range(80))


def find(query: str, limit: int) -> Sequence[Match]:
    return search(query, limit)


def by_name(query: str, limit: int) -> Sequence[Match]:
    """A search that never gets better, for pictures: names with the query in them, in chart order."""
    hits = [Match(e.char, e.name) for e in load_catalogue().all if query.strip() in e.name]
    return hits[:limit]


class ManualClock:
    """A clock that stands until it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Host(App[None]):
    CSS = "#above { height: 1fr; } Input { border: none; height: 1; }"

    def __init__(self, *, tone: int = 0, ascii_only: bool = False, search: Searcher = find) -> None:
        super().__init__()
        install()
        recents = Recents(lambda: 1_000_000.0)
        for emoji in ("😂", "👍", "❤️", "👍"):
            recents.use(emoji)
        self.recents = recents
        profile = ASCII_ONLY if ascii_only else SAFE
        self.clock = ManualClock()
        self.fitter = EmojiFitter(profile)
        self.picker = EmojiPicker(
            self.fitter,
            search,
            load_catalogue(),
            recents.shown,
            forms=recents.form,
            tone=tone,
            clock=self.clock,
            ascii_only=ascii_only,
        )
        self.seen: list[Message] = []

    def compose(self) -> ComposeResult:
        yield Static(self.fitter.fit_text(TRANSCRIPT), id="above", markup=False)
        yield Input(id="field")
        yield self.picker

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_emoji_picker_picked(self, message: EmojiPicker.Picked) -> None:
        self.seen.append(message)

    def on_emoji_picker_dismissed(self, message: EmojiPicker.Dismissed) -> None:
        self.seen.append(message)

    def on_emoji_picker_form_chosen(self, message: EmojiPicker.FormChosen) -> None:
        self.recents.choose_form(message.form)

    def on_emoji_picker_tone_chosen(self, message: EmojiPicker.ToneChosen) -> None:
        self.seen.append(message)

    @property
    def picked(self) -> list[str]:
        return [m.emoji for m in self.seen if isinstance(m, EmojiPicker.Picked)]

    async def open(
        self, pilot: Pilot[None], anchor: Region | None = None, current: str | None = None
    ) -> None:
        self.picker.open(anchor or Region(2, 2, 20, 3), current)
        await quiet(pilot)
        self.clock.now += 1.0


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await quiet(pilot)


def cell_of(app: Host, emoji: str) -> tuple[int, int]:
    """Where the first cell of an emoji of the grid is on the screen."""
    picker = app.picker
    columns, grid = (picker.region.width - 4) // 3, picker.state.grid
    index = grid.layout.emoji.index(emoji)
    row = next(y for y, (_, row) in enumerate(grid.visible()) if row.start <= index < row.start + row.count)
    first = grid.layout.rows[grid.top + row].start
    assert index - first < columns
    return picker.region.x + 2 + 3 * (index - first), picker.region.y + picker.grid_top + row


async def test_enter_takes_the_first_answer_and_gives_the_focus_back() -> None:
    # case B115
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        assert app.picker.has_focus
        await press(pilot, *"smile", "enter")
        assert app.picked == [find("smile", 1)[0].emoji]
        assert not app.picker.is_open
        await press(pilot, "x")
        assert app.query_one(Input).value == "x"


async def test_arrows_reach_the_grid_with_a_query_in_the_line() -> None:
    # case B125
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, *"dog", "down", "right", "enter")
        assert app.picked == [find("dog", 2)[1].emoji]


async def test_escape_clears_then_closes_and_the_focus_is_back() -> None:
    # case B128
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, *"dog", "escape")
        assert app.picker.is_open and app.picker.state.query.text == ""
        await press(pilot, "escape")
        assert [type(m) for m in app.seen] == [EmojiPicker.Dismissed]
        await press(pilot, "x")
        assert app.query_one(Input).value == "x"


async def test_nothing_on_the_screen_moves_when_it_opens_and_closes() -> None:
    # case B133
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await quiet(pilot)
        before = screen_text(app)
        await app.open(pilot)
        during = screen_lines(app)
        box = app.picker.region
        assert line_widths(app) == {80}
        assert [line for y, line in enumerate(before.splitlines()) if not box.y <= y < box.bottom] == [
            line.rstrip() for y, line in enumerate(during) if not box.y <= y < box.bottom
        ]
        await press(pilot, "escape")
        assert screen_text(app) == before


@pytest.mark.parametrize("size", [(80, 12), (40, 10), (24, 6), (200, 60)])
@pytest.mark.parametrize("line", [0, 5, -2])
async def test_it_is_whole_on_every_screen_with_its_search_line(size: tuple[int, int], line: int) -> None:
    # case B131
    app = Host()
    async with app.run_test(size=size) as pilot:
        await app.open(pilot, Region(size[0] - 12, line % size[1], 10, 2))
        assert app.screen.region.contains_region(app.picker.region)
        await press(pilot, *"cat")
        assert "› cat" in screen_text(app)
        assert line_widths(app) == {size[0]}


async def test_it_follows_a_resize() -> None:
    app = Host()
    async with app.run_test(size=(120, 40)) as pilot:
        await app.open(pilot, Region(90, 30, 20, 3))
        await press(pilot, "down", "right", "right")
        before = app.picker.state.grid.current
        await pilot.resize_terminal(40, 10)
        await quiet(pilot)
        assert app.screen.region.contains_region(app.picker.region)
        assert app.picker.state.grid.current == before


@pytest.mark.parametrize("half", [0, 1])
async def test_both_cells_of_an_emoji_can_be_clicked(half: int) -> None:
    # case B134
    app = Host()
    async with app.run_test(size=(50, 14)) as pilot:
        await app.open(pilot)
        x, y = cell_of(app, "😁")
        await pilot.click(offset=(x + half, y))
        await quiet(pilot)
        assert app.picked == ["😁"]


async def test_a_click_into_a_gap_does_nothing_and_one_outside_only_closes() -> None:
    # case B134
    app = Host()
    async with app.run_test(size=(50, 14)) as pilot:
        await app.open(pilot)
        x, y = cell_of(app, "😁")
        await pilot.click(offset=(x + 2, y))
        await quiet(pilot)
        assert app.seen == [] and app.picker.is_open
        await pilot.click(offset=(48, 0))
        await quiet(pilot)
        assert app.picked == [] and not app.picker.is_open
        assert [m.outside for m in app.seen if isinstance(m, EmojiPicker.Dismissed)] == [True]
        assert app.focused is app.query_one(Input)


async def test_a_screen_pushed_over_it_does_not_leave_it_deaf_to_clicks_outside() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        app.push_screen(ModalScreen[None]())
        await quiet(pilot)
        app.pop_screen()
        await quiet(pilot)
        await pilot.hover(offset=cell_of(app, "😁"))
        await pilot.click(offset=(78, 0))
        await quiet(pilot)
        assert not app.picker.is_open
        assert len(app.seen) == 1


async def test_keys_that_come_after_the_choice_choose_nothing_more() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        for key in ("enter", "enter", "escape", "x"):
            app.picker.post_message(events.Key(key, key if len(key) == 1 else None))
        await quiet(pilot)
        assert [type(m) for m in app.seen] == [EmojiPicker.Picked]
        assert app.query_one(Input).value == "x", "what was typed ahead is for who has the focus now"


async def test_the_second_half_of_a_double_click_takes_nothing() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.picker.open(Region(2, 2, 20, 3))
        await quiet(pilot)
        app.clock.now += 0.1
        await pilot.click(offset=cell_of(app, "😁"))
        await quiet(pilot)
        assert app.seen == [] and app.picker.is_open
        app.clock.now += 1.0
        await pilot.click(offset=cell_of(app, "😁"))
        await quiet(pilot)
        assert app.picked == ["😁"]


async def test_what_is_on_the_message_is_marked_in_the_grid() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.picker.open(Region(2, 2, 20, 3), None, present=["❤️", "🎉"])
        await quiet(pilot)
        assert app.screen.get_style_at(*cell_of(app, "🎉")).underline
        assert not app.screen.get_style_at(*cell_of(app, "😁")).underline


async def test_a_press_that_is_released_elsewhere_takes_nothing() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await pilot.mouse_down(offset=cell_of(app, "😁"))
        await pilot.mouse_up(offset=cell_of(app, "😆"))
        await quiet(pilot)
        assert app.seen == [] and app.picker.is_open


async def test_the_mouse_names_scrolls_and_goes_to_a_category() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await pilot.hover(offset=cell_of(app, "😁"))
        await quiet(pilot)
        assert "beaming face with" in screen_text(app)
        assert app.picker.state.grid.current == "👍", "the cursor of the keys stays"
        top = app.picker.state.grid.top
        app.picker.post_message(
            events.MouseScrollDown(app.picker, 5, 8, 0, 1, 0, False, False, False, screen_x=5, screen_y=8)
        )
        await quiet(pilot)
        assert app.picker.state.grid.top > top
        await pilot.click(offset=(app.picker.region.x + 2 + 3 * 2, app.picker.region.y + 2))
        await quiet(pilot)
        assert app.picker.state.grid.section == 2


async def test_a_click_on_the_hand_in_the_bar_opens_the_choice_of_the_tone() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        columns = (app.picker.region.width - 4) // 3
        at = (app.picker.region.x + 2 + 3 * (columns - 1), app.picker.region.y + 2)
        await pilot.click(offset=at)
        await quiet(pilot)
        assert "Skin tone" in screen_text(app)
        await press(pilot, "3", "enter", *"wave", "enter")
        assert app.picked == ["👋🏽"]


@pytest.mark.parametrize("tone", [0, 3])
async def test_key_search_recent_and_click_give_the_same_toned_emoji(tone: int) -> None:
    # cases B116, B117
    app = Host(tone=tone)
    wanted = "👍" + ("🏽" if tone else "")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, "enter")
        await app.open(pilot)
        await press(pilot, *"thumbs up", "enter")
        await app.open(pilot)
        await press(pilot, *"thumbs up", "down", "enter")
        await app.open(pilot)
        await pilot.click(offset=cell_of(app, wanted))
        await quiet(pilot)
        assert app.picked == [wanted] * 4


async def test_a_tone_out_of_the_tones_of_one_emoji_is_kept_for_it() -> None:
    # case B121
    app = Host(tone=1)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, *"handshake", "alt+v")
        assert "Tones of handshake" in screen_text(app)
        await press(pilot, "end", "enter")
        await app.open(pilot)
        await press(pilot, *"handshake", "enter")
        first, second = app.picked
        assert first == second
        assert normalise(first) == first
        assert base_of(first) == "🤝"
        assert first != "🤝🏻"


async def test_a_right_click_opens_the_tones_and_escape_and_letters_lead_back() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        for back in ("escape", "x"):
            assert app.picker.state.under is None
            await pilot.click(offset=cell_of(app, "👍"), button=3)
            await quiet(pilot)
            assert app.picker.state.under is not None
            assert app.picker.state.grid.layout.emoji[0] == "👍"
            await press(pilot, back)
        assert app.picker.state.query.text == "x"
        await press(pilot, "escape")
        await pilot.click(offset=cell_of(app, "😂"), button=3)
        await quiet(pilot)
        assert app.picker.state.under is None
        assert app.picked == []


async def test_it_stays_over_the_widget_that_it_belongs_to_while_there_is_room() -> None:
    app = Host()
    async with app.run_test(size=(100, 30)) as pilot:
        above = app.query_one("#above")
        app.picker.open(Region(2, 20, 20, 3), within=above)
        await quiet(pilot)
        assert above.region.contains_region(app.picker.region)
        await pilot.resize_terminal(60, 20)
        await quiet(pilot)
        assert above.region.contains_region(app.picker.region)
        await pilot.resize_terminal(40, 12)
        await quiet(pilot)
        assert app.picker.region.height == 12


async def test_suggestions_stand_first_and_what_is_set_is_said_to_be() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.picker.open(ANCHOR, "❤️", present=["🔥"], suggested=["🎂", "🥳"])
        await quiet(pilot)
        app.clock.now += 1.0
        text = screen_text(app)
        assert "For this message" in text
        assert "red heart (yours now)" in text
        await press(pilot, "right")
        assert "fire (on it now)" in screen_text(app)
        await press(pilot, "right", "enter")
        assert app.picked == ["🎂"]


async def test_the_preview_tells_code_category_version_and_place() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, *"party popper")
        text = screen_text(app)
        for words in ("party popper", "1 of", ":tada:", "Activities", "Emoji 0.6"):
            assert words in text


@pytest.mark.parametrize("key", ["ctrl+t", "alt+t"])
async def test_a_tone_is_chosen_once_and_told_to_the_caller(key: str) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, key)
        assert "Skin tone ‹" in screen_text(app)
        await press(pilot, "right", "right")
        assert "medium-light" in screen_text(app)
        await press(pilot, "4")
        assert "medium-dark" in screen_text(app)
        await press(pilot, "enter", "enter")
        tones = [m.tone for m in app.seen if isinstance(m, EmojiPicker.ToneChosen)]
        assert (tones, app.picked) == ([4], ["👍🏾"])


async def test_tab_leaves_no_hidden_stops() -> None:
    # case B119
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, *"cat", "tab", "right", "enter")
        assert app.picked == [find("cat", 2)[1].emoji]


async def test_the_highlight_stays_in_view_on_a_long_walk() -> None:
    # case B122
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, *["down"] * 60)
        grid = app.picker.state.grid
        assert grid.top <= grid.row < grid.top + grid.height
        assert f"{load_catalogue().name(grid.current or '')[:20]}" in screen_text(app)


async def test_place_and_name_are_there_as_text() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, *"cat", "down", "right", "right")
        count = len(app.picker.state.grid.layout.emoji)
        assert f"3 of {count}" in screen_text(app)
        assert app.picker.spoken == f"3 of {count}, {load_catalogue().name(find('cat', 3)[2].emoji)}"


@pytest.mark.parametrize(
    "hostile", ["[/]", "[red]x", "\x1b[2J\x07", "\ud83d", "a\u202eb", "👩🏽‍💻", "❤️abc", "x" * 5000]
)
async def test_hostile_queries_are_text(hostile: str) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        app.picker.post_message(events.Paste(hostile))
        await quiet(pilot)
        assert line_widths(app) == {80}
        assert len(app.picker.state.query.text) <= 100
        assert not set("\x1b\x07\u202e\ud83d") & set(screen_text(app))
        if hostile == "❤️abc":
            await press(pilot, "home", "right", "x")
            assert app.picker.state.query.text == "❤️xabc"


async def test_an_emoji_in_two_surrogates_can_be_searched() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, "\ud83d", "\ude00", "enter")
        assert app.picked == ["😀"]


async def test_hard_to_draw_emoji_can_still_be_taken() -> None:
    # cases B114, B203, B204
    app = Host(ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        box = app.picker.region
        drawn = "".join(line[box.x : box.right] for line in screen_lines(app)[box.y : box.bottom])
        assert {char for char in drawn if not char.isascii()} == set()
        await press(pilot, *"red heart", "enter")
        assert app.picked == ["❤️"]


@pytest.mark.parametrize(("width", "quoted"), [(80, "for “zzqq”"), (24, "")])
async def test_where_the_query_has_no_room_nothing_found_stands_alone(width: int, quoted: str) -> None:
    app = Host()
    async with app.run_test(size=(width, 14)) as pilot:
        await app.open(pilot)
        await press(pilot, *"zzqq")
        text = screen_text(app)
        assert f"nothing found {quoted}".strip() in text
        assert ("“" in text) == bool(quoted)


async def test_without_colour_the_highlight_stands_in_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.open(pilot)
        await press(pilot, *"cat", "down", "right")
        second = app.fitter.fit(find("cat", 2)[1].emoji)
        assert f"[{second}]" in screen_text(app)


@SIZES
async def test_how_it_looks(size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    app = Host(search=by_name)
    shots: list[str] = []
    async with app.run_test(size=size) as pilot:
        await app.open(pilot, current="🎉")
        shots.append(screen_text(app))
        await press(pilot, *"cat", "down", "right")
        shots.append(screen_text(app))
        await press(pilot, *"qqxz")
        shots.append(screen_text(app))
        await press(pilot, "escape", "ctrl+t", "right")
        shots.append(screen_text(app))
        assert shots == snapshot
