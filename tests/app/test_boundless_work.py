"""A gateway that tells of more work than anybody has: shown in part, and the screen never stands still."""

from __future__ import annotations

from typing import Any

from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import Phase
from tui_tapback.client.work_facts import KEPT_MOST
from tui_tapback.testing.app import chat_app, until
from tui_tapback.testing.screen import screen_text
from tui_tapback.testing.scripted_gateway import ScriptedGateway

UNENDED = "\x9d7;\u202e\x1b[2J"
"""Begins what a terminal would wait for the end of."""


async def test_lists_differences_and_helpers_without_end_are_shown_in_part() -> None:
    gateway = ScriptedGateway(hermes=True)
    session = gateway.sessions.add(("user", "hi"), ("assistant", "hello"))
    chat = ChatClient(gateway)

    def tell(kind: str, **payload: Any) -> None:
        gateway.sessions.tell(session, kind, payload)

    async with chat_app(chat, session_id=None).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: len(chat.state.messages) == 2)
        tell("message.start")
        items = [{"id": str(n), "content": UNENDED * 20, "parent": str(n - 1)} for n in range(20_000)]
        tell("todo.updated", todos=items, revision=1)
        tell("tool.start", tool_id="c", name=f"patch{UNENDED}", context="a" * 5_000_000)
        tell("tool.complete", tool_id="c", name="patch", inline_diff=f"@@ -1 +1 @@\n+x{UNENDED}" * 200_000)
        goals = [{"goal": f"g{n}"} for n in range(20_000)]
        tell("tool.start", tool_id="c", name="delegate_task", args={"tasks": goals})
        for n in range(2 * KEPT_MOST):
            tell("subagent.start", goal=f"g{n}", subagent_id=f"s{n % 300}", depth=10**9, tool_count=10**12)
        for elsewhere in ("nowhere", "", None, 5):
            params = {"type": "message.delta", "session_id": elsewhere, "payload": {"text": "X"}, "seq": 1}
            gateway.send_raw({"jsonrpc": "2.0", "method": "event", "params": params})
        tell("message.delta", text=UNENDED * 100_000)
        tell("message.complete", text="over", status="complete", persisted_turn={"row_ids": [1, 2, 1]})
        await until(pilot, lambda: not chat.state.running)
        assert len(chat.state.tasks) <= KEPT_MOST
        for keys in (("f12",), ("escape", "G", "space"), ("f9",), ("escape", "f1")):
            await pilot.press(*keys)
            await pilot.pause()
            assert not set(screen_text(pilot.app)) & {"\x1b", "\x9d", "\u202e"}
        assert chat.state.connection.phase is Phase.ONLINE
        assert [m.text for m in chat.state.messages][:2] == ["hi", "hello"]
