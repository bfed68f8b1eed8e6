"""Parts of messages: what they are, how an anchor finds them again, and reacting to one on screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.parts import parts_of, resolve, tool_part
from tui_tapback.domain.reactions import ReactionSet
from tui_tapback.testing.conversation import agent, mine, streaming, theirs, tool, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets import Transcript

ANSWER = "# Plan\n\nFirst **this** ❤️.\n\n```python\nprint(1)\n\nprint(2)\n```\n\n- one\n- two\n"
BLOCKS = [(0, 0), (2, 2), (4, 4), (10, 9)]


def test_blocks_become_parts_with_quotes_and_code_alone() -> None:
    heading, words, code, points = parts_of(ANSWER, BLOCKS)
    assert (heading.quote, words.quote, points.quote) == ("Plan", "First this ❤️.", "one - two")
    assert code.kind == "code"
    assert code.bare == "print(1)\n\nprint(2)"
    assert code.source.startswith("```python")
    assert [part.row for part in (heading, words, code, points)] == [0, 2, 4, 9]


def test_code_that_is_indented_or_not_closed_is_code_as_well() -> None:
    (indented,) = parts_of("    a = 1\n    b = 2", [(0, 0)])
    assert indented.bare == "a = 1\nb = 2"
    (open_,) = parts_of("```\nnot closed", [(0, 0)])
    assert open_.bare == "not closed"


def test_an_anchor_finds_its_words_again_wherever_they_went() -> None:
    before = parts_of(ANSWER, BLOCKS)
    after = parts_of("New first.\n\n" + ANSWER, [(0, 0), *((line + 2, row + 2) for line, row in BLOCKS)])
    for index, part in enumerate(before):
        assert resolve(part.anchor, after) == index + 1
    assert resolve("1.000000000000", before) == 1, "other words: what stands there now"
    assert resolve("9.000000000000", before) is None
    for foreign in ("", "p:0/GUID", "tool.x", "²3.a", "1"):
        assert resolve(foreign, before) is None


@given(st.lists(st.sampled_from(["same", "same", "b", "```\ncode\n```", "- x"]), min_size=1, max_size=12))
def test_every_part_is_found_by_its_own_anchor(sources: list[str]) -> None:
    text, blocks, line = "\n\n".join(sources), list[tuple[int, int]](), 0
    for row, source in enumerate(sources):
        blocks.append((line, row))
        line += source.count("\n") + 2
    parts = parts_of(text, blocks)
    assert [part.source for part in parts] == sources
    for index, part in enumerate(parts):
        assert resolve(part.anchor, parts) == index


async def test_tab_walks_the_parts_tools_first_and_a_digit_reacts_to_the_one_selected() -> None:
    call = tool("t1", "search", "tables")
    app = TranscriptHost([user("u", "hi"), call, agent("a", ANSWER)])
    async with app.run_test(size=(60, 30)) as pilot:
        await settle(pilot)
        wanted = [tool_part(call).anchor, *(part.anchor for part in parts_of(ANSWER, BLOCKS))]
        for _ in wanted:
            await pilot.press("tab", "2")
        await pilot.press("tab", "2", "shift+tab", "shift+tab", "3")
        await settle(pilot)
        asked = [
            (event.emoji, event.part and event.part.anchor)
            for event in app.said
            if isinstance(event, Transcript.ReactionRequested)
        ]
        assert asked == [*(("👍", anchor) for anchor in wanted), ("👍", None), ("👎", wanted[-2])]


async def test_tab_walks_parts_with_the_same_words_one_after_the_other() -> None:
    app = TranscriptHost([user("u", "again?"), agent("a", "Yes.\n\nYes.\n\nNo.\n\nYes.")])
    async with app.run_test(size=(60, 24)) as pilot:
        await settle(pilot)
        walked: list[str] = []
        for _ in range(5):
            await pilot.press("tab")
            part = app.transcript.part
            walked.append(part.anchor.partition(".")[0] if part is not None else "")
        assert walked == ["0", "1", "2", "3", ""]
        await pilot.press("shift+tab", "shift+tab")
        assert app.transcript.part is not None and app.transcript.part.quote == "No."


async def test_the_pill_for_a_part_knows_what_is_set_there() -> None:
    words = parts_of(ANSWER, BLOCKS)[1]
    app = TranscriptHost([agent("a", ANSWER, mine("👍"), mine("❤️", part=words.anchor))])
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.press("tab", "tab", "r")
        await settle(pilot)
        assert app.transcript.pill is not None
        assert app.transcript.pill.own is not None
        assert app.transcript.pill.own.emoji == "❤️"
        await pilot.press("enter")
        await settle(pilot)
        (event,) = [e for e in app.said if isinstance(e, Transcript.ReactionRequested)]
        assert event.emoji is None
        assert event.part is not None
        assert event.part.anchor == words.anchor


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50), (13, 60)])
@pytest.mark.parametrize("make", [user, agent])
async def test_marks_of_parts_never_move_a_line(make: type, size: tuple[int, int]) -> None:
    text = "one\n\ntwo " + "long words " * 9
    first = parts_of(text, [(0, 0), (2, 2)])

    async def frame(*reactions: object) -> list[str]:
        app = TranscriptHost([tool("t", "look"), make("m", text, *reactions)], focus=False)
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            assert line_widths(app) == {size[0]}
            return screen_lines(app)

    plain = await frame()
    marked = await frame(
        mine("👍", part=first[1].anchor),
        theirs("🔥", part=first[1].anchor),
        theirs("😂", part="of another client"),
        mine("👎", part="tool.t"),
    )
    assert len(plain) == len(marked)
    shown = "".join(marked)
    assert "👍" in shown or "🔥" in shown
    if size[0] >= 40:
        assert all(emoji in shown for emoji in "😂")
        for before, after in zip(plain, marked, strict=True):
            assert before.count("│") == after.count("│"), "the frames stand where they stood"
    if make is agent and size[0] >= 40:
        assert "👎" in next(line for line in marked if "look" in line)


async def test_a_part_goes_when_its_words_go_and_a_growing_answer_has_none() -> None:
    app = TranscriptHost([agent("a", ANSWER)])
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.press("tab", "tab")
        assert app.transcript.part is not None
        app.transcript.show([agent("a", "Only this.")])
        assert app.transcript.part is None
        app.transcript.show([streaming("a", ANSWER)])
        await pilot.press("tab")
        assert app.transcript.part is None
        assert "Plan" in screen_text(app)


async def test_a_reaction_keeps_the_anchor_that_another_client_gave_the_part() -> None:
    anchor = "1.ffffffffffff"
    app = TranscriptHost([agent("a", ANSWER, mine("👍", part=anchor))])
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.press("tab", "tab", "2")
        await settle(pilot)
        (event,) = [e for e in app.said if isinstance(e, Transcript.ReactionRequested)]
        assert event.emoji is None, "it was set there already"
        assert event.part is not None
        assert event.part.anchor == anchor
        app.transcript.show([agent("a", ANSWER).with_reactions(ReactionSet())])
        await settle(pilot)
        assert "👍" not in screen_text(app)
