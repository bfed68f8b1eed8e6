"""Tapping back with keys and mouse, and the pill that nothing moves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual import events, on
from textual.pilot import Pilot
from textual.widgets import Input

from tui_tapback.domain.messages import Message, Status
from tui_tapback.domain.reactions import NO_REACTIONS, Reaction, ReactionSet
from tui_tapback.testing.conversation import agent, chat, mine, streaming, theirs, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets import Transcript


def reacted(message: Message, *reactions: Reaction) -> Message:
    return message.with_reactions(ReactionSet.of(reactions))


# -- keys ----------------------------------------------------------------------------------------------------


async def test_a_digit_reacts_at_once_and_again_takes_it_back() -> None:
    messages = chat(3)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("2")
        assert app.reactions() == [("m2", "👍")]
        app.transcript.show([*messages[:2], reacted(messages[2], mine("👍"))])
        await pilot.press("2", "1", "0")
        assert app.reactions()[1:] == [("m2", None), ("m2", "❤️"), ("m2", None)]


async def test_coming_back_to_the_messages_one_acts_on_what_one_sees() -> None:
    messages = chat(40)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("g")
        await settle(pilot)
        pilot.app.set_focus(app.query_one(Input))
        app.transcript.scroll_end()
        await settle(pilot)
        pilot.app.set_focus(app.transcript)
        await pilot.press("1")
        assert app.reactions() == [("m39", "❤️")]


async def test_a_digit_brings_the_message_into_view_that_it_is_about() -> None:
    app = TranscriptHost(chat(40))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("g")
        await settle(pilot)
        app.transcript.scroll_end()  # as the wheel and a new message do
        await settle(pilot)
        assert not app.transcript.in_view("m0")
        await pilot.press("1")
        assert app.reactions() == [("m0", "❤️")]
        assert app.transcript.in_view("m0")


async def test_taking_back_what_is_not_there_asks_for_nothing() -> None:
    app = TranscriptHost([agent("a", "x", theirs("🔥"))])
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("0", "minus", "backspace")
        assert app.reactions() == []


async def test_digits_do_nothing_while_typing() -> None:
    app = TranscriptHost(chat(2), focus=False)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await pilot.press("1")
        assert app.reactions() == []
        assert app.query_one(Input).value == "1"


@pytest.mark.parametrize(("key", "emoji"), [("1", "❤️"), ("6", "❓"), ("7", "🎉")])
async def test_the_pills_digits_choose_a_slot(key: str, emoji: str) -> None:
    app = TranscriptHost(chat(2), suggestion="🎉")
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("r", key)
        assert app.reactions() == [("m1", emoji)]
        assert not app.transcript.pill_open


async def test_arrows_and_letters_move_the_pills_cursor_and_enter_chooses() -> None:
    app = TranscriptHost(chat(2))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("t", "right", "l", "right", "h", "left", "enter")
        assert app.reactions() == [("m1", "👍")]


@pytest.mark.parametrize("key", ["plus", "colon", "tab"])
async def test_the_picker_is_asked_for_and_the_pill_waits_for_it(key: str) -> None:
    app = TranscriptHost(chat(2))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("r", key)
        asked = [e.key for e in app.said if isinstance(e, Transcript.PickerRequested)]
        assert asked == ["m1"]
        app.query_one(Input).focus()
        await settle(pilot)
        assert app.transcript.pill_open
        app.transcript.focus()
        await settle(pilot)
        await pilot.press("escape")
        assert not app.transcript.pill_open


async def test_the_last_slot_is_the_picker() -> None:
    app = TranscriptHost(chat(2))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("r", "left", "enter")
        assert [e.key for e in app.said if isinstance(e, Transcript.PickerRequested)] == ["m1"]


async def test_escape_closes_the_pill_first_and_then_goes_to_the_composer() -> None:
    app = TranscriptHost(chat(2))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("r", "escape")
        assert not any(isinstance(e, Transcript.ComposerRequested) for e in app.said)
        await pilot.press("escape")
        assert any(isinstance(e, Transcript.ComposerRequested) for e in app.said)


async def test_backspace_in_the_pill_takes_back_and_closes() -> None:
    app = TranscriptHost([agent("a", "x", mine("😂"))])
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("r", "backspace")
        assert app.reactions() == [("a", None)]
        assert not app.transcript.pill_open


async def test_letters_of_the_transcript_do_nothing_behind_the_pill() -> None:
    app = TranscriptHost(chat(9))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("r", "k", "g", "y", "j")
        assert app.transcript.selected == "m8"
        assert not any(isinstance(e, Transcript.CopyRequested) for e in app.said)


# -- the pill stands still -----------------------------------------------------------------------------------


def pill_rows(app: TranscriptHost) -> list[tuple[int, int]]:
    return [(y, line.index("╰─1─")) for y, line in enumerate(screen_lines(app)) if "╰─1─" in line]


async def test_opening_and_closing_moves_no_message() -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.select("m27")
        await settle(pilot)
        before = screen_text(app)
        await pilot.press("r")
        await settle(pilot)
        opened = [line for line in screen_lines(app) if "number 28" in line]
        await pilot.press("escape")
        await settle(pilot)
        assert screen_text(app) == before
        assert opened == [line for line in screen_lines(app) if "number 28" in line]


async def test_tokens_and_messages_neither_move_nor_close_it() -> None:
    messages = [*chat(30), streaming("live", "word")]
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.open_pill("m29")
        await settle(pilot)
        place, bubble = pill_rows(app), app.find("number 29")
        for count in range(1, 30):
            live = streaming("live", "word " * count * 5)
            sent = user("sent", "from here", status=Status.SENDING)
            app.transcript.show([*messages[:-1], live, sent, *chat(count // 10, prefix="new")])
            await settle(pilot)
            assert pill_rows(app) == place
            assert app.find("number 29") == bubble
        assert app.transcript.pill is not None
        await pilot.press("1")
        assert app.reactions() == [("m29", "❤️")]
        await settle(pilot)
        assert app.transcript.following, "it follows again when the pill is gone"


async def test_older_messages_trimmed_and_newer_ones_come_the_target_stays() -> None:
    messages = chat(9)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.open_pill("m5")
        await settle(pilot)
        app.transcript.show([*messages[3:], *chat(3, prefix="new")])
        await settle(pilot)
        await pilot.press("2")
        assert app.reactions() == [("m5", "👍")]


async def test_it_follows_reactions_that_come_from_elsewhere() -> None:
    messages = chat(4)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("r")
        app.transcript.show([*messages[:3], reacted(messages[3], theirs("🔥"), mine("👍"))])
        await settle(pilot)
        assert app.transcript.pill_open
        dot = next(line for line in screen_lines(app) if "●" in line)
        faces = screen_lines(app)[screen_lines(app).index(dot) + 1]
        assert dot.index("●") in (faces.index("👍") - 1, faces.index("👍"), faces.index("👍") + 1)
        await pilot.press("2")
        assert app.reactions() == [("m3", None)]


async def test_when_its_message_is_gone_it_closes_and_the_keys_live_on() -> None:
    messages = chat(6)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.open_pill("m5")
        await settle(pilot)
        app.transcript.show(messages[:4])
        await settle(pilot)
        assert not app.transcript.pill_open
        assert app.focused is app.transcript
        assert app.transcript.selected == "m3"
        assert app.reactions() == []
        await pilot.press("k")
        assert app.transcript.selected == "m2"


@pytest.mark.parametrize("size", [(80, 12), (40, 10), (34, 8), (27, 6), (200, 60)], ids=str)
async def test_it_fits_on_the_first_and_last_visible_message(size: tuple[int, int]) -> None:
    app = TranscriptHost(chat(40), suggestion="🎉")
    async with app.run_test(size=size) as pilot:
        await pilot.press("k", "k", "k", "k", "k")
        await settle(pilot)
        visible = app.transcript.sheet.window.visible()
        for index in (visible[0], visible[-1]):
            app.transcript.open_pill(f"m{index}")
            await settle(pilot)
            assert line_widths(app) == {size[0]}
            text = screen_text(app)
            for part in ("❤", "👍", "👎", "😂", "‼", "❓", "🎉", "+", "╰─1─"):
                assert part in text
            app.transcript.close_pill()


async def test_it_stands_at_its_bubble_after_a_resize() -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(80, 24)) as pilot:
        app.transcript.open_pill("m15")
        await pilot.resize_terminal(50, 14)
        await settle(pilot)
        (row, _) = pill_rows(app)[0]
        _, y = app.find("number 15")
        assert row in (y - 2, y + 4)


# -- mouse ---------------------------------------------------------------------------------------------------


async def click(pilot: Pilot[None], app: TranscriptHost, cell: tuple[int, int], times: int = 1) -> None:
    await pilot.click(app.transcript, offset=cell, times=times)
    await settle(pilot)


async def test_a_click_selects_and_scrolls_nothing() -> None:
    app = TranscriptHost(chat(30), focus=False)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        cell = app.find("number 27")
        await click(pilot, app, cell)
        assert app.transcript.selected == "m27"
        assert app.find("number 27") == cell


async def test_a_double_click_on_the_text_opens_the_pill_for_it() -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await click(pilot, app, app.find("number 27"), times=2)
        assert app.transcript.pill is not None
        assert app.transcript.pill.key == "m27"
        assert app.reactions() == []


async def test_a_right_click_opens_the_pill_as_well() -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await pilot.click(app.transcript, offset=app.find("number 27"), button=3)
        await settle(pilot)
        assert app.transcript.pill is not None
        assert app.transcript.pill.key == "m27"


async def test_a_triple_click_is_no_choice_in_the_pill_that_it_opened() -> None:
    app = TranscriptHost(chat(2))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await click(pilot, app, app.find("number 1"), times=3)
        await click(pilot, app, app.find("number 0"), times=1)
        assert app.reactions() == []


@pytest.mark.parametrize("right_half", [0, 1])
async def test_both_cells_of_a_slot_choose_it(right_half: int) -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(50, 14)) as pilot:
        app.transcript.open_pill("m28")
        await settle(pilot)
        x, y = app.find("😂")
        await click(pilot, app, (x + right_half, y))
        assert app.reactions() == [("m28", "😂")]


async def test_a_click_on_the_pills_border_does_nothing_and_outside_it_only_closes() -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.open_pill("m29")
        await settle(pilot)
        await click(pilot, app, app.find("╰─1─"))
        assert app.transcript.pill_open
        await click(pilot, app, app.find("number 26"))
        assert not app.transcript.pill_open
        assert app.transcript.selected == "m29", "that click did nothing else"
        assert app.reactions() == []


async def test_a_click_on_ones_own_badge_removes_it() -> None:
    app = TranscriptHost([user("u", "hello there", mine("👍")), agent("a", "hello you")])
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await click(pilot, app, app.find("👍"))
        assert app.reactions() == [("u", None)]


async def test_a_click_on_the_agents_badge_echoes_it() -> None:
    app = TranscriptHost([user("u", "hello there", mine("👍"), theirs("🔥"))])
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await click(pilot, app, app.find("🔥"))
        assert app.reactions() == [("u", "🔥")]


class EagerHost(TranscriptHost):
    """Does at once what the transcript asks for, as an optimistic client would."""

    @on(Transcript.ReactionRequested)
    def do_it(self, event: Transcript.ReactionRequested) -> None:
        message = self.transcript.sheet.roll.get(event.key)
        assert message is not None
        fresh = NO_REACTIONS if event.emoji is None else ReactionSet.of([mine(event.emoji)])
        self.transcript.show([replace(message, reactions=fresh)])


async def test_the_second_click_never_acts_on_what_the_first_made_vanish() -> None:
    app = EagerHost([user("u", "hello there", mine("👍"))])
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await click(pilot, app, app.find("👍"), times=2)
        assert app.reactions() == [("u", None)]
        assert not app.transcript.pill_open
        assert "👍" not in screen_text(app)


async def test_the_second_click_never_acts_on_what_the_first_made_appear() -> None:
    app = TranscriptHost([user("u", "x " * 300), agent("a", "hello you")])
    async with app.run_test(size=(40, 12)) as pilot:
        await settle(pilot)
        app.transcript.select("u")
        app.transcript.scroll_home()
        await settle(pilot)
        await click(pilot, app, app.find("☺"), times=2)
        assert app.transcript.pill_open
        assert app.reactions() == []
        assert not any(isinstance(e, Transcript.PickerRequested) for e in app.said)


async def test_the_second_click_does_not_open_again_what_the_first_one_closed() -> None:
    app = TranscriptHost([agent(f"m{n}", f"message number {n}") for n in range(30)])
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.open_pill("m29")
        await settle(pilot)
        await click(pilot, app, app.find("number 26"), times=2)
        assert not app.transcript.pill_open
        app.transcript.open_pill("m29")
        await settle(pilot)
        x, y = app.find("👍")
        under = app.transcript.target_at(x, y)
        assert under is not None
        assert under.part == "text", "the slot lies over the text of another bubble"
        await click(pilot, app, (x, y), times=2)
        assert app.reactions() == [("m29", "👍")]
        assert not app.transcript.pill_open


async def test_the_smile_appears_under_the_mouse_and_opens_the_pill() -> None:
    app = TranscriptHost([agent("a", "hello you"), agent("b", "hello too")])
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await pilot.hover(app.transcript, offset=app.find("hello you"))
        await settle(pilot)
        x, y = app.find("hello you")
        assert screen_lines(app)[y - 1][x - 1] == "☺"
        await click(pilot, app, (x - 1, y - 1))
        assert app.transcript.pill is not None
        assert app.transcript.pill.key == "a"


async def test_the_wheel_scrolls_but_not_behind_the_pill() -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        top = app.transcript.sheet.window.top
        app.transcript.post_message(wheel_up(app))
        await settle(pilot)
        assert app.transcript.sheet.window.top == top - 3
        app.transcript.open_pill("m28")
        await settle(pilot)
        held = app.transcript.sheet.window.top
        app.transcript.post_message(wheel_up(app))
        await settle(pilot)
        assert app.transcript.sheet.window.top == held


def wheel_up(app: TranscriptHost) -> events.MouseScrollUp:
    return events.MouseScrollUp(app.transcript, 5, 5, 0, 0, 0, False, False, False)


async def test_the_app_learns_where_to_open_something_for_a_message() -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        x, y = app.find("number 27")
        region = app.transcript.region_for("m27")
        assert region is not None
        assert region.contains(x, y)
        assert region.height == 3
        assert app.transcript.region_for("m0") is None, "it is out of sight"
        assert app.transcript.region_for("no such key") is None
        app.transcript.open_pill("m27")
        await settle(pilot)
        beside = app.transcript.region_for("m27")
        assert beside is not None
        assert (beside.x, beside.y) == app.find("╭───────────────────────────╮")


async def test_a_reaction_is_dimmer_until_it_is_confirmed() -> None:
    def badge(app: TranscriptHost) -> object:
        strip = app.transcript.render_lines(app.transcript.size.region)[app.find("👍")[1]]
        return next(segment.style for segment in strip if "👍" in segment.text)

    app = TranscriptHost([agent("a", "x", mine("👍", confirmed=False))])
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        dim = badge(app)
        app.transcript.show([agent("a", "x", mine("👍"))])
        await settle(pilot)
        assert badge(app) != dim


async def test_a_double_click_sets_the_emoji_of_the_settings_and_takes_it_back() -> None:
    # case B200
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        app.transcript.double_click = "🦄"
        await click(pilot, app, app.find("number 27"), times=2)
        assert app.transcript.pill is None
        assert app.reactions() == [("m27", "🦄")]
