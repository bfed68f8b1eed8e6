"""The wheel carries everything: in a fresh environment, away from the sources, the program runs."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tui_tapback.testing.home import Home

pytestmark = [pytest.mark.slow, pytest.mark.wheel]

ROOT = Path(__file__).parents[2]

LOOK_AT_THE_ASSETS = """
import tui_tapback
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.search import search
assert "site-packages" in tui_tapback.__file__, tui_tapback.__file__
assert len(load_catalogue().all) > 1800
assert search("party popper", limit=1)[0].emoji == "🎉"
"""


def _run(command: Sequence[str | Path], cwd: Path) -> str:
    result = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel and what it depends on, nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], ROOT)
    [wheel] = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    _run([programs / "python", "-m", "pip", "install", "-q", wheel], folder)
    return programs


def test_the_assets_are_found_without_the_sources(installed: Path, tmp_path: Path) -> None:
    _run([installed / "python", "-c", LOOK_AT_THE_ASSETS], tmp_path)


def test_the_catalogues_are_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    look = "from tui_tapback.words.catalogue import load; assert load('de').texts['Send'] == 'Senden'"
    _run([installed / "python", "-c", look], tmp_path)


def test_the_program_starts_and_chats_from_the_wheel(installed: Path, home: Home) -> None:
    chat = home.run([str(installed / "tui-tapback")])
    chat.wait_for("online")
    chat.press("hello from the wheel")
    chat.wait_for("hello from the wheel")
    chat.press("\r")
    chat.wait(lambda text: any(emoji in text for emoji in "👋👍❤😂"), "the agent's tapback")
    chat.press("\x11")
    assert chat.wait_exit() == 0
