"""The contract of platform adapters as tests: inherit ``AdapterContract`` and give it a bench."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol

from tui_tapback.domain.errors import InvalidInput, NotAnEmoji, NotFound, PlatformError, TapbackError
from tui_tapback.gateway.platforms.adapter import Adapter, MessageRef, ReactionNews


class AdapterBench(Protocol):
    """An adapter at work, and the other side of its platform.

    ``first`` and ``second`` are two different emoji that the platform takes. The other side's methods return
    once the platform has it; ``told`` once the adapter's handler has heard everything.
    """

    adapter: Adapter
    chat: str
    first: str
    second: str

    def standing(self, message: MessageRef) -> list[str]:
        """The adapter's own reactions on a message as the platform has them, oldest first."""
        ...

    async def react(self, message: MessageRef, author: str, emoji: str) -> None:
        """A person on the platform reacts."""
        ...

    async def unreact(self, message: MessageRef, author: str, emoji: str) -> None:
        """A person on the platform takes a reaction back."""
        ...

    async def told(self) -> None:
        """Wait for the handler."""
        ...


async def refused(call: Awaitable[object], kind: type[TapbackError]) -> None:
    """Check that ``call`` is refused with ``kind`` and a whole sentence."""
    try:
        await call
    except kind as error:
        if not str(error).endswith((".", "!", "?")):
            raise AssertionError(f"“{error}” is no whole sentence") from error
        return
    raise AssertionError(f"nothing was refused; {kind.__name__} was expected")


class AdapterContract:
    """Inherit, name the class ``Test…`` and offer a fixture ``bench``. Each test has a fresh one."""

    async def test_the_name_fits_into_a_target(self, bench: AdapterBench) -> None:
        """It stands before the colon of ``name:chat``."""
        name = bench.adapter.name
        assert name == name.strip().lower()
        assert name
        assert not set(name) & set(": \n\t")

    async def test_the_allowed_list_holds_what_the_bench_uses(self, bench: AdapterBench) -> None:
        """None stands for all."""
        allowed = bench.adapter.capabilities.allowed
        assert bench.first != bench.second
        assert allowed is None or {bench.first, bench.second} <= allowed

    async def test_two_messages_have_two_ids(self, bench: AdapterBench) -> None:
        """Also with the same text."""
        one = await bench.adapter.send(bench.chat, "hello")
        other = await bench.adapter.send(bench.chat, "hello")
        assert one.chat == other.chat == bench.chat
        assert one != other

    async def test_a_reaction_stands_once_however_often_it_is_added(self, bench: AdapterBench) -> None:
        """Adding is absolute, no toggle."""
        if not bench.adapter.capabilities.reacts:
            return
        message = await bench.adapter.send(bench.chat, "hello")
        for _ in range(3):
            await bench.adapter.add_reaction(message, bench.first)
            assert bench.standing(message) == [bench.first]

    async def test_a_second_emoji_replaces_or_joins_as_the_flag_says(self, bench: AdapterBench) -> None:
        """``several_per_author``."""
        if not bench.adapter.capabilities.reacts:
            return
        message = await bench.adapter.send(bench.chat, "hello")
        await bench.adapter.add_reaction(message, bench.first)
        await bench.adapter.add_reaction(message, bench.second)
        several = bench.adapter.capabilities.several_per_author
        assert bench.standing(message) == ([bench.first, bench.second] if several else [bench.second])

    async def test_taking_back_removes_that_one_only(self, bench: AdapterBench) -> None:
        """And what is not there is no error."""
        flags = bench.adapter.capabilities
        if not (flags.reacts and flags.takes_back):
            return
        message = await bench.adapter.send(bench.chat, "hello")
        await bench.adapter.remove_reaction(message, bench.first)
        await bench.adapter.add_reaction(message, bench.first)
        await bench.adapter.remove_reaction(message, bench.second)
        assert bench.standing(message) == [bench.first]
        await bench.adapter.remove_reaction(message, bench.first)
        await bench.adapter.remove_reaction(message, bench.first)
        assert bench.standing(message) == []

    async def test_messages_keep_their_reactions_apart(self, bench: AdapterBench) -> None:
        """A reaction goes to the message that was named."""
        if not bench.adapter.capabilities.reacts:
            return
        one = await bench.adapter.send(bench.chat, "one")
        other = await bench.adapter.send(bench.chat, "other")
        await bench.adapter.add_reaction(one, bench.first)
        assert (bench.standing(one), bench.standing(other)) == ([bench.first], [])

    async def test_a_message_that_is_not_there_is_refused(self, bench: AdapterBench) -> None:
        """For both calls."""
        nowhere = MessageRef(bench.chat, "no-such-message")
        if bench.adapter.capabilities.reacts:
            await refused(bench.adapter.add_reaction(nowhere, bench.first), NotFound)
            await refused(bench.adapter.remove_reaction(nowhere, bench.first), NotFound)

    async def test_an_emoji_outside_the_list_is_refused_in_full(self, bench: AdapterBench) -> None:
        """Where there is a list."""
        if not bench.adapter.capabilities.reacts:
            return
        allowed = bench.adapter.capabilities.allowed
        if allowed is None:
            return
        message = await bench.adapter.send(bench.chat, "hello")
        await bench.adapter.add_reaction(message, bench.first)
        outside = next(emoji for emoji in ("🪠", "🧻", "🪣") if emoji not in allowed)
        await refused(bench.adapter.add_reaction(message, outside), NotAnEmoji)
        assert bench.standing(message) == [bench.first]

    async def test_what_the_flags_deny_is_refused_and_leaves_it_as_it_was(self, bench: AdapterBench) -> None:
        """``reacts`` and ``takes_back``: for good, so it is no PlatformError, after which one tries again."""
        flags = bench.adapter.capabilities
        message = await bench.adapter.send(bench.chat, "hello")
        if not flags.reacts:
            await refused(bench.adapter.add_reaction(message, bench.first), InvalidInput)
            assert bench.standing(message) == []
        elif not flags.takes_back:
            await bench.adapter.add_reaction(message, bench.first)
            await refused(bench.adapter.remove_reaction(message, bench.first), InvalidInput)
            assert bench.standing(message) == [bench.first]

    async def test_the_handler_hears_the_others_in_order_and_not_ourselves(self, bench: AdapterBench) -> None:
        """With as much about who, when and removal as the flags promise."""
        heard: list[ReactionNews] = []

        async def handler(news: ReactionNews) -> None:
            heard.append(news)

        bench.adapter.set_reaction_handler(handler)
        message = await bench.adapter.send(bench.chat, "hello")
        flags = bench.adapter.capabilities
        if flags.reacts:
            await bench.adapter.add_reaction(message, bench.first)
        await bench.react(message, "alice", bench.first)
        await bench.unreact(message, "alice", bench.first)
        await bench.react(message, "alice", bench.second)
        await bench.told()
        expected = [(bench.first, False), (bench.first, True), (bench.second, False)]
        told = [entry for entry in expected if flags.tells_removal or not entry[1]]
        assert [(news.emoji, news.removed) for news in heard] == told
        assert all(news.message == message for news in heard)
        assert {news.author for news in heard} == ({"alice"} if flags.tells_who else {""})
        assert flags.tells_when or all(news.at is None for news in heard)

    async def test_a_failing_handler_hurts_nothing_and_is_asked_again(self, bench: AdapterBench) -> None:
        """What it raises stays with it."""
        heard: list[str] = []

        async def handler(news: ReactionNews) -> None:
            heard.append(news.emoji)
            raise RuntimeError("planted: this handler always fails")

        bench.adapter.set_reaction_handler(handler)
        message = await bench.adapter.send(bench.chat, "hello")
        await bench.react(message, "alice", bench.first)
        await bench.react(message, "bob", bench.second)
        await bench.told()
        assert heard == [bench.first, bench.second]
        bench.adapter.set_reaction_handler(None)
        await bench.react(message, "carol", bench.first)
        await bench.told()
        assert len(heard) == 2

    async def test_a_closed_adapter_refuses_and_closes_again(self, bench: AdapterBench) -> None:
        """A second ``close`` does nothing."""
        message = await bench.adapter.send(bench.chat, "hello")
        await bench.adapter.close()
        await bench.adapter.close()
        await refused(bench.adapter.send(bench.chat, "late"), PlatformError)
        await refused(bench.adapter.add_reaction(message, bench.first), PlatformError)
