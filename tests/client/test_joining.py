"""Two terminals opened before anything was said end up in one conversation."""

from __future__ import annotations

from pathlib import Path

from tui_tapback.client.transport import unix_connector
from tui_tapback.testing.client import opened, quiet, running_client, texts, until
from tui_tapback.testing.gateway import RunningServer


async def test_who_came_to_an_empty_gateway_joins_what_another_terminal_begins(tmp_path: Path) -> None:
    async with (
        RunningServer(tmp_path) as server,
        running_client(unix_connector(server.path)) as first,
        running_client(unix_connector(server.path), prefix="other") as second,
        running_client(unix_connector(server.path), prefix="third", new=True) as apart,
    ):
        for client in (first, second, apart):
            await opened(client)
        first.send("hello")
        await until(first, lambda s: len(s.messages) >= 2 and not s.running)
        joined = await until(second, lambda s: len(s.messages) >= 2 and not s.running)
        assert texts(joined) == texts(await quiet(first))
        second.send("hello from me")
        await until(first, lambda s: "hello from me" in texts(s))
        assert first.state.session_id == second.state.session_id
        assert len(await first.list_sessions()) == 1
        assert (await quiet(apart)).messages == ()  # who asked for a new session keeps it
