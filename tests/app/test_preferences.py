"""What settings, environment and arguments become, and what is kept of a person's habits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_tapback.app.habits import Habits
from tui_tapback.app.preferences import Preferences
from tui_tapback.config.settings import Settings
from tui_tapback.domain.errors import SettingsError
from tui_tapback.emoji.recents import Recents


def test_arguments_win_over_settings() -> None:
    settings = Settings(theme="dark", emoji_profile="safe")
    assert Preferences.of(settings, {}).theme == "tapback-dark"
    chosen = Preferences.of(settings, {}, theme="light", emoji_profile="ascii")
    assert chosen.theme == "tapback-light"
    assert chosen.fitter.profile.name == "ascii"
    assert Preferences.of(settings, {}).fitter.profile.name == "safe"


def test_the_terminal_decides_when_nobody_else_does() -> None:
    assert Preferences.of(Settings(), {"COLORFGBG": "0;15"}).theme == "tapback-light"
    assert Preferences.of(Settings(), {"COLORFGBG": "15;0"}).theme == "tapback-dark"


def test_a_theme_that_there_is_not_names_those_there_are() -> None:
    with pytest.raises(SettingsError) as refused:
        Preferences.of(Settings(), {}, theme="no-such")
    assert "tapback-dark" in refused.value.hint


def test_recent_emoji_outlive_the_program(tmp_path: Path) -> None:
    file = tmp_path / "recents.json"
    habits = Habits(Recents(lambda: 1.0), file)
    assert habits.save() == ""
    assert not file.exists()
    habits.used("🦄")
    assert habits.save() == ""
    again = Preferences.of(Settings(), {}, recents_file=file).habits
    assert list(again.shown(5, 0)) == ["🦄"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    habits = Habits(Recents(lambda: 1.0), tmp_path / "file" / "recents.json")
    habits.used("🦄")
    assert "could not be saved" in habits.save()
