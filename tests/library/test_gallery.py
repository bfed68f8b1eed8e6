"""The gallery shows every page at every size, by keys and by mouse, and hears what the widgets say."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tui_tapback.demo.gallery import Gallery, Head
from tui_tapback.demo.stages import PAGES
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.widgets import TapbackPill

NUMBERS = {page.title: number for number, page in enumerate(PAGES)}


@pytest.mark.slow
@pytest.mark.parametrize("size", [(40, 16), (80, 24), (200, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_every_page_fits_and_comes_round(size: tuple[int, int]) -> None:
    app = Gallery()
    async with app.run_test(size=size) as pilot:
        for number, page in enumerate(PAGES):
            await settle(pilot)
            assert app.page == number
            assert page.title[: size[0] - 20] in screen_lines(app)[0]
            assert line_widths(app) == {size[0]}
            await pilot.press("ctrl+n")
        assert app.page == 0
        await pilot.press("ctrl+p")
        assert app.page == len(PAGES) - 1


@pytest.mark.parametrize("title", NUMBERS)
async def test_pages_look_as_they_should(title: str, snapshot: SnapshotAssertion) -> None:
    app = Gallery(NUMBERS[title])
    async with app.run_test(size=(64, 24)) as pilot:
        await settle(pilot)
        assert screen_text(app) == snapshot


async def test_the_head_is_clicked_through() -> None:
    app = Gallery()
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.click(Head, offset=(58, 0))
        await settle(pilot)
        assert app.page == 1
        await pilot.click(Head, offset=(1, 0))
        await settle(pilot)
        assert app.page == 0


async def test_a_pill_says_what_was_chosen() -> None:
    app = Gallery(NUMBERS["Pill"])
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.press("2")
        await settle(pilot)
        assert screen_lines(app)[-1].strip() == "chosen: 👍"
        assert screen_lines(app)[2][7] == "●"
        assert isinstance(app.focused, TapbackPill)


async def test_a_badge_says_whose_it_is() -> None:
    app = Gallery(NUMBERS["Badges"])
    async with app.run_test(size=(60, 24)) as pilot:
        await settle(pilot)
        row = next(y for y, line in enumerate(screen_lines(app)) if "▐👍▌" in line)
        await pilot.click(offset=(screen_lines(app)[row].index("▐") + 1, row))
        await settle(pilot)
        assert "thumbs up from you" in app.said[0]


async def test_the_transcript_of_the_gallery_grants_tapbacks() -> None:
    app = Gallery(NUMBERS["Transcript: a chat"])
    async with app.run_test(size=(80, 30)) as pilot:
        await settle(pilot)
        before = screen_text(app)
        await pilot.press("5")
        await settle(pilot)
        assert app.said and screen_text(app) != before
        assert "‼" in screen_text(app)


async def test_the_picker_is_open_picks_and_opens_again() -> None:
    app = Gallery(NUMBERS["Picker"])
    async with app.run_test(size=(80, 30)) as pilot:
        await settle(pilot)
        await pilot.press(*"tada", "enter")
        await settle(pilot)
        assert app.said == ["picked: 🎉"]
        await pilot.press("plus")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert app.said[1:] == ["all emoji are wanted", "the picker was dismissed"]


async def test_the_parts_work_together_upside_down() -> None:
    app = Gallery(NUMBERS["Picker: its parts alone"])
    async with app.run_test(size=(80, 30)) as pilot:
        await settle(pilot)
        await pilot.press(*"tada", "enter")
        await settle(pilot)
        assert app.said == ["picked: 🎉"]
