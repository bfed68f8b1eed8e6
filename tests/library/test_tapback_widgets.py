"""The pill and the badges as widgets of somebody else's app: what they show, what they say, how they fit."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.message import Message

from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import ASCII_ONLY
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.widgets import BadgeStack, TapbackPill

LIKE = Reaction("👍", Author.USER, 1.0)
LOVE = Reaction("❤️", Author.AGENT, 2.0)
SIZES = pytest.mark.parametrize("columns", [40, 80, 160])


class Host(App[None]):
    """Both widgets, and all that they said."""

    def __init__(self, reactions: Iterable[Reaction] = (), *, ascii_only: bool = False) -> None:
        super().__init__()
        fitter = EmojiFitter(ASCII_ONLY) if ascii_only else None
        self.pill = TapbackPill(reactions, suggestion="🎉", fitter=fitter)
        self.stack = BadgeStack(reactions, fitter=fitter)
        self.said: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.stack
        yield self.pill

    def on_mount(self) -> None:
        self.pill.focus()

    def on_tapback_pill_chosen(self, event: TapbackPill.Chosen) -> None:
        self.said.append(event)

    def on_tapback_pill_picker_requested(self, event: TapbackPill.PickerRequested) -> None:
        self.said.append(event)

    def on_tapback_pill_dismissed(self, event: TapbackPill.Dismissed) -> None:
        self.said.append(event)

    def on_badge_stack_pressed(self, event: BadgeStack.Pressed) -> None:
        self.said.append(event)

    @property
    def chosen(self) -> list[str | None]:
        return [event.emoji for event in self.said if isinstance(event, TapbackPill.Chosen)]


@SIZES
async def test_digits_choose_absolutely_and_again_takes_back(columns: int) -> None:
    app = Host([LIKE])
    async with app.run_test(size=(columns, 12)) as pilot:
        await pilot.press("1", "2", "7")
        await settle(pilot)
        assert app.chosen == ["❤️", None, "🎉"]
        assert line_widths(app) == {columns}


async def test_arrows_enter_backspace_plus_and_esc() -> None:
    app = Host([LIKE])
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("right", "enter", "backspace", "plus", "escape")
        await settle(pilot)
        assert app.chosen == ["👎", None]
        assert [type(event) for event in app.said[2:]] == [TapbackPill.PickerRequested, TapbackPill.Dismissed]


async def test_nothing_is_taken_back_where_nothing_is_set() -> None:
    app = Host([LOVE])
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("backspace")
        await settle(pilot)
        assert app.said == []


async def test_other_keys_are_left_to_the_app() -> None:
    class Listening(Host):
        keys: str = ""

        def on_key(self, event: object) -> None:
            self.keys += getattr(event, "character", None) or ""

    app = Listening()
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("x", "1", "h")
        await settle(pilot)
        assert app.keys == "x"


async def test_a_click_chooses_the_slot_that_is_under_it_and_moving_marks_it() -> None:
    app = Host()
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.hover(app.pill, offset=(6, 1))
        await settle(pilot)
        assert "[👍]" in screen_text(app)
        await pilot.click(app.pill, offset=(6, 1))
        await pilot.click(app.pill, offset=(6, 0))  # the border
        await settle(pilot)
        assert app.chosen == ["👍"]


# case B021
async def test_both_badges_show_whoever_was_first_and_a_click_tells_whose_it_is() -> None:
    for first, second in ((LIKE, LOVE), (LOVE, LIKE)):
        app = Host([first, second])
        async with app.run_test(size=(60, 12)) as pilot:
            await settle(pilot)
            row = screen_lines(app)[0]
            assert "👍" in row and "❤" in row
            assert app.stack.region.width == 7
            await pilot.click(app.stack, offset=(1, 0))
            await settle(pilot)
            pressed = [event.reaction for event in app.said if isinstance(event, BadgeStack.Pressed)]
            assert pressed == [second]


# case B021
async def test_the_same_emoji_of_both_is_two_badges() -> None:
    app = Host([Reaction("❤️", Author.USER, 1.0), LOVE])
    async with app.run_test(size=(60, 12)) as pilot:
        await settle(pilot)
        assert screen_lines(app)[0].count("❤") == 2


# cases B182, B183
async def test_both_can_be_read_aloud_with_names_and_authors() -> None:
    app = Host([LIKE, LOVE])
    async with app.run_test(size=(60, 12)) as pilot:
        assert app.stack.spoken == "red heart from the other side, thumbs up from you"
        assert app.pill.spoken == "2 of 8, thumbs up, yours"
        await pilot.press("left", "left")
        await settle(pilot)
        assert app.pill.spoken == "8 of 8, all emoji"


async def test_other_reactions_move_no_cursor_and_no_row() -> None:
    app = Host()
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("right", "right")
        app.pill.show([LOVE, LIKE])
        app.stack.show([LOVE, LIKE])
        await settle(pilot)
        assert app.pill.spoken.startswith("3 of 8")
        assert app.pill.region.y == 1
        assert screen_lines(app)[1][6] == "●"


async def test_without_utf_8_every_cell_is_ascii_and_without_colour_brackets_tell_the_author(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Host([LIKE, LOVE], ascii_only=True)
    async with app.run_test(size=(60, 12)) as pilot:
        await settle(pilot)
        assert screen_text(app).isascii()
    monkeypatch.setenv("NO_COLOR", "1")
    app = Host([LIKE, LOVE])
    async with app.run_test(size=(60, 12)) as pilot:
        await settle(pilot)
        row = screen_lines(app)[0]
        assert "[👍]" in row and row.startswith("(")
        assert app.stack.region.width == 8


@pytest.mark.parametrize("emoji", ["", "\x1b[31m", "[bold]x[/]", "a" * 500, "\u200b"])
async def test_what_a_foreign_gateway_calls_an_emoji_takes_two_cells_or_no_badge(emoji: str) -> None:
    app = Host([Reaction(emoji, Author.AGENT, 1.0)])
    async with app.run_test(size=(60, 12)) as pilot:
        await settle(pilot)
        row = screen_lines(app)[0]
        assert cell_len(row) == 60
        assert "\x1b" not in row
        assert app.stack.region.width in (0, 4)
