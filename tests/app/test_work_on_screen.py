"""What an agent works at, on the screen: edits, helpers, lists to do, tasks, models, files, other chats."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tui_tapback.app.belongings import Belongings
from tui_tapback.app.connections import HERE, Gateway, OnlyOne
from tui_tapback.app.screens.confirm import GUARD
from tui_tapback.app.screens.models import ModelsPanel
from tui_tapback.app.screens.tasks import TasksPanel
from tui_tapback.client.abilities import HERMES
from tui_tapback.client.models import ModelChoice, SettingRow
from tui_tapback.client.open_questions import Approval
from tui_tapback.client.state import Elsewhere, SessionSummary
from tui_tapback.domain.errors import LinkDown
from tui_tapback.domain.messages import Message, Role, ToolActivity
from tui_tapback.domain.work import Attachment, Subagent, Task, Todo, WorkState
from tui_tapback.terminal.profile import ASCII_ONLY
from tui_tapback.testing.app import shows, told, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.working import AttachedFiles, TodoBlock

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
AT = 1_760_000_000.0
DIFF = (
    "--- a/src/oven.py\n+++ b/src/oven.py\n@@ -1,3 +1,4 @@\n def heat():\n-    return 180\n+    return 220\n"
    "+    # as grandmother did\n # end\n--- a/notes.md\n+++ b/notes.md\n@@ -1 +1 @@\n-old\n+new"
)
EDIT = ToolActivity("c1", "patch", "src/oven.py", result="{}", diff=DIFF)
SENT = ToolActivity(
    "c2",
    "delegate_task",
    subagents=(
        Subagent("Look at the sky", WorkState.RUNNING, "s1", "d", tool_count=2, tools=("terminal date",)),
        Subagent("Count the clouds", WorkState.DONE, "s2", "d", seconds=4.2, summary="Seven."),
        Subagent("Ask the \x1b[2Jweather", WorkState.FAILED, "s3", "d", seconds=61.0),
    ),
)
TODOS = (
    Todo("Buy flour", WorkState.DONE),
    Todo("Bake bread", WorkState.RUNNING),
    Todo("Knead", WorkState.OPEN, 1),
    Todo("Eat"),
)
TASKS = (
    Task("process", "p1", "sleep 300", since=AT, detail="one\ntwo", stoppable=True),
    Task("question", "q1", "what time is it", WorkState.DONE, detail="noon"),
)
FILES = (
    Attachment("/x/notes.txt", "notes.txt", 2_000, image=False),
    Attachment("/x/cat.png", "cat.png", 3_200_000, image=True),
)


def working(**changes: Any) -> MemoryChat:
    """On a Hermes gateway; ``changes`` are fields of the state."""
    tools = [
        Message(key=f"t{n}", role=Role.TOOL, text="", at=AT + n, tool=tool)
        for n, tool in enumerate((EDIT, SENT))
    ]
    said = Message(key="u", role=Role.USER, text="Mend it", at=AT, row_id=1, attached=("notes.txt",))
    answer = Message(key="a", role=Role.ASSISTANT, text="Mended.", at=AT + 9, row_id=2)
    chat = MemoryChat([said, *tools, answer], abilities=HERMES)
    chat.put(**changes)
    return chat


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


async def enter(pilot: Pilot[Any], line: str) -> None:
    composer = pilot.app.screen.query_one(Composer)
    composer.focus()
    composer.set_text(line)
    await press(pilot, "enter")


@SIZES
async def test_edits_and_helpers_as_they_look(opened: Opened, size: tuple[int, int], snapshot: Any) -> None:
    async with opened(working(todos=TODOS, tasks=TASKS, attachments=FILES), size) as pilot:
        folded = screen_text(pilot.app)
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "f12", "escape", "G", "space")
        assert line_widths(pilot.app) == {size[0]}
        assert (folded, screen_text(pilot.app)) == snapshot


async def test_a_folded_edit_is_a_count_and_an_unfolded_one_has_signs_without_colour(opened: Opened) -> None:
    async with opened(working(), (100, 40), profile=ASCII_ONLY) as pilot:
        assert "2 files, +3 -2" in screen_text(pilot.app)
        assert "return 220" not in screen_text(pilot.app)
        await press(pilot, "escape", "G", "space")
        await shows(pilot, "- return 180 + return 220 + # as grandmother did # end")
        assert "\x1b" not in screen_text(pilot.app)


async def test_helpers_change_in_place_and_keep_their_lines_folded(opened: Opened) -> None:
    chat = working()
    async with opened(chat, (100, 40)) as pilot:
        await shows(pilot, "● Look at the sky · works · 2 tools")
        assert "terminal date" not in screen_text(pilot.app)
        helpers = (Subagent("Look at the sky", WorkState.DONE, "s1", "d", seconds=7.5), *SENT.subagents[1:])
        done = ToolActivity("c2", "delegate_task", subagents=helpers)
        message = Message(key="t1", role=Role.TOOL, text="", at=AT + 1, tool=done)
        chat.put(messages=tuple(message if m.key == "t1" else m for m in chat.state.messages))
        await shows(pilot, "✓ Look at the sky · done · 7.5 s")
        assert screen_text(pilot.app).count("Look at the sky") == 1


async def test_the_list_to_do_is_one_line_until_it_is_unfolded_and_goes_when_all_is_done(
    opened: Opened,
) -> None:
    chat = working(todos=TODOS, running=True)
    async with opened(chat, (80, 24)) as pilot:
        await shows(pilot, "▸ 1 of 4 done · Bake bread")
        assert "Buy flour" not in screen_text(pilot.app)
        await pilot.click(TodoBlock)
        await shows(pilot, "[x] Buy flour [>] Bake bread [ ] Knead [ ] Eat")
        chat.put(todos=tuple(Todo(each.text, WorkState.DONE) for each in TODOS))
        await shows(pilot, "4 of 4 done")
        chat.finish()
        await quiet(pilot)
        assert not pilot.app.screen.query_one(TodoBlock).display
        await enter(pilot, "/todo")
        await quiet(pilot)


async def test_a_long_list_to_do_is_shown_around_what_is_being_done(opened: Opened) -> None:
    todos = tuple(Todo(f"step {n}", WorkState.RUNNING if n == 30 else WorkState.OPEN) for n in range(60))
    async with opened(working(todos=todos), (80, 40)) as pilot:
        await press(pilot, "f12")
        await shows(pilot, "[>] step 30")
        await shows(pilot, "… 52 more")
        assert "step 3\n" not in screen_text(pilot.app)


@SIZES
async def test_tasks_are_listed_shown_and_stopped(opened: Opened, size: tuple[int, int]) -> None:
    chat = working(tasks=TASKS)
    async with opened(chat, size) as pilot:
        if size[0] > 40:
            await shows(pilot, "1 task runs")
        await press(pilot, "f9")
        assert isinstance(pilot.app.screen, TasksPanel)
        assert line_widths(pilot.app) == {size[0]}
        await shows(pilot, "sleep 300")
        await press(pilot, "enter")
        await shows(pilot, "one")
        await press(pilot, "escape", "x")
        await shows(pilot, "Stop this task?")
        await pilot.pause(GUARD)
        await press(pilot, "y")
        await until(pilot, lambda: "stop p1" in chat.asked)
        await shows(pilot, "It was stopped.")
        await press(pilot, "j", "x")
        await shows(pilot, "That is over already.")


async def test_why_tasks_cannot_be_had_is_said_in_their_list(opened: Opened) -> None:
    chat = working(tasks=TASKS)
    async with opened(chat) as pilot:
        chat.failures["refresh_tasks"] = LinkDown("The link is down.")
        await press(pilot, "f9")
        await shows(pilot, "The link is down.")


async def test_what_ends_behind_the_chat_is_told_once(opened: Opened) -> None:
    chat = working(tasks=(Task("background", "b1", "tidy up"),))
    async with opened(chat) as pilot:
        chat.put(tasks=(Task("background", "b1", "tidy up", WorkState.DONE, detail="Tidy."),))
        await told(pilot, "Done in the background: tidy up.")


async def test_work_goes_on_aside(opened: Opened) -> None:
    chat = working()
    async with opened(chat) as pilot:
        await enter(pilot, "/btw what time is it")
        await told(pilot, "Asked aside")
        await enter(pilot, "/background tidy up")
        await told(pilot, "It goes on in the background")
        assert "question what time is it" in chat.asked
        assert "background tidy up" in chat.asked


MODELS = tuple(
    ModelChoice(f"model-{n}", f"p{n % 2}", f"Provider {n % 2}", current=n == 3, usable=n != 5)
    for n in range(9)
)


async def test_a_model_is_chosen_narrowed_and_agreed_to(opened: Opened) -> None:
    chat = working()
    chat.models.choices = MODELS
    async with opened(chat, (80, 24)) as pilot:
        await enter(pilot, "/model")
        await shows(pilot, "● model-3 Provider 1 answers now")
        assert isinstance(pilot.app.screen, ModelsPanel)
        await press(pilot, "slash", *"model-7", "enter")
        assert "model-6" not in screen_text(pilot.app)
        chat.models.confirm = "It costs a fortune."
        await press(pilot, "enter")
        await shows(pilot, "It costs a fortune.")
        await pilot.pause(GUARD)
        await press(pilot, "y")
        await told(pilot, "model-7 answers this chat from now on.")
        assert chat.state.model == "model-7"
        chat.models.confirm = ""
        await enter(pilot, "/model model-1")
        await until(pilot, lambda: chat.state.model == "model-1")


async def test_the_settings_of_the_gateway_are_shown(opened: Opened) -> None:
    chat = working()
    chat.models.rows = (SettingRow("Agent", "Max Turns", "500"), SettingRow("Agent", "Bad\x1b[2J", "[red]x"))
    async with opened(chat) as pilot:
        await enter(pilot, "/config")
        await shows(pilot, "Max Turns 500")
        await shows(pilot, "[red]x")


async def test_a_gateway_without_these_powers_says_so(opened: Opened, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("x")
    chat = MemoryChat(model="companion")
    async with opened(chat, (160, 30)) as pilot:
        for line, words in (
            ("/tasks", "runs nothing behind a chat"),
            ("/model", "answers with one model"),
            ("/attach", "takes no images or files"),
            ("/btw x", "runs nothing behind a chat"),
        ):
            await enter(pilot, line)
            await told(pilot, words)
        await enter(pilot, f"look at @{file}")
        await told(pilot, "Only the name was sent.")
        assert chat.sent == [f"look at @{file}"]


async def test_files_go_with_a_message_by_name_by_command_and_by_dropping_them(
    opened: Opened, tmp_path: Path
) -> None:
    notes, other, spaced = tmp_path / "notes.txt", tmp_path / "other.txt", tmp_path / "my cat.png"
    for file in (notes, other):
        file.write_text("words")
    spaced.write_bytes(b"\x89PNG\r\n\x1a\n....")
    chat = working()
    async with opened(chat, (100, 30)) as pilot:
        composer = pilot.app.screen.query_one(Composer)
        composer.post_message(events.Paste(f"'{spaced}'"))
        await shows(pilot, "my cat.png image, 1 kB ×")
        assert composer.text == ""
        await enter(pilot, f"/attach {other}")
        await shows(pilot, "other.txt file, 1 kB ×")
        await enter(pilot, f"/attach {tmp_path}/nowhere")
        await told(pilot, "There is no file")
        chips = pilot.app.screen.query_one(AttachedFiles)
        cross = next(x for x in range(100) if screen_text(pilot.app).splitlines()[chips.region.y][x] == "×")
        await pilot.click(AttachedFiles, offset=(cross, 0))
        await until(pilot, lambda: [a.name for a in chat.state.attachments] == ["other.txt"])
        await enter(pilot, f"read @{notes}, please")
        assert chat.state.messages[-1].attached == ("other.txt", "notes.txt")
        assert not chips.display
        await shows(pilot, "▪ other.txt")


async def test_a_file_that_cannot_go_out_keeps_the_message_in_the_composer(
    opened: Opened, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    chat = working()
    async with opened(chat) as pilot:
        await enter(pilot, f"read @{empty}")
        await told(pilot, "is empty.")
        assert chat.sent == []
        assert pilot.app.screen.query_one(Composer).text == f"read @{empty}"


async def test_the_list_of_files_adds_and_removes(opened: Opened, tmp_path: Path) -> None:
    notes = tmp_path / "n.txt"
    notes.write_text("words")
    chat = working()
    async with opened(chat, (100, 30)) as pilot:
        await enter(pilot, "/attach")
        await shows(pilot, "No file goes with the next message yet.")
        await press(pilot, *str(notes), "enter")
        await until(pilot, lambda: len(chat.state.attachments) == 1)
        await press(pilot, "x")
        await until(pilot, lambda: not chat.state.attachments)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=str)
async def test_what_waits_in_other_chats_is_counted_and_told(opened: Opened, size: tuple[int, int]) -> None:
    chat = working()
    async with opened(chat, size) as pilot:
        chat.put(elsewhere=(Elsewhere("s9", "Baking", questions=1), Elsewhere("s8", "", answered=2)))
        await told(pilot, "The agent asks something in “Baking”.")
        await told(pilot, "The answer has come in “another chat”.")
        await shows(pilot, "1 question in another chat")


async def test_the_list_of_sessions_says_what_waits_where(opened: Opened) -> None:
    sessions = [SessionSummary("s9", "Baking"), SessionSummary("s8", "Sewing"), SessionSummary("s7", "Calm")]
    waiting = (Elsewhere("s9", "Baking", questions=2), Elsewhere("s8", "Sewing", answered=1))
    async with opened(MemoryChat(sessions=sessions, elsewhere=waiting), (100, 30)) as pilot:
        await press(pilot, "ctrl+o")
        await shows(pilot, "Baking 2 questions wait")
        await shows(pilot, "Sewing answered")
        calm = next(line for line in screen_text(pilot.app).splitlines() if "Calm" in line)
        assert "wait" not in calm
        assert "answered" not in calm


class Two(OnlyOne):
    """Our own gateway and one called work."""

    known = (Gateway(HERE, ""), Gateway("work", "wss://chat.example/api/ws"))

    def __init__(self) -> None:
        self.work = MemoryChat()

    def open(self, name: str) -> tuple[MemoryChat, Belongings]:
        return self.work, Belongings(name)


async def test_with_several_gateways_a_toast_names_its_own(opened: Opened) -> None:
    here, two = MemoryChat(title="Bread"), Two()
    async with opened(here, (100, 30), connections=two) as pilot:
        here.tell("Only one gateway.")
        await told(pilot, "Only one gateway.")
        assert "this machine: Only" not in screen_text(pilot.app)
        await press(pilot, "f2", "down", "enter")
        await until(pilot, lambda: "start" in two.work.asked)
        here.put(running=True)
        await quiet(pilot)
        here.put(running=False)
        await told(pilot, "this machine: The answer has come in “Bread”.")
        here.put(questions=(Approval("q", "s1", "rm", "", ("once", "deny")),))
        await told(pilot, "this machine: The agent asks something in “Bread”.")
        two.work.tell("The disk is full.")
        await told(pilot, "work: The disk is full.")
