"""The line to a real Hermes gateway breaks, or the gateway dies: everything is there again, once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.client.outbox import Outbox
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import Phase
from tui_tapback.client.transport import url_connector
from tui_tapback.testing.client import QUICK, emojis, message_with, quiet, texts, until, wait_for
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import PATIENCE, attached, turn

pytestmark = [pytest.mark.hermes, pytest.mark.slow]


@pytest.fixture
def mortal() -> Iterator[HermesGateway]:
    with HermesGateway() as gateway:
        yield gateway


async def drop(client: ChatClient) -> None:
    await client._engine.link().close()  # pyright: ignore[reportPrivateUsage]
    await until(client, lambda s: s.connection.phase is not Phase.ONLINE)


# cases B067, B068, B071, B073
async def test_a_drop_in_the_middle_of_an_answer_shows_it_once_and_whole(hermes: HermesGateway) -> None:
    async with attached(hermes) as client:
        await turn(client, "before the drop")
        client.send("[[slow 40 0.1]]")
        await until(client, lambda s: s.messages[-1].text.startswith("w0 w1"), PATIENCE)
        client.set_reaction(client.state.messages[-1].key, "👍")
        await drop(client)
        whole = "".join(f"w{n} " for n in range(40)).strip()
        state = await until(client, lambda s: any(t.strip() == whole for t in texts(s)), PATIENCE)
        state = await quiet(client, PATIENCE)
        assert [t.strip() for t in texts(state)].count(whole) == 1
        async with attached(hermes, state.session_id, "reader") as reader:
            answer = (await quiet(reader)).messages[-1]
        assert (answer.text.strip(), emojis(answer)) == (whole, ["user 👍"])


# case B041
async def test_a_gateway_that_is_killed_comes_back_with_messages_and_tapbacks(mortal: HermesGateway) -> None:
    async with attached(mortal) as client:
        state = await turn(client, 'a joke [[tool react_to_message {"emoji":"😂"}]]')
        client.set_reaction(state.messages[-1].key, "❤️")
        before = await quiet(client)
        mortal.restart(kill=True)
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        state = await quiet(client, PATIENCE)
        assert texts(state) == texts(before)
        assert [emojis(m) for m in state.messages] == [emojis(m) for m in before.messages]
        client.set_reaction(state.messages[0].key, "👍")  # an old row, right after the restart
        state = await quiet(client)
        assert emojis(state.messages[0]) == ["agent 😂", "user 👍"]
        assert not state.messages[0].reaction_error


async def test_what_was_said_while_the_gateway_was_down_goes_out_after_a_crash_of_both(
    mortal: HermesGateway, tmp_path: Path
) -> None:
    connector = url_connector(mortal.url, mortal.token)
    outbox = Outbox(tmp_path, "hermes")
    client = ChatClient(connector, policy=QUICK, outbox=outbox)
    await client.start(new=True)
    await turn(client, "all is well")
    session_id = client.state.session_id
    await drop(client)
    client.send("kept on disk")
    client.set_reaction(message_with(client.state, "all is well").key, "🎉")
    await wait_for(lambda: bool(outbox.written) or not client.state.waiting)
    mortal.restart(kill=True)
    outbox.close()
    await client.close()
    client = ChatClient(connector, policy=QUICK, outbox=Outbox(tmp_path, "hermes"))
    await client.start(session_id=session_id)
    await until(client, lambda s: "echo: kept on disk" in texts(s) and not s.waiting, PATIENCE)
    state = await quiet(client, PATIENCE)
    assert texts(state).count("kept on disk") == 1
    assert emojis(message_with(state, "all is well")) == ["user 🎉"]
    await client.close()
