"""Notifications while nobody looks: answers, tapbacks, questions, failures; one at a time, no secrets."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.message import Message as TextualMessage
from textual.pilot import Pilot

from tui_tapback.app.notifying import GAP, News, Pace, Watcher, Weight, summary
from tui_tapback.app.outside import Outside
from tui_tapback.app.screens.notifying import NotifyingPart
from tui_tapback.client.open_questions import Approval, Clarify, ClarifyItem, Question, SecretAsked
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.client.tapback_memory import TapbackMemory, muted
from tui_tapback.config.settings import NotificationSettings, parse_settings
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.terminal.notification import Kind
from tui_tapback.testing.app import chat_app, told, until
from tui_tapback.testing.chat import MemoryChat, state_of
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.quiet import quiet

AT = 1_760_000_000.0
ASKED = Message(key="m1", role=Role.USER, text="Where shall we eat?", at=AT, row_id=1)
ANSWER = Message(key="m2", role=Role.ASSISTANT, text="At the\nharbour.", at=AT, row_id=2)
FAILED = replace(ANSWER, key="m9", status=Status.FAILED, error="401 for key sk-123")
KITTY = Outside({"TERM": "xterm-kitty"})
Shown = list[tuple[Kind, str, str]]
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@asynccontextmanager
async def watched(chat: MemoryChat, **options: Any) -> AsyncGenerator[tuple[Pilot[Any], Shown]]:
    """The app, and what it wanted to be shown."""
    shown: Shown = []
    wanted: list[TextualMessage] = []

    def note(message: TextualMessage) -> None:
        passing = any(each is message for each in wanted)  # the hook sees it at each widget it passes
        if isinstance(message, NotifyingPart.NotificationWanted) and not passing:
            wanted.append(message)
            shown.append((message.kind, message.title, message.body))

    app = chat_app(chat, outside=options.pop("outside", KITTY), **options)
    async with app.run_test(size=(80, 24), message_hook=note, notifications=True) as pilot:
        await settle(pilot)
        yield pilot, shown


async def look_away(pilot: Pilot[Any]) -> None:
    pilot.app.post_message(events.AppBlur())
    await until(pilot, lambda: not pilot.app.app_focus)


async def come_back(pilot: Pilot[Any]) -> None:
    pilot.app.post_message(events.AppFocus())
    await until(pilot, lambda: pilot.app.app_focus)


def bodies(shown: Shown) -> list[str]:
    return [body for _, _, body in shown]


# when


async def test_an_answer_is_told_when_nobody_looks_and_once_at_its_end() -> None:
    chat = MemoryChat([ASKED], title="Dinner")
    async with watched(chat) as (pilot, shown):
        await look_away(pilot)
        chat.stream("At the ")
        chat.stream("harbour.")
        await quiet(pilot)
        assert shown == []
        chat.finish()
        await until(pilot, lambda: bool(shown))
        await quiet(pilot)
        assert shown == [(Kind.OSC99, "tui_tapback · Dinner", "Agent: At the harbour.")]


async def test_who_looks_is_told_nothing() -> None:
    chat = MemoryChat([ASKED])
    async with watched(chat) as (pilot, shown):
        chat.stream("Yes.")
        chat.finish()
        chat.react_as_agent("m1", "🦄")
        await quiet(pilot)
        await look_away(pilot)
        await quiet(pilot)
        assert shown == [], "what came before one left was seen"
        await come_back(pilot)
        chat.arrive("More.")
        await quiet(pilot)
        assert shown == []


async def test_never_is_never() -> None:
    chat = MemoryChat([ASKED])
    async with watched(chat, notifications=NotificationSettings(when="never")) as (pilot, shown):
        await look_away(pilot)
        chat.arrive("Yes.")
        chat.react_as_agent("m1", "🦄")
        await quiet(pilot)
        assert shown == []


async def test_a_tapback_of_the_agent_is_told_and_none_of_ones_own() -> None:
    chat = MemoryChat([ASKED, ANSWER])
    async with watched(chat) as (pilot, shown):
        await look_away(pilot)
        chat.set_reaction("m2", "👍")
        await quiet(pilot)
        assert shown == []
        chat.react_as_agent("m1", "❤️")
        await until(pilot, lambda: bool(shown))
        assert bodies(shown) == ["Agent loved “Where shall we eat?”."]


async def test_muted_tapbacks_are_not_told_but_answers_are() -> None:
    chat = MemoryChat([ASKED])
    memory = TapbackMemory()
    memory.change(muted(True))
    async with watched(chat, memory=memory) as (pilot, shown):
        await look_away(pilot)
        chat.react_as_agent("m1", "❤️")
        await quiet(pilot)
        assert shown == []
        chat.arrive("Yes.")
        await until(pilot, lambda: bool(shown))
        assert bodies(shown) == ["Agent: Yes."]


async def test_what_comes_at_once_is_one_notification_and_the_next_has_to_wait() -> None:
    chat = MemoryChat([ASKED])
    async with watched(chat) as (pilot, shown):
        await look_away(pilot)
        chat.react_as_agent("m1", "❤️")
        chat.arrive("Yes.")
        await until(pilot, lambda: bool(shown))
        assert bodies(shown) == ["Agent: Yes. (+1 more)"]
        chat.arrive("And more.")
        await quiet(pilot)
        assert bodies(shown) == ["Agent: Yes. (+1 more)"]


async def test_a_tapback_in_mid_turn_is_told_with_the_answer_or_when_none_comes() -> None:
    chat = MemoryChat([ASKED])
    async with watched(chat) as (pilot, shown):
        await look_away(pilot)
        chat.stream("Yes")
        chat.react_as_agent("m1", "❤️")
        await quiet(pilot)
        assert shown == []
        chat.finish()
        await until(pilot, lambda: bool(shown))
        assert bodies(shown) == ["Agent: Yes (+1 more)"]
    chat = MemoryChat([ASKED])
    async with watched(chat) as (pilot, shown):
        await look_away(pilot)
        chat.stream("Yes")
        chat.react_as_agent("m1", "❤️")
        await quiet(pilot)
        chat.finish(Status.INTERRUPTED)
        await until(pilot, lambda: bool(shown))
        assert bodies(shown) == ["Agent loved “Where shall we eat?”."]


async def test_what_had_to_wait_is_not_told_after_one_has_looked() -> None:
    chat = MemoryChat([ASKED])
    async with watched(chat) as (pilot, shown):
        await look_away(pilot)
        chat.stream("Yes")
        chat.react_as_agent("m1", "❤️")  # waits for the end of the turn
        await quiet(pilot)
        await come_back(pilot)
        await quiet(pilot)
        await look_away(pilot)
        chat.finish()
        await until(pilot, lambda: bool(shown))
        assert bodies(shown) == ["Agent: Yes"]


# how


@needs_posix
async def test_a_command_gets_title_and_text_as_its_last_arguments_and_no_shell(tmp_path: Path) -> None:
    out = tmp_path / "told"
    script = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text(repr(sys.argv[2:]), 'utf-8')"
    how = NotificationSettings(how="command", command=(sys.executable, "-c", script, str(out)))
    chat = MemoryChat([ASKED], title="-x $(id)")
    async with watched(chat, notifications=how) as (pilot, shown):
        await look_away(pilot)
        chat.arrive("--help; $(id) `id;\x07")
        await until(pilot, lambda: out.exists() and out.read_text("utf-8").endswith("]"))
        assert out.read_text("utf-8") == repr(["tui_tapback · -x $(id)", "Agent: --help; $(id) `id;␇"])
        assert shown == []
        for worker in list(pilot.app.workers):
            if worker.group == "notifications":
                await worker.wait()  # the command may still be at its end


@needs_posix
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("/nonexistent/notify",), "cannot be started"),
        ((sys.executable, "-c", "raise SystemExit(3)"), "code 3"),
    ],
)
async def test_a_command_that_fails_is_told(command: tuple[str, ...], words: str) -> None:
    chat = MemoryChat([ASKED])
    async with watched(chat, notifications=NotificationSettings(how="command", command=command)) as (
        pilot,
        _,
    ):
        await look_away(pilot)
        chat.arrive("Yes.")
        await told(pilot, words)


async def test_what_is_ordered_wins_over_what_the_terminal_is_known_for() -> None:
    chat = MemoryChat([ASKED])
    async with watched(chat, notifications=NotificationSettings(how="bell")) as (pilot, shown):
        await look_away(pilot)
        chat.arrive("Yes.")
        await until(pilot, lambda: bool(shown))
        assert [kind for kind, _, _ in shown] == [Kind.BELL]


def test_a_command_without_words_is_warned_of_with_its_line() -> None:
    warned: list[str] = []
    text = '[notifications]\nhow = "command"\n'
    assert parse_settings(text, "s.toml", warn=warned.append).notifications.how == "command"
    assert len(warned) == 1 and "line 2" in warned[0] and "no command is set" in warned[0]


# what: the policy without a screen


def test_what_is_there_at_the_first_look_is_no_news() -> None:
    watcher = Watcher()
    assert watcher.look(state_of([])) == ()
    assert watcher.look(state_of([ASKED, ANSWER])) == (), "it was only read late"
    other = replace(ANSWER, key="m7")
    assert watcher.look(state_of([ASKED, other], session_id="s2")) == ()


def test_the_first_answer_of_an_empty_chat_is_news() -> None:
    watcher = Watcher()
    watcher.look(state_of([]))
    watcher.look(state_of([ASKED], running=True))
    assert watcher.look(state_of([ASKED, ANSWER])) == (News(Weight.ANSWER, "Agent: At the harbour."),)
    assert watcher.look(state_of([ASKED, ANSWER])) == ()


def test_paging_is_no_news() -> None:
    watcher = Watcher()
    watcher.look(state_of([ASKED, ANSWER]))
    older = replace(ANSWER, key="m0")
    assert watcher.look(state_of([older, ASKED, ANSWER])) == ()
    far = [replace(ANSWER, key="m20")]
    assert watcher.look(state_of(far, has_newer=True)) == ()
    further = [*far, replace(ANSWER, key="m21")]
    assert watcher.look(state_of(further)) == (), "one has paged to the end"


def test_another_part_of_a_long_chat_is_no_news() -> None:
    other = replace(ANSWER, key="m7")
    watcher = Watcher()
    watcher.look(state_of([ASKED]))
    assert watcher.look(state_of([other])) == (), "nothing that was known is left"
    watcher = Watcher()
    watcher.look(state_of([ASKED]))
    assert watcher.look(state_of([ASKED, ANSWER], has_newer=True)) == ()


def test_a_turn_of_several_messages_is_told_once_at_its_end() -> None:
    watcher = Watcher()
    watcher.look(state_of([ASKED]))
    last = replace(ANSWER, key="m3", text="Done.")
    assert watcher.look(state_of([ASKED, ANSWER], running=True)) == ()
    assert watcher.look(state_of([ASKED, ANSWER, last], running=True)) == ()
    assert watcher.look(state_of([ASKED, ANSWER, last])) == (News(Weight.ANSWER, "Agent: Done."),)


def test_what_came_while_the_link_was_down_is_news() -> None:
    watcher = Watcher()
    watcher.look(state_of([ASKED]))
    assert watcher.look(state_of([ASKED], connection=ConnectionState(Phase.OFFLINE))) == ()
    assert len(watcher.look(state_of([ASKED, ANSWER]))) == 1


def test_a_failure_is_told_without_what_the_provider_said() -> None:
    watcher = Watcher()
    watcher.look(state_of([ASKED]))
    (news,) = watcher.look(state_of([ASKED, FAILED]))
    assert news.weight is Weight.FAILURE and "sk-123" not in news.text and "401" not in news.text
    assert watcher.look(state_of([ASKED, FAILED])) == ()
    (again,) = watcher.look(state_of([replace(ASKED, status=Status.FAILED), FAILED]))
    assert again.weight is Weight.FAILURE, "a message that is known can fail as well"


def test_an_answer_that_was_stopped_is_not_told() -> None:
    watcher = Watcher()
    watcher.look(state_of([ASKED]))
    assert watcher.look(state_of([ASKED, replace(ANSWER, status=Status.INTERRUPTED)])) == ()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            Approval("q", "s1", "curl -H 'Authorization: hunter2'", "hunter2", ("once", "deny")),
            "Agent asks whether it may do something.",
        ),
        (
            SecretAsked("q", "s1", "sudo", "hunter2", "HUNTER2"),
            "Agent asks for something that is typed unseen.",
        ),
        (Clarify("q", "s1", (ClarifyItem("a", "Red or\x07 blue?"),)), "Agent asks: Red or␇ blue?"),
    ],
)
def test_a_question_is_told_once_and_no_secret_of_it(question: Question, text: str) -> None:
    watcher = Watcher()
    watcher.look(state_of([ASKED], running=True))
    (news,) = watcher.look(state_of([ASKED], running=True, questions=(question,)))
    assert news == News(Weight.QUESTION, text) and "hunter2" not in news.text.lower()
    assert watcher.look(state_of([ASKED], running=True, questions=(question,))) == ()


def test_the_pace_holds_back_and_gathers() -> None:
    pace = Pace()
    tapback, question = (
        News(Weight.TAPBACK, "Agent loved it."),
        News(Weight.QUESTION, "Agent asks something."),
    )
    pace.add([tapback])
    assert pace.due(100.0) == "Agent loved it."
    assert pace.due(100.0) is None and pace.wait(100.0) is None
    pace.add([question, tapback])
    assert pace.due(100.0 + GAP - 1) is None and pace.wait(100.0 + GAP - 1) == 1
    assert pace.due(100.0 + GAP) == "Agent asks something. (+1 more)"
    pace.add([tapback])
    pace.drop()
    assert pace.due(1000.0) is None


def test_of_equal_news_the_newest_is_told() -> None:
    first, second = News(Weight.ANSWER, "Agent: one"), News(Weight.ANSWER, "Agent: two")
    assert summary([first, second]) == "Agent: two (+1 more)"
