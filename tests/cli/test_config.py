"""``tui-tapback config``: settings with their origin, changed in place, edited, checked; secrets unseen."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tui_tapback.cli.parser import build_parser
from tui_tapback.cli.settings import config
from tui_tapback.config.reference import rows
from tui_tapback.config.settings import Settings
from tui_tapback.domain.errors import InvalidInput, SettingsError

Command = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str, editor: Callable[[Sequence[str]], int] = lambda command: 0, **environ: str) -> str:
        options = build_parser().parse_args(["config", *words])
        home = {"TUI_TAPBACK_HOME": str(tmp_path), "EDITOR": "pen --wait"}
        assert config(options, home | environ, run=editor, ask=lambda words: "unused") == 0
        return capsys.readouterr().out

    return run


def test_the_path_is_told_before_there_is_a_file(command: Command, file: Path) -> None:
    assert command("path") == f"{file}\n"
    assert json.loads(command("path", "--json")) == {"path": str(file), "exists": False}


def test_all_settings_are_told_with_where_they_come_from(command: Command, file: Path) -> None:
    file.write_text('theme = "nord"\nemoji_profile = "auto"\n[connections.home]\nurl = "ws://h"\n')
    told = command("get", OPENAI_MODEL="m", TUI_TAPBACK_EMOJI="safe", TEXTUAL_ANIMATIONS="none")
    assert 'theme = "nord"  # line 1\n' in told
    assert 'emoji_profile = "safe"  # environment: TUI_TAPBACK_EMOJI\n' in told
    assert "reduced_motion = true  # environment: TEXTUAL_ANIMATIONS\n" in told
    assert 'model.model = "m"  # environment: OPENAI_MODEL\n' in told
    assert 'connections.home.url = "ws://h"  # line 4\n' in told
    assert "\nmouse = true\n" in told
    keys = {each["key"] for each in json.loads(command("--json"))}
    assert {row.key for row in rows(Settings) if "NAME" not in row.key} <= keys


def test_a_profile_that_is_chosen_wins_over_the_environment(command: Command, file: Path) -> None:
    file.write_text('emoji_profile = "full"\n')
    assert command("get", "emoji_profile", TUI_TAPBACK_EMOJI="safe") == "full\n"


def test_what_is_set_is_read_back_and_goes_back_to_the_default(command: Command, file: Path) -> None:
    file.write_text("# mine\n")
    assert command("set", "mouse", "off") == "mouse = false  # line 3\n"
    assert command("set", "quick_reactions", "love", "👍️") == 'quick_reactions = ["❤️", "👍"]  # line 4\n'
    assert command("set", "quick_reactions", "🎉, 🤔") == 'quick_reactions = ["🎉", "🤔"]  # line 4\n'
    assert command("get", "quick_reactions") == "🎉\n🤔\n"
    found = json.loads(command("set", "gateway.idle_exit", "7", "--json"))
    assert (found[0]["value"], found[0]["origin"], found[0]["needs"]) == (7, "file", "gateway")
    assert command("reset", "mouse", "quick_reactions") == (
        'mouse = true\nquick_reactions = ["❤️", "👍", "👎", "😂", "‼️", "❓"]\n'
    )
    assert file.read_text().startswith("# mine\n")


def test_a_key_comes_by_standard_input_and_is_never_shown(
    command: Command, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidInput, match="command line"):
        command("set", "model.api_key", "sk-1")
    monkeypatch.setattr(sys, "stdin", io.StringIO("sk-2\n"))
    said = command("set", "model.api_key") + command("get") + command("get", "model.api_key", "--json")
    said += command("get", "model.api_key")
    assert "sk-2" in file.read_text()
    assert "sk-2" not in said
    assert "***" in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("set", "theme", "no-such"), "tapback-dark"),
        (("set", "theem", "x"), "Did you mean theme?"),
        (("get", "modell.model"), "Did you mean model.model?"),
        (("reset", "nothing"), "There is no setting nothing"),
        (("set", "gateway.idle_exit", "soon"), "a number, 0 or more, not “soon”"),
        (("set", "mouse", "perhaps"), "true or false"),
        (("set", "mouse"), "There is no value for mouse"),
        (("get", "connections.home.url"), "Nothing is set"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(
    command: Command, file: Path, words: tuple[str, ...], told: str
) -> None:
    with pytest.raises((SettingsError, InvalidInput)) as refused:
        command(*words)
    assert told in refused.value.sentence()
    assert not file.exists()


def test_what_the_editor_leaves_is_checked(command: Command, file: Path) -> None:
    seen: list[Sequence[str]] = []

    def writing(text: str, status: int = 0) -> Callable[[Sequence[str]], int]:
        def run(words: Sequence[str]) -> int:
            seen.append(words)
            file.write_text(text)
            return status

        return run

    found = json.loads(command("edit", "--json", editor=writing("thema = 3\n")))
    assert seen == [["pen", "--wait", str(file)]]
    assert "line 1: the setting thema is unknown; did you mean theme?" in found["warnings"][0]
    with pytest.raises(SettingsError) as refused:
        command("edit", editor=writing("\ntheme = 3\n"))
    assert "line 2: the setting theme must be text, not a number" in refused.value.sentence()
    with pytest.raises(InvalidInput, match="status 4"):
        command("edit", editor=writing("", 4))


def test_a_file_that_does_not_parse_can_still_be_found_and_edited(command: Command, file: Path) -> None:
    file.write_text("theme = = 1")
    assert command("path") == f"{file}\n"

    def emptying(words: Sequence[str]) -> int:
        file.write_text("")
        return 0

    command("edit", editor=emptying)
    assert "theme = " in command("get")
