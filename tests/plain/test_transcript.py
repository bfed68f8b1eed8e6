"""The real program in a pseudo-terminal, word by word, and every byte that it sends."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.home import Home

DEADLINE = 40.0


class Paper:
    """A program on a pseudo-terminal that only takes notes: ``raw`` is all that it has sent."""

    def __init__(self, home: Home, *arguments: str, **environ: str) -> None:
        self.master, self.slave = os.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.raw = b""
        self._read = 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tui_tapback.cli.main", *arguments],
            env=home.env | {"OPENAI_MODEL": "companion", "TZ": "UTC", "LANG": "C.UTF-8"} | environ,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
        )

    def type(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\n")

    def hear(self, words: str) -> None:
        """Read until these words came, after those that were heard before."""
        end = time.monotonic() + DEADLINE
        while words.encode() not in self.raw[self._read :]:
            assert time.monotonic() < end, f"{words!r} did not come; what came is {self.raw!r}"
            self.pump()
        self._read = self.raw.index(words.encode(), self._read) + len(words.encode())

    def hear_all(self, *words: str) -> None:
        """Read until all of these came, in any order."""
        begin, ends = self._read, list[int]()
        for each in words:
            self._read = begin
            self.hear(each)
            ends.append(self._read)
        self._read = max(ends)

    def pump(self) -> None:
        if select.select([self.master], [], [], 0.1)[0]:
            self.raw += os.read(self.master, 1 << 16)

    def say(self, line: str, *answers: str) -> None:
        """Wait for the prompt, type a line, and wait for what is said to it."""
        self.hear("You: ")
        self.type(line)
        for answer in answers:
            self.hear(answer)

    def leave(self) -> int:
        end = time.monotonic() + DEADLINE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it did not leave; what came is {self.raw!r}"
            self.pump()
        while select.select([self.master], [], [], 0.1)[0]:
            self.raw += os.read(self.master, 1 << 16)
        return int(self.process.returncode)

    @property
    def lines(self) -> list[str]:
        """What a person reads: lines as they stand at the end, with the time as ``00:00``."""
        text = self.raw.decode().replace("\r\n", "\n")
        lines = (line.rpartition("\r")[2].rstrip() for line in text.split("\n"))
        return [re.sub(r"\b\d\d:\d\d\b", "00:00", line) for line in lines]

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.close()


@pytest.fixture
def open_paper(home: Home) -> Iterator[list[Paper]]:
    papers: list[Paper] = []
    yield papers
    for paper in papers:
        paper.close()


@pytest.mark.slow
@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_a_whole_session_word_by_word(home: Home, open_paper: list[Paper], term: str) -> None:
    # case B186, case B187: linear text, reactions as words, everything by typed commands
    arguments = () if term == "dumb" else ("--plain",)
    paper = Paper(home, *arguments, TERM=term)
    open_paper.append(paper)
    paper.hear("A new chat. Write something, or type /help.")
    paper.say("stream 12")
    paper.hear_all("11 12", "Agent reacted waving hand")
    paper.say("/list", "2. Agent")
    paper.say("/react thumbs up", "You liked message 2")
    paper.say("+:tada:", "You reacted party popper 🎉 to message 2")
    paper.say("/unreact", "You took back party popper")
    paper.say("/search 12", "/hit N goes to one.")
    paper.say("/xyzzy", "/help lists all.")
    paper.say("/quit")
    assert paper.leave() == 0
    why = "This terminal (TERM=dumb) cannot place its cursor, so the chat comes as plain lines."
    expected = [
        "tui-tapback in plain lines. /help reads the commands.",
        *([why] if term == "dumb" else []),
        "Connecting.",
        "A new chat. Write something, or type /help.",
        "You: stream 12",
        "Agent, 00:00: 1 2 3 4 5 6 7 8 9 10",
        "11 12",
        "You: /list",
        "1. You, 00:00: stream 12. Tapback: waving hand 👋 from the agent.",
        "2. Agent, 00:00: 1 2 3 4 5 6 7 8 9 10 11 12",
        "You: /react thumbs up",
        "You liked message 2, “1 2 3 4 5 6 7 8 9 10 11 12”.",
        "You: +:tada:",
        "You reacted party popper 🎉 to message 2, “1 2 3 4 5 6 7 8 9 10 11 12”.",
        "You: /unreact",
        "You took back party popper 🎉 from message 2, “1 2 3 4 5 6 7 8 9 10 11 12”.",
        "You: /search 12",
        "2 messages found.",
        "1. message 2, Agent, 00:00: 1 2 3 4 5 6 7 8 9 10 11 12",
        "2. message 1, You, 00:00: stream 12",
        "/hit N goes to one.",
        "You: /xyzzy",
        "There is no command /xyzzy. /help lists all.",
        "You: /quit",
        "",
    ]
    lines = [re.sub(r"\x1b\[\?2004[hl]", "", line) for line in paper.lines]
    # The companion waves at the first message; whether before or after its answer is not certain.
    lines.remove("Agent reacted waving hand 👋 to message 1, “stream 12”.")
    assert lines == expected
    _check_bytes(paper.raw, term)
    assert termios.tcgetattr(paper.slave) == paper.before


def _check_bytes(raw: bytes, term: str) -> None:
    """No box, no colour, no cursor key; in a dumb terminal no control sequence at all."""
    if term != "dumb":
        raw = re.sub(rb"\x1b\[\?2004[hl]", b"", raw)
    assert b"\x1b" not in raw
    assert {byte for byte in raw if byte < 0x20} <= set(b"\r\n\b")
    assert not re.search("[\u2500-\u259f\u2800-\u28ff]", raw.decode())


@pytest.mark.slow
def test_what_is_half_typed_survives_the_answer_and_ctrl_c_twice_leaves(
    home: Home, open_paper: list[Paper]
) -> None:
    paper = Paper(home, "--plain", TERM="dumb")
    open_paper.append(paper)
    paper.hear("A new chat.")
    paper.say("stream 12")
    os.write(paper.master, b"half typed")
    paper.hear_all("11 12", "Agent reacted waving hand")
    paper.hear("You: half typed")
    os.write(paper.master, b"\x7f\x7f")
    paper.hear("\b \b\b \b")
    paper.process.send_signal(signal.SIGINT)  # what Ctrl+C is where the terminal is in control
    paper.hear("You: ")
    paper.process.send_signal(signal.SIGINT)
    paper.hear("Ctrl+C once more leaves.")
    paper.process.send_signal(signal.SIGINT)
    assert paper.leave() == 0
    assert b"\x1b" not in paper.raw
    assert termios.tcgetattr(paper.slave) == paper.before


@pytest.mark.slow
def test_names_alone_where_nothing_but_ascii_can_be_spelt(home: Home, open_paper: list[Paper]) -> None:
    paper = Paper(home, "--plain", TERM="dumb", LANG="C", LC_ALL="C")
    open_paper.append(paper)
    paper.say("hello", "Agent, ")
    paper.say("/react love on 1", "You loved message 1")
    paper.hear("You: ")
    os.write(paper.master, b"\x04")
    assert paper.leave() == 0
    assert paper.raw.isascii()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_is_told_to_end_gives_the_terminal_back(
    home: Home, open_paper: list[Paper], number: signal.Signals
) -> None:
    paper = Paper(home, "--plain", TERM="xterm")
    open_paper.append(paper)
    paper.hear("You: ")
    paper.process.send_signal(number)
    assert paper.leave() == 128 + number
    assert paper.raw.rstrip().endswith(b"\x1b[?2004l")
    assert termios.tcgetattr(paper.slave) == paper.before


@pytest.mark.slow
def test_a_line_editor_around_it_is_left_to_do_the_editing(home: Home, open_paper: list[Paper]) -> None:
    # As in a shell window of Emacs: TERM=dumb, no echo, whole lines.
    paper = Paper(home, "--plain", TERM="dumb")
    open_paper.append(paper)
    attributes = termios.tcgetattr(paper.slave)
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(paper.slave, termios.TCSANOW, attributes)
    paper.hear("A new chat.")
    paper.say("stream 3")
    paper.hear_all("1 2 3", "Agent reacted waving hand")
    paper.say("/quit")
    assert paper.leave() == 0
    assert b"You: stream 3" not in paper.raw and b"\x1b" not in paper.raw
