"""``tui-tapback keys``: the table, the presets, and conflicts with the line of the settings file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tui_tapback.actions.presets import PRESETS
from tui_tapback.cli import parser
from tui_tapback.cli.main import main


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TUI_TAPBACK_HOME", str(tmp_path))
    from tui_tapback.config.paths import Paths

    file = Paths.from_environ({"TUI_TAPBACK_HOME": str(tmp_path)}).settings_file
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def test_the_presets_are_all_of_them() -> None:
    assert tuple(PRESETS) == parser.PRESETS


def test_it_prints_the_keys_in_use(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.write_text('[keys]\npreset = "vim"\n[keys.map]\nlens = "f9"\n', "utf-8")
    assert main(["keys"]) == 0
    told = capsys.readouterr().out
    assert "Preset: vim" in told
    assert "g g, Home" in told
    assert "F9 " in told
    assert "[react_1 … react_6]" in told


def test_a_conflict_is_told_with_its_line(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.write_text('theme = "light"\n\n[keys.map]\ncopy = "ctrl+q"\nlens = "w"\nhlep = "f9"\n', "utf-8")
    assert main(["keys"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3
    by_line = {line.partition(": ")[0][-1]: line for line in told}
    assert "Ctrl+Q belongs to “Quit” (quit)" in by_line["4"]
    assert "(copy)" in by_line["4"]
    assert "(lens)" in by_line["5"]
    assert "(who)" in by_line["5"]
    assert "Did you mean help?" in by_line["6"]


def test_as_json(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.write_text('[keys.map]\nsend = "x"\n', "utf-8")
    assert main(["keys", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["preset"] == "default"
    (send,) = (item for item in data["actions"] if item["id"] == "send")
    assert send["keys"] == ["enter"]
    assert {problem["kind"] for problem in data["problems"]} == {"refused"}
    assert main(["keys", "--preset", "emacs", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    (leave,) = (item for item in data["actions"] if item["id"] == "quit")
    assert "ctrl+x ctrl+c" in leave["keys"]
