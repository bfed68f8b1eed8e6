"""What the commands print on a terminal that has no UTF-8 or no emoji."""

from __future__ import annotations

import io

import pytest

from tui_tapback.cli.output import drawable, say

LINE = "❤️ you · “Ärger” 👩‍💻 危…"


@pytest.mark.parametrize(
    ("environ", "drawn"),
    [
        ({"TERM": "xterm", "LANG": "C.UTF-8"}, LINE),
        ({"TERM": "linux", "LANG": "C.UTF-8"}, '<3 you - "Ärger" [] 危.'),
        ({"TERM": "xterm", "LC_ALL": "C"}, '<3 you - "Arger" [] ??.'),
        ({"TERM": "xterm", "LANG": "C.UTF-8", "TUI_TAPBACK_EMOJI": "no such"}, LINE),
    ],
)
def test_a_terminal_gets_what_it_can_draw(environ: dict[str, str], drawn: str) -> None:
    assert drawable(LINE, environ) == drawn


def test_a_file_gets_the_emoji_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    file = io.StringIO()
    say(LINE, stream=file)
    assert file.getvalue() == LINE + "\n"
