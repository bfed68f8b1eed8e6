"""Searching: the pure model, the line for the query, highlights, the way through the hits, and ticks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.testing.conversation import agent, chat, mine, theirs, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets import Transcript
from tui_tapback.widgets.transcript.roll import Roll
from tui_tapback.widgets.transcript.search import Search, following

SIZES = [(40, 12), (80, 24), (160, 50)]


def roll_of(*messages: Message) -> Roll:
    roll = Roll()
    roll.take(messages)
    return roll


def test_case_blanks_and_markdowns_signs_make_no_difference() -> None:
    roll = roll_of(
        user("a", "Big  Apple"),
        agent("b", "a **big** ap*ple* here"),
        agent("c", "big\napple"),
        user("d", "apple big"),
    )
    assert Search("big apple", roll).hits == [0, 1, 2]
    assert Search("STRASSE", roll_of(user("a", "straße"))).hits == [0]
    assert Search("   ", roll).hits == []


@given(st.lists(st.sampled_from(["say x", "nothing", "x", "*x*"]), max_size=12), st.data())
def test_hits_that_are_kept_up_to_date_are_those_of_a_new_search(
    texts: list[str], data: st.DataObject
) -> None:
    state = [user(f"m{n}", text) for n, text in enumerate(texts)]
    roll = roll_of(*state)
    search = Search("x", roll)
    for _ in range(4):
        match data.draw(st.sampled_from(["change", "append", "prepend", "remove"])):
            case "change" if state:
                at = data.draw(st.integers(0, len(state) - 1))
                state[at] = user(state[at].key, data.draw(st.sampled_from(["x", "no"])))
            case "append":
                state.append(
                    user(f"n{len(state)}{data.draw(st.integers())}", data.draw(st.sampled_from("xy")))
                )
            case "prepend":
                state.insert(
                    0, user(f"o{len(state)}{data.draw(st.integers())}", data.draw(st.sampled_from("xy")))
                )
            case _:
                state = state[1:]
        search.took(roll.take(tuple(state)))
        assert search.hits == Search("x", roll).hits


@given(st.sets(st.integers(0, 30)), st.integers(-1, 31))
def test_following(numbers: set[int], value: int) -> None:
    ascending = sorted(numbers)
    assert following(ascending, value, 1) == min((n for n in numbers if n > value), default=None)
    assert following(ascending, value, -1) == max((n for n in numbers if n < value), default=None)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_typing_goes_to_the_nearest_hit_upward_and_n_walks_on(size: tuple[int, int]) -> None:
    messages = chat(300)
    for at in (50, 120, 200):
        messages[at] = agent(f"m{at}", "some words before the **nee**dle, and a second needle " * 2)
    app = TranscriptHost(messages)
    async with app.run_test(size=size) as pilot:
        await pilot.press("slash", *"needle")
        await settle(pilot)
        assert app.transcript.selected == "m200"
        assert "/needle" in screen_text(app)
        assert "3 of 3" in screen_text(app)
        assert line_widths(app) == {size[0]}
        await pilot.press("enter")
        walked: list[str | None] = []
        for _ in range(9):
            walked.append(app.transcript.selected)
            await pilot.press("n")
        assert walked == ["m200"] * 4 + ["m120"] * 4 + ["m50"]
        await pilot.press("N", "N", "N", "N")
        await settle(pilot)
        assert app.transcript.selected == "m120"
        assert "needle" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "/needle" not in screen_text(app)
        assert app.transcript.has_focus
        assert [e.query for e in app.said if isinstance(e, Transcript.SearchRequested)] == ["needle", ""]


async def test_all_printable_keys_are_the_query_while_it_is_typed_and_escape_leads_back() -> None:
    app = TranscriptHost([user("a", "1 i j r /q"), *chat(60)])
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = screen_text(app)
        await pilot.press("slash", "1", "space", "i", "space", "j", "space", "r", "space", "slash", "q")
        await settle(pilot)
        assert app.transcript.search_query == "1 i j r /q"
        assert app.transcript.selected == "a"
        assert not app.reactions()
        await pilot.press("backspace", "left", "x", "ctrl+u", "escape")
        await settle(pilot)
        app.transcript.select("m59")
        await settle(pilot)
        assert screen_text(app) == before


async def test_hits_are_marked_where_their_lines_break_and_through_stand_ins() -> None:
    app = TranscriptHost([agent("a", "x" * 30 + " ❤️ two words and ‼️ again two\nwords")], focus=False)
    async with app.run_test(size=(40, 14)) as pilot:
        app.transcript.search("two words")
        await settle(pilot)
        painter = app.transcript.sheet.painter
        assert painter is not None
        marks = (painter.surface.palette.hit.bgcolor, painter.surface.palette.here.bgcolor)
        marked = [
            "".join(s.text for s in strip if s.style and s.style.bgcolor in marks)
            for strip in app.transcript.render_lines(app.transcript.size.region)[:-1]
        ]
        assert [text for text in marked if text] == ["two words", "two", "words"]
        app.transcript.search("❤️")
        await settle(pilot)
        assert "1 of 1" in screen_text(app)


async def test_a_hit_that_is_folded_away_is_unfolded() -> None:
    app = TranscriptHost([user("u", "\n".join(f"line {n}" for n in range(90))), *chat(20)])
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.search("line 77")
        await settle(pilot)
        assert "line 77" in screen_text(app)


async def test_hits_of_the_gateway_are_walked_to_and_asked_for() -> None:
    held = [user(f"m{n}", f"needle {n}", row_id=n) for n in range(100, 110)]
    app = TranscriptHost()
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.show_session("s", held, older=99)
        await pilot.press("slash", *"needle 100", "enter")
        app.transcript.offer_hits([3, 40, 100])
        await settle(pilot)
        assert "1 of 1 + 2" in screen_text(app)
        await pilot.press("n")
        await settle(pilot)
        assert [e.row_id for e in app.said if isinstance(e, Transcript.RowWanted)] == [40]
        assert not app.transcript.show_hit(40)
        app.transcript.show([user(f"m{n}", f"needle 100 in {n}", row_id=n) for n in range(30, 110)], older=29)
        assert app.transcript.show_hit(40)
        await settle(pilot)
        assert "needle 100 in 40" in screen_text(app)
        assert app.transcript.selected == "m40"
        assert app.transcript.show_hit(60, "in 60")
        await settle(pilot)
        assert app.transcript.search_query == "in 60"
        assert "needle 100 in 60" in screen_text(app)


async def test_reactions_and_hits_leave_ticks_in_the_scroll_bar() -> None:
    messages = chat(200)
    messages[0] = messages[0].with_reactions(type(messages[0].reactions).of([mine("👍")]))
    messages[150] = messages[150].with_reactions(type(messages[0].reactions).of([theirs("👍")]))
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 41)) as pilot:
        await settle(pilot)
        bar = [line[-1] for line in screen_lines(app)[:40]]
        assert bar[0] == "•"
        assert bar.count("•") == 2
        assert bar[30] == "•"
        assert bar[-1] == "▐"
        app.transcript.search("number 100")
        await settle(pilot)
        bar = [line[-1] for line in screen_lines(app)[:40]]
        assert bar[20] == "━"


@pytest.mark.parametrize("count", [3, 39, 200])
async def test_a_tick_stands_where_its_message_begins_however_many_there_are(count: int) -> None:
    messages = chat(400)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 41)) as pilot:
        await settle(pilot)
        some = list(range(0, 400, 400 // count))
        for at in some:
            messages[at] = messages[at].with_reactions(ReactionSet.of([theirs("👍")]))
        app.transcript.show(messages)  # they come while it is open
        await settle(pilot)
        heights = app.transcript.sheet.window.heights
        bar = [line[-1] for line in screen_lines(app)[:40]]
        wanted = {int(heights.above(at) * 40 / heights.total) for at in some}
        assert {row for row, sign in enumerate(bar) if sign in "•█"} == wanted
