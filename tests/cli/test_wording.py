"""The command line speaks the language of settings or environment, also what argparse says itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tui_tapback.cli.parser import build_parser
from tui_tapback.cli.wording import wrong_arguments
from tui_tapback.config.language import language_wanted
from tui_tapback.config.paths import Paths
from tui_tapback.words import use


@pytest.fixture(autouse=True)
def english_again() -> None:
    use("en")


def test_help_is_in_the_language_in_use() -> None:
    english = build_parser().format_help()
    assert english.startswith("usage: tui-tapback [-h]")
    use("de")
    german = build_parser().format_help()
    use("en")
    assert german.startswith("Aufruf: tui-tapback [-h]")
    for word in ("Optionen:", "Befehle:", "welcher Chat:", "diese Hilfe zeigen"):
        assert word in german
    for word in ("usage", "options:", "show ", "commands:"):
        assert word not in german


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the following arguments are required: id, title", "diese Argumente fehlen: id, title"),
        ("unrecognized arguments: --nonsense", "unbekannte Argumente: --nonsense"),
        ("argument --row: expected one argument", "--row braucht einen Wert"),
        ("argument --row: invalid int value: 'x'", "--row: 'x' ist von der falschen Art"),
        ("argument --back: not allowed with argument --row", "--back verträgt sich nicht mit --row"),
        (
            "argument --author: invalid choice: 'x' (choose from 'user', 'agent')",
            "--author: 'x' ist keins von diesen: 'user', 'agent'",
        ),
        ("something that nobody foresaw", "something that nobody foresaw"),
    ],
)
def test_wrong_arguments_are_told_in_it(said: str, told: str) -> None:
    assert wrong_arguments(said) == said
    use("de")
    assert wrong_arguments(said) == told
    use("en")


def settings(folder: Path, text: str) -> dict[str, str]:
    environ = {"TUI_TAPBACK_HOME": str(folder), "LANG": "fr_FR.UTF-8"}
    file = Paths.from_environ(environ).settings_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return environ


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('language = "de"\n', "de"),
        ("theme = 'dark'\nlanguage  =  'de' # mine\n", "de"),
        ('language = "auto"\n', "fr"),
        ('[model]\nlanguage = "de"\n', "fr"),
        ('# language = "de"\n', "fr"),
        ('language = "nonsense"\n', "en"),
        ("\x00 this is no settings file", "fr"),
        ("", "fr"),
    ],
)
def test_the_setting_counts_before_the_settings_are_read(tmp_path: Path, text: str, code: str) -> None:
    assert language_wanted(settings(tmp_path, text)) == code


def test_the_program_itself_speaks_german(tmp_path: Path) -> None:
    environ = settings(tmp_path, 'language = "de"\n') | {"PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "tui_tapback.cli.main", "react"]
    result = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "react: Fehler: diese Argumente fehlen: emoji" in result.stderr
