"""Plain mode where the gateway is a Hermes one, is lost, or is another than at the beginning."""

from __future__ import annotations

from pathlib import Path

from tui_tapback.domain.errors import LinkDown
from tui_tapback.testing.plain import OneGateway, running_plain
from tui_tapback.testing.scripted_gateway import ScriptedGateway


async def test_on_a_hermes_gateway_what_it_lacks_is_said(tmp_path: Path) -> None:
    gateway = ScriptedGateway(hermes=True)
    session = gateway.sessions.add(("user", "hello"), ("assistant", "Hi there."), title="Old")
    async with running_plain(gateway, tmp_path, new=False) as plain:
        await plain.hear("2 messages.", since=0)
        await plain.ask("/react thumbs up")
        await plain.hear("You liked message 2, “Hi there.”.")
        assert gateway.sessions.reactions(session, 2) == [("user", "👍")]
        await plain.ask("/unreact")
        await plain.hear("You took back thumbs up 👍")
        assert gateway.sessions.reactions(session, 2) == []
        found = await plain.ask("/find hello")
        assert found[0] == "This gateway cannot search in all chats; in this one:"
        assert found[1].startswith("1. You")
        assert await plain.ask("/withhold 2") == ["This gateway cannot keep a tapback from the model."]


async def test_what_is_said_without_a_link_waits_and_is_told_of(tmp_path: Path) -> None:
    gateway = ScriptedGateway()
    session = gateway.sessions.add(("user", "hello"), ("assistant", "Hi there."))
    async with running_plain(gateway, tmp_path, new=False) as plain:
        await plain.hear("2 messages.", since=0)
        gateway.refusal = LinkDown("Nobody listens there.")
        gateway.cut()
        await plain.hear("The connection was lost; trying again.")
        await plain.ask("/react heart")
        await plain.hear("1 message or tapback waits to be sent.")
        assert "You loved" not in " ".join(plain.console.said)
        gateway.refusal = None
        plain.type("/reconnect")
        await plain.hear("Connected again.")
        await plain.hear("You loved message 2, “Hi there.”.")
        assert gateway.sessions.reactions(session, 2) == [("user", "❤️")]


async def test_one_goes_to_another_gateway(tmp_path: Path) -> None:
    here, there = ScriptedGateway(), ScriptedGateway()
    here.sessions.add(("user", "here"), title="Near")
    there.sessions.add(("user", "there"), ("assistant", "Far away."), title="Far")
    async with running_plain(here, tmp_path, new=False, gateways=OneGateway(work=there)) as plain:
        assert await plain.ask("/connections") == [
            "this machine, where you are.",
            "work.",
            "/connect NAME goes to another one.",
        ]
        await plain.ask("/connect work")
        await plain.hear("Chat “Far”, 2 messages.", since=0)
        assert await plain.ask("/connect work") == ["You are there already."]
        await plain.ask("/react heart")
        await plain.hear("You loved message 2, “Far away.”.")
