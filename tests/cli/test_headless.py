"""The commands without a screen over a conversation in memory: what they print, and when they end."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.cli.export import every_message, export_session
from tui_tapback.cli.headless import message_text, opened, react, send
from tui_tapback.cli.listing import marked, sessions
from tui_tapback.cli.main import is_terminal
from tui_tapback.client.abilities import HERMES
from tui_tapback.client.open_questions import Approval
from tui_tapback.client.state import ConnectionState, Phase, SessionSummary
from tui_tapback.domain.errors import (
    EmptyMessage,
    GatewayRefused,
    GatewayUnreachable,
    InvalidInput,
    NotAnEmoji,
    RowNotFound,
    SessionNotFound,
)
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.rooms import stored

Captured = pytest.CaptureFixture[str]
EVIL = "\x1b[31mred\x1b[0m safe\rEVIL \x1b]52;c;QQ==\x07"


def options(**values: Any) -> argparse.Namespace:
    return argparse.Namespace(
        **({"row": None, "back": 1, "json": False, "doing": None, "command": "react"} | values)
    )


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_the_answer_is_printed_as_it_grows(capsys: Captured) -> None:
    chat = MemoryChat()
    sending = asyncio.create_task(send(chat, "hello", as_json=False))
    seen = ""
    for piece in ("One ", "two ", "three"):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        chat.stream(piece)
        while piece.strip() not in seen:
            await asyncio.sleep(0)
            seen += capsys.readouterr().out
    chat.finish()
    assert await sending == 0
    assert seen + capsys.readouterr().out == "One two three\n"


async def test_a_failed_answer_is_told_and_ends_with_1(capsys: Captured) -> None:
    chat = MemoryChat()
    sending = asyncio.create_task(send(chat, "hello", as_json=True))
    await asyncio.sleep(0)
    assert chat.sent == ["hello"]
    chat.stream("half")
    chat.finish(Status.FAILED, error="The model's server failed.\x1b[2J")
    assert await sending == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["ok"] is False
    assert "The model's server failed." in told.err
    assert "\x1b" not in told.err


async def test_an_empty_message_is_refused() -> None:
    with pytest.raises(EmptyMessage):
        await send(MemoryChat(), "  ", as_json=False)


@pytest.mark.parametrize(
    ("phase", "error"), [(Phase.REFUSED, GatewayRefused), (Phase.OFFLINE, GatewayUnreachable)]
)
async def test_a_link_without_hope_is_given_up(phase: Phase, error: type[Exception]) -> None:
    chat = MemoryChat(connection=ConnectionState(phase, "No \x1b[2Jway in."))
    with pytest.raises(error, match=r"No .*way in\."):
        async with opened(chat, options()):
            pass
    assert chat.asked[-1] == "close"


async def test_export_is_clean_and_has_the_tapbacks(capsys: Captured) -> None:
    # case B172: cleaned for people, the exact text in JSON
    reactions = ReactionSet.of([Reaction("❤️", Author.USER, 1.0), Reaction("\x1b[2J", Author.AGENT, 2.0)])
    chat = MemoryChat(title=f"T {EVIL}")
    chat.arrive(f"{EVIL}\nsecond line", reactions=reactions)
    chat.arrive("not shown", Role.TOOL)
    assert await export_session(chat, "text", None) == 0
    text = capsys.readouterr().out
    assert "❤️ you" in text
    assert "  second line" in text
    assert "not shown" not in text
    assert not [c for c in text if c != "\n" and ord(c) < 32]
    await export_session(chat, "json", Path("-"))
    raw = capsys.readouterr().out
    assert raw.isascii()
    assert not [c for c in raw if c != "\n" and ord(c) < 32]
    assert json.loads(raw)["messages"][0]["text"] == f"{EVIL}\nsecond line"


async def test_react_says_what_it_did(capsys: Captured) -> None:
    chat = MemoryChat()
    chat.arrive("first")
    second = chat.arrive("second")
    assert await react(chat, options(emoji=":tada:")) == 0
    assert chat.reacted == [(second, "🎉")]
    assert await react(chat, options(emoji="👍", back=2, json=True)) == 0
    assert await react(chat, options(emoji="-")) == 0
    lines = capsys.readouterr().out
    assert "You reacted 🎉 to “second”." in lines
    assert "You have no tapback on “second”." in lines
    with pytest.raises(RowNotFound):
        await react(chat, options(emoji="👍", row=77))


async def test_a_digit_is_the_quick_reaction_of_that_key() -> None:
    chat = MemoryChat()
    only = chat.arrive("first")
    assert await react(chat, options(emoji="2"), ("🐙", "🎉")) == 0
    assert chat.reacted == [(only, "🎉")]
    assert await react(chat, options(emoji="100"), ("🐙", "🎉")) == 0
    assert chat.reacted[-1] == (only, "💯")
    for digit, back in (("0", "1"), ("3", "3"), ("12", "12")):
        with pytest.raises(NotAnEmoji) as caught:
            await react(chat, options(emoji=digit), ("🐙", "🎉"))
        assert f"--back {back}." in (caught.value.hint or "")
        assert "1 to 2 are the quick reactions" in (caught.value.hint or "")
    assert len(chat.reacted) == 2


async def test_the_list_of_sessions_is_clean_and_newest_first(capsys: Captured) -> None:
    chat = MemoryChat(sessions=[SessionSummary("a", EVIL, "", 1.0, 1), SessionSummary("b", "", EVIL, 2.0, 1)])
    await sessions(chat, options())
    lines = capsys.readouterr().out.splitlines()
    assert [line[0] for line in lines] == ["b", "a"]
    assert not [c for line in lines for c in line if ord(c) < 32]
    await sessions(MemoryChat(), options())
    assert "no sessions yet" in capsys.readouterr().out


def test_the_text_of_a_message() -> None:
    assert message_text(["a", "b"], lambda limit: "never") == "a b"
    assert message_text([], lambda limit: "x\n") == "x"
    assert message_text(["-"], lambda limit: "x\n\n") == "x\n"


@pytest.mark.parametrize(
    ("term", "tty", "screen"), [("xterm", True, True), ("xterm", False, False), ("dumb", True, False)]
)
def test_a_screen_needs_a_terminal(term: str, tty: bool, screen: bool) -> None:
    assert is_terminal({"TERM": term}, lambda descriptor: tty) is screen


async def test_a_long_chat_is_exported_from_its_beginning(tmp_path: Path) -> None:
    rows = stored(
        tuple(Message(key=f"k{n}", role=Role.USER, text=f"line {n}", at=float(n)) for n in range(2500))
    )
    chat = MemoryChat()
    chat.history.hold(rows, 200)
    assert await every_message(chat) == rows
    chat.history.hold(rows, 200)
    assert await export_session(chat, "text", tmp_path / "all.txt") == 0
    text = (tmp_path / "all.txt").read_text("utf-8")
    assert text.count("  line ") == 2500
    assert "  line 0\n" in text


async def test_an_export_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    chat = MemoryChat()
    chat.arrive("hello")
    old = tmp_path / "chat.md"
    old.write_text("old")
    old.chmod(0o640)
    assert await export_session(chat, "markdown", old) == 0
    assert "hello" in old.read_text("utf-8")
    assert old.stat().st_mode & 0o777 == 0o640
    assert names_in(tmp_path) == ["chat.md"]
    with pytest.raises(InvalidInput, match="cannot be written"):
        await export_session(chat, "markdown", tmp_path / "nowhere" / "chat.md")
    assert await export_session(chat, "html", tmp_path / "new.html") == 0
    assert (tmp_path / "new.html").stat().st_mode & 0o777 == 0o600


async def test_sessions_are_put_away_deleted_and_brought_back(capsys: Captured) -> None:
    chat = MemoryChat(sessions=[SessionSummary("a", "Dinner", "", 1.0, 1)])
    await sessions(chat, options(doing="archive", id="a"))
    assert await sessions(chat, options(doing="list", query="nothing")) == 1
    assert await sessions(chat, options(doing="list", archived=True)) == 0
    await sessions(chat, options(doing="unarchive", id="a"))
    await sessions(chat, options(doing="delete", id="a", yes=False, json=True))
    assert chat.sessions.stored == {}
    told = capsys.readouterr().out
    assert json.loads(told[told.index("{") :]) == {"ok": True, "id": "a", "undo_seconds": 600.0}
    await sessions(chat, options(doing="restore", id="a"))
    assert list(chat.sessions.stored) == ["a"]


async def test_what_cannot_be_brought_back_is_deleted_only_by_those_who_are_sure() -> None:
    chat = MemoryChat(sessions=[SessionSummary("a", "Dinner")], abilities=HERMES)
    with pytest.raises(InvalidInput, match="cannot bring back"):
        await sessions(chat, options(doing="delete", id="a", yes=False))
    assert list(chat.sessions.stored) == ["a"]
    await sessions(chat, options(doing="delete", id="a", yes=True))
    assert chat.sessions.stored == {}


async def test_only_the_session_that_was_named_is_renamed() -> None:
    chat = MemoryChat(session_id="other")
    with pytest.raises(SessionNotFound):
        await sessions(chat, options(doing="rename", id="a", title=["New", "name"]))
    chat.put(session_id="a")
    await sessions(chat, options(doing="rename", id="a", title=["New", "\x1b[2Jname"]))
    assert chat.state.title == "New ␛[2Jname"


def test_finds_are_marked_and_odd_spans_passed_over() -> None:
    assert marked("a bb c", [(2, 4), (5, 6)]) == "a «bb» «c»"
    assert marked("abc", [(2, 9), (1, 1), (-4, 2), (0, 1)]) == "«a»bc"


async def test_a_question_of_the_gateway_is_told_while_send_waits(capsys: Captured) -> None:
    chat = MemoryChat()
    sending = asyncio.create_task(send(chat, "remove it", as_json=False))
    await asyncio.sleep(0)
    chat.put(questions=(Approval("q1", "s1", "rm -r \x1b[2Jbuild", "Delete a folder", ("once", "deny")),))
    told = ""
    for _ in range(100):
        await asyncio.sleep(0)
        told += capsys.readouterr().err
    assert "Delete a folder: rm -r ␛[2Jbuild Answer it in the chat" in told
    chat.put(questions=())
    chat.stream("Done.")
    chat.finish()
    assert await sending == 0
