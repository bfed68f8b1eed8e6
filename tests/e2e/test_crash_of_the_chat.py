"""The chat is killed: what was typed and what waited is there again, and nothing goes out twice."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tui_tapback.testing.home import Home
    from tui_tapback.testing.terminal import Terminal

pytestmark = pytest.mark.slow
OFFLINE = ("--connect", "ws://127.0.0.1:9/api/ws")
"""Nothing listens on the discard port."""


def start(home: Home, *arguments: str, words: str = "online") -> Terminal:
    chat = home.chat(*arguments)
    chat.wait(lambda text: words in text, words)
    return chat


def kill(chat: Terminal) -> None:
    chat.process.kill()
    assert chat.wait_exit() == -signal.SIGKILL


def drafts(home: Home) -> list[str]:
    folder = home.folder / "tapback" / "data" / "drafts"
    return [path.read_text("utf-8") for path in folder.glob("*.txt")]


def test_a_draft_survives_kill_9(home: Home) -> None:
    chat = start(home)
    chat.press("hello\r")
    chat.wait(lambda text: "hello" in text and "Esc stop" not in text, "the answer")
    chat.press("half a thought")
    chat.wait(lambda _: drafts(home) == ["half a thought"], "the draft on disk")
    kill(chat)
    again = start(home)
    again.wait_for("half a thought")
    again.press(", and the rest\r")
    again.wait_for("half a thought, and the rest")
    again.wait(lambda _: drafts(home) == [], "the draft to be gone")


def test_a_byte_that_is_no_utf_8_is_pasted_as_a_sign_and_ends_nothing(home: Home) -> None:
    chat = start(home)
    os.write(chat.master, b"\x1b[200~caf\xe9 au lait\x1b[201~")
    chat.wait_for("caf\ufffd au lait")
    chat.press("\x11")
    assert chat.wait_exit() == 0


def test_what_waits_survives_kill_9_and_can_be_changed_and_removed(home: Home) -> None:
    chat = start(home, *OFFLINE, words="econnect")
    for text in ("first thing", "second thing"):
        chat.press(text + "\r")
        chat.wait_for(text)
    outbox = home.folder / "tapback" / "data" / "outbox"
    chat.wait(lambda _: any(b"second" in p.read_bytes() for p in outbox.glob("*/*.json")), "the outbox")
    kill(chat)
    again = start(home, *OFFLINE, words="second thing")
    again.wait_for("2 waiting")
    again.press("\x1b")
    again.settle()
    again.press("x")
    again.wait_for("1 waiting")
    assert "first thing" in again.text
