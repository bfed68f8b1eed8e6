"""What waits in chats behind, files that are not taken, and what is declined, over a scripted gateway."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.client.outbox import Outbox
from tui_tapback.client.session import ChatClient
from tui_tapback.domain.errors import InvalidInput, NotSupported
from tui_tapback.domain.messages import Status
from tui_tapback.testing.client import QUICK, counted, running_client, until
from tui_tapback.testing.scripted_gateway import ScriptedGateway
from tui_tapback.wire.errors import Code


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text("remember the milk")
    return path


async def told(client: ChatClient) -> str:
    async with asyncio.timeout(10):
        return (await anext(client.notices())).text


async def begun(client: ChatClient, text: str) -> str:
    """Begin a chat with a message; its id."""
    client.send(text)
    state = await until(client, lambda s: s.session_id is not None and s.messages[-1].row_id is not None)
    return state.session_id or ""


def event(session_id: str, kind: str, **payload: Any) -> dict[str, Any]:
    params = {"type": kind, "session_id": session_id, "payload": payload}
    return {"jsonrpc": "2.0", "method": "event", "params": params}


async def test_what_only_a_desktop_has_is_declined_and_told_once() -> None:
    gateway = ScriptedGateway(hermes=True)
    async with running_client(gateway, new=True) as client:
        await until(client, lambda s: s.connection.gateway == "hermes")
        for number, method in enumerate(("tour", "tour", "preview.read", "preview.act", "what.is.this")):
            gateway.ask(f"srq-{number}", method, {"session_id": "x"})
        heard = [await told(client) for _ in range(3)]
        assert "tour" in heard[0]
        assert "preview" in heard[1]
        assert "does not know" in heard[2]
        assert all("declined" in each for each in heard)
        gateway.ask("srq-9", "window.read", {})
        assert "window" in await told(client), "nothing was told twice before it"


async def test_what_comes_in_a_chat_behind_is_counted_until_it_is_opened() -> None:
    gateway = ScriptedGateway(hermes=True)
    async with running_client(gateway, new=True) as client:
        first = await begun(client, "first chat")
        await client.new_session()
        second = await begun(client, "second chat")
        assert client.state.elsewhere == ()
        runtime = gateway.sessions.sessions[first].runtime_id
        questions = [{"qid": "q0", "question": "Which?", "choices": ["a", "b"]}]
        gateway.ask("srq-1", "clarify", {"session_id": runtime, "questions": questions})
        await until(client, lambda s: [each.questions for each in s.elsewhere] == [1])
        gateway.send_raw(event(runtime, "message.complete", text="done", status="complete"))
        await until(client, lambda s: [each.answered for each in s.elsewhere] == [1])
        assert [each.session_id for each in client.state.elsewhere] == [first]
        await client.open_session(first)
        state = await until(client, lambda s: s.session_id == first and not s.loading)
        assert state.elsewhere == ()
        assert len(state.questions) == 1
        await client.open_session(second)
        state = await until(client, lambda s: s.session_id == second)
        assert [(each.questions, each.answered) for each in state.elsewhere] == [(1, 0)]


async def test_a_file_that_the_gateway_does_not_take_fails_its_message_with_the_reason(notes: Path) -> None:
    gateway = ScriptedGateway(hermes=True)
    gateway.refuse("file.attach", 5028, "the disk is full")
    async with running_client(gateway, new=True) as client:
        await until(client, lambda s: s.connection.gateway == "hermes")
        client.attaching.add(notes)
        with pytest.raises(InvalidInput, match="already"):
            client.attaching.add(notes)
        key = client.send("read this")
        assert client.state.attachments == ()
        state = await until(client, lambda s: s.messages[-1].status is Status.FAILED)
        assert "did not take notes.txt" in state.messages[-1].error
        assert "the disk is full" in state.messages[-1].error
        assert state.messages[-1].attached == ("notes.txt",)
        assert gateway.called("prompt.submit") == []
        assert client.discard(key) == "read this"
        assert [each.name for each in client.state.attachments] == ["notes.txt"]


async def test_a_file_that_is_gone_when_its_message_leaves_is_said(notes: Path) -> None:
    gateway = ScriptedGateway(hermes=True)
    async with running_client(gateway, new=True) as client:
        await until(client, lambda s: s.connection.gateway == "hermes")
        client.attaching.add(notes)
        await asyncio.to_thread(notes.unlink)
        client.send("read this")
        state = await until(client, lambda s: s.messages[-1].status is Status.FAILED)
        assert "There is no file" in state.messages[-1].error


async def test_files_of_a_message_that_waits_survive_the_end_of_the_program(
    notes: Path, tmp_path: Path
) -> None:
    gateway = ScriptedGateway(hermes=True)
    gateway.refuse("file.attach", 5028, "not now")
    for run in range(2):
        client = ChatClient(gateway, policy=QUICK, ids=counted(f"r{run}"), outbox=Outbox(tmp_path, "gateway"))
        await client.start(new=run == 0)
        try:
            await until(client, lambda s: s.connection.gateway == "hermes")
            if run == 0:
                client.attaching.add(notes)
                client.send("read this")
            state = await until(client, lambda s: bool(s.messages) and s.messages[-1].status is Status.FAILED)
            assert state.messages[-1].attached == ("notes.txt",)
        finally:
            await client.close()


async def test_our_own_gateway_has_no_slash_commands_and_says_so() -> None:
    async with running_client(ScriptedGateway(), new=True) as client:
        await until(client, lambda s: s.connection.gateway == "tapback")
        with pytest.raises(NotSupported, match="has no slash commands of its own"):
            await client.commands.catalog()


async def test_our_own_gateway_takes_no_files_and_says_so(notes: Path) -> None:
    async with running_client(ScriptedGateway(), new=True) as client:
        await until(client, lambda s: s.connection.gateway == "tapback")
        with pytest.raises(NotSupported, match="takes no images or files"):
            client.attaching.add(notes)
        with pytest.raises(NotSupported, match="runs nothing behind"):
            await client.work.refresh()
        with pytest.raises(NotSupported, match="one model"):
            await client.models.list()


async def test_a_gateway_too_old_for_a_request_says_so() -> None:
    gateway = ScriptedGateway(hermes=True)
    async with running_client(gateway, new=True) as client:
        await begun(client, "hello")
        gateway.refuse("process.list", Code.UNKNOWN_METHOD, "unknown method")
        with pytest.raises(NotSupported, match="does not know that yet"):
            await client.work.refresh()
