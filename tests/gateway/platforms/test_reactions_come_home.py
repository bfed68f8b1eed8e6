"""A message goes out to another chat, people there tap back, and its bubble here shows it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tui_tapback.emoji.resolve import resolve
from tui_tapback.gateway.agent.tools import SendMessageTool
from tui_tapback.gateway.platforms.adapter import Capabilities, MessageRef
from tui_tapback.gateway.platforms.bridge import bring_home
from tui_tapback.gateway.platforms.directory import Directory
from tui_tapback.gateway.platforms.loopback import LoopbackAdapter
from tui_tapback.gateway.service.approvals import Approvals
from tui_tapback.gateway.service.elsewhere import Tap
from tui_tapback.gateway.service.ports import ConversationTools, ToolCall, Turn
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.posts import Address
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import Call, Say, ScriptedAgent
from tui_tapback.testing.gateway import GatewayProcess
from tui_tapback.testing.model_server import Answer, ModelServer, said
from tui_tapback.testing.model_server import Call as Calls
from tui_tapback.testing.respondent import AskedClient
from tui_tapback.testing.service import RecordingSink, SteppingClock

ALICE = "alice"


class Post:
    """A gateway whose agent has written "See you at 8" to alice; ``bubble`` is its row here."""

    def __init__(self, path: Path, platform: LoopbackAdapter) -> None:
        self.platform = platform
        self.agent = ScriptedAgent()
        self.store = Store(path)
        self.tools: list[ConversationTools] = []

        def made(tools: ConversationTools) -> ScriptedAgent:
            self.tools.append(tools)
            return self.agent

        self.service = GatewayService(self.store, made, clock=SteppingClock())
        bring_home([platform], self.service.elsewhere)
        self.session_id = self.service.create_session("test").session_id
        self.sink = RecordingSink()
        self.service.attach(self.session_id, self.sink)
        self.bubble = 0

    async def send(self, target: str = f"loopback:{ALICE}") -> None:
        tool = SendMessageTool(self.tools[0], resolve, Directory([self.platform]))
        arguments = json.dumps({"action": "send", "target": target, "text": "See you at 8"})
        Approvals(self.store).record(self.session_id, f"send_message:{target}", "always")

        async def carry_out(turn: Turn) -> str:
            return await tool.execute(turn.session_id, ToolCall("c", "send_message", arguments))

        self.agent.expect(Call("send_message", arguments, result=carry_out), Say("Done."))
        await self.say("write to alice")
        (row,) = [row for row in self.store.messages.all(self.session_id) if row.kind == "posted"]
        self.bubble = row.row_id

    async def say(self, text: str) -> str:
        """Send a message; what the model read."""
        done = len(self.sink.of("message.complete"))
        await self.service.submit(self.session_id, text)
        await self.sink.until(lambda: len(self.sink.of("message.complete")) > done)
        contents = [json.loads(message) for message in self.agent.requests[-1].messages]
        return [message["content"] for message in contents if message["role"] == "user"][-1]

    def ref(self, chat: str = ALICE) -> MessageRef:
        return MessageRef(chat, self.platform.messages(chat)[-1].id)

    async def react(self, person: str, emoji: str) -> None:
        self.platform.react(self.ref(), person, emoji)
        await self.platform.told()

    async def unreact(self, person: str, emoji: str) -> None:
        self.platform.unreact(self.ref(), person, emoji)
        await self.platform.told()

    def shown(self) -> list[tuple[str, str]]:
        row = self.store.messages.fetch(self.bubble)
        return [(entry["author"], entry["emoji"]) for entry in row.metadata.get("reactions", ())]


@pytest.fixture
async def post(tmp_path: Path) -> AsyncIterator[Post]:
    platform = LoopbackAdapter()
    built = Post(tmp_path / "d.db", platform)
    await built.send()
    yield built
    await built.service.close()
    await platform.close()


async def test_a_tapback_there_is_a_badge_here_at_once_and_told_to_the_model_once(post: Post) -> None:
    row = post.store.messages.fetch(post.bubble)
    assert (row.role, row.text, row.sent) == ("assistant", "→ loopback:alice\n\nSee you at 8", None)
    assert post.sink.of("message.reaction") == []
    await post.react("alice", "👍")
    assert post.shown() == [("user", "👍")]
    (event,) = post.sink.of("message.reaction")
    assert (event["row_id"], event["change"]["emoji"]) == (post.bubble, "👍")
    note = '[The user reacted 👍 to your message: "→ loopback:alice See you at 8"]'
    assert await post.say("and?") == f"{note}\n\nand?"
    assert await post.say("further") == "further"
    await post.unreact("alice", "👍")
    assert post.shown() == []
    assert (await post.say("so?")).startswith("[The user took back their 👍 from your message")


async def test_of_several_people_the_newest_is_shown_and_then_the_one_before(post: Post) -> None:
    await post.react("alice", "👍")
    await post.react("bob", "❤️")
    assert post.shown() == [("user", "❤️")]
    await post.react("alice", "😂")  # alice's replaces hers and is the newest
    assert post.shown() == [("user", "😂")]
    await post.unreact("alice", "😂")
    assert post.shown() == [("user", "❤️")]
    await post.unreact("bob", "❤️")
    assert post.shown() == []


async def test_what_was_chosen_here_meanwhile_stays_when_theirs_is_taken_back(post: Post) -> None:
    await post.react("alice", "👍")
    post.service.set_reaction(post.session_id, post.bubble, "🎉")
    await post.unreact("alice", "👍")
    assert post.shown() == [("user", "🎉")]


async def test_it_survives_a_restart_and_the_same_news_twice(tmp_path: Path) -> None:
    platform = LoopbackAdapter()
    first = Post(tmp_path / "d.db", platform)
    await first.send()
    await first.react("alice", "👍")
    await first.service.close()
    again = Post(tmp_path / "d.db", platform)
    again.bubble = first.bubble
    again.service.attach(first.session_id, again.sink)
    address = Address("loopback", ALICE, first.ref().id)
    assert again.service.elsewhere.reacted(Tap(address, "alice", "👍")) is False
    assert again.sink.of("message.reaction") == []
    assert again.service.elsewhere.reacted(Tap(address, "alice", "👍", removed=True)) is True
    assert again.shown() == []
    await again.service.close()
    await platform.close()


async def test_what_cannot_be_shown_is_passed_over(post: Post) -> None:
    address = Address("loopback", ALICE, post.ref().id)
    elsewhere = post.service.elsewhere
    assert elsewhere.reacted(Tap(address, "mallory\x1b[31m", "not an emoji")) is False
    assert elsewhere.reacted(Tap(Address("loopback", ALICE, "99"), "alice", "👍")) is False
    assert post.shown() == []
    post.service.changes.undo(post.session_id)
    assert elsewhere.reacted(Tap(address, "alice", "👍")) is False
    post.service.delete_session(post.session_id)
    assert elsewhere.reacted(Tap(address, "bob", "👍")) is False
    assert post.store.posts.get(address) is not None  # the session may come back


async def test_a_tapback_that_is_faster_than_the_answer_of_its_platform(tmp_path: Path) -> None:
    platform = LoopbackAdapter()
    post = Post(tmp_path / "d.db", platform)
    await post.send("loopback:🎉")  # in that chat somebody taps back before the message is known here
    await platform.told()
    assert post.shown() == [("user", "🎉")]
    await post.service.close()
    await platform.close()


async def test_several_of_one_person_where_the_platform_has_them(tmp_path: Path) -> None:
    platform = LoopbackAdapter(capabilities=Capabilities(several_per_author=True))
    post = Post(tmp_path / "d.db", platform)
    await post.send()
    await post.react("alice", "👍")
    await post.react("alice", "❤️")
    assert post.shown() == [("user", "❤️")]
    await post.unreact("alice", "❤️")
    assert post.shown() == [("user", "👍")]
    await post.service.close()
    await platform.close()


@pytest.mark.slow
async def test_the_whole_way_through_a_real_gateway(tmp_path: Path) -> None:
    arguments = json.dumps({"action": "send", "target": "loopback:👍", "text": "See you at 8"})
    script = Answer(calls=[Calls("send_message", arguments)]), said("That was it."), said("Fine.")
    with ModelServer(*script) as server:
        environ = {"OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "m", "TUI_TAPBACK_LOOPBACK": "1"}
        process = await GatewayProcess(tmp_path, environ=environ).start()
        try:
            one = AskedClient(await process.client())
            session_id = (await one.client.call("session.create"))["session_id"]
            await one.client.call("client.capabilities", server_requests=True)
            await one.client.call("prompt.submit", session_id=session_id, text="write there")
            await one.answer(await one.question(), {"choice": "once"})
            badge = (await one.client.event("message.reaction"))["payload"]
            assert [(r["author"], r["emoji"]) for r in badge["reactions"]] == [("user", "👍")]
            await one.client.event("message.complete")
            await one.client.call("prompt.submit", session_id=session_id, text="and?")
            await one.client.event("message.complete", lambda payload: payload.get("text") == "Fine.")
        finally:
            await process.close()
        messages = json.loads(server.chats[-1].body)["messages"]
    note = '[The user reacted 👍 to your message: "→ loopback:👍 See you at 8"]'
    assert messages[-1]["content"] == f"{note}\n\nand?"
