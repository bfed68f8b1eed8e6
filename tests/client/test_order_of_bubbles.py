"""A message stands before its answer, whatever comes first: the reply, the events, or neither."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from tui_tapback.client.reconnect import ReconnectPolicy
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import Phase
from tui_tapback.domain.messages import Role
from tui_tapback.testing.client import running_client, wait_for
from tui_tapback.testing.lagging_network import LaggingNetwork
from tui_tapback.testing.scripted_gateway import ScriptedGateway
from tui_tapback.testing.scripted_turns import ScriptedSession

KINDS = pytest.mark.parametrize("hermes", [False, True], ids=["ours", "hermes"])
AT_ONCE = ReconnectPolicy(
    first=0.0, cap=0.0, stable=0.0, handshake=1e6, call=1e6, ping=1e6, silence=1e9, again=0.0
)
Turn = Callable[[ScriptedGateway, ScriptedSession], None]


def plain(gateway: ScriptedGateway, session: ScriptedSession) -> None:
    gateway.sessions.write(session, "answer ")
    gateway.sessions.write(session, "text")
    gateway.sessions.end(session)


def with_a_tool(gateway: ScriptedGateway, session: ScriptedSession) -> None:
    gateway.sessions.write(session, "answer one")
    gateway.sessions.tool(session, "read_file", "call", {"content": "x"})
    gateway.sessions.write(session, "answer two")
    gateway.sessions.end(session)


def interrupted(gateway: ScriptedGateway, session: ScriptedSession) -> None:
    gateway.sessions.write(session, "answer")
    gateway.sessions.end(session, "interrupted")


def nothing_yet(gateway: ScriptedGateway, session: ScriptedSession) -> None:
    """The agent still thinks."""


TURNS = pytest.mark.parametrize("turn", [plain, with_a_tool, interrupted])


async def breathe(rounds: int = 25) -> None:
    for _ in range(rounds):
        await asyncio.sleep(0)


class Stage:
    """A client behind a network that is moved by hand, with the question asked and not yet acknowledged."""

    def __init__(self, client: ChatClient, gateway: ScriptedGateway, network: LaggingNetwork) -> None:
        self.client = client
        self.gateway = gateway
        self.network = network
        self.key = ""

    @property
    def session(self) -> ScriptedSession:
        (session,) = self.gateway.sessions.sessions.values()
        return session

    async def flush(self, *, check: bool = True) -> None:
        await breathe()
        while await self.network.flush():
            await breathe()
            if check:
                self.check()

    async def ask(self) -> None:
        """Send the question, which reaches the gateway; what comes back stays under way."""
        self.key = self.client.send("question")
        for _ in range(20):
            link = self.network.link
            assert link is not None
            await link.move_request()
            await breathe()
            if self.gateway.called("prompt.submit"):
                return
            link.move_answer()
            await breathe()
        raise AssertionError("the question never left")

    def check(self) -> None:
        """The question stands once, and in front of everything of its turn."""
        messages = self.client.state.messages
        if self.key:
            asked = [i for i, m in enumerate(messages) if m.text == "question"]
            turn = [i for i, m in enumerate(messages) if m.role is Role.TOOL or m.text.startswith("answer")]
            assert len(asked) == 1
            assert messages[asked[0]].key == self.key
            assert all(asked[0] < place for place in turn), [(str(m.role), m.text) for m in messages]
            if not self.gateway.sessions.hermes:  # there nobody tells whose turn it is
                earlier = [i for i, m in enumerate(messages) if m.text.startswith("first")]
                assert all(place < asked[0] for place in earlier), [m.text for m in messages]

    async def move_events(self, limit: int = 1000) -> int:
        """Let events come one by one; returns how many came."""
        moved = 0
        link = self.network.link
        assert link is not None
        while moved < limit and link.move_event():
            moved += 1
            await breathe()
            self.check()
        return moved

    async def move_reply(self) -> None:
        """Let the reply come."""
        assert self.network.link is not None
        self.network.link.move_answer()
        await breathe()
        self.check()

    def lose_event(self) -> None:
        """Drop the next event on the way."""
        assert self.network.link is not None
        self.network.link.lose_event()

    async def end(self) -> None:
        """Everything arrives; then the screen is what the store is."""
        await self.flush()
        await wait_for(lambda: self.client.state.connection.phase is Phase.ONLINE)
        await self.flush()
        self.check()
        shown = [(m.role, m.text) for m in self.client.state.messages if m.role is not Role.TOOL]
        stored = [(r["role"], r["text"]) for r in self.session.rows if r["role"] != "tool"]
        assert shown == stored
        assert not self.client.state.waiting
        assert not self.client.state.running


MOMENTS = pytest.mark.parametrize("moment", range(10))
"""How many events come before the reply, or before the link is cut; a turn has no more than nine."""


@asynccontextmanager
async def asked(*, hermes: bool, turn: Turn, old: bool) -> AsyncGenerator[Stage, None]:
    """The question was carried out and its whole turn has passed; nothing of that has arrived yet."""
    gateway = ScriptedGateway(hermes=hermes)
    gateway.sessions.add(*([("user", "old question"), ("assistant", "old answer")] if old else []))
    network = LaggingNetwork(gateway)
    async with running_client(network, policy=AT_ONCE) as client:
        stage = Stage(client, gateway, network)
        await stage.flush()
        await stage.ask()
        turn(gateway, stage.session)
        await breathe()
        yield stage


@KINDS
@TURNS
@MOMENTS
async def test_the_reply_comes_late(hermes: bool, turn: Turn, moment: int) -> None:
    async with asked(hermes=hermes, turn=turn, old=False) as stage:
        await stage.move_events(moment)
        await stage.move_reply()
        await stage.move_events()
        await stage.end()


@pytest.mark.parametrize("loss", ["the link", "the gateway"])
@KINDS
@TURNS
@MOMENTS
async def test_the_reply_is_lost(hermes: bool, turn: Turn, moment: int, loss: str) -> None:
    async with asked(hermes=hermes, turn=turn, old=True) as stage:
        await stage.move_events(moment)
        if loss == "the link":
            stage.network.cut()
        else:
            stage.gateway.restart()
        await breathe()
        stage.check()
        await stage.end()


@TURNS
@MOMENTS
async def test_an_event_is_lost(turn: Turn, moment: int) -> None:
    async with asked(hermes=False, turn=turn, old=True) as stage:
        await stage.move_events(moment)
        stage.lose_event()
        await stage.move_events()
        await stage.move_reply()
        # Nobody can know of a lost event before the next one shows the gap.
        stage.gateway.sessions.tell(stage.session, "session.info", {"title": "later"})
        await stage.end()


@KINDS
@TURNS
@MOMENTS
async def test_the_question_was_queued_behind_a_turn_of_another_device(
    hermes: bool, turn: Turn, moment: int
) -> None:
    gateway = ScriptedGateway(hermes=hermes)
    session = gateway.sessions.add(("user", "old question"), ("assistant", "old answer"))
    network = LaggingNetwork(gateway)
    async with running_client(network, policy=AT_ONCE) as client:
        stage = Stage(client, gateway, network)
        await stage.flush()
        gateway.sessions.start(session, gateway.sessions.new_row("user", "from elsewhere"))
        gateway.sessions.write(session, "first ")
        await stage.ask()  # the client has not heard of that turn yet
        gateway.sessions.write(session, "reply")
        gateway.sessions.end(session)
        turn(gateway, session)
        await breathe()
        await stage.move_events(moment)
        await stage.move_reply()
        await stage.move_events()
        await stage.end()


@KINDS
@TURNS
async def test_the_link_was_down_while_the_answer_was_written(hermes: bool, turn: Turn) -> None:
    for old in (False, True):
        async with asked(hermes=hermes, turn=nothing_yet, old=old) as stage:
            await stage.move_events(1)
            stage.network.cut()
            await breathe()
            stage.check()
            stage.gateway.sessions.write(stage.session, "answer began ")
            await stage.flush()
            turn(stage.gateway, stage.session)
            await stage.end()


async def test_a_queued_row_of_hermes_is_not_taken_for_the_message_that_it_becomes() -> None:
    """Its id dies when its turn comes, and a reaction to it is lost."""
    gateway = ScriptedGateway(hermes=True)
    session = gateway.sessions.add(("user", "old question"), ("assistant", "old answer"))
    network = LaggingNetwork(gateway)
    async with running_client(network, policy=AT_ONCE) as client:
        stage = Stage(client, gateway, network)
        await stage.flush()
        gateway.rule("prompt.submit", "queue")
        await stage.ask()
        waiting = gateway.sessions.new_row("user", "question")
        session.rows.append(waiting | {"display_metadata": {"_queued_prompt": True}})
        await stage.flush()
        client.set_reaction(stage.key, "👍")
        stage.network.cut()
        await stage.flush()
        assert not gateway.called("message.react")
        session.rows.pop()
        gateway.sessions.start(session, gateway.sessions.new_row("user", "question\n\nand of another"))
        gateway.sessions.write(session, "answer")
        gateway.sessions.end(session)
        await stage.flush(check=False)
        assert [m.key for m in client.state.messages][2] == stage.key
        assert gateway.sessions.reactions(session, session.rows[2]["row_id"]) == [("user", "👍")]
