"""Pins and muting in plain mode are those of the screen: kept by this machine, for all chats."""

from __future__ import annotations

from pathlib import Path

from tui_tapback.client.tapback_memory import Pin, TapbackMemory, muted, pinned
from tui_tapback.client.transport import unix_connector
from tui_tapback.testing.agents import Say
from tui_tapback.testing.client import until
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.plain import running_plain
from tui_tapback.testing.scripted_gateway import ScriptedGateway


async def test_a_message_is_pinned_found_again_from_another_chat_and_unpinned(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    gateway.sessions.add(("user", "other"), title="Other")
    old = gateway.sessions.add(("user", "hello"), ("assistant", "The code is *1234*."), title="Old")
    async with running_plain(gateway, tmp_path, new=False) as plain:
        await plain.hear("2 messages.", since=0)
        assert await plain.ask("/pins") == ["Nothing is pinned yet. /pin N pins message N."]
        assert await plain.ask("/pin 2") == ["Message 2 is pinned. /pins reads all pins."]
        kept = TapbackMemory(tmp_path / "tapbacks.json").now.pins
        assert [(each.session_id, each.row_id, each.quote) for each in kept] == [
            (old.id, old.rows[1]["row_id"], "The code is 1234.")
        ]
        listed = await plain.ask("/pins")
        assert listed[0] == "1 pinned message:" and listed[1].startswith("1. message 2, ")
        assert "The code is 1234." in listed[1]
        await plain.ask("/new")
        assert "another chat" in (await plain.ask("/pins"))[1]
        await plain.ask("/pins 1")
        await plain.hear("2. Agent")
        assert plain.room.chat.state.session_id == old.id
        assert await plain.ask("/unpin 1") == ["No longer pinned: “The code is 1234.”."]
        assert await plain.ask("/pins") == ["Nothing is pinned yet. /pin N pins message N."]


async def test_what_the_screen_has_pinned_meanwhile_is_there(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("user", "hello"), ("assistant", "Hi."))
    async with running_plain(gateway, tmp_path, new=False) as plain:
        await plain.hear("2 messages.", since=0)
        screen = TapbackMemory(tmp_path / "tapbacks.json")
        screen.change(pinned(Pin(session.id, session.rows[0]["row_id"], "hello", 1.0)))
        assert screen.save() == ""
        assert (await plain.ask("/pins"))[1].startswith("1. message 1, ")


async def test_pins_that_are_none_are_answered_in_a_sentence(tmp_path: Path) -> None:
    async with (
        RunningServer(tmp_path) as server,
        running_plain(unix_connector(server.path), tmp_path) as plain,
    ):
        server.bench.agent.expect(Say("Hi."))
        await plain.ask("hello")
        await plain.hear("Hi.")
        assert "Which message?" in (await plain.ask("/pin x"))[0]
        assert "no message 99" in (await plain.ask("/pin 99"))[0]
        assert "Which pin?" in (await plain.ask("/unpin"))[0]
        assert "Which pin?" in (await plain.ask("/pins 7"))[0]
        gone = TapbackMemory(tmp_path / "tapbacks.json")
        gone.change(pinned(Pin(plain.room.chat.state.session_id or "", 77, "", 1.0)))
        gone.save()
        assert "a message" in (await plain.ask("/pins"))[1]
        assert "/unpin 1 takes the pin off" in " ".join(await plain.ask("/pins 1"))


async def test_muted_tapbacks_of_the_agent_are_not_told_and_not_made_up_for_later(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("user", "hello"), ("assistant", "Hi."))
    async with running_plain(gateway, tmp_path, new=False) as plain:
        await plain.hear("2 messages.", since=0)
        assert "/unmute undoes it." in (await plain.ask("/mute"))[0]
        assert await plain.ask("/mute") == ["Tapbacks are muted already; /unmute has you told of them again."]
        assert TapbackMemory(tmp_path / "tapbacks.json").now.muted
        assert any("muted" in line for line in await plain.ask("/status"))
        before = len(plain.console.said)
        gateway.sessions.agent_reacts(session, session.rows[0]["row_id"], "🎉")
        await plain.ask("/react heart")
        await plain.hear("You loved message 2")
        await plain.until(lambda: plain.room.announcer.due is None)
        assert await plain.ask("/unmute") == ["Tapbacks are counted and told again."]
        assert await plain.ask("/unmute") == ["Tapbacks are not muted."]
        assert "party popper" not in " ".join(plain.console.said[before:])
        gateway.sessions.agent_reacts(session, session.rows[0]["row_id"], "👍")
        await plain.hear("Agent liked message 1")


async def test_what_was_muted_on_the_screen_is_muted_from_the_beginning(tmp_path: Path) -> None:
    screen = TapbackMemory(tmp_path / "tapbacks.json")
    screen.change(muted(True))
    screen.save()
    async with running_plain(ScriptedGateway(), tmp_path) as plain:
        assert "Tapbacks are muted" in plain.console.said[1]
        assert any("muted" in line for line in await plain.ask("/status"))


async def test_where_the_model_hears_of_none_that_is_said_once_with_the_way_out(
    tmp_path: Path,
) -> None:
    async with (
        RunningServer(tmp_path) as server,
        running_plain(unix_connector(server.path), tmp_path) as plain,
    ):
        server.bench.agent.expect(Say("Hi."))
        await plain.ask("hello")
        await plain.hear("Hi.")
        assert await plain.ask("/enable tapbacks") == ["The model hears of your tapbacks here already."]
        assert "one word" in (await plain.ask("/enable everything"))[0]
        server.bench.service.config_set("display.message_reactions", False)
        await until(plain.room.chat, lambda state: state.reactions_offered)
        assert any("/enable tapbacks" in line for line in await plain.ask("/react heart"))
        assert not any("/enable tapbacks" in line for line in await plain.ask("/react tada"))
        assert (await plain.ask("/enable tapbacks"))[0].startswith("Tapbacks are on")
        await until(plain.room.chat, lambda state: not state.reactions_offered)
