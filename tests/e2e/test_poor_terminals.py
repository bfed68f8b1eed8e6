"""The real program in poor terminals: no UTF-8, no colour, 16 colours, no mouse, 40×12, 200×60, dumb."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tui_tapback.testing.home import Home
    from tui_tapback.testing.terminal import Terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]
ESCAPE, F1, CTRL_O, CTRL_P, CTRL_T, CTRL_Q = "\x1b", "\x1bOP", "\x0f", "\x10", "\x14", "\x11"
COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")
MORE_THAN_16 = re.compile(rb"\x1b\[(?:\d+;)*[34]8;[25];")
ANSWER = re.compile(r"(?m)^ {0,2}[│|] \S")  # a bubble at the left edge
MOUSE = b"\x1b[?1000h"


def start(
    home: Home, *settings: str, options: tuple[str, ...] = (), size: tuple[int, int] = (80, 24)
) -> Terminal:
    program = [sys.executable, "-m", "tui_tapback.cli.main", *options]
    chat = home.run(["env", "OPENAI_MODEL=companion", *settings, *program], *size)
    chat.wait(lambda text: "online" in text, "the connection")
    return chat


def walk(chat: Terminal) -> Iterator[str]:
    """Talk, react, and open everything there is; gives the name of each state in which the screen rests."""
    chat.press("hello there\r")
    chat.wait(ANSWER.search, "the answer")
    chat.settle()
    chat.wait(lambda text: "Esc stop" not in text, "the end of the answer")
    yield "chat"
    chat.press(CTRL_T)
    chat.wait(lambda text: re.search("[─-]1[─-]+2[─-]", text), "the pill")
    yield "pill"
    chat.press("1")
    chat.wait(lambda text: not re.search("[─-]1[─-]+2[─-]", text), "the end of the pill")
    chat.press(ESCAPE)
    chat.settle()
    chat.press(":")
    chat.wait(lambda text: "Search emoji" in text, "the picker")
    yield "picker"
    chat.press("party")
    chat.wait(lambda text: "party" in text, "the search")
    chat.settle()
    for _ in range(3):
        chat.press(ESCAPE)
        chat.settle()
    for key, words in ((CTRL_O, "Esc closes"), (F1, "Help"), (CTRL_P, "Search commands")):
        chat.press(key)
        chat.wait(lambda text, words=words: words in text, words)
        chat.settle()
        yield words
        chat.press(ESCAPE)
        chat.wait(lambda text, words=words: words not in text or "online" in text, f"the end of {words}")
        chat.settle()


def leave(chat: Terminal) -> None:
    chat.press(CTRL_Q)
    assert chat.wait_exit() == 0


@pytest.mark.parametrize(
    "settings",
    [("LC_ALL=C",), ("LC_ALL=en_US.ISO-8859-1", "PYTHONIOENCODING=latin-1")],
    ids=["C", "latin-1"],
)
def test_where_the_locale_spells_only_ascii_not_one_other_byte_is_sent(
    home: Home, settings: tuple[str, ...]
) -> None:
    chat = start(home, *settings)
    for state in walk(chat):
        assert bytes(chat.raw).isascii(), state
    leave(chat)
    assert bytes(chat.raw).isascii()
    assert b"<3" in chat.raw and b"+--" in chat.raw


@pytest.mark.parametrize(
    ("settings", "options"), [(("TERM=linux",), ()), ((), ("--emoji", "ascii"))], ids=["linux", "ordered"]
)
def test_an_ascii_screen_has_no_sign_of_ours_but_keeps_a_persons_letters(
    home: Home, settings: tuple[str, ...], options: tuple[str, ...]
) -> None:
    chat = start(home, *settings, options=options)
    for state in walk(chat):
        assert chat.text.isascii(), (state, chat.text)
    chat.press("iÄrger 危\r")
    chat.wait_for("Ärger")
    assert set(re.sub(r"[\x00-\x7f]", "", chat.text)) <= set("Ä危")
    leave(chat)


def test_without_colour_no_colour_is_sent_and_every_state_can_be_told(home: Home) -> None:
    # case B188
    chat = start(home, "NO_COLOR=1", "COLORTERM=truecolor")
    states: dict[str, str] = {}
    for state in walk(chat):
        states |= {state: chat.text}
    assert COLOUR.findall(bytes(chat.raw)) == []
    assert re.search(r"\[..?\]", states["pill"]), "the cursor of the pill"
    chat.wait(lambda text: re.search(r"\[❤ ?\]|\[<3\]", text), "whose the badge is, in brackets")
    assert b"\x1b[7m" in chat.raw
    leave(chat)


def test_with_16_colours_no_others_are_sent(home: Home) -> None:
    chat = start(home, "TERM=xterm", "COLORTERM=")
    for state in walk(chat):
        assert MORE_THAN_16.findall(bytes(chat.raw)) == [], state
    assert COLOUR.findall(bytes(chat.raw))
    leave(chat)


@pytest.mark.parametrize("size", [(40, 12), (200, 60)], ids=["40x12", "200x60"])
def test_everything_can_be_done_in_a_very_small_and_a_very_large_window(
    home: Home, size: tuple[int, int]
) -> None:
    chat = start(home, size=size)
    for state in walk(chat):
        assert "Traceback" not in chat.text, state
        if state in ("chat", "pill"):
            assert "›" in chat.text  # where one types stays on the screen
    leave(chat)


def test_the_mouse_is_left_to_the_terminal_where_that_is_wanted(home: Home) -> None:
    taking = start(home)
    assert MOUSE in taking.raw
    leave(taking)
    ordered = start(home, options=("--no-mouse",))
    for _ in walk(ordered):
        pass
    assert MOUSE not in ordered.raw
    leave(ordered)
    (home.folder / "tapback" / "settings.toml").write_text("mouse = false\n", "utf-8")
    by_setting = start(home)
    assert MOUSE not in by_setting.raw
    leave(by_setting)


def test_a_storm_of_sizes_ends_in_a_whole_screen(home: Home) -> None:
    chat = start(home)
    chat.press("hello there\r")
    chat.settle()
    chat.press(CTRL_T)
    for step in range(60):
        chat.resize(20 + step * 37 % 120, 5 + step * 17 % 50)
        chat.pump(0.01)
    chat.resize(1, 1)
    chat.pump(0.01)
    chat.resize(90, 26)
    chat.settle()
    chat.wait(lambda text: "hello there" in text and "online" in text, "the chat at its last size")
    leave(chat)


@pytest.mark.parametrize("term", ["dumb", ""], ids=["dumb", "none"])
def test_a_terminal_that_cannot_draw_gets_the_chat_as_lines(home: Home, term: str) -> None:
    program = [sys.executable, "-m", "tui_tapback.cli.main"]
    chat = home.run(["env", f"TERM={term}", "OPENAI_MODEL=companion", *program])
    chat.wait_for("You:")
    chat.press("hello there\r")
    chat.wait(lambda _: b"I will tell you" in chat.raw, "the answer")
    chat.press("/quit\r")
    assert chat.wait_exit() == 0
    assert "Traceback" not in chat.text and b"\x1b" not in chat.raw


def at_prompt(shell: Terminal) -> bool:
    """Whether a bash without its own files waits: what it printed last is its prompt."""
    return bool(re.search(rb"bash-[\d.]+[#$] $", bytes(shell.raw[-40:])))


def test_an_ascii_program_suspends_and_comes_back(home: Home) -> None:
    shell = home.run(["env", "LC_ALL=C", "OPENAI_MODEL=companion", "bash", "--norc", "--noprofile", "-i"])
    shell.press(f"{sys.executable} -m tui_tapback.cli.main\r")
    shell.wait_for("online")
    shell.press("hello there\r")
    shell.wait(lambda text: "| hello there |" in text and ANSWER.search(text), "the answer")
    shell.wait(lambda text: "Esc stop" not in text, "its end: Esc would interrupt it")
    shell.press(ESCAPE)
    shell.wait_for("Esc write")
    shell.press("\x1a")
    shell.wait(lambda text: "Stopped" in text and at_prompt(shell), "the shell")
    before = len(shell.raw)  # what stands on the screen of this terminal is no sign: it keeps the old one
    shell.press("fg\r")
    shell.wait(lambda _: b"hello there" in shell.raw[before:], "the chat again")
    shell.settle()
    shell.press(CTRL_Q)
    shell.wait(lambda _: at_prompt(shell), "the shell")
    shell.press("exit\r")
    assert shell.wait_exit() == 0
    assert bytes(shell.raw).isascii()
