"""Reported faults of clients that lose the thread between what is on screen and the session behind it."""

from __future__ import annotations

import pytest

from tui_tapback.domain.errors import RowNotFound
from tui_tapback.testing.client import emojis, opened, quiet, running_client, until, wait_for
from tui_tapback.testing.scripted_gateway import ScriptedGateway

KINDS = pytest.mark.parametrize("hermes", [False, True], ids=["ours", "hermes"])


@KINDS
# case B064
async def test_a_tapback_while_the_session_is_being_opened_again_waits_for_it(hermes: bool) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    async with running_client(gateway) as client:
        key = (await opened(client)).messages[0].key
        before = len(gateway.called("session.resume"))
        gateway.rule("session.resume", "hold")
        gateway.cut()
        await wait_for(lambda: len(gateway.called("session.resume")) > before)
        client.set_reaction(key, "👍")
        assert emojis(client.state.messages[0]) == ["user 👍"]
        gateway.release()
        state = await quiet(client)
        assert emojis(state.messages[0]) == ["user 👍"]
        assert not state.messages[0].reaction_error
    assert gateway.sessions.reactions(session, 1) == [("user", "👍")]


# case B065
async def test_in_an_empty_chat_there_is_nothing_to_react_to_and_nothing_is_sent() -> None:
    gateway = ScriptedGateway()
    async with running_client(gateway, new=True) as client:
        await until(client, lambda s: not s.loading)
        with pytest.raises(RowNotFound) as refused:
            client.set_reaction("nothing", "👍")
        assert str(refused.value)
        assert client.state.waiting == 0
    assert not gateway.called("reaction.set")
