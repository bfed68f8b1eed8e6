"""The real program writes one notification for an answer that nobody watches come, and none for others."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tui_tapback.testing.home import Home
    from tui_tapback.testing.terminal import Terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]
BLUR, FOCUS, CTRL_Q = "\x1b[O", "\x1b[I", "\x11"
ANSWER = re.compile(r"(?m)^ ╰")  # a bubble at the left edge
PLAIN = re.compile(rb"\x1b\]777;notify;tui_tapback[^;\x00-\x1f\x7f]*;Agent[^;\x00-\x1f\x7f]*\x07")
IN_TMUX = re.compile(rb"\x1bPtmux;\x1b\x1b\]9;tui_tapback[^\x00-\x1f\x7f]*: Agent[^\x00-\x1f\x7f]*\x07\x1b\\")


def start(home: Home, *environ: str) -> Terminal:
    chat = home.run(["env", "OPENAI_MODEL=companion", *environ, sys.executable, "-m", "tui_tapback.cli.main"])
    chat.wait(lambda text: "online" in text, "the connection")
    return chat


def ask(chat: Terminal, words: str, *, then: str = "") -> None:
    """Send ``words``, do ``then`` in the same write, and wait for the end of the turn."""
    answers = len(ANSWER.findall(chat.text))
    chat.press(f"{words}\r{then}")
    chat.wait(lambda text: len(ANSWER.findall(text)) > answers and "Esc stop" not in text, "the answer")
    chat.settle()


def test_one_for_an_answer_while_away_and_none_for_who_looks(home: Home) -> None:
    chat = start(home, "TERM=xterm-256color", "TERM_PROGRAM=WezTerm")
    ask(chat, "hello there")
    assert b"\x1b]777" not in chat.raw
    ask(chat, "how are you", then=BLUR)
    chat.wait(lambda _: PLAIN.search(bytes(chat.raw)), "the notification")
    chat.settle()
    assert len(PLAIN.findall(bytes(chat.raw))) == bytes(chat.raw).count(b"\x1b]777") == 1
    chat.press(FOCUS)
    chat.settle()
    ask(chat, "good")
    assert bytes(chat.raw).count(b"\x1b]777") == 1
    chat.press(CTRL_Q)
    assert chat.wait_exit() == 0


def test_in_tmux_what_was_ordered_goes_through_it(home: Home) -> None:
    settings = home.folder / "tapback" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[notifications]\nhow = "osc9"\n', "utf-8")
    chat = start(home, "TERM=tmux-256color", "TMUX=/nowhere,1,0")
    ask(chat, "hello there", then=BLUR)
    chat.wait(lambda _: IN_TMUX.search(bytes(chat.raw)), "the notification")
    assert len(IN_TMUX.findall(bytes(chat.raw))) == bytes(chat.raw).count(b"\x1bPtmux") == 1
    chat.press(CTRL_Q)
    assert chat.wait_exit() == 0
