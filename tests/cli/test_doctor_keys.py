"""The trial of the keys: what arrives, what does not, what comes as another key, and how it is ended."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tui_tapback.actions.action import Group
from tui_tapback.cli.doctor_keys import ask_for_keys, keys_to_test
from tui_tapback.testing.home import Home

if TYPE_CHECKING:
    from pathlib import Path

SENT = {
    "f1": "\x1bOP",
    "ctrl+o": "\x0f",
    "ctrl+n": "\x0e",
    "ctrl+p": "\x10",
    "f3": "\x1bOR",
    "f5": "\x1b[15~",
    "ctrl+q": "\x11",
    "ctrl+j": "\n",
    "ctrl+t": "\x14",
    "alt+r": "\x1br",
    "alt+up": "\x1b[1;3A",
    "shift+tab": "\x1b[Z",
    "alt+t": "\x1bt",
    "alt+v": "\x1bv",
    "shift+enter": "\x1b[13;2u",
    "alt+enter": "\x1b[13;3u",
}


def keyboard(answers: dict[str, str]) -> Callable[[], str]:
    """A person who presses what is asked for, in the way of a terminal that gives ``answers``."""
    names = iter(keys_to_test())
    return lambda: answers.get(next(names), " ")


def test_every_key_of_a_good_terminal_arrives() -> None:
    told: list[str] = []
    known = {key: SENT[key] for key in keys_to_test() if key in SENT}
    test = ask_for_keys(keyboard(known), told.append)
    assert set(test.arrived) == set(known) and not test.other
    assert {"ctrl+o", "ctrl+n", "ctrl+p", "ctrl+t", "f1", "f3", "alt+r"} <= set(test.arrived)


def test_for_a_key_that_is_kept_another_way_is_named() -> None:
    told: list[str] = []
    ask_for_keys(keyboard({**SENT, "ctrl+o": " ", "ctrl+n": "\x1bOP"}), told.append)
    text = "\n".join(told)
    assert "Ctrl+O never arrives. Sessions: use /sessions or the palette." in text
    assert "Ctrl+N arrives as F1. New session: use /new or the palette." in text


@pytest.mark.parametrize("end", ["q", ""], ids=["q", "the end of the input"])
def test_it_can_be_left_at_any_time(end: str) -> None:
    told: list[str] = []
    test = ask_for_keys(lambda: end, told.append)
    assert test.stopped and told[-1] == "The rest was not tried."


def test_what_works_everywhere_has_another_way_for_each_of_its_keys() -> None:
    told: list[str] = []
    ask_for_keys(lambda: " ", told.append)
    alone = [line for line in told if "no second key" in line]
    everywhere = [action.title for action in keys_to_test().values() if action.group is Group.EVERYWHERE]
    assert not [line for line in alone if any(f". {title} has" in line for title in everywhere)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_the_keyboard_is_put_back(tmp_path: Path) -> None:
    home = Home(tmp_path)
    try:
        shell = home.run(["bash", "--norc", "--noprofile", "-i"])
        shell.press(f"{sys.executable} -m tui_tapback.cli.main doctor --keys\r")
        shell.wait_for("Press each key")
        shell.press("\x1bOP")
        shell.settle()
        shell.press("q")
        shell.wait_for("1 of")
        shell.press("echo $((40+2)) echoed\r")
        assert "echo $((40+2)) echoed" in shell.wait_for("42 echoed")
        assert b"\x1b[>1u" in shell.raw and b"\x1b[<u" in shell.raw
    finally:
        home.close()


@pytest.mark.slow
def test_without_a_terminal_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tui_tapback.cli.doctor_keys import try_keys

    assert try_keys() == 2
    assert "only be tried in a terminal" in capsys.readouterr().err
