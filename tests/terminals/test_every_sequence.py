"""Every emoji sequence is printed through the fit in real terminals, and each is measured (CSI 6n)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Inside = Callable[..., dict[str, Any]]
ASKED = (
    *("xterm", "vte", "kitty", "foot", "xtermjs-plain", "xtermjs-unicode11", "xtermjs-graphemes"),
    *("ghostty", "ghostty-graphemes"),
)
NOT_ASKED = ("tmux", "screen")
WEB = "textual.drivers.web_driver:WebDriver"
pytestmark = [pytest.mark.slow, pytest.mark.emulators]


@pytest.mark.parametrize("terminal", (*ASKED, *NOT_ASKED, "xterm-cjk"))
def test_every_fitted_sequence_moves_the_cursor_by_two_cells(inside: Inside, terminal: str) -> None:
    told = inside(terminal, "benchmarks/fit_accuracy.py")
    assert told["sequences"] > 3900 and told["spellings"] > 5000
    assert told["fit_wrong"] == told["fit_wrong_in_rich"] == 0, told["fit_examples"]
    assert told["naive_wrong"] > 0
    if terminal != "xterm-cjk":  # there every line of a frame is two cells wide, and no program can fit that
        assert told["lines"] > 1000 and told["lines_wrong"] == 0, told["lines_examples"]
    assert (told["profile"] == "safe") is (terminal in NOT_ASKED)
    # Emoji one cell wide, signs two cells wide: these say so when they are asked.
    if terminal not in ("xtermjs-plain", "xterm-cjk"):
        assert told["safe_wrong"] == 0, told["safe_examples"]


def test_what_the_browser_is_sent_holds_in_xterm_js_with_unicode_11(inside: Inside) -> None:
    """textual-serve draws in such a one, and cannot be asked."""
    told = inside("xtermjs-unicode11", "benchmarks/fit_accuracy.py", TEXTUAL_DRIVER=WEB)
    assert "browser" in told["why"]
    assert told["fit_wrong"] == 0, told["fit_examples"]


@pytest.mark.parametrize("terminal", ASKED)
def test_a_real_terminal_answers_the_question_of_the_start(inside: Inside, terminal: str) -> None:
    told = inside(terminal, "benchmarks/probe.py")
    assert set(told["outcome"]) == {"answered"}
    assert told["cells"]["symbols"]["❤"] == 1
