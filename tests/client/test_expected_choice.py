"""A wish that names what it expects never overwrites a newer choice of another device."""

from __future__ import annotations

from pathlib import Path

from tui_tapback.client.transport import unix_connector
from tui_tapback.domain.reactions import Author, ReactionSet
from tui_tapback.testing.client import quiet, running_client, until
from tui_tapback.testing.gateway import RunningServer


async def test_a_newer_choice_of_another_device_stays_and_is_told(tmp_path: Path) -> None:
    async with (
        RunningServer(tmp_path) as server,
        running_client(unix_connector(server.path), new=True) as client,
    ):
        client.send("hello there")
        state = await quiet(client)
        key, session = state.messages[-1].key, state.session_id
        client.set_reaction(key, "👍")
        await quiet(client)
        async with running_client(unix_connector(server.path), session_id=session, prefix="b") as other:
            there = (await quiet(other)).messages[-1]
            other.set_reaction(there.key, "🎉")
            await quiet(other)
        # What this device believes to stand there is gone: its undo must not win.
        await until(client, lambda s: _mine(s.messages[-1].reactions) == "🎉")
        client.set_reaction(key, None, expected="👍")
        state = await until(client, lambda s: bool(s.messages[-1].reaction_error))
        assert _mine(state.messages[-1].reactions) == "🎉"
        client.set_reaction(key, None, expected="🎉")
        state = await quiet(client)
        assert _mine(state.messages[-1].reactions) is None


def _mine(reactions: ReactionSet) -> str | None:
    found = reactions.by(Author.USER)
    return found.emoji if found is not None else None
