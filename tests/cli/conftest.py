"""Runs the command line of this checkout as a process, in a home of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.home import Home

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.close()


@pytest.fixture
def run(home: Home) -> Run:
    def run_command(*arguments: str, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tui_tapback.cli.main", *arguments],
            input=stdin,
            env=home.env | {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), "TZ": "UTC"} | environ,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run_command
