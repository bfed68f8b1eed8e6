"""Everything about tapbacks by mouse alone, on a small, a usual and a large screen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from rich.cells import cell_len
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList

from tui_tapback.app.screens.lenses import LensPanel
from tui_tapback.app.screens.menu import MessageMenu
from tui_tapback.app.screens.pending import PendingPanel
from tui_tapback.app.tapbacks.verbs import DEFAULTS
from tui_tapback.client.tapback_memory import Pin, TapbackMemory, pinned
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.widgets.chip import Chip
from tui_tapback.widgets.picker import EmojiPicker
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
Size = tuple[int, int]
AT = 1_760_000_000.0


def place(pilot: Pilot[Any], words: str) -> tuple[int, int]:
    """The cell at which ``words`` begin on the screen."""
    for y, line in enumerate(screen_lines(pilot.app)):
        if (at := line.find(words)) >= 0:
            return cell_len(line[:at]), y
    raise AssertionError(f"{words!r} is not on the screen:\n{screen_text(pilot.app)}")


async def click(pilot: Pilot[Any], words: str, *, by: tuple[int, int] = (0, 0), **how: Any) -> None:
    """Click where ``words`` stand, or ``by`` as many cells beside it."""
    x, y = place(pilot, words)
    await pilot.click(offset=(x + by[0], y + by[1]), **how)
    await quiet(pilot)


def mine(chat: MemoryChat, key: str = "m2") -> str | None:
    found = next(m for m in chat.state.messages if m.key == key).reactions.by(Author.USER)
    return found.emoji if found else None


def transcript(pilot: Pilot[Any]) -> Transcript:
    return pilot.app.screen.query_one(Transcript)


@SIZES
@pytest.mark.parametrize("button", [1, 3], ids=["double", "right"])
async def test_the_pill_by_a_double_or_a_right_click_and_a_slot_of_it(
    chat: MemoryChat, opened: Opened, size: Size, button: int
) -> None:
    async with opened(chat, size) as pilot:
        await click(pilot, "booked", button=button, times=2 if button == 1 else 1)
        assert transcript(pilot).pill_open
        assert line_widths(pilot.app) == {size[0]}
        await click(pilot, "😂")
        assert mine(chat) == "😂"
        assert not transcript(pilot).pill_open
        assert line_widths(pilot.app) == {size[0]}


@SIZES
async def test_the_smile_under_the_mouse_opens_the_pill_and_a_click_beside_it_closes_it(
    chat: MemoryChat, opened: Opened, size: Size
) -> None:
    async with opened(chat, size) as pilot:
        await pilot.hover(offset=place(pilot, "booked"))
        await quiet(pilot)
        await click(pilot, "☺")
        assert transcript(pilot).pill_open
        await pilot.click(offset=(size[0] - 3, place(pilot, "booked")[1]))
        await quiet(pilot)
        assert not transcript(pilot).pill_open
        assert chat.reacted == []


@SIZES
async def test_ones_own_badge_goes_away_and_the_agents_is_echoed(
    chat: MemoryChat, opened: Opened, size: Size
) -> None:
    chat.set_reaction("m2", "👍")
    chat.react_as_agent("m1", "🔥")
    async with opened(chat, size) as pilot:
        await click(pilot, "👍")
        assert mine(chat) is None
        await click(pilot, "🔥")
        assert mine(chat, "m1") == "🔥"
        await click(pilot, "🔥", times=2)
        assert mine(chat, "m1") is None, "a click took it back; the second one did nothing"


@SIZES
async def test_the_picker_from_the_pill_and_an_emoji_of_it(
    chat: MemoryChat, opened: Opened, size: Size
) -> None:
    async with opened(chat, size) as pilot:
        await click(pilot, "booked", times=2)
        await click(pilot, " + ", by=(1, 0))
        picker = pilot.app.screen.query_one(EmojiPicker)
        assert picker.is_open
        assert line_widths(pilot.app) == {size[0]}
        await pilot.press(*"unicorn")
        await quiet(pilot)
        await click(pilot, "🦄")
        assert mine(chat) == "🦄"
        assert not picker.is_open


@SIZES
async def test_the_menu_from_the_status_line_and_an_entry_of_it(
    chat: MemoryChat, opened: Opened, size: Size
) -> None:
    async with opened(chat, size) as pilot:
        await click(pilot, "booked")
        await click(pilot, "tap back")
        assert isinstance(pilot.app.screen, MessageMenu)
        assert line_widths(pilot.app) == {size[0]}
        await click(pilot, "Open the tapback pill")
        assert transcript(pilot).pill_open
        await click(pilot, "👎")
        assert mine(chat) == "👎"


@SIZES
async def test_a_line_is_kept_back_and_told_and_a_click_beside_the_panel_closes_it(
    chat: MemoryChat, opened: Opened, size: Size
) -> None:
    chat.set_reaction("m2", "👍")
    async with opened(chat, size) as pilot:
        await click(pilot, "booked")
        await pilot.app.screen.run_action("who")
        await shows(pilot, "[x]")
        await click(pilot, "[x]")
        assert chat.reactions.withheld == {("m2", None)}
        await shows(pilot, "[ ]")
        await click(pilot, "[ ]")
        assert chat.reactions.withheld == set()
        assert line_widths(pilot.app) == {size[0]}
        assert isinstance(pilot.app.screen, PendingPanel)
        await pilot.click(offset=(size[0] - 1, size[1] - 1))
        await quiet(pilot)
        assert not isinstance(pilot.app.screen, PendingPanel)


@SIZES
async def test_a_lens_is_chosen_and_put_away(chat: MemoryChat, opened: Opened, size: Size) -> None:
    chat.set_reaction("m2", "👍")
    async with opened(chat, size) as pilot:
        await pilot.press(*"/filter", "enter")
        await quiet(pilot)
        assert isinstance(pilot.app.screen, LensPanel)
        await click(pilot, "all tapbacks")
        assert [entry.message.key for entry in transcript(pilot).sheet.roll.entries] == ["m2"]
        assert line_widths(pilot.app) == {size[0]}
        await click(pilot, "Esc")
        assert [entry.message.key for entry in transcript(pilot).sheet.roll.entries] == ["m1", "m2"]


@SIZES
@pytest.mark.parametrize("yes", [True, False])
async def test_a_chip_is_answered(chat: MemoryChat, opened: Opened, size: Size, yes: bool) -> None:
    async with opened(chat, size, verbs=DEFAULTS) as pilot:
        await click(pilot, "booked", times=2)
        await click(pilot, "❓")
        chip = pilot.app.screen.query_one(Chip)
        await until(pilot, lambda: chip.armed and "Esc no" in screen_text(pilot.app))
        await click(pilot, "Enter yes" if yes else "Esc no")
        assert not chip.asked
        assert chat.sent == (["Please explain this: “I booked a table for you.”"] if yes else [])
        assert mine(chat) == "❓"


@SIZES
async def test_a_pin_leads_to_its_message(chat: MemoryChat, opened: Opened, size: Size) -> None:
    memory = TapbackMemory()
    memory.change(pinned(Pin("s1", 1, "Where shall we eat?", AT)))
    async with opened(chat, size, memory=memory) as pilot:
        await pilot.app.screen.run_action("pins")
        await quiet(pilot)
        x, y = place(pilot, "Pinned messages")
        await pilot.click(offset=(x + 4, y + 1))
        await quiet(pilot)
        assert transcript(pilot).selected == "m1"


@SIZES
async def test_the_words_about_unread_tapbacks_lead_there(opened: Opened, size: Size) -> None:
    rows = [
        Message(key=f"m{n}", role=Role.USER, text=f"Line {n}.", at=AT + n, row_id=n) for n in range(1, 60)
    ]
    chat = MemoryChat(rows)
    async with opened(chat, size) as pilot:
        chat.react_as_agent("m1", "🦄")
        await shows(pilot, "1 new tapback")
        await pilot.click(offset=(4, size[1] - 1))
        await quiet(pilot)
        assert transcript(pilot).selected == "m1"


@SIZES
async def test_a_quick_reaction_is_changed(chat: MemoryChat, opened: Opened, size: Size) -> None:
    memory = TapbackMemory()
    async with opened(chat, size, memory=memory) as pilot:
        await pilot.press(*"/reactions", "enter")
        await quiet(pilot)
        await click(pilot, "1  ❤")
        await pilot.press(*"tada", "enter")
        await quiet(pilot)
        assert memory.now.quick[""][0] == "🎉"
        assert line_widths(pilot.app) == {size[0]}


async def wheel_to(pilot: Pilot[Any], words: str) -> None:
    """Turn the wheel over the list until ``words`` are in view."""
    listing = pilot.app.screen.query_one(OptionList)
    while words not in screen_text(pilot.app):
        held = listing.scroll_offset.y
        listing.post_message(events.MouseScrollDown(listing, 3, 1, 0, 1, 0, False, False, False))
        await until(pilot, lambda held=held: listing.scroll_offset.y > held)
        await quiet(pilot)


@SIZES
async def test_a_part_is_reacted_to_through_the_menu(chat: MemoryChat, opened: Opened, size: Size) -> None:
    chat.arrive("First one.\n\nSecond one.")
    async with opened(chat, size) as pilot:
        await click(pilot, "First one")
        for _ in range(2):
            await click(pilot, "tap back")
            await wheel_to(pilot, "Next part of")
            await click(pilot, "Next part of")
        await click(pilot, "☺")
        await click(pilot, "👎")
        (reaction,) = chat.state.messages[-1].reactions
        assert (reaction.emoji, reaction.quote) == ("👎", "Second one.")
        assert "👎" in screen_text(pilot.app)
        assert line_widths(pilot.app) == {size[0]}
