"""``watch``: what it tells of a conversation, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from tui_tapback.cli.watch import Watcher, event_words, say_event
from tui_tapback.client.open_questions import Approval
from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.domain.messages import Role, Status
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.home import Home

Run = Callable[..., subprocess.CompletedProcess[str]]


def watching(chat: MemoryChat, history: int = 0) -> Callable[[], list[dict[str, Any]]]:
    """The news since the last call."""
    watcher = Watcher(history)
    return lambda: [dict(event) for event in watcher.news(chat.state)]


def test_it_begins_with_the_link_the_session_and_the_wanted_history() -> None:
    chat = MemoryChat()
    for text in ("one", "two", "three"):
        chat.arrive(text)
    told = watching(chat, history=2)()
    assert [event["event"] for event in told] == ["connection", "session", "message", "message"]
    assert [event["text"] for event in told[2:]] == ["two", "three"]
    assert [e["event"] for e in watching(chat)()] == ["connection", "session"]


def test_messages_tapbacks_and_what_is_taken_back() -> None:
    chat = MemoryChat()
    news = watching(chat)
    news()
    chat.stream("see you ")
    assert news() == [{"event": "turn", "running": True}], "an answer is told when it is complete"
    key = chat.stream("at 8")
    chat.finish()
    assert [event["event"] for event in news()] == ["message", "turn"]
    chat.react_as_agent(key, "❤️")
    (loved,) = news()
    assert loved["sentence"] == "Agent loved “see you at 8”"
    assert (loved["emoji"], loved["author"], loved["part"]) == ("❤️", "agent", None)
    chat.react_as_agent(key, "👍")
    assert [event["emoji"] for event in news()] == ["👍"], "another emoji in the same place is one event"
    chat.react_as_agent(key, None)
    (gone,) = news()
    assert (gone["event"], gone["sentence"]) == ("tapback_removed", "Agent took back 👍 from “see you at 8”")
    chat.put(messages=())
    assert news() == [{"event": "removed", "row_id": None, "text": "see you at 8"}]
    assert news() == []


def test_a_message_that_was_changed_or_broken_off() -> None:
    chat = MemoryChat()
    news = watching(chat)
    news()
    chat.stream("half")
    chat.finish(Status.INTERRUPTED)
    assert [(e["event"], e["status"]) for e in news()] == [("message", "interrupted")]
    chat.put(messages=tuple(replace(m, text="whole", status=Status.STORED) for m in chat.state.messages))
    (changed,) = news()
    assert (changed["event"], changed["text"]) == ("changed", "whole")


def test_old_rows_that_are_read_later_are_no_news() -> None:
    chat = MemoryChat(has_older=True)
    chat.arrive("newest", at=100.0)
    news = watching(chat)
    news()
    (newest,) = chat.state.messages
    chat.put(messages=(replace(newest, key="old", text="older", at=50.0), newest))
    assert news() == []
    chat.put(messages=(newest,))
    assert news() == [], "what the client lets go is not taken out of the chat"


def test_a_lost_link_is_told_and_what_it_shows_meanwhile_is_not_compared() -> None:
    chat = MemoryChat()
    chat.arrive("hello")
    news = watching(chat)
    news()
    online, messages = chat.state.connection, chat.state.messages
    chat.put(connection=ConnectionState(Phase.RECONNECTING), messages=())
    assert [event["phase"] for event in news()] == ["reconnecting"]
    chat.put(connection=online, loading=True)
    assert [event["phase"] for event in news()] == ["online"]
    chat.put(loading=False, messages=messages)
    assert news() == []


def test_questions_come_and_go() -> None:
    chat = MemoryChat()
    news = watching(chat)
    news()
    chat.put(questions=(Approval("q1", "s1", "make", "Run a command", ("once", "deny")),))
    assert news() == [
        {"event": "question", "id": "q1", "kind": "approval", "sentence": "Run a command: make"}
    ]
    chat.put(questions=())
    assert news() == [{"event": "question_closed", "id": "q1"}]


def test_lines_for_people_are_clean(capsys: pytest.CaptureFixture[str]) -> None:
    chat = MemoryChat()
    news = watching(chat)
    news()
    chat.arrive("one\n\x1b[2Jtwo\r", Role.USER)
    for event in news():
        say_event(event)
    first, second = capsys.readouterr().out.splitlines()
    assert first[5:] == "  You: one"
    assert second == "       ␛[2Jtwo␍"
    assert event_words({"event": "turn", "running": True}) == ""
    assert event_words({"event": "connection", "phase": "online", "detail": ""}) == "Connected."


@contextmanager
def started(home: Home, *arguments: str) -> Generator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tui_tapback.cli.main", "watch", *arguments],
        env=home.env | {"PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until(process: subprocess.Popen[str], event: str) -> dict[str, Any]:
    """The next event of that name. Raises AssertionError when the lines end before."""
    assert process.stdout is not None
    for line in process.stdout:
        told = json.loads(line)
        if told["event"] == event:
            return told
    raise AssertionError(f"it ended without {event}: {process.stderr and process.stderr.read()}")


@pytest.mark.slow
def test_another_program_is_told_what_happens_in_the_chat(run: Run, home: Home) -> None:
    session = json.loads(run("send", "--json", "hello").stdout)["session_id"]
    with started(home, "--json") as process:
        assert until(process, "session")["session_id"] == session
        assert run("react", "--last", ":tada:").returncode == 0
        assert until(process, "tapback")["sentence"].startswith("You reacted 🎉 to “")
        assert run("send", "and now?").returncode == 0
        assert until(process, "message")["text"] == "and now?"
        assert until(process, "message")["role"] == "assistant"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.slow
def test_it_ends_at_once_when_nobody_reads_any_more(run: Run, home: Home) -> None:
    run("send", "hello")
    with started(home, "--history", "2") as process:
        assert process.stdout is not None
        while "Session" not in process.stdout.readline():
            pass
        process.stdout.close()
        assert process.wait(30) == 0, "also without another event"
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.slow
def test_a_gateway_that_is_not_there_is_waited_for(home: Home) -> None:
    with started(home, "--json", "--connect", "ws://127.0.0.1:9/api/ws") as process:
        assert until(process, "connection")["phase"] == "connecting"
        assert until(process, "connection")["phase"] in ("reconnecting", "offline")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
