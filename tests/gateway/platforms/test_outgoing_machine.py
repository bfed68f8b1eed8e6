"""Whatever is chosen and whatever fails: in the end there stands what the user chose last."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tui_tapback.domain.errors import PlatformError
from tui_tapback.gateway.platforms.adapter import Capabilities, MessageRef
from tui_tapback.gateway.platforms.bridge import bring_home
from tui_tapback.gateway.platforms.loopback import LoopbackAdapter
from tui_tapback.gateway.platforms.outgoing import Outgoing
from tui_tapback.gateway.store.posts import Address
from tui_tapback.testing.client import wait_for
from tui_tapback.testing.service import ServiceBench

Step = tuple[str, str | None]
EMOJI = st.sampled_from(["👍", "❤️", "😂", None])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("tap"), EMOJI),
        st.tuples(st.just("alice"), EMOJI),
        st.sampled_from([(what, None) for what in ("down", "lossy", "up", "breathe", "restart")]),
    ),
    max_size=14,
)


class Fickle(LoopbackAdapter):
    """Down at times; a call that fails may have been carried out all the same, as over a network."""

    mood = "up"

    async def add_reaction(self, message: MessageRef, emoji: str) -> None:
        self._fail("down", "Not reachable.")
        await super().add_reaction(message, emoji)
        self._fail("lossy", "The answer was lost.")

    async def remove_reaction(self, message: MessageRef, emoji: str) -> None:
        self._fail("down", "Not reachable.")
        await super().remove_reaction(message, emoji)
        self._fail("lossy", "The answer was lost.")

    def _fail(self, mood: str, sentence: str) -> None:
        if self.mood == mood:
            raise PlatformError(sentence)


class Play:
    """One run: the steps, and then the adapter stays up."""

    def __init__(self, folder: Path, *, several: bool) -> None:
        self.bench = ServiceBench(folder / "d.db")
        self.platform = Fickle(capabilities=Capabilities(several_per_author=several))
        self.chosen: str | None = None

    async def run(self, steps: list[Step]) -> None:
        self.session_id, _ = self.bench.new_session()
        self.ref = await self.platform.send("alice", "See you at 8")
        address = Address("loopback", "alice", self.ref.id)
        self.row = self.bench.service.elsewhere.posted(self.session_id, address, "See you at 8")
        self.connect()
        for step in steps:
            await self.step(*step)
        self.platform.mood = "up"
        self.outgoing.wake()
        errands = self.bench.service.elsewhere.errands
        await wait_for(lambda: not errands.due())
        await self.outgoing.close()
        self.check()
        await self.platform.close()
        await self.bench.service.close()

    def connect(self) -> None:
        elsewhere = self.bench.service.elsewhere
        bring_home([self.platform], elsewhere)
        self.outgoing = Outgoing([self.platform], elsewhere.errands, pauses=(0.001,))
        elsewhere.errands.listen(self.outgoing.wake)
        self.outgoing.start()

    async def step(self, what: str, emoji: str | None) -> None:
        match what:
            case "tap":
                self.chosen = emoji
                self.bench.service.set_reaction(self.session_id, self.row, emoji)
            case "alice" if emoji is not None:
                self.platform.react(self.ref, "alice", emoji)
                await self.platform.told()
            case "down" | "lossy" | "up":
                self.platform.mood = what
            case "breathe":
                for _ in range(10):
                    await asyncio.sleep(0)
            case "restart":
                await self.outgoing.close()
                await self.bench.restart()
                self.connect()
            case _:
                pass

    def check(self) -> None:
        (message,) = self.platform.messages("alice")
        ours = [emoji for author, emoji in message.reactions if not author]
        assert ours == ([] if self.chosen is None else [self.chosen])
        (row,) = self.bench.service.history(self.session_id).messages
        assert "reaction_complaint" not in (row.display_metadata or {})


LOST: list[Step] = [("lossy", None), ("tap", "👍"), ("breathe", None)]


@pytest.mark.slow
@example(steps=[*LOST, ("tap", None)], several=False)
@example(steps=[*LOST, ("tap", "❤️")], several=True)
@example(steps=[*LOST, ("restart", None), ("tap", "❤️")], several=True)
@given(steps=STEPS, several=st.booleans())
@settings(max_examples=50, deadline=None)
def test_in_the_end_there_stands_what_was_chosen_last(steps: list[Step], several: bool) -> None:
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # a disk would only slow it down
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        asyncio.run(Play(Path(folder), several=several).run(steps))
