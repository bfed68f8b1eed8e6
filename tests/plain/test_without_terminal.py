"""Lines out of a pipe, the setting, what is imported, and the choice between screen and lines."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.cli.plain import complete, why_plain
from tui_tapback.terminal.cursor import places_cursor
from tui_tapback.testing.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.close()


def run(home: Home, *arguments: str, stdin: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tui_tapback.cli.main", *arguments],
        input=stdin,
        env=home.env | {"OPENAI_MODEL": "companion", "LANG": "C.UTF-8"} | environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
def test_lines_of_a_pipe_are_messages_and_the_end_waits_for_the_answers(home: Home) -> None:
    done = run(home, "--plain", stdin="stream 5\n/react heart\n/list\n")
    assert (done.returncode, done.stderr) == (0, "")
    # The companion waves at the first message; whether before or after its answer is not certain.
    said = [line for line in done.stdout.splitlines() if "Agent reacted waving hand" not in line]
    assert said[3].endswith(": 1 2 3 4 5")
    assert said[4] == "You loved message 2, “1 2 3 4 5”."
    assert said[-1].endswith(": 1 2 3 4 5. Tapback: red heart ❤️ from you.")
    again = run(home, "--plain", stdin="/status\n")  # the last chat is opened again
    assert "2 messages" in again.stdout


@pytest.mark.slow
def test_who_cannot_be_reached_is_a_failure(home: Home, tmp_path: Path) -> None:
    refused = run(home, "--plain", "--connect", "ws://127.0.0.1:9", stdin="hello\n")
    assert refused.returncode == 1
    assert "wait to be sent" in refused.stdout or "waits to be sent" in refused.stdout


@pytest.mark.slow
def test_the_setting_chooses_it_and_leaves_no_screen_behind(home: Home) -> None:
    folder = Path(home.env["TUI_TAPBACK_HOME"])
    folder.mkdir()
    (folder / "settings.toml").write_text('plain = true\nplain_emoji = "names"\n', "utf-8")
    done = run(home, stdin="/reactions\n")
    assert done.returncode == 0
    assert "1. red heart\n" in done.stdout and "❤️" not in done.stdout


def test_without_a_terminal_the_screen_is_refused_with_the_way_out(home: Home) -> None:
    done = run(home, stdin="hello\n")
    assert done.returncode == 2 and "--plain" in done.stderr


@pytest.mark.slow
def test_nothing_of_the_screen_is_ever_imported(home: Home) -> None:
    script = (
        "import sys\n"
        "from tui_tapback.cli.main import main\n"
        "status = main(['--plain'])\n"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('textual', 'rich')]\n"
        "print(bad, file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    lines = "stream 3\n/react heart\n/list\n/find stream\n/emoji cat\n/settings all\n/help\n/sessions\n"
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=lines + f"/export html {home.folder}/chat.html\n",
        env=home.env | {"OPENAI_MODEL": "companion"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (0, "[]")


def test_terminals_that_cannot_place_their_cursor_get_lines() -> None:
    assert (
        places_cursor("xterm-256color") and places_cursor("tmux-256color") and places_cursor("nobody-knows")
    )
    assert not places_cursor("dumb") and not places_cursor("")

    def person(descriptor: int) -> bool:
        return True

    assert "(TERM=dumb)" in why_plain({"TERM": "dumb"}, person)
    assert why_plain({"TERM": "xterm"}, person) == ""
    assert why_plain({"TERM": "dumb"}, os.isatty) == "" or os.isatty(0)


def test_commands_are_completed() -> None:
    assert complete("/rea") == ("/react", "/reactions", "/read")
    assert complete("rea") == () and complete("/react h") == ()
