"""The real gateway process: a model writes to another chat, and the people of this one are asked first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tui_tapback.testing.gateway import GatewayProcess
from tui_tapback.testing.model_server import Answer, Call, ModelServer, said
from tui_tapback.testing.respondent import AskedClient


@pytest.mark.slow
@pytest.mark.parametrize(("choice", "success"), [("once", True), ("deny", False)])
async def test_a_model_writes_to_another_chat_only_when_allowed(
    tmp_path: Path, choice: str, success: bool
) -> None:
    arguments = json.dumps({"action": "send", "target": "loopback:alice", "text": "See you at 8"})
    script = Answer(calls=[Call("send_message", arguments)]), said("That was it.")
    with ModelServer(*script) as server:
        environ = {"OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "m", "TUI_TAPBACK_LOOPBACK": "1"}
        process = await GatewayProcess(tmp_path, environ=environ).start()
        try:
            one, other = AskedClient(await process.client()), AskedClient(await process.client())
            session_id = (await one.client.call("session.create"))["session_id"]
            for client in (one, other):
                await client.client.call("client.capabilities", server_requests=True)
                await client.client.call("session.resume", session_id=session_id)
            await one.client.call("prompt.submit", session_id=session_id, text="tell alice")
            question = await other.question()
            assert question["params"]["command"] == "send_message to loopback:alice"
            await other.answer(question, {"choice": choice})
            assert await one.withdrawn(question) == "resolved"
            result = (await one.client.event("tool.complete"))["payload"]["result"]
            assert json.loads(result)["success"] is success
            assert (await one.client.event("message.complete"))["payload"]["status"] == "complete"
        finally:
            await process.close()
        tools = json.loads(server.chats[0].body)["tools"]
    # The schema names the adapter that is connected.
    assert "loopback" in json.dumps(tools)
