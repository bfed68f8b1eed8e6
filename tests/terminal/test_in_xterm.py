"""A real xterm without a screen: what it answers, and every fitted emoji measured in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
InXterm = Callable[[str], dict[str, Any]]

pytestmark = [pytest.mark.slow, pytest.mark.terminal]


@pytest.fixture(scope="module")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A virtual display; its number is chosen by the server."""
    missing = [name for name in ("xterm", "Xvfb") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed")
    reading, writing = os.pipe()
    log = (tmp_path_factory.mktemp("display") / "log").open("wb")
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stdout=log,
        stderr=log,
    )
    os.close(writing)
    with os.fdopen(reading, "rb") as number:
        yield f":{number.readline().decode().strip()}"
    server.terminate()
    server.wait(20)
    log.close()


@pytest.fixture
def in_xterm(display: str, tmp_path: Path) -> InXterm:
    """Runs a program of benchmarks/ in xterm and gives what it wrote."""

    def run(program: str) -> dict[str, Any]:
        answer = tmp_path / f"{program}.json"
        environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", "DISPLAY": display}
        command = [sys.executable, str(ROOT / "benchmarks" / f"{program}.py"), "--json", str(answer)]
        ended = subprocess.run(
            ["xterm", "-u8", "-geometry", "80x24", "-e", *command],
            env=environ | {"PYTHONPATH": str(ROOT)},
            check=False,
            capture_output=True,
            timeout=120,
        )
        assert answer.exists(), ended.stderr.decode("utf-8", "replace")
        told: dict[str, Any] = json.loads(answer.read_text("utf-8"))
        return told

    return run


def test_xterm_answers_within_the_deadline_of_the_start(in_xterm: InXterm) -> None:
    told = in_xterm("probe")
    assert set(told["outcome"]) == {"answered"}
    assert told["ms"]["median"] < 600
    cells = told["cells"]
    assert cells["wide"]["👍"] == 2 and cells["symbols"]["❤"] == 1
    assert told["profile"]["name"] == told["chosen"] == "measured"
    assert told["profile"]["vs16"] is all(width == 2 for width in cells["vs16"].values())


def test_every_fitted_emoji_moves_the_cursor_of_xterm_by_two(in_xterm: InXterm) -> None:
    told = in_xterm("fit_accuracy")
    assert told["sequences"] > 3900
    assert told["fit_wrong"] == told["safe_wrong"] == told["fit_wrong_in_rich"] == 0, told["fit_examples"]
    assert told["fit_as_they_are"] > 1000 and told["naive_wrong"] > 0
