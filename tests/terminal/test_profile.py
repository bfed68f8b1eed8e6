from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tui_tapback.domain.errors import SettingsError
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE, TEXT, detect_profile, in_multiplexer

ROOT = Path(__file__).parents[2]
UTF8 = {"LANG": "en_US.UTF-8"}


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({"TERM": "xterm-256color"}, "safe"),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"}, "safe"),
        ({"TERM": "screen.xterm-256color"}, "safe"),
        ({"TERM": "xterm-kitty"}, "safe"),
        ({"TERM": "dumb"}, "ascii"),
        ({"TERM": "linux"}, "ascii"),
        ({"TERM": "xterm", "LANG": "C"}, "ascii"),
        ({"TERM": "xterm", "LC_ALL": "POSIX"}, "ascii"),
        ({"TERM": "xterm", "LC_CTYPE": "C.utf8"}, "safe"),
    ],
)
def test_the_environment_alone_decides_prudently(environ: dict[str, str], name: str) -> None:
    assert detect_profile(UTF8 | environ).name == name


def test_an_option_wins_over_the_variable_and_the_variable_over_what_is_seen() -> None:
    dumb = {"TERM": "dumb", "TUI_TAPBACK_EMOJI": "text"}
    assert detect_profile(dumb) is TEXT
    assert detect_profile(dumb, "FULL") is FULL
    assert detect_profile(dumb | {"TUI_TAPBACK_EMOJI": "auto"}) is ASCII_ONLY
    assert detect_profile({}, "auto") is SAFE


def test_an_unknown_name_is_refused_with_the_choices() -> None:
    with pytest.raises(SettingsError) as caught:
        detect_profile({}, "rainbow")
    assert "auto, colour, full, safe, text, ascii" in caught.value.sentence()


def test_terminals_with_old_tables_are_given_old_emoji_only() -> None:
    assert detect_profile(UTF8 | {"TERM_PROGRAM": "vscode"}).unicode == 11
    assert detect_profile(UTF8 | {"NVIM": "/tmp/nvim.sock"}).unicode == 11


def test_a_multiplexer_is_recognised() -> None:
    assert (
        in_multiplexer({"TMUX": "x"})
        and in_multiplexer({"TERM": "screen"})
        and in_multiplexer({"ZELLIJ": "0"})
    )
    assert not in_multiplexer({"TERM": "xterm"})


@pytest.mark.parametrize(
    ("locale", "utf8"),
    [
        ({"LANG": "C"}, False),  # Python adds LC_CTYPE=C.UTF-8 of its own accord
        ({"LANG": "no_WHERE.ISO-8859-1"}, False),
        ({"LANG": "no_WHERE.UTF-8"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_ALL": "C"}, False),
        ({}, True),
    ],
)
def test_what_python_writes_into_the_environment_is_not_the_persons_locale(
    locale: dict[str, str], utf8: bool
) -> None:
    asks = "import os\nfrom tui_tapback.terminal.profile import speaks_utf8\nprint(speaks_utf8(os.environ))"
    told = subprocess.run(
        [sys.executable, "-c", asks], env=locale, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == str(utf8)
