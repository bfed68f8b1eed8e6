"""What a client knows of the chat that a branch was made from, over the real gateway."""

from __future__ import annotations

from pathlib import Path

from tui_tapback.client.transport import unix_connector
from tui_tapback.testing.client import running_client, until
from tui_tapback.testing.gateway import RunningServer


async def test_a_branch_says_of_which_chat_it_is_one(tmp_path: Path) -> None:
    async with RunningServer(tmp_path) as running, running_client(unix_connector(running.path)) as client:
        client.send("hello")
        state = await until(client, lambda s: not s.running and len(s.messages) == 2 and not s.waiting)
        parent = state.session_id
        assert state.branch_of is None
        branch = await client.turns.branch("Another way")
        state = await until(client, lambda s: s.session_id == branch and not s.loading)
        assert state.branch_of == "hello"
        assert parent is not None
        running.bench.service.title(parent, "Plans\u202e")
        rows = {row.id: row.branch_of for row in await client.sessions.list()}
        assert rows == {parent: None, branch: "Plans"}
