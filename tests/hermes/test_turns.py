"""A turn on a real Hermes gateway, as our user sees it: one bubble a message, true badges and rows."""

from __future__ import annotations

import pytest

from tui_tapback.testing.client import emojis, message_with, quiet, texts
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import attached, turn

pytestmark = [pytest.mark.hermes, pytest.mark.slow]

LAUGH = '[[tool react_to_message {"emoji":"😂"}]]'


async def test_a_message_is_answered_and_both_sides_react(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        state = await turn(client, f"a joke {LAUGH}")
        question, _, answer = state.messages
        assert state.agent_reacts
        assert emojis(question) == ["agent 😂"]
        client.set_reaction(answer.key, "👍")
        state = await quiet(client)
        assert emojis(message_with(state, answer.text)) == ["user 👍"]
        await turn(client, "and now")
        told = [m["content"] for m in hermes.prompts()[-1] if m["role"] == "user"][-1]
        assert told == f'[The user reacted 👍 to your message: "{answer.text}"]\n\nand now'


async def test_what_is_shown_live_is_what_a_second_client_reads(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "[[think about it]] one")
        state = await turn(client, f"two {LAUGH}")
        client.set_reaction(state.messages[0].key, "❤️")
        live = await quiet(client)
        async with attached(hermes, live.session_id, "other") as other:
            read = await quiet(other)
    assert texts(read) == texts(live)
    assert [emojis(m) for m in read.messages] == [emojis(m) for m in live.messages]
    assert [m.row_id for m in read.messages] == [m.row_id for m in live.messages]
    assert [m.reasoning for m in read.messages] == [m.reasoning for m in live.messages]
