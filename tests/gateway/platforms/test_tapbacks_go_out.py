"""The user's tapback on a message that went out stands there too: at once, later, or it says why not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.client.transport import unix_connector
from tui_tapback.domain.errors import NotFound, PlatformError
from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.platforms.adapter import Adapter, Capabilities, MessageRef
from tui_tapback.gateway.platforms.bridge import bring_home
from tui_tapback.gateway.platforms.loopback import LoopbackAdapter
from tui_tapback.gateway.platforms.outgoing import Outgoing
from tui_tapback.gateway.store.posts import Address
from tui_tapback.testing.client import running_client, until, wait_for
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.rows import WirePart

QUICK = (0.01,)


class Moody(LoopbackAdapter):
    """A loopback platform whose calls can fail or stall; ``calls`` are those that came through."""

    def __init__(self, capabilities: Capabilities | None = None) -> None:
        super().__init__(capabilities=capabilities)
        self.calls: list[tuple[str, str]] = []
        self.attempts = 0
        self.fails: Exception | None = None
        self.held: asyncio.Event | None = None

    async def add_reaction(self, message: MessageRef, emoji: str) -> None:
        await self._mood()
        await super().add_reaction(message, emoji)
        self.calls.append(("add", emoji))

    async def remove_reaction(self, message: MessageRef, emoji: str) -> None:
        await self._mood()
        await super().remove_reaction(message, emoji)
        self.calls.append(("remove", emoji))

    async def _mood(self) -> None:
        self.attempts += 1
        if self.held is not None:
            await self.held.wait()
        if self.fails is not None:
            raise self.fails


class Abroad:
    """A service with a message that went out to alice; ``row`` shows it here."""

    def __init__(self, path: Path, platform: Moody) -> None:
        self.platform = platform
        self.bench = ServiceBench(path)
        self.outgoing: Outgoing | None = None

    async def begin(self) -> Abroad:
        self.session_id, self.sink = self.bench.new_session()
        self.ref = await self.platform.send("alice", "See you at 8")
        address = Address("loopback", "alice", self.ref.id)
        self.row = self.bench.service.elsewhere.posted(self.session_id, address, "See you at 8")
        self.connect(self.platform)
        return self

    def connect(self, *adapters: Adapter, seconds: float = 5.0) -> None:
        errands = self.bench.service.elsewhere.errands
        bring_home(adapters, self.bench.service.elsewhere)
        self.outgoing = Outgoing(adapters, errands, seconds=seconds, pauses=QUICK)
        errands.listen(self.outgoing.wake)
        self.outgoing.start()

    async def disconnect(self) -> None:
        assert self.outgoing is not None
        await self.outgoing.close()
        self.bench.service.elsewhere.errands.listen(None)

    async def end(self) -> None:
        await self.disconnect()
        await self.bench.service.close()
        await self.platform.close()

    def tap(self, emoji: str | None, **more: Any) -> None:
        self.bench.service.set_reaction(self.session_id, self.row, emoji, Author.USER, **more)

    def there(self) -> list[tuple[str, str]]:
        (message,) = self.platform.messages("alice")
        return message.reactions

    def complaint(self) -> str:
        rows = {row.row_id: row for row in self.bench.service.history(self.session_id).messages}
        return (rows[self.row].display_metadata or {}).get("reaction_complaint", "")

    async def ours(self, *emoji: str) -> None:
        await wait_for(lambda: [one for author, one in self.there() if not author] == list(emoji))
        await wait_for(lambda: not self.bench.service.elsewhere.errands.due())


@pytest.fixture
async def abroad(tmp_path: Path) -> AsyncIterator[Abroad]:
    built = await Abroad(tmp_path / "d.db", Moody()).begin()
    yield built
    await built.end()


async def test_it_is_set_changed_and_taken_back_there(abroad: Abroad) -> None:
    abroad.tap("👍")
    await abroad.ours("👍")
    abroad.tap("❤️")
    await abroad.ours("❤️")
    abroad.tap("❤️")  # as it is already
    abroad.tap(None)
    await abroad.ours()
    abroad.bench.service.toggle_reaction(abroad.session_id, "🎉", row_id=abroad.row)
    await abroad.ours("🎉")
    assert abroad.platform.calls == [("add", "👍"), ("add", "❤️"), ("remove", "❤️"), ("add", "🎉")]
    assert [event.get("complaint") for event in abroad.sink.of("message.reaction")] == [""] * 4
    assert abroad.complaint() == ""


async def test_one_of_ours_stands_there_also_where_several_could(tmp_path: Path) -> None:
    platform = Moody(Capabilities(several_per_author=True))
    abroad = await Abroad(tmp_path / "d.db", platform).begin()
    abroad.tap("👍")
    await abroad.ours("👍")
    abroad.tap("❤️")
    await abroad.ours("❤️")
    assert platform.calls == [("add", "👍"), ("remove", "👍"), ("add", "❤️")]
    await abroad.end()


async def test_what_people_there_set_is_not_sent_back_to_them(abroad: Abroad) -> None:
    abroad.platform.react(abroad.ref, "alice", "👍")
    await abroad.platform.told()
    abroad.tap("🎉", part=WirePart("p1", "a part"))  # parts stay here
    await abroad.bench.say(abroad.session_id, "a message that never went out")
    (own,) = [r.row_id for r in abroad.bench.service.history(abroad.session_id).messages if r.role == "user"]
    abroad.bench.service.set_reaction(abroad.session_id, own or 0, "👍")
    await asyncio.sleep(0)
    assert abroad.platform.attempts == 0
    abroad.tap("👍")  # the same, chosen here: now it is ours as well
    await abroad.ours("👍")
    assert abroad.there() == [("alice", "👍"), ("", "👍")]


async def test_while_the_adapter_is_down_it_waits_and_says_so(abroad: Abroad) -> None:
    abroad.platform.fails = PlatformError("The service of alice does not answer.")
    abroad.tap("👍")
    await wait_for(lambda: abroad.platform.attempts >= 3)  # it is tried again and again
    assert abroad.complaint() == (
        "Your 👍 has not reached loopback:alice yet; it is tried again. The service of alice does not answer."
    )
    assert len([e for e in abroad.sink.of("message.reaction") if e.get("complaint")]) == 1  # and told once
    abroad.platform.fails = None
    await abroad.ours("👍")
    await wait_for(lambda: abroad.complaint() == "")
    last = abroad.sink.of("message.reaction")[-1]
    assert (last["complaint"], [r["emoji"] for r in last["reactions"]]) == ("", ["👍"])
    assert "change" not in last  # nothing that hooks should hear as a tapback


@pytest.mark.parametrize("failure", [RuntimeError("planted"), OSError("planted"), None])
async def test_an_adapter_that_fails_or_stalls_is_tried_again(
    tmp_path: Path, failure: Exception | None
) -> None:
    abroad = await Abroad(tmp_path / "d.db", Moody()).begin()
    await abroad.disconnect()
    abroad.platform.fails = failure
    abroad.platform.held = asyncio.Event() if failure is None else None
    abroad.connect(abroad.platform, seconds=0.05)
    abroad.tap("👍")
    await wait_for(lambda: "it is tried again" in abroad.complaint())
    abroad.platform.fails = abroad.platform.held = None
    await abroad.ours("👍")
    assert abroad.complaint() == ""
    await abroad.end()


async def test_a_newer_choice_wins_over_one_that_is_under_way(abroad: Abroad) -> None:
    abroad.platform.held = asyncio.Event()
    abroad.tap("👍")
    await wait_for(lambda: abroad.platform.attempts == 1)
    abroad.tap("❤️")
    abroad.tap("😂")
    abroad.platform.held.set()
    await abroad.ours("😂")
    assert abroad.platform.calls == [("add", "👍"), ("add", "😂")]


async def test_a_refusal_of_what_was_chosen_before_says_nothing_of_the_newer_choice(abroad: Abroad) -> None:
    abroad.platform.held = asyncio.Event()
    abroad.platform.fails = NotFound("That message is gone.")
    abroad.tap("👍")
    await wait_for(lambda: abroad.platform.attempts == 1)
    abroad.tap("❤️")
    held, abroad.platform.held = abroad.platform.held, asyncio.Event()
    held.set()
    await wait_for(lambda: abroad.platform.attempts == 2)
    assert abroad.complaint() == ""
    abroad.platform.fails = None
    abroad.platform.held.set()
    await abroad.ours("❤️")


async def test_a_refusal_stays_shown_and_the_same_again_is_a_new_attempt(abroad: Abroad) -> None:
    abroad.platform.fails = NotFound("That message is gone.")
    abroad.tap("👍")
    await wait_for(lambda: abroad.complaint() != "")
    assert abroad.complaint() == (
        "Your 👍 stands here only: loopback:alice did not take it. That message is gone."
    )
    assert abroad.bench.service.elsewhere.errands.due() == []  # it is not tried again by itself
    row = abroad.bench.store.messages.fetch(abroad.row)
    assert [r["emoji"] for r in row.metadata["reactions"]] == ["👍"]  # the badge here stays as it was chosen
    abroad.platform.fails = None
    abroad.tap("👍")
    await abroad.ours("👍")
    assert abroad.complaint() == ""


@pytest.mark.parametrize(
    ("flags", "calls"),
    [
        (Capabilities(reacts=False), []),
        (Capabilities(allowed=frozenset({"❤️"})), [("add", "❤️"), ("remove", "❤️")]),
    ],
    ids=["reacts", "allowed"],
)
async def test_what_the_flags_rule_out_is_not_even_tried(
    tmp_path: Path, flags: Capabilities, calls: list[tuple[str, str]]
) -> None:
    abroad = await Abroad(tmp_path / "d.db", Moody(flags)).begin()
    abroad.tap("❤️")
    await wait_for(
        lambda: abroad.platform.calls == calls[:1] and not abroad.bench.service.elsewhere.errands.due()
    )
    abroad.tap("👍")
    await wait_for(lambda: "stands here only" in abroad.complaint())
    assert abroad.platform.calls == calls  # what stood there before would be a lie
    assert abroad.there() == []
    await abroad.end()


async def test_what_cannot_be_taken_back_there_says_so(tmp_path: Path) -> None:
    abroad = await Abroad(tmp_path / "d.db", Moody(Capabilities(takes_back=False))).begin()
    abroad.tap("👍")
    await abroad.ours("👍")
    abroad.tap(None)
    await wait_for(
        lambda: abroad.complaint().startswith("Your 👍 could not be taken back in loopback:alice.")
    )
    assert abroad.there() == [("", "👍")]
    await abroad.end()


async def test_it_survives_a_restart_and_goes_out_once_the_adapter_is_there(tmp_path: Path) -> None:
    abroad = await Abroad(tmp_path / "d.db", Moody()).begin()
    await abroad.disconnect()
    abroad.connect()  # no adapter at all
    abroad.tap("👍")
    await wait_for(lambda: "No adapter loopback is connected." in abroad.complaint())
    await abroad.disconnect()
    await abroad.bench.restart()
    assert "No adapter" in abroad.complaint()
    abroad.connect(abroad.platform)
    await abroad.ours("👍")
    assert abroad.complaint() == ""
    assert abroad.platform.calls == [("add", "👍")]
    await abroad.end()


async def test_what_was_undone_or_deleted_here_meanwhile_goes_nowhere(abroad: Abroad) -> None:
    abroad.platform.fails = PlatformError("Not reachable.")
    abroad.tap("👍")
    await wait_for(lambda: abroad.platform.attempts >= 1)
    abroad.bench.service.delete_session(abroad.session_id)
    assert abroad.bench.service.elsewhere.errands.due() == []
    abroad.bench.service.archive.restore(abroad.session_id)
    assert len(abroad.bench.service.elsewhere.errands.due()) == 1


async def test_a_branch_has_the_badge_and_no_errand(abroad: Abroad) -> None:
    abroad.platform.fails = NotFound("That message is gone.")
    await abroad.bench.say(abroad.session_id, "hello")
    abroad.tap("👍")
    await wait_for(lambda: abroad.complaint() != "")
    branch = abroad.bench.service.changes.branch(abroad.session_id)
    (copy,) = [row for row in branch.messages if row.display_kind == "posted"]
    shown = copy.display_metadata or {}
    assert [r["emoji"] for r in shown["reactions"]] == ["👍"]
    assert "reaction_complaint" not in shown
    abroad.bench.service.set_reaction(branch.session_id, copy.row_id or 0, "❤️")
    assert abroad.bench.service.elsewhere.errands.due() == []


async def test_a_client_shows_it_and_its_retry_is_an_attempt(tmp_path: Path) -> None:
    platform = Moody()
    abroad = await Abroad(tmp_path / "d.db", platform).begin()
    platform.fails = NotFound("That message is gone.")
    async with RunningServer(tmp_path, bench=abroad.bench) as running:
        connect = unix_connector(running.path)
        async with running_client(connect, session_id=abroad.session_id) as client:
            state = await until(client, lambda s: len(s.messages) == 1)
            key = state.messages[0].key
            client.set_reaction(key, "👍")
            state = await until(client, lambda s: "stands here only" in s.messages[0].reaction_note)
            assert [r.emoji for r in state.messages[0].reactions] == ["👍"]
            async with running_client(connect, session_id=abroad.session_id, prefix="late") as late:
                await until(late, lambda s: [bool(m.reaction_note) for m in s.messages] == [True])
                platform.fails = None
                late.retry(late.state.messages[0].key)
                await until(late, lambda s: not s.messages[0].reaction_note and not s.waiting)
            await until(client, lambda s: not s.messages[0].reaction_note)
            await abroad.ours("👍")
            assert [m.role for m in client.state.messages] == ["assistant"]  # nothing was said again
        await abroad.disconnect()
    await platform.close()
