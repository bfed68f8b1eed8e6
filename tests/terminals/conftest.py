"""Runs programs inside real terminals by means of the scripts in ``rig/``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RIG = Path(__file__).parent / "rig"
DEMANDED = (
    *("tmux", "screen", "xterm", "vte", "xtermjs-plain", "xtermjs-unicode11", "xtermjs-graphemes"),
    *("ghostty", "ghostty-graphemes", "tmux@xtermjs-unicode11", "screen@xtermjs-unicode11"),
)
"""What has to be there where all lanes are demanded; others are used where they are installed."""
_NOT_HERE = 77
Told = dict[str, Any]
Inside = Callable[..., Told]


@pytest.fixture
def inside(tmp_path: Path) -> Inside:
    """``inside(terminal, script, *arguments, **environ)`` gives what the script wrote to its ``--json``."""

    def run(terminal: str, script: str, *arguments: str, **environ: str) -> Told:
        answer = tmp_path / "told.json"
        command = [sys.executable, str(ROOT / script), "--json", str(answer), *arguments]
        _run(terminal, tmp_path, command, environ)
        return json.loads(answer.read_text("utf-8"))

    return run


@pytest.fixture
def tapped(tmp_path: Path) -> Inside:
    """``tapped(terminal, *arguments)`` gives what ``rig/tap.py`` found, by phase."""

    def run(terminal: str, *arguments: str) -> Told:
        reads = terminal.partition("@")[2] or terminal
        answered = ["--answered"] if reads.startswith(("xtermjs", "ghostty")) else []
        command = [sys.executable, str(RIG / "tap.py"), str(tmp_path), *answered, *arguments]
        _run(terminal, tmp_path, command, {})
        told: Told = json.loads((tmp_path / "taps.json").read_text("utf-8"))
        assert "error" not in told, told["error"]
        assert told["status"] == 0
        for name, phase in told["phases"].items():
            meant = json.loads((tmp_path / f"{name}.meant.json").read_text("utf-8"))
            phase["screen"] = "\n".join("".join(row) for row in meant)
            read = tmp_path / f"{name}.read.json"
            phase["differences"] = json.loads(read.read_text("utf-8")) if answered else None
        return told["phases"]

    return run


def _run(terminal: str, folder: Path, command: list[str], environ: dict[str, str]) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TERMINAL_PACKAGES") if name in os.environ}
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    ended = subprocess.run(
        [sys.executable, str(RIG / "inside.py"), terminal, str(folder), "--", *command],
        env=kept | {"PYTHONPATH": paths, "TZ": "UTC"} | environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    if ended.returncode == _NOT_HERE:
        if os.environ.get("TUI_TAPBACK_LANES") == "all" and terminal in DEMANDED:
            pytest.fail(f"{terminal} was demanded, but {ended.stderr.strip()}", pytrace=False)
        pytest.skip(f"{terminal}: {ended.stderr.strip()}")
    logs = "\n".join(log.read_text("utf-8", "replace")[-1000:] for log in folder.glob("*.log"))
    assert ended.returncode == 0, f"{ended.stderr}\n{logs}"
