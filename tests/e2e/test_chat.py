"""The real program in a pseudo-terminal against the real gateway process."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tui_tapback.testing.home import Home
    from tui_tapback.testing.terminal import Terminal

pytestmark = pytest.mark.slow

ESCAPE = "\x1b"
HEART, THUMB = re.compile("❤|<3"), re.compile("👍")


def start(home: Home, *arguments: str, columns: int = 100, lines: int = 30) -> Terminal:
    chat = home.chat(*arguments, columns=columns, lines=lines)
    chat.wait(lambda text: "online" in text, "the connection")
    return chat


def say(chat: Terminal, text: str) -> None:
    chat.press(text)
    chat.wait_for(text)
    chat.press("\r")


def answered(chat: Terminal) -> None:
    """Wait until the turn is over: the status line offers to stop it as long as it runs."""
    chat.settle()
    chat.wait(lambda text: "Esc stop" not in text, "the end of the answer")


def test_a_first_conversation_survives_everything(home: Home) -> None:
    chat = start(home)
    say(chat, "hello there")
    # The agent taps back on our message and answers.
    chat.wait(lambda text: re.search("👋|👍|❤|😂", text), "the agent's tapback")
    answered(chat)

    # React to its newest message: Esc leads to the transcript, 1 is the heart.
    chat.press(ESCAPE)
    chat.settle()
    chat.press("1")
    chat.wait(HEART.search, "the heart on the bubble")

    # A second terminal joins the same gateway, sees the conversation, and a reaction live.
    second = start(home)
    second.wait_for("hello there")
    second.wait(HEART.search, "the heart in the second terminal")
    chat.press("2")
    second.wait(THUMB.search, "the replaced reaction, live")
    chat.press("1")
    second.wait(HEART.search, "the heart again, live")

    # The gateway dies; the client brings it back by itself and nothing is lost.
    home.kill_gateway()
    chat.wait(lambda text: "online" not in text, "the loss to be noticed")
    chat.wait(lambda text: "online" in text, "the gateway to come back")
    assert "hello there" in chat.text
    assert HEART.search(chat.text)
    chat.press("i")
    chat.settle()
    say(chat, "still here?")
    answered(chat)

    # Leave and come back: everything is there.
    chat.press("\x11")
    assert chat.wait_exit() == 0
    third = start(home)
    third.wait_for("still here?")


def test_kill_in_the_middle_of_an_answer_loses_nothing_acknowledged(home: Home) -> None:
    chat = start(home)
    say(chat, "stream 200")
    chat.wait_for("Esc stop")
    chat.press(ESCAPE)
    chat.settle()
    home.kill_gateway()
    chat.wait(lambda text: "online" not in text, "the loss to be noticed")
    chat.wait(lambda text: "online" in text, "the gateway to come back")
    chat.wait(lambda text: "interrupted" in text, "the partial answer, marked as such")


def test_it_leaves_when_its_terminal_is_gone(home: Home) -> None:
    """No signal comes to a program without a controlling terminal; Textual would read on for ever."""
    chat = start(home)
    assert chat.hang_up() == 129


def test_it_leaves_with_its_terminal_however_many_keys_wait(home: Home) -> None:
    """Each key is work; what is left of a held key when the window closes is nobody's any longer."""
    chat = start(home)
    say(chat, "hello there")
    answered(chat)
    chat.press(ESCAPE)
    chat.settle()
    for _ in range(80):
        chat.press("kj" * 500)
        chat.pump(0.001)
    assert chat.hang_up() == 129


def test_it_works_at_forty_columns(home: Home) -> None:
    chat = start(home, columns=40, lines=12)
    say(chat, "hello there")
    answered(chat)
    chat.press(ESCAPE)
    chat.settle()
    chat.press("1")
    chat.wait(HEART.search, "the heart at 40 columns")
    chat.resize(100, 30)
    chat.wait(lambda text: "hello there" in text, "the wider layout")


def test_nothing_is_left_behind_in_the_terminal_or_on_the_screen(home: Home) -> None:
    chat = start(home)
    chat.press("\x11")
    assert chat.wait_exit() == 0
    assert "Traceback" not in chat.text
