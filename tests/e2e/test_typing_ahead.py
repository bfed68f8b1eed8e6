"""Keys pressed while the real program is still starting."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tui_tapback.testing.home import Home

pytestmark = pytest.mark.slow


def test_what_is_typed_before_the_screen_is_there_is_sent_and_kept(home: Home) -> None:
    chat = home.chat()
    chat.press("typed at once\rand kept")  # the process has not even loaded its interpreter yet
    chat.wait(lambda text: "│ typed at once │" in text, "the message that was sent")
    chat.wait_for("› and kept")
    chat.press(" for later")
    chat.wait_for("and kept for later")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_terminal_is_as_it_was_when_the_program_has_left(home: Home) -> None:
    import termios

    chat = home.chat()
    before = termios.tcgetattr(chat.master)
    chat.wait_for("online")
    assert termios.tcgetattr(chat.master) != before
    chat.press("\x11")
    assert chat.wait_exit() == 0
    assert termios.tcgetattr(chat.master) == before
