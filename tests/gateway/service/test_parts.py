"""Reactions to parts of a message: one of each side per part, told with a snippet, cleaned and bounded."""

from __future__ import annotations

import unicodedata

import msgspec
import pytest

from tui_tapback.domain.errors import InvalidInput, StaleReaction
from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.service.reactions import MAX_PARTS
from tui_tapback.testing.agents import Say
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.rows import WirePart

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
SECOND = WirePart("p2", "see you at eight")


async def chat(bench: ServiceBench) -> tuple[str, int]:
    session_id, _ = bench.new_session()
    bench.agent.expect(Say("Booked.\n\nsee you at eight"))
    return session_id, await bench.say(session_id, "one") + 1


def stored(bench: ServiceBench, session_id: str) -> list[tuple[str, str, object]]:
    shown = bench.service.history(session_id).messages[1].display_metadata or {}
    return [(r["emoji"], r["author"], r.get("part")) for r in shown.get("reactions", ())]


async def test_it_is_told_with_its_snippet_changed_and_taken_back(bench: ServiceBench) -> None:
    session_id, row = await chat(bench)
    bench.service.set_reaction(session_id, row, "👍", part=SECOND)
    assert stored(bench, session_id) == [
        ("👍", "user", {"anchor": "p2", "quote": "see you at eight"}),
    ]
    told: list[str] = []
    for emoji in ("👍", "❤️", None):
        bench.service.set_reaction(session_id, row, emoji, part="p2" if emoji is None else SECOND)
        await bench.say(session_id, "go on")
        told.append(bench.last_user_content().partition("\n\n")[0])
    assert told == [
        '[The user reacted 👍 to this part of your message: "see you at eight"]',
        '[The user changed their reaction from 👍 to ❤️ on this part of your message: "see you at eight"]',
        '[The user took back their ❤️ from this part of your message: "see you at eight"]',
    ]
    await bench.say(session_id, "go on")
    assert bench.last_user_content() == "go on"


async def test_the_snippet_of_what_is_gone_survives_undo_and_restart(bench: ServiceBench) -> None:
    session_id, row = await chat(bench)
    bench.service.set_reaction(session_id, row, "👍", part=SECOND)
    await bench.say(session_id, "two")
    bench.service.set_reaction(session_id, row, None, part="p2")
    await bench.restart()
    assert bench.service.pending_notes(session_id) == [
        '[The user took back their 👍 from this part of your message: "see you at eight"]'
    ]


async def test_whole_and_parts_and_both_sides_do_not_touch_each_other(bench: ServiceBench) -> None:
    session_id, row = await chat(bench)
    bench.service.set_reaction(session_id, row, "👍")
    bench.service.set_reaction(session_id, row, "😂", part=SECOND)
    bench.service.set_reaction(session_id, row, "🔥", Author.AGENT, part=SECOND)
    bench.service.set_reaction(session_id, row, "❤️", part=SECOND)
    part = {"anchor": "p2", "quote": "see you at eight"}
    assert stored(bench, session_id) == [
        ("👍", "user", None),
        ("🔥", "agent", part),
        ("❤️", "user", part),
    ]
    bench.service.set_reaction(session_id, row, None)
    assert len(stored(bench, session_id)) == 2


async def test_a_repeated_operation_has_no_second_effect(bench: ServiceBench) -> None:
    session_id, row = await chat(bench)
    first = bench.service.set_reaction(session_id, row, "👍", part=SECOND, op_id="op-1")
    bench.service.set_reaction(session_id, row, None, part="p2")
    assert bench.service.set_reaction(session_id, row, "👍", part=SECOND, op_id="op-1") == first
    assert stored(bench, session_id) == []


async def test_what_was_expected_is_looked_for_in_that_part(bench: ServiceBench) -> None:
    session_id, row = await chat(bench)
    bench.service.set_reaction(session_id, row, "👍")
    bench.service.set_reaction(session_id, row, "😂", part=SECOND, expected=None)
    with pytest.raises(StaleReaction):
        bench.service.set_reaction(session_id, row, "❤️", part=SECOND, expected="👍")


async def test_anchor_and_snippet_are_cleaned(bench: ServiceBench) -> None:
    session_id, row = await chat(bench)
    hostile = WirePart("e\u0301  1", 'a\x1b[31mb\u202e\n"]\x00' + FAMILY * 130)
    bench.service.set_reaction(session_id, row, "👍", part=hostile)
    ((_, _, found),) = stored(bench, session_id)
    part = msgspec.convert(found, WirePart)
    assert part.anchor == unicodedata.normalize("NFC", "e\u0301 1")
    assert part.quote.startswith('ab "]␀👩')
    assert len(part.quote) <= 1_000
    assert "\u202e" not in part.quote and "\x1b" not in part.quote
    (line,) = bench.service.pending_notes(session_id)
    assert line.startswith("[The user reacted 👍 to this part of your message: \"ab ')␀👩")
    assert line.count("]") == 1
    # Either spelling of the anchor is the same part.
    bench.service.set_reaction(session_id, row, None, part="\u00e9 1")
    assert stored(bench, session_id) == []


@pytest.mark.parametrize(
    "part",
    [
        WirePart("", "x"),
        WirePart(" ", "x"),
        WirePart("a\nb", "x"),
        WirePart("x" * 201, "x"),
        WirePart("p", "x" * 4_001),
    ],
)
async def test_parts_that_cannot_be(bench: ServiceBench, part: WirePart) -> None:
    session_id, row = await chat(bench)
    with pytest.raises(InvalidInput, match="part"):
        bench.service.set_reaction(session_id, row, "👍", part=part)
    assert stored(bench, session_id) == []


async def test_each_side_may_react_to_a_number_of_parts_and_to_the_whole(bench: ServiceBench) -> None:
    session_id, row = await chat(bench)
    for n in range(MAX_PARTS):
        for author in Author:
            bench.service.set_reaction(session_id, row, "👍", author, part=f"p{n}")
    bench.service.set_reaction(session_id, row, "👍")
    with pytest.raises(InvalidInput, match="At most 12 parts"):
        bench.service.set_reaction(session_id, row, "👍", part="one more")
    bench.service.set_reaction(session_id, row, "❤️", part="p0")
    assert len(stored(bench, session_id)) == 2 * MAX_PARTS + 1


async def test_lines_of_parts_stand_behind_that_of_the_whole_and_count_for_the_limit(
    bench: ServiceBench,
) -> None:
    session_id, row = await chat(bench)
    for n in range(12):
        bench.service.set_reaction(session_id, row, "👍", part=WirePart(f"p{n}", f"part {n}"))
    bench.service.set_reaction(session_id, row, "❤️")
    bench.service.set_reaction(session_id, row - 1, "😂")
    head = bench.service.pending_notes(session_id)
    assert head == [
        '[The user reacted 😂 to their own message: "one"]',
        '[The user reacted ❤️ to your message: "Booked. see you at eight"]',
        *(f'[The user reacted 👍 to this part of your message: "part {n}"]' for n in range(10)),
        "[The user's reactions to 1 more message changed too]",
    ]


async def test_a_file_of_an_earlier_version_knows_anchors_alone(bench: ServiceBench) -> None:
    session_id, row = await chat(bench)
    with bench.store.transaction():
        old = {"emoji": "👍", "author": "user", "at": 1.0, "part": "p2"}
        bench.store.messages.set_metadata(row, {"reactions": [old]})
    assert bench.service.pending_notes(session_id) == [
        '[The user reacted 👍 to a part of your message: "Booked. see you at eight"]'
    ]
    bench.service.set_reaction(session_id, row, None, part=SECOND)
    assert stored(bench, session_id) == []
