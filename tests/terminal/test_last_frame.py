"""The frame of the last time: kept for one terminal, one size and one pair of eyes, and shown as it was."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.config.paths import Paths
from tui_tapback.terminal import last_frame
from tui_tapback.terminal.last_frame import Frame

TERMINAL = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
SIZE = (30, 4)
NOW = 1_796_068_800
REPOSITORY = Path(last_frame.__file__).parents[2]
LINES = ("hello", "\x1b[38;2;1;2;3mworld\x1b[0m ❤️", "", "Enter send")


def frame(lines: tuple[str, ...] = LINES, **changes: object) -> Frame:
    values = {
        "size": SIZE,
        "session_id": "s1",
        "terminal": last_frame.terminal_key(TERMINAL),
        "at": NOW,
        "until": NOW + 3600,
        "chat": (0, 2),
    } | changes
    return Frame(lines, **values)  # pyright: ignore[reportArgumentType] - a frame with one field changed


def test_what_was_kept_is_found_again_in_the_same_terminal(tmp_path: Path) -> None:
    path = str(tmp_path / "last-frame")
    last_frame.save(path, frame())
    found = last_frame.fitting(str(tmp_path), TERMINAL, SIZE, NOW)
    assert found is not None
    assert (found.lines, found.session_id, found.at) == (LINES, "s1", NOW)
    assert (found.until, found.chat) == (NOW + 3600, (0, 2))
    assert Path(path).stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [Path(path)]


@pytest.mark.parametrize(
    ("environ", "size"),
    [
        (TERMINAL, (31, 4)),
        (TERMINAL, (30, 5)),
        (TERMINAL | {"TERM": "linux"}, SIZE),
        (TERMINAL | {"NO_COLOR": "1"}, SIZE),
        (TERMINAL | {"TMUX": "/tmp/x"}, SIZE),
        (TERMINAL | {"SSH_CONNECTION": "x"}, SIZE),
        (TERMINAL | {"TUI_TAPBACK_EMOJI": "text"}, SIZE),
        ({"TERM": "xterm-256color"}, SIZE),
    ],
)
def test_another_size_or_terminal_gets_nothing(
    tmp_path: Path, environ: dict[str, str], size: tuple[int, int]
) -> None:
    last_frame.save(str(tmp_path / "last-frame"), frame())
    assert last_frame.fitting(str(tmp_path), environ, size, NOW) is None


@pytest.mark.parametrize(("now", "shown"), [(-61, False), (-59, True), (3599, True), (3600, False)])
def test_it_is_shown_only_while_the_terminal_is_not_asked_anyway(
    tmp_path: Path, now: int, *, shown: bool
) -> None:
    last_frame.save(str(tmp_path / "last-frame"), frame())
    assert (last_frame.fitting(str(tmp_path), TERMINAL, SIZE, NOW + now) is not None) is shown


@pytest.mark.parametrize(("changed", "shown"), [(NOW - 1, True), (NOW, False), (NOW + 9, False)])
def test_it_is_not_shown_once_the_settings_have_changed(tmp_path: Path, changed: int, *, shown: bool) -> None:
    last_frame.save(str(tmp_path / "last-frame"), frame())
    settings = tmp_path / "settings.toml"
    assert last_frame.fitting(str(tmp_path), TERMINAL, SIZE, NOW, str(settings)) is not None
    settings.touch()
    os.utime(settings, (changed, changed))
    found = last_frame.fitting(str(tmp_path), TERMINAL, SIZE, NOW, str(settings))
    assert (found is not None) is shown


def test_a_file_that_others_may_read_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "last-frame"
    last_frame.save(str(path), frame())
    path.chmod(0o644)
    assert last_frame.load(str(path)) is None


@pytest.mark.parametrize(
    "line",
    [
        "\x1b[2J",
        "\x1b]0;title\x07",
        "a\x1b[5n",
        "\x1b[31",
        "bell\x07",
        "back\x08",
        "tab\there",
        "\x9b2J",
        "\x1bc",
    ],
)
def test_a_line_that_could_drive_the_terminal_is_neither_kept_nor_shown(tmp_path: Path, line: str) -> None:
    path = tmp_path / "last-frame"
    last_frame.save(str(path), frame())
    last_frame.save(str(path), frame((line, "", "", "")))
    assert not path.exists()
    last_frame.save(str(path), frame())
    path.write_text(path.read_text().replace("hello", line))
    assert last_frame.load(str(path)) is None


def content(at: float, lines: list[str]) -> bytes:
    numbers = f"30 4 {at} 2 0 4"
    return "\n".join(("tapback-frame 2", numbers, "x", "s", *lines)).encode("utf-8", "replace")


FOUR_LINES = st.lists(st.text("a❤\x1b[1m;", max_size=8), min_size=4, max_size=4)


@given(st.binary(max_size=400) | st.builds(content, st.integers() | st.floats(), FOUR_LINES))
def test_no_broken_file_is_shown_or_hurts(junk: bytes) -> None:
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"tapback-last-frame-{os.getpid()}"
    try:
        path.touch(0o600)
        path.write_bytes(junk)
        found = last_frame.load(str(path))
        assert found is None or last_frame.drawn(found)
        path.write_bytes(b"tapback-frame 2\n30 4 1 2 0 4\nx\ns\n" + junk)
        found = last_frame.load(str(path))
        assert found is None or last_frame.drawn(found)
    finally:
        path.unlink()


def test_the_picture_stands_in_its_place_with_the_mark_over_the_last_row() -> None:
    screen = pyte.Screen(*SIZE)
    stream = pyte.Stream(screen)
    stream.feed("what was on the screen before\r\n")
    stream.feed(last_frame.drawn(frame()))
    assert [line.rstrip() for line in screen.display[:1]] == ["hello"]
    assert screen.display[1].startswith("world")
    assert screen.display[3].startswith(" Last seen 2026-11-30")
    assert len(last_frame.mark(frame(size=(12, 4)), time.gmtime)) == 12


def test_the_mark_speaks_the_language_of_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "last-frame"
    last_frame.save(str(path), frame(words="Stand {time}"))
    found = last_frame.load(str(path))
    assert found is not None
    assert found.lines == LINES
    assert last_frame.mark(found, time.gmtime).startswith(" Stand 2026-11-30 ")
    last_frame.save(str(path), frame(words="Stand \x1b[2J"))
    assert not path.exists()


def test_a_file_without_the_words_is_shown_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "last-frame"
    last_frame.save(str(path), frame(words="Stand {time}"))
    path.write_text(path.read_text().removesuffix("\nStand {time}"))
    found = last_frame.load(str(path))
    assert found is not None
    assert last_frame.mark(found, time.gmtime).startswith(" Last seen 2026-11-30 ")
    path.write_text(f"{path.read_text()}\nStand\nand more")
    assert last_frame.load(str(path)) is None


@pytest.mark.skipif(sys.platform == "win32", reason="frames are not replayed there")
@pytest.mark.parametrize("variables", [{}, {"TUI_TAPBACK_HOME": "/tmp/tapback-home"}])
def test_the_folder_is_the_one_where_the_program_keeps_its_data(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert last_frame.data_folder(variables) == str(Paths.from_environ(variables).data)
    assert last_frame.settings_file(variables) == str(Paths.from_environ(variables).settings_file)
    monkeypatch.setenv("XDG_DATA_HOME", "/tmp/tapback-xdg")
    environ = variables | {"XDG_DATA_HOME": "/tmp/tapback-xdg"}
    assert last_frame.data_folder(environ) == str(Paths.from_environ(environ).data)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/tmp/tapback-config")
    environ |= {"XDG_CONFIG_HOME": "/tmp/tapback-config"}
    assert last_frame.settings_file(environ) == str(Paths.from_environ(environ).settings_file)


def test_nothing_heavy_is_imported_for_it() -> None:
    program = (
        "import sys; before = set(sys.modules); import tui_tapback.cli.launch; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=REPOSITORY
    )
    assert set(done.stdout.split()) <= {
        *("__future__", "gc", "select", "termios", "time"),
        *("tui_tapback", "tui_tapback.cli", "tui_tapback.cli.launch", "tui_tapback.terminal"),
        *(f"tui_tapback.terminal.{name}" for name in ("background", "early", "last_frame", "replay")),
    }
