"""Tapbacks on a part of a message by typed commands: read, set, taken back, undone, and what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_tapback.testing.agents import Call, Say
from tui_tapback.testing.client import until
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.plain import PlainBench, running_plain
from tui_tapback.testing.scripted_gateway import ScriptedGateway

ANSWER = "First this.\n\n```python\nprint(1)\n```\n\n- one\n- two"
QUOTED = "a part of message 2, “print(1)”"
UNTOUCHED = [
    "Message 2 has 3 parts:",
    "1. “First this.”.",
    "2. Code: “print(1)”.",
    "3. “- one - two”.",
    "/react NAME on 2 part K reacts to part K of it.",
]


@pytest.fixture
async def plain(server: RunningServer, plain: PlainBench) -> PlainBench:
    """A chat with one question and an answer of three parts."""
    server.bench.agent.expect(Say(ANSWER))
    await plain.ask("what now?")
    await plain.hear("- two")
    await plain.until(lambda: not plain.room.state.running and not plain.room.state.waiting)
    return plain


def on_parts(plain: PlainBench) -> list[tuple[str, str]]:
    """The emoji and the quotations of what the gateway has on parts."""
    last = plain.room.messages[-1]
    return [(each.emoji, each.quote) for each in last.reactions if each.part is not None]


async def test_the_parts_are_read_with_their_tapbacks(plain: PlainBench) -> None:
    assert await plain.ask("/parts") == UNTOUCHED
    await plain.ask("/react heart on 2 part 2")
    await plain.hear(f"You loved {QUOTED}.")
    await plain.ask("/react tada")
    await plain.hear("You reacted party popper 🎉 to message 2")
    read = await plain.ask("/parts 2")
    assert read[2] == "2. Code: “print(1)”. Tapback: red heart ❤️ from you."
    assert [*read[:2], *read[3:]] == [*UNTOUCHED[:2], *UNTOUCHED[3:]]
    assert on_parts(plain) == [("❤️", "print(1)")]


async def test_a_tapback_on_a_part_is_taken_back_undone_and_done_again(plain: PlainBench) -> None:
    await plain.ask("/react heart part 2")
    await plain.hear(f"You loved {QUOTED}.")
    await plain.ask("/react thumbs up part 2")
    await plain.hear(f"You liked {QUOTED}.")
    await plain.ask("/undo")
    await plain.hear(f"You loved {QUOTED}.")
    await plain.ask("/unreact 2 part 2")
    await plain.hear(f"You took back red heart ❤️ from {QUOTED}.")
    assert on_parts(plain) == []
    await plain.ask("/undo")
    await plain.hear(f"You loved {QUOTED}.")
    assert on_parts(plain) == [("❤️", "print(1)")]
    await plain.ask("/redo")
    await plain.hear(f"You took back red heart ❤️ from {QUOTED}.")
    await plain.ask("/undo")
    await plain.hear(f"You loved {QUOTED}.")
    await plain.ask("/unreact on 2 part 2")
    await plain.hear(f"You took back red heart ❤️ from {QUOTED}.")


async def test_what_cannot_be_is_said_and_nothing_else_comes_of_it(plain: PlainBench) -> None:
    nine = ["Message 2 has no part 9. /parts 2 reads them."]
    assert await plain.ask("/react 👍 part 9") == nine
    assert await plain.ask("/unreact part 9") == nine
    assert await plain.ask("/react 👍 on 2 part 0") == ["Message 2 has no part 0. /parts 2 reads them."]
    assert await plain.ask("/unreact part 1") == ["You have no tapback on part 1 of message 2."]
    assert await plain.ask("/react 👍 on 1 part 1") == ["Message 1 has no parts: it is all one."]
    assert await plain.ask("/parts 1") == ["Message 1 has no parts: it is all one."]
    assert "no message 99" in (await plain.ask("/parts 99"))[0]
    assert (await plain.ask("/parts x"))[0].startswith("Which message?")
    assert (await plain.ask("/react part 1"))[0].startswith("Which tapback?")
    assert (await plain.ask("/unreact some part 1"))[0].startswith("Which message?")
    assert "neither one emoji nor the name" in (await plain.ask("/react 👍 part x"))[0]
    assert "neither one emoji nor the name" in (await plain.ask("/react flurble part 1"))[0]
    assert await plain.ask("/parts") == UNTOUCHED
    await plain.ask("/react 👍 part 3")
    await plain.hear("You liked a part of message 2, “one - two”.")
    assert await plain.ask("/react 👍 part 3") == [
        "Your thumbs up 👍 is on part 3 of message 2 already; /unreact 2 part 3 takes it back."
    ]


async def test_a_gateway_without_parts_says_so(tmp_path: Path) -> None:
    gateway = ScriptedGateway(hermes=True)
    session = gateway.sessions.add(("user", "hello"), ("assistant", "One.\n\nTwo."), title="Old")
    async with running_plain(gateway, tmp_path, new=False) as plain:
        await plain.hear("2 messages.", since=0)
        assert await plain.ask("/react 👍 part 2") == ["This gateway knows only tapbacks on whole messages."]
        assert gateway.sessions.reactions(session, 2) == []


async def test_where_the_model_hears_of_none_a_tapback_on_a_part_says_so_too(
    server: RunningServer, plain: PlainBench
) -> None:
    server.bench.service.config_set("display.message_reactions", False)
    await until(plain.room.chat, lambda state: state.reactions_offered)
    assert await plain.ask("/unreact part 2") == ["You have no tapback on part 2 of message 2."]
    assert any("/enable tapbacks" in line for line in await plain.ask("/react heart part 2"))
    await plain.hear(f"You loved {QUOTED}.")
    assert not any("/enable tapbacks" in line for line in await plain.ask("/react tada part 2"))


async def test_a_call_by_which_the_agent_taps_back_is_no_part(
    server: RunningServer, plain: PlainBench
) -> None:
    server.bench.agent.expect(Call("send_message", '{"action": "react", "emoji": "👋"}'), Say("Only this."))
    await plain.ask("hello again")
    await plain.hear("Only this.")
    await plain.until(lambda: not plain.room.state.running and not plain.room.state.waiting)
    assert any(message.tool is not None for message in plain.room.state.messages)
    assert await plain.ask("/parts 4") == ["Message 4 has no parts: it is all one."]
