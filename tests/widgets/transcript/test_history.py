"""Windows of history: growing at both ends without a jump, asking for more, edges, places, unread lines."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as fewer
from hypothesis import strategies as st

from tui_tapback.domain.messages import Status
from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.testing.conversation import START, agent, streaming, theirs, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_lines, screen_text
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets import Transcript
from tui_tapback.widgets.transcript.roll import Days
from tui_tapback.widgets.transcript.sheet import Sheet

SIZES = [(40, 12), (80, 24), (160, 50)]
ALL = [
    (user if n % 3 else agent)(f"m{n}", f"number {n} " + "word " * (n * 7 % 50), row_id=n, at=START + n)
    for n in range(2_000)
]


def body(app: TranscriptHost) -> list[str]:
    return [line[:-1].rstrip() for line in screen_lines(app)[:-2]]


def wanted(
    app: TranscriptHost, kind: type[Transcript.OlderWanted] | type[Transcript.NewerWanted]
) -> list[str]:
    return [event.key for event in app.said if isinstance(event, kind)]


def show(app: TranscriptHost, first: int, stop: int) -> None:
    app.transcript.show_session("s", ALL[first:stop], older=first, newer=len(ALL) - stop)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_scrolling_up_asks_for_older_messages_once_and_they_come_without_a_jump(
    size: tuple[int, int],
) -> None:
    app = TranscriptHost()
    async with app.run_test(size=size) as pilot:
        show(app, 1_900, 2_000)
        await settle(pilot)
        assert "number 1999" in screen_text(app)
        assert wanted(app, Transcript.OlderWanted) == []
        first = 1_900
        for _ in range(60):
            app.transcript.scroll_rows(-3 * size[1])
            await settle(pilot)
            asked = wanted(app, Transcript.OlderWanted)
            if asked and asked[-1] == f"m{first}" and first > 1_860:
                assert asked.count(f"m{first}") == 1
                before = _plain(body(app))
                first -= 20
                show(app, first, 2_000)
                await settle(pilot)
                assert _plain(body(app))[-len(before) :] == before
        assert first == 1_860
        assert app.transcript.sheet.window.top == 0, "nothing older was given, so this is as far as it goes"
        show(app, 1_840, 1_960)  # the far end may be dropped as well
        await settle(pilot)
        assert "number 1860" in screen_text(app)
        for _ in range(20):
            app.transcript.scroll_rows(6 * size[1])
        await settle(pilot)
        assert wanted(app, Transcript.NewerWanted)[-1] == "m1959"
        before = body(app)
        show(app, 1_840, 1_990)
        await settle(pilot)
        assert body(app)[: size[1] // 2] == before[: size[1] // 2]


async def test_a_wish_that_could_not_be_granted_can_be_made_again() -> None:
    app = TranscriptHost()
    async with app.run_test(size=(60, 20)) as pilot:
        show(app, 1_990, 2_000)
        await settle(pilot)
        assert wanted(app, Transcript.OlderWanted) == ["m1990"]
        app.transcript.ask_again()
        await settle(pilot)
        assert wanted(app, Transcript.OlderWanted) == ["m1990"] * 2


async def test_g_and_capital_g_go_to_the_true_ends_of_the_session() -> None:
    app = TranscriptHost()
    async with app.run_test(size=(60, 20)) as pilot:
        show(app, 1_900, 2_000)
        await pilot.press("g")
        await settle(pilot)
        assert [e.edge for e in app.said if isinstance(e, Transcript.EdgeWanted)] == ["first"]
        show(app, 0, 100)
        await settle(pilot)
        assert "number 0" in screen_text(app)
        await pilot.press("G")
        await settle(pilot)
        show(app, 1_900, 2_000)
        await settle(pilot)
        assert "number 1999" in screen_text(app)
        assert app.transcript.following


async def test_the_scroll_bar_is_honest_about_what_is_not_here() -> None:
    app = TranscriptHost()
    async with app.run_test(size=(60, 42)) as pilot:
        for first, where in ((0, 0), (950, 20), (1_900, 40)):
            app.transcript.clear()
            app.transcript.show_session("s", ALL[first : first + 100], older=first, newer=1_900 - first)
            app.transcript.sheet.window.to_start()
            app.transcript.repaint()
            await settle(pilot)
            thumb = [y for y, line in enumerate(screen_lines(app)[:41]) if line[-1] == "▐"]
            assert len(thumb) == 1
            assert abs(thumb[0] - where) <= 2


async def test_a_place_is_remembered_over_sessions_and_sizes() -> None:
    app = TranscriptHost()
    async with app.run_test(size=(60, 20)) as pilot:
        show(app, 1_000, 1_200)
        app.transcript.select("m1100")
        app.transcript.scroll_rows(2)
        await settle(pilot)
        before, place = body(app), app.transcript.bookmark()
        assert place is not None
        assert place.row_id is not None
        app.transcript.show_session("other", [user("x", "hello")])
        await settle(pilot)
        renamed = [replace(m, key="again" + m.key) for m in ALL[900:1_300]]
        app.transcript.show_session("s", renamed, older=900, newer=700)
        assert app.transcript.restore(place)
        await settle(pilot)
        assert numbers(body(app)) == numbers(before)
        app.transcript.show_session("third", ALL[:50])
        assert not app.transcript.restore(place)


def numbers(lines: list[str]) -> list[tuple[int, str]]:
    """What is said on which line, without frames and what a selection adds to them."""
    return [(y, " ".join(re.findall(r"number \d+|word", line))) for y, line in enumerate(lines)]


async def test_a_line_says_where_the_unread_messages_begin() -> None:
    app = TranscriptHost(ALL[:40])
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("pageup", "pageup")
        before = body(app)
        app.transcript.show(ALL[:43])
        await settle(pilot)
        assert body(app) == before
        assert "↓ 3 new below" in screen_text(app)
        app.transcript.select("m40")
        await settle(pilot)
        assert "── new ──" in screen_text(app)
        index = app.transcript.sheet.roll.index("m40")
        assert index is not None
        assert app.transcript.sheet.roll.entries[index].news
        app.transcript.show([*ALL[:43], user("mine", "answer", status=Status.SENDING)])
        await pilot.press("pageup")
        await settle(pilot)
        assert "── new ──" not in screen_text(app)
        app.transcript.mark_unread("m30")
        app.transcript.select("m30")
        await settle(pilot)
        assert "── new ──" in screen_text(app)


async def test_one_growing_message_is_amended_without_a_look_at_the_others() -> None:
    app = TranscriptHost(ALL)
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.amend(streaming("live", "Hel"))
        app.transcript.amend(streaming("live", "Hello"))
        await settle(pilot)
        assert "Hello▌" in screen_text(app)
        app.transcript.amend(ALL[1_998].with_reactions(ReactionSet.of([theirs("👍")])))
        app.transcript.amend(agent("live", "Hello."))
        await settle(pilot)
        assert "👍" in screen_text(app)
        assert "Hello." in screen_text(app)
        app.transcript.amend(agent("live", ""))  # nothing to draw: its place goes
        await settle(pilot)
        assert "Hello" not in screen_text(app)
        assert len(app.transcript.sheet.roll) == len(ALL)


@fewer(max_examples=40, deadline=None)
@given(st.data())
def test_whatever_grows_at_either_end_the_lines_in_the_window_stay(data: st.DataObject) -> None:
    from tui_tapback.widgets.transcript.painter import Painter

    sheet = Sheet(Days())
    painter = PAINTERS.setdefault("p", _painter())
    assert isinstance(painter, Painter)
    first, stop = 500, 520
    sheet.take(tuple(ALL[first:stop]))
    sheet.lay_out(painter, data.draw(st.integers(3, 30)))
    for _ in range(6):
        sheet.window.scroll(data.draw(st.integers(-40, 10)))
        room = sheet.window.heights.total >= sheet.window.rows
        before = [strip.text for strip, _ in sheet.lines()]
        following = sheet.window.following
        action = data.draw(st.sampled_from(["older", "newer", "drop older", "resize"]))
        visible = sheet.window.visible()
        if action == "older":
            first -= data.draw(st.integers(1, 40))
        elif action == "newer":
            stop += data.draw(st.integers(1, 40))
        elif action == "drop older" and visible.start > 1:
            first += data.draw(st.integers(0, visible.start - 1))
        sheet.take(tuple(ALL[first:stop]))
        after = [strip.text for strip, _ in sheet.lines()]
        if room and not (following and action == "newer"):
            stayed = _plain(before)  # where the day's line was, a message before may look in
            assert _plain(after)[-len(stayed) or len(after) :] == stayed, action


def _plain(lines: list[str]) -> list[str]:
    """Without the day's line, which stands above whichever message is the first."""
    return [line for line in lines if "June" not in line and line.strip()]


PAINTERS: dict[str, object] = {}


def _painter() -> object:
    from rich.style import Style
    from textual.color import Color

    from tui_tapback.terminal.cells import EmojiFitter
    from tui_tapback.terminal.profile import SAFE
    from tui_tapback.widgets.transcript.painter import Painter, Surface
    from tui_tapback.widgets.transcript.palette import Palette

    text = Style(color="white", bgcolor="black")
    palette = Palette.resolve(text, lambda _: text, colorless=False)
    return Painter(Surface(50, palette, (), Color(0, 0, 0)), EmojiFitter(SAFE), Days())
