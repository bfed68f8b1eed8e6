"""The loopback adapter keeps the contract in each of its forms; the directory finds and guards adapters."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from importlib.metadata import EntryPoint

import pytest

from tui_tapback.domain.errors import InvalidInput, NotAnEmoji, PlatformError
from tui_tapback.gateway.platforms.adapter import Capabilities, MessageRef
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.gateway.platforms.found import GROUP, find_adapters
from tui_tapback.gateway.platforms.loopback import MOST_MESSAGES, LoopbackAdapter
from tui_tapback.gateway.platforms.telegram import ALLOWED
from tui_tapback.testing.adapter_contract import AdapterContract


class LoopbackBench:
    chat = "alice"
    first = "👍"
    second = "🎉"

    def __init__(self, capabilities: Capabilities) -> None:
        self.adapter = LoopbackAdapter(capabilities=capabilities)

    def standing(self, message: MessageRef) -> list[str]:
        (found,) = [one for one in self.adapter.messages(message.chat) if one.id == message.id]
        return [emoji for author, emoji in found.reactions if not author]

    async def react(self, message: MessageRef, author: str, emoji: str) -> None:
        self.adapter.react(message, author, emoji, at=5.0)

    async def unreact(self, message: MessageRef, author: str, emoji: str) -> None:
        self.adapter.unreact(message, author, emoji, at=6.0)

    async def told(self) -> None:
        await self.adapter.told()


class TestLoopback(AdapterContract):
    @pytest.fixture(
        params=[
            Capabilities(),
            Capabilities(several_per_author=True),
            Capabilities(allowed=ALLOWED),
            Capabilities(tells_who=False, tells_when=False, tells_removal=False),
            Capabilities(reacts=False),
            Capabilities(takes_back=False),
        ],
        ids=["one", "several", "listed", "taciturn", "mute", "final"],
    )
    async def bench(self, request: pytest.FixtureRequest) -> AsyncIterator[LoopbackBench]:
        built = LoopbackBench(request.param)
        yield built
        await built.adapter.close()


async def test_loopback_keeps_the_newest_messages_only() -> None:
    adapter = LoopbackAdapter()
    for number in range(MOST_MESSAGES + 5):
        await adapter.send("alice", str(number))
    assert [one.text for one in adapter.messages("alice")][:1] == ["5"]
    assert len(adapter.messages("alice")) == MOST_MESSAGES


async def test_a_refused_emoji_is_told_with_what_is_taken() -> None:
    adapter = LoopbackAdapter(capabilities=Capabilities(allowed=frozenset({"👍"})))
    message = await adapter.send("alice", "x")
    with pytest.raises(NotAnEmoji) as refusal:
        await adapter.add_reaction(message, "🎉")
    assert "👍" in refusal.value.sentence()


@pytest.mark.parametrize("target", ["alice", "slack:alice", "loopback", "loopback:", ":alice", "\x1b[2J:x"])
def test_a_wrong_target_is_answered_with_the_right_ones(target: str) -> None:
    directory = Directory([LoopbackAdapter()])
    with pytest.raises(InvalidInput) as refusal:
        directory.resolve(target)
    assert "loopback:<chat>" in refusal.value.sentence()
    assert "\x1b" not in refusal.value.sentence()


def test_a_target_has_one_spelling() -> None:
    assert Directory([LoopbackAdapter()]).resolve(" LoopBack: alice ") == "loopback:alice"
    with pytest.raises(InvalidInput, match="no platform adapter"):
        Directory().resolve("loopback:alice")


class Broken(LoopbackAdapter):
    async def send(self, chat: str, text: str) -> MessageRef:
        if chat == "hang":
            await asyncio.Event().wait()
        raise RuntimeError("planted")

    async def close(self) -> None:
        raise RuntimeError("planted, too")


async def test_an_adapter_that_fails_or_hangs_costs_its_message_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sound = LoopbackAdapter("sound")
    directory = Directory([Broken("broken"), sound], seconds=0.01)
    with pytest.raises(PlatformError, match="failed"):
        await directory.send("broken:alice", "x")
    with pytest.raises(PlatformError, match="may have arrived"):
        await directory.send("broken:hang", "x")
    assert await directory.send("sound:alice", "x") == "1"
    await directory.close()
    assert "did not end in good order" in caplog.text
    with pytest.raises(PlatformError):
        await sound.send("alice", "x")


def test_adapters_of_packages_are_found_and_a_broken_one_is_left_out() -> None:
    warnings: list[str] = []
    points = [
        EntryPoint("good", "tui_tapback.gateway.platforms.loopback:LoopbackAdapter", GROUP),
        EntryPoint("gone", "no_such_package_anywhere:make", GROUP),
        EntryPoint("wrong", "tui_tapback.gateway.platforms.loopback:MOST_MESSAGES", GROUP),
    ]
    found = find_adapters({}, warnings.append, points)
    assert [adapter.name for adapter in found] == ["loopback"]
    assert ["gone" in warnings[0], "wrong" in warnings[1]] == [True, True]
    assert find_adapters({}, warnings.append, []) == []
    assert len(find_adapters({"TUI_TAPBACK_LOOPBACK": "1"}, warnings.append, [])) == 1
