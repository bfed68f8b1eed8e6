"""Keys typed before any screen is there, in a real pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import sys
from collections.abc import Iterator

import pytest

from tui_tapback.terminal.early import EarlyKeys

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import termios


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


def typed(master: int, slave: int, keys: bytes) -> None:
    """Type, and wait until the keys are through (in the usual mode a line feed ends what can be read)."""
    os.write(master, keys)
    assert select.select([slave], [], [], 10)[0]


def test_keys_before_and_after_the_take_over_come_in_order_and_enter_stays_enter(
    terminal: tuple[int, int],
) -> None:
    master, slave = terminal
    typed(master, slave, b"hello\r")
    with EarlyKeys(slave) as keys:
        typed(master, slave, "two ❤\r".encode())
        assert keys.take() == "hello\rtwo ❤\r"
        assert keys.take() == ""


def test_the_terminal_is_given_back_as_it_was(terminal: tuple[int, int]) -> None:
    _, slave = terminal
    before = termios.tcgetattr(slave)
    with EarlyKeys(slave) as keys:
        assert not termios.tcgetattr(slave)[3] & (termios.ECHO | termios.ICANON)
        assert termios.tcgetattr(slave)[3] & termios.ISIG
        keys.take()
        assert termios.tcgetattr(slave) == before
    with pytest.raises(RuntimeError), EarlyKeys(slave):
        raise RuntimeError
    assert termios.tcgetattr(slave) == before


def test_where_there_is_no_terminal_nothing_is_read() -> None:
    read, write = os.pipe()
    os.write(write, b"for somebody else")
    with EarlyKeys(read) as keys:
        assert keys.take() == ""
    assert os.read(read, 100) == b"for somebody else"
    os.close(read)
    os.close(write)
