"""The commands without a screen over a conversation in memory: what they print, and when they end."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import Any

import pytest

from tui_tapback.cli.headless import export, message_text, opened, react, send, sessions
from tui_tapback.cli.main import is_terminal
from tui_tapback.client.state import ConnectionState, Phase, SessionSummary
from tui_tapback.domain.errors import EmptyMessage, GatewayRefused, GatewayUnreachable, RowNotFound
from tui_tapback.domain.messages import Role, Status
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.testing.chat import MemoryChat

Captured = pytest.CaptureFixture[str]
EVIL = "\x1b[31mred\x1b[0m safe\rEVIL \x1b]52;c;QQ==\x07"


def options(**values: Any) -> argparse.Namespace:
    return argparse.Namespace(**({"row": None, "back": 1, "json": False} | values))


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
        async with opened(chat, argparse.Namespace()):
            pass
    assert chat.asked[-1] == "close"


async def test_export_is_clean_and_has_the_tapbacks(capsys: Captured) -> None:
    # case B172: cleaned for people, the exact text in JSON
    reactions = ReactionSet.of([Reaction("❤️", Author.USER, 1.0), Reaction("\x1b[2J", Author.AGENT, 2.0)])
    chat = MemoryChat(title=f"T {EVIL}")
    chat.arrive(f"{EVIL}\nsecond line", reactions=reactions)
    chat.arrive("not shown", Role.TOOL)
    assert export(chat.state, as_json=False) == 0
    text = capsys.readouterr().out
    assert "❤️ you" in text
    assert "  second line" in text
    assert "not shown" not in text
    assert not [c for c in text if c != "\n" and ord(c) < 32]
    export(chat.state, as_json=True)
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


async def test_the_list_of_sessions_is_clean_and_newest_first(capsys: Captured) -> None:
    chat = MemoryChat(sessions=[SessionSummary("a", EVIL, "", 1.0, 1), SessionSummary("b", "", EVIL, 2.0, 1)])
    await sessions(chat, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line[0] for line in lines] == ["b", "a"]
    assert not [c for line in lines for c in line if ord(c) < 32]
    await sessions(MemoryChat(), as_json=False)
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
