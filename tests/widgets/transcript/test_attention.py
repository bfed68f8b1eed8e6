"""What is new: badges pop once and touch only their cells, tapbacks out of sight, the pace of an answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import ASCII_ONLY
from tui_tapback.testing.conversation import agent, chat, mine, streaming, theirs, tool, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_lines, screen_text
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets.transcript.look import Slot
from tui_tapback.widgets.transcript.overlay import differing


async def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not come in time"
        await asyncio.sleep(0.01)


def popping(app: TranscriptHost) -> dict[str, frozenset[Slot]]:
    return dict(app.transcript.sheet.looks.popping)


def inverted(app: TranscriptHost) -> list[str]:
    lines = app.transcript.render_lines(app.transcript.size.region)
    return [s.text for strip in lines for s in strip if s.style and s.style.reverse]


async def test_a_new_badge_pops_once_and_never_on_a_redraw_or_when_confirmed() -> None:
    messages = [agent("a", "hello", theirs("❤️")), user("u", "hi")]
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert not popping(app), "what was there at the start is not new"
        wished = ReactionSet.of([theirs("❤️"), mine("👍", confirmed=False)])
        app.transcript.show([messages[0].with_reactions(wished), messages[1]])
        assert [len(slots) for slots in popping(app).values()] == [1]
        assert any("👍" in text for text in inverted(app))
        await until(lambda: not popping(app))
        assert not any("👍" in text for text in inverted(app))
        app.transcript.show(
            [messages[0].with_reactions(ReactionSet.of([theirs("❤️"), mine("👍")])), messages[1]]
        )
        app.transcript.repaint()
        assert not popping(app), "it has only been confirmed"
        app.transcript.motion = False
        app.transcript.show([messages[0].with_reactions(ReactionSet.of([mine("😂")])), messages[1]])
        assert not popping(app), "nothing moves when motion is reduced"


async def test_a_badge_asks_for_its_own_cells_and_no_others() -> None:
    messages = chat(5)
    app = TranscriptHost(messages, focus=False)
    async with app.run_test(size=(80, 20)) as pilot:
        app.transcript.motion = False
        await settle(pilot)
        before = app.transcript.render_lines(app.transcript.size.region)
        messages[3] = messages[3].with_reactions(ReactionSet.of([theirs("👍")]))
        app.transcript.show(messages)
        await settle(pilot)
        after = app.transcript.render_lines(app.transcript.size.region)
        spans = [differing(a, b) for a, b in zip(before, after, strict=True) if a != b]
        assert len(spans) == 1
        assert len(spans[0]) == 1
        assert spans[0][0][1] - spans[0][0][0] < 20
        assert "▐👍▌" in screen_text(app)


async def test_a_tapback_out_of_sight_is_found_with_the_quote_key() -> None:
    messages = chat(100)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        for at in (40, 20):
            messages[at] = messages[at].with_reactions(ReactionSet.of([theirs("🔥")]))
            app.transcript.show(messages)
        messages[98] = messages[98].with_reactions(ReactionSet.of([theirs("👀")]))
        messages[10] = messages[10].with_reactions(ReactionSet.of([mine("👀")]))
        app.transcript.show(messages)
        assert app.transcript.unread_tapbacks == ("m40", "m20"), "not what was in view, nor one's own"
        await pilot.press("apostrophe")
        assert app.transcript.selected == "m40"
        await pilot.press("apostrophe", "apostrophe")
        assert app.transcript.selected == "m20"
        assert app.transcript.unread_tapbacks == ()


async def test_a_growing_answer_is_drawn_at_its_pace_and_a_key_at_once() -> None:
    above = chat(4)
    now = 0.0
    app = TranscriptHost([*above, streaming("s", "one")], pace=30.0)
    app.transcript.ticks = lambda: now
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        painted = app.transcript.sheet.painted
        for count in range(50):
            app.transcript.show([*above, streaming("s", "one " * count + f"NUMBER-{count}")])
        await settle(pilot)
        assert "NUMBER-0" in screen_text(app), "the first piece after a rest comes at once"
        assert app.transcript.sheet.painted == painted + 1, "forty-nine more, and no frame yet"
        await pilot.press("k")
        await settle(pilot)
        assert "NUMBER-49" in screen_text(app), "a key draws what there is"
        app.transcript.show([*above, agent("s", "Done.")])
        await settle(pilot)
        assert "Done." in screen_text(app), "and so does the end"


async def test_a_frame_of_a_growing_answer_comes_as_soon_as_its_time_has_come() -> None:
    now = 0.0
    app = TranscriptHost([streaming("s", "one")], pace=30.0)
    app.transcript.ticks = lambda: now
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        app.transcript.show([streaming("s", "one two")])
        now = 29.95  # so that what is left of its time is 50 ms, though the frame before is half a minute old
        app.transcript.show([streaming("s", "one two three")])
        await until(lambda: "three" in screen_text(app))


async def test_a_storm_of_resizes_is_one_layout() -> None:
    app = TranscriptHost()
    async with app.run_test(size=(100, 30)) as pilot:
        app.transcript.show_session("s", [agent(f"m{n}", "word " * 40) for n in range(2_000)])
        await settle(pilot)
        sheet = app.transcript.sheet
        layouts, painted = sheet.layouts, sheet.painted
        widths = (*range(99, 40, -1), *range(40, 61))
        # All of them are told before the first is heard, as by a window that is dragged.
        await asyncio.gather(*(pilot.resize_terminal(width, 30) for width in widths))
        await settle(pilot)
        assert app.transcript.size.width == 60
        assert sheet.layouts == layouts + 1
        assert sheet.painted - painted < 30


async def test_a_storm_of_resizes_ends_in_the_layout_of_the_last_size() -> None:
    app = TranscriptHost([agent(f"m{n}", f"number {n} " + "word " * 40) for n in range(60)])
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        painted = app.transcript.sheet.painted
        for width in range(99, 50, -1):
            await pilot.resize_terminal(width, 30)
        await settle(pilot)
        assert app.transcript.size.width == 51
        assert app.transcript.sheet.painted - painted < 49 * 12
        assert max(len(line) for line in screen_lines(app)) == 51


async def test_with_an_ascii_profile_nothing_of_ours_needs_more_than_ascii() -> None:
    answer = "# T\n\n> q\n\n- a\n- b\n\n```python\nx = 1\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n---\n\nend"
    messages = [
        user("u", "hi", mine("👍"), theirs("❤️")),
        tool("t", "look", "x" * 200),
        agent("a", answer, reasoning="why"),
        *chat(20),
        streaming("s", "now"),
    ]
    app = TranscriptHost(messages, fitter=EmojiFitter(ASCII_ONLY))
    async with app.run_test(size=(60, 16)) as pilot:
        for key in ("g", "pagedown", "pagedown", "r", "escape", "slash", "x", "enter", "G"):
            await pilot.press(key)
            await settle(pilot)
            assert screen_text(app).isascii(), screen_text(app)
        assert "####" in screen_text(app) or "==" in screen_text(app), "the selected one still stands out"
