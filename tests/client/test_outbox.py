"""What waits survives the end of the program, however it came, and is delivered once."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.client.drafts import KEPT, Drafts
from tui_tapback.client.outbox import Outbox
from tui_tapback.client.ports import Connector, Transport
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import Phase
from tui_tapback.domain.errors import Busy, GatewayUnreachable
from tui_tapback.domain.messages import Status
from tui_tapback.testing.client import (
    QUICK,
    counted,
    emojis,
    message_with,
    opened,
    quiet,
    texts,
    until,
    wait_for,
)
from tui_tapback.testing.scripted_gateway import Fate, ScriptedGateway

KINDS = pytest.mark.parametrize("hermes", [False, True], ids=["ours", "hermes"])
NOBODY = GatewayUnreachable("No gateway listens there.")


def files(folder: Path, pattern: str = "*.json") -> list[Path]:
    return list(folder.rglob(pattern))


def kept(folder: Path) -> str:
    return "".join(path.read_text() for path in files(folder))


@asynccontextmanager
async def program(
    connect: Connector, folder: Path, name: str, session_id: str | None = None
) -> AsyncGenerator[ChatClient]:
    """A program that is killed at the end of the block: nothing is said goodbye to."""
    outbox = Outbox(folder, "gateway")
    client = ChatClient(
        connect, policy=QUICK, clock=lambda: 2000.0, ids=counted(name), jitter=lambda: 0.0, outbox=outbox
    )
    await client.start(session_id=session_id)
    try:
        yield client
    finally:
        outbox.close()  # as the kernel does when a process dies: nothing can be written any more
        await client.close()


@KINDS
async def test_what_was_said_and_tapped_offline_goes_out_after_a_crash_in_order_and_once(
    hermes: bool, tmp_path: Path
) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("user", "before"), ("assistant", "answer"))
    gateway.sessions.auto_reply = "re: {}"
    async with program(gateway, tmp_path, "a", session.id) as client:
        await opened(client)
        gateway.refusal = NOBODY
        gateway.cut()
        client.set_reaction(message_with(client.state, "answer").key, "👍")
        client.send("first")
        client.set_reaction(client.send("second"), "❤️")
        await wait_for(lambda: "second" in kept(tmp_path) and "❤️" in kept(tmp_path))
    gateway.refusal = None
    async with program(gateway, tmp_path, "b", session.id) as client:
        await until(client, lambda s: len(s.messages) == 6 and not s.running and not s.waiting)
        state = await quiet(client)
        assert texts(state) == ["before", "answer", "first", "re: first", "second", "re: second"]
        assert emojis(message_with(state, "answer")) == ["user 👍"]
        assert emojis(message_with(state, "second")) == ["user ❤️"]
        await wait_for(lambda: kept(tmp_path) == "")
    assert set(gateway.sessions.effects.values()) == {1}


@KINDS
@pytest.mark.parametrize("loss", ["lose answer", "lose call"])
async def test_a_crash_between_sending_and_the_answer_sends_nothing_twice(
    hermes: bool, loss: Fate, tmp_path: Path
) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("user", "same words"), ("assistant", "ok"))
    gateway.sessions.auto_reply = "ok"

    async def once() -> Transport:
        transport = await gateway()
        gateway.refusal = NOBODY
        return transport

    async with program(once, tmp_path, "a", session.id) as client:
        await opened(client)
        gateway.cut()
        client.send("same words")
        await wait_for(lambda: "same words" in kept(tmp_path))
        gateway.rule("prompt.submit", loss)
        gateway.refusal = None
        await wait_for(lambda: bool(gateway.called("prompt.submit")))
        await until(client, lambda s: s.connection.phase is not Phase.ONLINE)
        assert '"uncertain":true' in kept(tmp_path)
    gateway.refusal = None
    async with program(gateway, tmp_path, "b", session.id) as client:
        state = await until(client, lambda s: len(s.messages) == 4 and not s.running and not s.waiting)
    assert texts(state) == ["same words", "ok", "same words", "ok"]
    assert set(gateway.sessions.effects.values()) == {1}


@KINDS
async def test_the_disk_knows_that_a_kept_message_leaves_before_it_does(hermes: bool, tmp_path: Path) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "ok"))
    on_disk: list[str] = []
    carry_out = gateway.sessions.handle

    def watched(method: str, params: Any, attach: Any) -> Any:
        if method == "prompt.submit":
            on_disk.append(kept(tmp_path))
        return carry_out(method, params, attach)

    gateway.sessions.handle = watched
    gateway.refusal = NOBODY
    async with program(gateway, tmp_path, "a", session.id) as client:
        client.send("kept for a while")
        await wait_for(lambda: "kept for a while" in kept(tmp_path))
        assert "uncertain" not in kept(tmp_path)
        gateway.refusal = None
        client.reconnect_now()
        await wait_for(lambda: bool(on_disk))
    assert '"uncertain":true' in on_disk[0]


async def test_a_chat_that_had_not_begun_begins_after_a_crash(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    gateway.sessions.auto_reply = "welcome"
    gateway.refusal = NOBODY
    async with program(gateway, tmp_path, "a") as client:
        client.send("my very first words")
        await wait_for(lambda: "first words" in kept(tmp_path))
    gateway.refusal = None
    async with program(gateway, tmp_path, "b") as client:
        await wait_for(lambda: len(gateway.called("prompt.submit")) == 1)
        await until(client, lambda s: not s.waiting)
        await wait_for(lambda: kept(tmp_path) == "")
    assert len(gateway.sessions.sessions) == 1


@KINDS
async def test_a_kept_tapback_shows_on_its_bubble_as_soon_as_that_is_there(
    hermes: bool, tmp_path: Path
) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("assistant", "hello"))
    gateway.sessions.auto_reply = "written live"
    async with program(gateway, tmp_path, "a", session.id) as client:
        await opened(client)
        client.send("go on")
        live = message_with(await quiet(client), "written live")
        gateway.refusal = NOBODY
        gateway.cut()
        client.set_reaction(live.key, "👍")
        await wait_for(lambda: "👍" in kept(tmp_path))
    gateway.refusal = None
    gateway.rule("message.react" if hermes else "reaction.set", "hold")
    async with program(gateway, tmp_path, "b", session.id) as client:
        state = await until(client, lambda s: not s.loading and len(s.messages) == 3)
        assert emojis(message_with(state, "written live")) == ["user 👍"]
        assert state.waiting == 1
        await wait_for(lambda: bool(gateway.called("message.react" if hermes else "reaction.set")))
        gateway.release()
        await quiet(client)


async def test_what_waits_can_be_changed_and_taken_back(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "hello"))
    gateway.sessions.auto_reply = "ok"
    gateway.refusal = NOBODY
    async with program(gateway, tmp_path, "a", session.id) as client:
        wrong = client.send("a tpyo")
        gone = client.send("never mind")
        client.edit_waiting(wrong, "a typo")
        assert client.discard(gone) == "never mind"
        assert texts(client.state) == ["a typo"]
        await wait_for(lambda: "a typo" in kept(tmp_path) and "never mind" not in kept(tmp_path))
        gateway.refusal = None
        client.reconnect_now()
        await quiet(client)
        assert texts(client.state) == ["hello", "a typo", "ok"]
        with pytest.raises(Busy):
            client.edit_waiting(wrong, "too late")


async def test_a_goodbye_keeps_what_waits_and_says_nothing(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    gateway.refusal = NOBODY
    client = ChatClient(gateway, policy=QUICK, ids=counted("a"), outbox=Outbox(tmp_path, "gateway"))
    await client.start()
    client.send("later")
    await client.close()
    assert [notice async for notice in client.notices()] == []
    assert "later" in kept(tmp_path)


async def test_two_terminals_share_no_message_and_what_the_dead_left_is_taken_once(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "hello"))
    gateway.sessions.auto_reply = "ok"
    gateway.refusal = NOBODY
    async with program(gateway, tmp_path, "a", session.id) as one:
        one.send("from the first")
        await wait_for(lambda: "from the first" in kept(tmp_path))
        async with program(gateway, tmp_path, "b", session.id) as two:
            assert texts(two.state) == [], "the living keep their own"
            two.send("from the second")
            await wait_for(lambda: "from the second" in kept(tmp_path))
    async with program(gateway, tmp_path, "c", session.id) as three:
        assert texts(three.state) == ["from the first", "from the second"]
        assert all(m.status is Status.WAITING for m in three.state.messages)
        assert len(files(tmp_path)) == 1


async def test_a_refused_message_keeps_its_reason(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("assistant", "hello"))
    async with program(gateway, tmp_path, "a", session.id) as client:
        await opened(client)
        gateway.refuse("prompt.submit", 4801, "not like this")
        key = client.send("refused words")
        await until(client, lambda s: any(m.status is Status.FAILED for m in s.messages))
        await wait_for(lambda: "not like this" in kept(tmp_path))
    async with program(gateway, tmp_path, "b", session.id) as client:
        state = await until(client, lambda s: "refused words" in texts(s))
        assert message_with(state, "refused words").error == "not like this"
        assert client.discard(key) == "refused words"
        await wait_for(lambda: kept(tmp_path) == "")


async def test_a_damaged_outbox_is_put_aside_and_said(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    outbox = Outbox(tmp_path, "gateway")
    outbox.open()
    outbox.close()
    (folder,) = (path for path in files(tmp_path, "*") if path.is_dir())
    (folder / "0.json").write_bytes(b'{"version":1,"chats":[{"session')
    async with program(gateway, tmp_path, "a") as client:
        notice = await anext(client.notices())
    assert "could not be read" in notice.text
    assert (folder / "0.damaged").exists()


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_outbox_and_drafts_are_for_their_owner_alone(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts")
    drafts.save("gateway", "s", "secret plans")
    for path in tmp_path.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_draft_is_kept_for_each_session_and_forgotten_when_empty(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.save("home", "../../etc/passwd", "one 👍\ntwo")
    drafts.save("home", None, "new chat")
    drafts.save("work", None, "elsewhere")
    again = Drafts(tmp_path)
    assert again.load("home", "../../etc/passwd") == "one 👍\ntwo"
    assert again.load("home", None) == "new chat"
    assert again.load("work", None) == "elsewhere"
    again.save("home", None, "  \n")
    assert again.load("home", None) == ""
    assert again.load("nowhere", "x") == ""
    assert {path.suffix for path in tmp_path.iterdir()} == {".txt"}


def test_drafts_do_not_grow_without_end(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    for number in range(KEPT + 5):
        drafts.save("home", str(number), "text")
    assert len(list(tmp_path.iterdir())) == KEPT
    assert drafts.load("home", str(KEPT + 4)) == "text"
