"""Reading: following, holding the place, selection, jumps and news below."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tui_tapback.domain.messages import Message, Status
from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.testing.conversation import agent, chat, mine, streaming, theirs, tool, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_lines, screen_text
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets import Transcript


def body(app: TranscriptHost) -> list[str]:
    """The lines of the transcript without scroll bar and the row of the news."""
    return [line[:-1].rstrip() for line in screen_lines(app)[:-2]]


def words(app: TranscriptHost) -> str:
    """What is said, wherever its lines break."""
    return " ".join("".join(body(app)).replace("┃", " ").split())


async def test_the_end_is_followed_while_an_answer_grows() -> None:
    app = TranscriptHost(chat(30))
    async with app.run_test(size=(60, 20)) as pilot:
        wide = "x" * 200 + "\n\n"  # the bubble's width stays, so that painted rows may be kept
        for count, end in ((5, "ALPHA"), (50, "BETA"), (55, "GAMMA"), (200, "DELTA")):
            app.transcript.show([*messages_of(app)[:30], streaming("s", wide + "word " * count + end)])
            await settle(pilot)
            shown = {word for word in ("ALPHA", "BETA", "GAMMA", "DELTA") if word in screen_text(app)}
            assert shown == {end}
        app.transcript.show([*messages_of(app)[:30], agent("s", "final words")])
        await settle(pilot)
        assert "final words" in screen_text(app)
        assert "▌" not in screen_text(app)


def messages_of(app: TranscriptHost) -> list[Message]:
    return [entry.message for entry in app.transcript.sheet.roll.entries]


async def test_what_is_read_stays_while_chunks_and_badges_arrive_above_and_below() -> None:
    messages = [agent(f"m{n}", f"number {n} " + "word " * 30) for n in range(40)]
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        app.transcript.scroll_rows(-20)
        await settle(pilot)
        before = body(app)
        for count in range(1, 12):
            live = streaming("live", "word " * count * 9)
            messages[3] = messages[3].with_reactions(ReactionSet.of([theirs("🔥")]))
            messages[5] = agent("m5", "far longer " * count * 20)
            messages[39] = messages[39].with_reactions(ReactionSet.of([theirs("👍")] * (count % 2)))
            app.transcript.show([*messages, live])
            await settle(pilot)
            assert body(app) == before
        assert "↓ 1 new below" in screen_text(app)


async def test_older_messages_put_before_the_window_move_nothing() -> None:
    messages = chat(30)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        app.transcript.scroll_rows(-19)
        assert app.transcript.sheet.window.anchor.skip, "the window begins inside a message"
        await settle(pilot)
        before = body(app)
        app.transcript.show([*chat(100, prefix="old"), *messages])
        await settle(pilot)
        assert body(app) == before
        app.transcript.show(messages[8:])
        await settle(pilot)
        assert body(app) == before


async def test_news_below_are_counted_and_a_click_or_the_end_key_goes_there() -> None:
    messages = chat(30)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("pageup")
        app.transcript.show([*messages, *chat(3, prefix="n")])
        await settle(pilot)
        cell = app.find("↓ 3 new below")
        await pilot.click(app.transcript, offset=(cell[0] + 2, cell[1]))
        await settle(pilot)
        assert "new below" not in screen_text(app)
        assert app.transcript.following
        await pilot.press("pageup")
        app.transcript.show([*messages, *chat(4, prefix="n")])
        await settle(pilot)
        assert "↓ 1 new below" in screen_text(app)
        await pilot.press("G")
        await settle(pilot)
        assert "new below" not in screen_text(app)
        assert app.transcript.selected == "n3"


async def test_what_was_here_before_is_no_news_when_it_comes_back() -> None:
    messages = chat(30)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("g")
        app.transcript.show(messages[:1])  # as a filter does
        await settle(pilot)
        app.transcript.show(messages)
        await settle(pilot)
        assert not app.transcript.sheet.window.at_end
        assert "new below" not in screen_text(app)
        app.transcript.show(messages[:1])
        app.transcript.show([*messages, *chat(2, prefix="n")])
        await settle(pilot)
        assert "↓ 2 new below" in screen_text(app)


async def test_what_is_sent_from_here_is_shown_wherever_one_was() -> None:
    messages = chat(30)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("g")
        app.transcript.show([*messages, user("mine", "look here", status=Status.SENDING)])
        await settle(pilot)
        assert "look here" in screen_text(app)


async def test_selection_walks_over_bubbles_and_passes_tools_by() -> None:
    app = TranscriptHost([user("a", "one"), tool("t", "search"), agent("b", "two"), tool("t2", "search")])
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert app.transcript.selected == "b"
        await pilot.press("k")
        assert app.transcript.selected == "a"
        await pilot.press("k", "down", "j", "j")
        assert app.transcript.selected == "b"
        assert [e.key for e in app.said if isinstance(e, Transcript.SelectionChanged)] == ["b", "a", "b"]


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)], ids=str)
async def test_the_selected_message_is_always_in_view(size: tuple[int, int]) -> None:
    app = TranscriptHost([agent(f"m{n}", f"number {n} " + "word " * (n % 7) * 9) for n in range(60)])
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        steps = ["step(-1)"] * 30 + ["edge(False)"] + ["step(1)"] * 25
        for action in [*steps, "page(-1.0)", "page(1.0)", "page(-0.5)", "page(0.5)", "edge(True)"]:
            await app.transcript.run_action(action)
            index = app.transcript.sheet.roll.index(app.transcript.selected)
            assert index in app.transcript.sheet.window.visible()


async def test_a_bubble_taller_than_the_window_is_read_through_before_the_next_is_selected() -> None:
    app = TranscriptHost(
        [user("a", "one"), agent("b", "\n\n".join(f"line {n}" for n in range(60))), user("c", "x")]
    )
    async with app.run_test(size=(40, 14)) as pilot:
        await pilot.press("g", "j")
        seen: set[str] = set()
        for _ in range(60):
            seen |= {f"line {n}" for n in range(60) if f"line {n} " in screen_text(app)}
            if app.transcript.selected == "c":
                break
            await app.transcript.run_action("step(1)")
        assert app.transcript.selected == "c"
        assert len(seen) == 60


async def test_jumps_between_own_prompts_and_between_reacted_messages() -> None:
    app = TranscriptHost(
        [
            user("u1", "a"),
            agent("a1", "b", mine("👍")),
            user("u2", "c"),
            agent("a2", "d", theirs("🔥")),
            agent("a3", "e"),
        ]
    )
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        stops: list[str | None] = []
        for key in (
            "left_square_bracket",
            "left_square_bracket",
            "left_square_bracket",
            "right_square_bracket",
        ):
            await pilot.press(key)
            stops.append(app.transcript.selected)
        assert stops == ["a2", "a1", "a1", "a2"]
        await pilot.press("left_curly_bracket")
        assert app.transcript.selected == "u2"
        await pilot.press("left_curly_bracket", "right_curly_bracket")
        assert app.transcript.selected == "u2"


async def test_enter_tries_a_failed_message_again_and_opens_any_other() -> None:
    app = TranscriptHost([agent("ok", "fine"), user("bad", "x", status=Status.FAILED, error="No.")])
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("enter", "k", "enter", "y")
        wished = [
            e for e in app.said if isinstance(e, (Transcript.RetryRequested, Transcript.MessageActivated))
        ]
        assert [(type(e), e.key) for e in wished] == [
            (Transcript.RetryRequested, "bad"),
            (Transcript.MessageActivated, "ok"),
        ]
        assert [e.key for e in app.said if isinstance(e, Transcript.CopyRequested)] == ["ok"]


async def test_enter_tries_a_refused_tapback_again_and_its_message_says_why() -> None:
    app = TranscriptHost([agent("a", "fine", reaction_error="The gateway takes no tapbacks.")])
    async with app.run_test(size=(100, 20)) as pilot:
        assert "✗ Your tapback was not accepted. The gateway takes no tapbacks." in screen_text(app)
        await pilot.press("enter")
        assert [e.key for e in app.said if isinstance(e, Transcript.RetryRequested)] == ["a"]


async def test_enter_tries_a_tapback_again_that_does_not_stand_in_the_other_chat() -> None:
    note = "Your 👍 stands here only: loopback:alice did not take it."
    app = TranscriptHost([agent("a", "→ loopback:alice", reaction_note=note)])
    async with app.run_test(size=(140, 20)) as pilot:
        assert f"✗ {note} Enter tries again." in screen_text(app)
        await pilot.press("enter")
        assert [e.key for e in app.said if isinstance(e, Transcript.RetryRequested)] == ["a"]


async def test_a_failure_that_is_the_text_of_the_bubble_is_said_once() -> None:
    told = "The model's server failed (status 500)."
    app = TranscriptHost([agent("a", told, status=Status.FAILED, error=told)])
    async with app.run_test(size=(80, 20)):
        assert screen_text(app).count("status 500") == 1
        assert "✗ Enter tries again." in screen_text(app)


@pytest.mark.parametrize("make", [agent, streaming])
async def test_a_text_of_a_megabyte_is_drawn_in_part_and_says_so(make: Callable[..., Message]) -> None:
    text = "# Much\n\n" + "* [word](x) and **word**\n" * 40_000
    app = TranscriptHost()
    async with app.run_test(size=(80, 20)) as pilot:
        begun = time.process_time()
        app.transcript.show([make("a", text)])
        app.transcript.show([make("a", text + "!")])
        await settle(pilot)
        assert time.process_time() - begun < 3.0  # with all of it formatted it takes six times as long
        assert f"These are the first 256,000 of {len(text) + 1:,} characters; y copies them all." in words(
            app
        )


async def test_a_long_answer_that_grows_past_what_can_be_formatted_goes_on_as_it_is_written() -> None:
    app = TranscriptHost()
    rows = [f"several more words and so row **{number}**" for number in range(6_000)]
    async with app.run_test(size=(80, 20)) as pilot:
        for count in (10, 4_000, 5_990, 5_999, 6_000):
            app.transcript.show([streaming("a", "\n".join(rows[:count]))])
            await settle(pilot)
        grown = words(app)
        assert "row **5998** several more words and so row **5999**▌ This is shown as it was written" in grown
        app.transcript.show([agent("a", "\n".join(rows))])
        await settle(pilot)
        assert words(app) == grown.replace("▌", "")


async def test_the_selection_api_for_the_app() -> None:
    from tui_tapback.domain.reactions import Author

    app = TranscriptHost(chat(8), focus=False)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        transcript = app.transcript
        transcript.select_last(Author.USER)
        assert transcript.selected == "m6"
        transcript.select_last(Author.AGENT)
        assert transcript.selected == "m7"
        transcript.move_selection(-1)
        assert transcript.selected == "m6"
        transcript.select("no such key")
        assert transcript.selected == "m6"
        transcript.select(None)
        assert transcript.selected is None
        transcript.clear()
        await settle(pilot)
        assert "number" not in screen_text(app)


async def test_another_session_begins_at_its_end_the_same_one_stays_where_it_is() -> None:
    messages = chat(30)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("g")
        app.transcript.show_session("s", [*messages, agent("new", "hello")])
        await settle(pilot)
        assert app.transcript.sheet.window.top == 0
        app.transcript.show_session("other", chat(40, prefix="x"))
        await settle(pilot)
        assert app.transcript.following
        assert "number 39" in screen_text(app)


async def test_a_badge_repaints_only_the_line_that_it_is_on() -> None:
    messages = chat(5)  # so few that there is no scroll bar in which it would leave a tick
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        before = app.transcript.render_lines(app.transcript.size.region)
        messages[3] = messages[3].with_reactions(ReactionSet.of([mine("👍")]))
        app.transcript.show(messages)
        after = app.transcript.render_lines(app.transcript.size.region)
        changed = [y for y, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        assert len(changed) == 1
        assert "👍" in after[changed[0]].text


async def test_ten_thousand_messages_paint_only_what_shows() -> None:
    app = TranscriptHost(chat(10_000))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "number 9999" in screen_text(app)
        painted = app.transcript.sheet.painted
        assert painted < 40
        await pilot.press("g")
        await settle(pilot)
        assert "number 0" in screen_text(app)
        assert app.transcript.sheet.painted - painted < 40
