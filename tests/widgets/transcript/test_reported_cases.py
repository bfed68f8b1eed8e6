"""Faults that people reported of other chats, each tried on this transcript."""

from __future__ import annotations

import pytest

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.testing.conversation import START, agent, chat, mine, streaming, theirs, tool, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_lines, screen_text
from tui_tapback.testing.transcript_host import TranscriptHost


# case B157
async def test_two_prompts_of_the_same_words_are_two_and_the_second_keeps_its_own_reaction() -> None:
    messages = [user("a", "continue"), agent("b", "ok"), user("c", "continue", status=Status.SENDING)]
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        stored = [messages[0], messages[1], user("c", "continue", mine("👍"), row_id=3)]
        app.transcript.show(stored)
        await settle(pilot)
        lines = screen_text(app).splitlines()
        rows = [y for y, line in enumerate(lines) if "continue" in line]
        assert len(rows) == 2
        assert "👍" not in lines[rows[0] - 1]
        assert "👍" in lines[rows[1] - 1]


# case B158
async def test_what_streamed_and_what_was_stored_are_one_bubble_and_like_answers_stay_two() -> None:
    same = "x" * 200
    app = TranscriptHost([agent("a", same + " first"), streaming("b", "Hello \nworld")])
    async with app.run_test(size=(60, 30)) as pilot:
        await settle(pilot)
        app.transcript.show(
            [agent("a", same + " first"), agent("b", "Hello\nworld"), agent("c", same + " second")]
        )
        await settle(pilot)
        text = screen_text(app)
        assert text.count("Hello") == 1
        assert "first" in text
        assert "second" in text


# case B159
async def test_a_tapback_on_the_first_word_stays_to_the_stored_row() -> None:
    answer = streaming("live", "H")
    app = TranscriptHost([answer])
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("2")
        await settle(pilot)
        assert app.reactions() == [("live", "👍")]
        wish = ReactionSet.of([mine("👍", confirmed=False)])
        for text in ("He", "Hello", "Hello you"):
            app.transcript.show([streaming("live", text).with_reactions(wish)])
            await settle(pilot)
            assert "▐👍▌" in screen_text(app)
        app.transcript.show([agent("live", "Hello you", mine("👍"), row_id=7)])
        await settle(pilot)
        assert "▐👍▌" in screen_text(app)
        assert app.transcript.selected == "live"


# cases B161 and B165
@pytest.mark.parametrize(
    "text", ["[/", "[/path]", "[bold", "[0]", "[red]x[/red]", "[[self view] doSomething:[self other]]"]
)
async def test_brackets_are_shown_as_they_are_everywhere(text: str) -> None:
    app = TranscriptHost(
        [
            user("u", text),
            agent("a", text, theirs(text), reasoning=text),
            tool("t", text, text),
            Message(key="s", role=Role.SYSTEM, text=text, at=START),
        ],
        empty_hint=text,
    )
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("slash", *("left_square_bracket",), "enter", "v", "l")
        await settle(pilot)
        assert screen_text(app).count(text) >= 5
        app.transcript.clear()
        await settle(pilot)
        assert text in screen_text(app)


# case B162
async def test_an_answer_with_brackets_may_be_cut_anywhere_while_it_streams() -> None:
    whole = "yield [/] and [bold"
    app = TranscriptHost()
    async with app.run_test(size=(60, 20)) as pilot:
        for stop in range(1, len(whole) + 1):
            app.transcript.show([streaming("s", whole[:stop])])
            await settle(pilot)
            assert whole[:stop].rstrip() in screen_text(app)


# case B167
async def test_what_is_read_stays_while_an_answer_grows_and_badges_come_above_and_below() -> None:
    messages = chat(60)
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        app.transcript.scroll_rows(-20)
        await settle(pilot)
        before = [line[:-1] for line in screen_lines(app)[:-2]]
        for count in range(1, 9):
            messages[2] = messages[2].with_reactions(ReactionSet.of([theirs("🔥")] * (count % 2)))
            messages[59] = messages[59].with_reactions(ReactionSet.of([theirs("👍")] * (count % 2)))
            app.transcript.show([*messages, streaming("live", "words " * 30 * count)])
            await settle(pilot)
            assert [line[:-1] for line in screen_lines(app)[:-2]] == before


# case B168
async def test_a_quote_a_tool_two_badges_and_the_mark_of_a_part_show_together() -> None:
    app = TranscriptHost([tool("t", "search", "tables"), agent("a", "> your words\n\nmy answer")])
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("tab", "tab")
        part = app.transcript.part
        assert part is not None
        marked = agent(
            "a", "> your words\n\nmy answer", mine("👍"), theirs("🔥"), theirs("😂", part=part.anchor)
        )
        app.transcript.show([tool("t", "search", "tables"), marked])
        await settle(pilot)
        text = screen_text(app)
        for shown in ("search tables", "▐🔥▌👍▌", "▌ your words", "my answer", "😂"):
            assert shown in text
