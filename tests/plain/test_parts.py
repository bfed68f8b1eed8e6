"""Which parts a message has: the same as on the screen, so that a tapback on one is there on both."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui_tapback.domain.messages import Message
from tui_tapback.domain.parts import parts_of
from tui_tapback.domain.text import clean_text
from tui_tapback.plain.parts import anchor_of, parts, reactions_to
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.testing.conversation import agent, mine, streaming, theirs, tool, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets import Transcript
from tui_tapback.widgets.markdown import MarkdownRenderer
from tui_tapback.widgets.markdown.styles import MarkdownStyles

RENDERER = MarkdownRenderer(EmojiFitter(SAFE), MarkdownStyles())
ANSWER = "# Plan\n\nFirst **this**.\n\n```python\nprint(1)\n\nprint(2)\n```\n\n- one\n- two\n"
PIECES = st.sampled_from(
    [
        *("words", "- one", "1. two", "> said", "```", "    code", "# head", "#", "***", "===", "~~~"),
        *("| a | b |", "| --- | --- |", "[x]: https://example.org", "&nbsp;", "<b>", "\u2028"),
        *("", "", "", "  ", "\t"),
    ]
)


def anchors(message: Message, *before: Message) -> list[str]:
    return [part.anchor for part in parts(message, [*before, message])]


@given(st.lists(PIECES, max_size=14).map("\n".join))
@example(ANSWER)
@example("\n\nfirst\n\n\nsecond\n")
def test_an_answer_has_the_parts_that_the_screen_draws(text: str) -> None:
    drawn = [(line, 0) for line, _lines in RENDERER.blocks(clean_text(text), 60)]
    wanted = [part.anchor for part in parts_of(text, drawn)]
    assert anchors(agent("a", text)) == (wanted if len(wanted) > 1 else [])


@pytest.mark.parametrize("text", ["\n\nfirst\nline\n \n\nsecond  \n\n# third", "one " * 40 + "\n\ntwo\n"])
async def test_the_parts_of_ones_own_words_are_those_of_the_screen(text: str) -> None:
    message = user("u", text)
    app = TranscriptHost([message])
    async with app.run_test(size=(50, 30)) as pilot:
        await settle(pilot)
        for _ in anchors(message):
            await pilot.press("tab", "2")
        await settle(pilot)
        asked = [event for event in app.said if isinstance(event, Transcript.ReactionRequested)]
        assert [event.part and event.part.anchor for event in asked] == anchors(message)
        assert len(asked) > 1


def test_the_tools_of_an_answer_come_first() -> None:
    calls = [tool("t1", "search", "tables"), tool("t2", "read_file", "menu")]
    known = parts(agent("a", "Found."), [tool("t0", "old"), user("u", "hi"), *calls, agent("a", "Found.")])
    assert [(part.kind, part.quote) for part in known] == [
        ("tool", "search tables"),
        ("tool", "read_file menu"),
        ("text", "Found."),
    ]


def test_what_is_one_part_or_still_grows_has_none() -> None:
    assert anchors(agent("a", "Just this.")) == []
    assert anchors(user("u", "")) == []
    assert anchors(streaming("a", ANSWER)) == []


def test_a_part_keeps_its_tapbacks_when_it_moves() -> None:
    before = parts(agent("a", ANSWER), [agent("a", ANSWER)])
    moved = agent("a", "New.\n\n" + ANSWER, mine("👍", part=before[1].anchor), theirs("❤️"))
    known = parts(moved, [moved])
    assert anchor_of(known[2], known, moved.reactions) == before[1].anchor
    assert anchor_of(known[1], known, moved.reactions) == known[1].anchor
    there = [[each.emoji for each in reactions_to(part, known, moved.reactions)] for part in known]
    assert there == [[], [], ["👍"], [], []]


def test_a_tapback_on_a_tool_is_its_own() -> None:
    call = tool("t1", "search", "tables")
    answer = agent("a", "One.\n\nTwo.", mine("👍", part="tool.t1"))
    known = parts(answer, [call, answer])
    assert [bool(reactions_to(part, known, answer.reactions)) for part in known] == [True, False, False]
    alone = parts(answer, [answer])
    assert not any(reactions_to(part, alone, answer.reactions) for part in alone)
