from __future__ import annotations

import pytest

from tui_tapback.domain.errors import SettingsError
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE, TEXT, detect_profile, in_multiplexer

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
