"""The whole program on a real Hermes gateway: what a person sees and presses, tools, questions and all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.screens.confirm import GUARD as CONFIRM_GUARD
from tui_tapback.app.screens.tasks import TasksPanel
from tui_tapback.client.session import ChatClient
from tui_tapback.client.transport import url_connector
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.work import Task, WorkState
from tui_tapback.testing.app import chat_app, shows, told, until
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import PATIENCE
from tui_tapback.testing.screen import screen_text
from tui_tapback.widgets.asking import QuestionCard
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.transcript import Transcript

pytestmark = [pytest.mark.hermes, pytest.mark.slow]


def call(tool: str, **arguments: Any) -> str:
    """What makes the scripted model call a tool."""
    return f"[[tool {tool} {json.dumps(arguments)}]]"


class Screen:
    """The program, with what a test asks of it."""

    def __init__(self, pilot: Pilot[Any], chat: ChatClient) -> None:
        self.pilot = pilot
        self.chat = chat

    @property
    def text(self) -> str:
        return screen_text(self.pilot.app)

    async def wait(self, holds: Any) -> None:
        await until(self.pilot, holds, seconds=PATIENCE)

    async def type(self, text: str) -> None:
        composer = self.pilot.app.screen.query_one(Composer)
        composer.focus()
        composer.set_text(text)
        await self.pilot.press("enter")

    async def say(self, text: str) -> None:
        """Send a message and wait until it is answered and everything is read again."""
        rows = self.rows(Role.ASSISTANT)
        await self.type(text)
        await self.wait(lambda: len(self.rows(Role.ASSISTANT)) > len(rows) and self.quiet)

    async def answer(self, key: str) -> None:
        """Answer what is asked by that key, as soon as the card takes keys."""
        card = self.pilot.app.screen.query_one(QuestionCard)
        await self.wait(lambda: card.asking is not None)
        await self.pilot.press("alt+a")
        await self.wait(lambda: card.has_focus)
        async with asyncio.timeout(PATIENCE):
            while card.asking is not None:  # it takes no key in its first moment, on purpose
                await self.pilot.press(key)
                await self.pilot.pause(0.1)

    @property
    def quiet(self) -> bool:
        state = self.chat.state
        newest = [m for m in state.messages if m.role is not Role.TOOL][-1:]
        return not state.running and not state.waiting and all(m.row_id is not None for m in newest)

    def rows(self, role: Role) -> Sequence[Message]:
        return [m for m in self.chat.state.messages if m.role is role]


@asynccontextmanager
async def on_screen(
    gateway: HermesGateway, size: tuple[int, int] = (100, 40), session_id: str | None = None
) -> AsyncGenerator[Screen]:
    chat = ChatClient(url_connector(gateway.url, gateway.token))
    app = chat_app(chat, session_id=session_id)
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = Screen(pilot, chat)
        await screen.wait(lambda: chat.state.connection.gateway == "hermes" and not chat.state.loading)
        if session_id is None:
            await pilot.press("ctrl+n")
            await screen.wait(lambda: chat.state.session_id is None and not chat.state.messages)
        yield screen


async def test_an_approval_is_answered_by_its_key(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as screen:
        await screen.say("careful now")
        await screen.type(call("terminal", command="rm -rf /tmp/tapback-nothing-here"))
        await screen.answer("d")
        await screen.wait(lambda: screen.quiet)
        assert not screen.chat.state.questions


async def test_a_question_with_choices_is_answered_by_its_digit(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as screen:
        await screen.say("you may ask")
        questions = [{"question": "Which one?", "choices": ["red", "blue"]}]
        await screen.type(call("clarify", questions=questions))
        await screen.answer("2")
        await screen.wait(lambda: screen.quiet)
        assert "blue" in str(hermes.prompts()[-1])


async def test_a_tapback_and_taking_back_several_turns(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as screen:
        for words in ("one", "two", "three"):
            await screen.say(words)
        await screen.pilot.press("escape", "G", "1")
        await screen.wait(lambda: not screen.chat.state.waiting)
        (reaction,) = screen.rows(Role.ASSISTANT)[-1].reactions
        assert reaction.emoji == "❤️"
        for left in (2, 1):
            await screen.type("/undo")
            await screen.wait(lambda left=left: len(screen.rows(Role.USER)) == left and screen.quiet)
        assert "echo: one" in screen.text
        assert "echo: three" not in screen.text


async def test_words_are_slipped_into_a_running_turn(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as screen:
        await screen.say("before")
        await screen.type("[[slow 40 0.1]]")
        await screen.wait(lambda: "w0 w1" in screen.text)
        await screen.type("/redirect say it in brief")
        await screen.wait(lambda: "say it in brief" in screen.text and screen.quiet)


async def test_steered_words_reach_the_model_after_the_tool_of_the_running_turn(
    hermes: HermesGateway,
) -> None:
    async with on_screen(hermes) as screen:

        def words() -> list[str]:
            return [m.text for m in screen.rows(Role.USER)][2:]

        await screen.say("before steering")
        await screen.type(call("terminal", command="sleep 4; echo the-tool-is-done"))
        await screen.wait(lambda: screen.chat.state.running and bool(screen.rows(Role.TOOL)))
        await screen.type("/steer rather turn left")
        await told(screen.pilot, "The agent will read that after its next tool.")
        await shows(screen.pilot, "› rather turn left")
        await screen.wait(lambda: screen.quiet and words() == ["rather turn left"])
        assert all(m.row_id is not None for m in screen.rows(Role.USER))
        assert len(screen.rows(Role.ASSISTANT)) == 2, "it begins no turn of its own"
        assert not screen.rows(Role.SYSTEM), "the row stands for it now"
        told_the_model = [m for m in hermes.prompts()[-1] if "rather turn left" in str(m.get("content"))]
        assert len(told_the_model) == 1
        session_id = screen.chat.state.session_id
        before = [(m.role, m.text) for m in screen.chat.state.messages if m.role is not Role.TOOL]
    async with on_screen(hermes, session_id=session_id) as later:
        await later.wait(lambda: "rather turn left" in later.text)
        after = [(m.role, m.text) for m in later.chat.state.messages if m.role is not Role.TOOL]
        assert after == before


async def test_nothing_is_steered_where_no_turn_runs(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as screen:
        await screen.say("all quiet")
        await screen.type("/steer left")
        await shows(screen.pilot, "nothing to steer")
        assert [m.text for m in screen.rows(Role.USER)] == ["all quiet"]


async def test_an_edit_is_a_count_and_unfolded_its_lines(hermes: HermesGateway, tmp_path: Path) -> None:
    path = str(tmp_path / "poem.txt")
    async with on_screen(hermes) as screen:
        await screen.say(call("write_file", path=path, content="roses\nviolets\n"))
        await screen.say(call("patch", mode="replace", path=path, old_string="violets", new_string="tulips"))
        assert "1 file, +2 -0" in screen.text
        assert "1 file, +1 -1" in screen.text
        assert "- violets" not in screen.text
        await screen.pilot.press("escape", "G", "space")
        await shows(screen.pilot, "- violets + tulips")
        assert "review_header" not in screen.text
        before = screen.text
        session_id = screen.chat.state.session_id
    async with on_screen(hermes, session_id=session_id) as later:
        await later.wait(lambda: "1 file, +1 -1" in later.text)
        transcript = later.pilot.app.screen.query_one(Transcript)
        transcript.focus()
        await later.pilot.press("G", "space")
        await shows(later.pilot, "- violets + tulips")
    assert "tulips" in before


async def test_the_list_to_do_changes_in_place_and_is_there_after_a_restart_of_the_program(
    hermes: HermesGateway,
) -> None:
    def todo(*states: str) -> str:
        items = [{"id": str(n), "content": f"Step {n}", "status": s} for n, s in enumerate(states, 1)]
        return call("tool_call", name="todo_list", arguments={"todos": items})

    async with on_screen(hermes) as screen:
        await screen.say(todo("in_progress", "pending", "pending"))
        await screen.wait(lambda: "0 of 3 done · Step 1" in screen.text)
        await screen.say(todo("completed", "in_progress", "pending"))
        await screen.wait(lambda: "1 of 3 done · Step 2" in screen.text)
        await screen.pilot.press("f12")
        await shows(screen.pilot, "[x] Step 1 [>] Step 2 [ ] Step 3")
        session_id = screen.chat.state.session_id
    async with on_screen(hermes, session_id=session_id) as later:
        await later.wait(lambda: "1 of 3 done · Step 2" in later.text)


async def test_helpers_stand_under_the_call_that_sent_them_off(hermes: HermesGateway) -> None:
    goals = ["Look at the sky", "[[slow 30 0.1]]"]
    async with on_screen(hermes) as screen:
        await screen.type(call("delegate_task", tasks=[{"goal": goal} for goal in goals]))
        await screen.wait(lambda: "2 helpers" in screen.text and "✓ Look at the sky · done" in screen.text)
        await screen.wait(lambda: "✓ [[slow 30 0.1]] · done" in screen.text)
        await screen.wait(lambda: screen.quiet and not [t for t in screen.chat.state.tasks if t.running])
        session_id = screen.chat.state.session_id
    async with on_screen(hermes, session_id=session_id) as later:
        await later.wait(lambda: "✓ Look at the sky · done" in later.text)
        assert "ASYNC DELEGATION" not in later.text, "a report for the model is no words of the person"


async def test_a_command_behind_the_chat_is_counted_listed_and_stopped(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as screen:
        await screen.say(call("terminal", command="sleep 300", background=True))
        await screen.wait(lambda: "1 task runs" in screen.text)
        await screen.pilot.press("f9")
        await shows(screen.pilot, "sleep 300 command · works")
        assert isinstance(screen.pilot.app.screen, TasksPanel)
        await screen.pilot.press("x")
        await shows(screen.pilot, "Stop this task?")
        await screen.pilot.pause(CONFIRM_GUARD)
        await screen.pilot.press("y")
        await screen.wait(lambda: "It was stopped." in screen.text)
        await screen.wait(lambda: not [t for t in screen.chat.state.tasks if t.running])
        assert [t.state for t in screen.chat.state.tasks] in ([], [WorkState.STOPPED])


async def test_a_question_aside_is_answered_beside_the_chat(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as screen:
        await screen.say("the main thing")
        messages = screen.chat.state.messages
        await screen.type("/btw what time is it")
        await screen.wait(lambda: "Aside: " in screen.text)
        (task,) = screen.chat.state.tasks
        assert (task.kind, task.title, task.state) == ("question", "what time is it", WorkState.DONE)
        assert isinstance(task, Task)
        assert len(screen.chat.state.messages) == len(messages)


async def test_the_model_is_chosen_from_the_list_and_the_settings_are_shown(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as screen:
        await screen.say("which model")
        await screen.type("/model")
        await shows(screen.pilot, "directed-model Custom endpoint answers now")
        await screen.pilot.press("escape")
        await screen.type("/config")
        await screen.wait(lambda: "Max Turns" in screen.text)
        await screen.pilot.press("escape")


async def test_an_image_and_a_file_go_with_a_message_and_are_named_in_its_bubble(
    hermes: HermesGateway, tmp_path: Path
) -> None:
    notes, picture, svg = tmp_path / "notes.txt", tmp_path / "dot.png", tmp_path / "large.bin"
    notes.write_text("remember the milk")
    picture.write_bytes(PNG)
    with svg.open("wb") as file:
        file.truncate(30 * 1024 * 1024)
        file.write(b"x")
    async with on_screen(hermes) as screen:
        await screen.say("before the files")
        await screen.type(f"/attach {svg}")
        await told(screen.pilot, "is too large")
        await screen.type(f"/attach {picture}")
        await screen.wait(lambda: "dot.png image" in screen.text)
        await screen.say(f"read @{notes}")
        assert [a.name for a in screen.chat.state.attachments] == []
        assert screen.rows(Role.USER)[-1].attached == ("dot.png", "notes.txt")
        assert screen.rows(Role.USER)[-1].text == f"read @{notes}"
        assert "▪ notes.txt" in screen.text
        assert "▪ dot.png" in screen.text
        assert "remember the milk" in str(hermes.prompts()[-1])
        assert "remember the milk" not in screen.text
        session_id = screen.chat.state.session_id
    async with on_screen(hermes, session_id=session_id) as later:
        await later.wait(lambda: "▪ notes.txt" in later.text)
        assert "remember the milk" not in later.text


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6364f8cf500f"
    "0003860180 5a347d6b0000000049454e44ae426082".replace(" ", "")
)


async def test_a_chat_in_which_the_agent_waits_is_marked_in_the_list(hermes: HermesGateway) -> None:
    async with on_screen(hermes) as asked, on_screen(hermes) as other:
        await asked.say("Zeppelins and other airships")
        await asked.type(call("clarify", questions=[{"question": "Which one?", "choices": ["red", "blue"]}]))
        await asked.wait(lambda: bool(asked.chat.state.questions))
        await other.pilot.press("ctrl+o")
        await other.wait(lambda: "a question waits" in other.text)
        await other.pilot.press("escape")
        await asked.answer("1")
        await asked.wait(lambda: asked.quiet)
