"""The last screen of the real program at its next start: at once, marked, for its session, and put back."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.home import Home
from tui_tapback.testing.terminal import Terminal

if not Path("/proc/self/environ").exists():
    pytest.skip("finding the gateway's process needs /proc", allow_module_level=True)

pytestmark = pytest.mark.slow
ANSWER = "script with good manners"
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
START = (sys.executable, "-m", "tui_tapback.cli.launch")
Ended = Callable[[Terminal], object]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


def frame_file(home: Home) -> Path:
    return home.folder / "tapback" / "data" / "last-frame"


def chatted(home: Home, words: str = "hello") -> Terminal:
    terminal = home.run([*START])
    terminal.wait_for("online")
    terminal.press(f"{words}\r")
    terminal.wait(lambda text: ANSWER in text and "Esc stop" not in text, "the answer")
    return terminal


def quit_it(terminal: Terminal) -> None:
    terminal.press("\x11")
    assert terminal.wait_exit() == 0


def told_to_end(terminal: Terminal) -> None:
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.wait_exit() == 128 + signal.SIGTERM


def hung_up(terminal: Terminal) -> None:
    assert terminal.hang_up() == 129


def sent_first(terminal: Terminal) -> bytes:
    """What the program sent until the mark: when it is slow the picture may be gone before one looks."""
    terminal.wait(lambda _: b"Last seen" in terminal.raw, "the mark")
    return bytes(terminal.raw).partition(b"Last seen")[0]


@pytest.mark.parametrize("end", [quit_it, told_to_end, hung_up])
def test_what_was_on_the_screen_is_there_before_the_program_is(home: Home, end: Ended) -> None:
    end(chatted(home))
    assert frame_file(home).stat().st_mode & 0o777 == 0o600
    again = home.run([*START])
    first = sent_first(again)
    assert ANSWER.encode() in first
    assert b"2004h" not in first, "the program itself had begun already"
    again.press("typed early")
    again.wait(
        lambda text: "online" in text and "typed early" in text and "Last seen" not in text, "the chat"
    )
    assert ANSWER in again.text
    assert again.raw.count(ENTER) == 1, "entering the other screen twice flickers"
    quit_it(again)
    assert again.raw.count(LEAVE) == 1


def test_no_frame_between_the_last_screen_and_the_chat_is_blank(home: Home) -> None:
    quit_it(chatted(home))
    again = home.run([*START])
    sent_first(again)
    while "online" not in again.text:
        assert ANSWER in again.text
        again.pump()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_who_ends_before_the_chat_is_there_finds_the_terminal_as_it_was(
    home: Home, number: signal.Signals
) -> None:
    quit_it(chatted(home))
    program = (
        "import time\n"
        "import sys, types\n"
        "def main(*_):\n    print('importing', flush=True)\n    time.sleep(60)\n"
        "sys.modules['tui_tapback.cli.main'] = types.SimpleNamespace(main=main)\n"
        "from tui_tapback.cli.launch import main as launch\nsys.argv = ['x']\nsys.exit(launch())"
    )
    again = home.run([sys.executable, "-c", program])
    again.wait_for("importing")
    again.process.send_signal(number)
    assert again.wait_exit() == {signal.SIGINT: 130}.get(number, 128 + number)
    assert again.raw.count(ENTER) == again.raw.count(LEAVE) == 1


def test_another_size_shows_nothing_of_it(home: Home) -> None:
    quit_it(chatted(home))
    again = home.run([*START], columns=90)
    again.wait_for("online")
    assert b"Last seen" not in again.raw
    quit_it(again)


def test_an_option_shows_nothing_of_it(home: Home) -> None:
    quit_it(chatted(home))
    again = home.run([*START, "--new"])
    again.wait_for("online")
    assert b"Last seen" not in again.raw
    assert ANSWER.encode() not in again.raw
    quit_it(again)


def test_who_does_not_want_it_gets_none_and_nothing_is_kept(home: Home) -> None:
    quit_it(chatted(home))
    (home.folder / "tapback" / "settings.toml").write_text("replay_last_frame = false\n")
    for _ in range(2):
        again = home.run([*START])
        again.wait_for("online")
        assert b"Last seen" not in again.raw
        quit_it(again)
        assert not frame_file(home).exists()


def test_under_a_picker_nothing_is_kept(home: Home) -> None:
    terminal = chatted(home)
    terminal.press("\x14")
    terminal.wait_for("choose")
    terminal.press("+")
    terminal.wait_for("react")
    quit_it(terminal)
    assert not frame_file(home).exists()


def test_a_session_that_is_gone_leaves_the_picture_behind(home: Home) -> None:
    quit_it(chatted(home))
    kept = frame_file(home).read_bytes()
    session = kept.split(b"\n")[3]
    frame_file(home).write_bytes(kept.replace(session, b"0" * len(session)))
    again = home.run([*START])
    sent_first(again)
    again.wait_for("could not be opened")
    again.wait(lambda text: ANSWER in text and "online" in text, "the session that is there")
    quit_it(again)
    assert frame_file(home).read_bytes().split(b"\n")[3] == session


def test_the_session_of_the_picture_is_opened_and_not_one_used_since(home: Home) -> None:
    quit_it(chatted(home))
    session = frame_file(home).read_bytes().split(b"\n")[3]
    other = home.run([*START, "--new"])
    other.wait_for("online")
    kept = frame_file(home).read_bytes()
    other.press("something else\r")
    other.wait(lambda text: "Esc stop" not in text and text.count("something else") > 1, "the answer")
    other.process.kill()
    other.process.wait()
    assert frame_file(home).read_bytes() == kept
    again = home.run([*START])
    again.wait(lambda text: ANSWER in text and "online" in text, "the session of the picture")
    quit_it(again)
    assert frame_file(home).read_bytes().split(b"\n")[3] == session
