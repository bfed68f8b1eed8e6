"""The settings of a running program: changed, taken back, changed by an editor, never by an invalid file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tui_tapback.app.preferences import theme_of
from tui_tapback.app.settings.desk import SettingsDesk
from tui_tapback.app.settings.live import told
from tui_tapback.config.origins import Origin
from tui_tapback.config.settings import Settings
from tui_tapback.config.values import Value
from tui_tapback.domain.errors import SettingsError

Heard = list[tuple[Settings, Settings]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def desk_of(
    file: Path, options: dict[str, tuple[Value, str]] | None = None, **environ: str
) -> tuple[SettingsDesk, Heard]:
    desk = SettingsDesk(file, environ, options, check=lambda found: theme_of(found.theme, dark=True))
    heard: Heard = []
    desk.follow(lambda before, now: heard.append((before, now)))
    return desk, heard


def test_a_change_is_written_and_counts_at_once_and_can_be_taken_back(file: Path) -> None:
    file.write_text("# mine\ntheme = 'nord' # cold\n")
    desk, heard = desk_of(file)
    desk.change("theme", "light")
    desk.change("mouse", False)
    assert [now.theme for _, now in heard] == ["light", "light"]
    assert 'theme = "light" # cold' in file.read_text()
    assert desk.find("theme").line == 2
    undone = desk.undo()
    assert undone is not None
    assert undone.key == "mouse"
    assert desk.undo() is not None
    assert desk.settings == Settings(theme="nord")
    assert (desk.undo(), desk.can_undo) == (None, False)
    assert "# cold" in file.read_text()


def test_taking_back_stops_where_another_hand_was_later(file: Path) -> None:
    desk, _ = desk_of(file)
    desk.change("theme", "light")
    desk.change("skin_tone", "dark")
    file.write_text('skin_tone = "light"\ntheme = "light"\n')
    with pytest.raises(SettingsError, match="skin_tone was changed elsewhere"):
        desk.undo()
    assert desk.settings.skin_tone == "light"
    desk.undo()
    assert desk.settings == Settings(skin_tone="light")


def test_what_an_editor_saves_counts_once_it_has_settled(file: Path) -> None:
    file.write_text('theme = "nord"\n')
    desk, heard = desk_of(file)
    assert (desk.glance(), desk.glance()) == (None, None)
    file.write_text("")  # as some editors do first
    assert desk.glance() is None
    file.write_text('theme = "light"\nmouse = false\nthema = 1\n')
    assert desk.glance() is None
    assert heard == []
    seen = desk.glance()
    assert seen is not None
    assert (seen.keys, seen.waiting) == (("theme", "mouse"), ("mouse",))
    assert "did you mean theme" in seen.warnings[0]
    assert told(seen) == [
        "Taken over from the settings file: theme, mouse.",
        "mouse: counts after a new start.",
    ]
    assert heard[-1][1].theme == "light"
    assert desk.glance() is None


def test_connections_are_called_by_their_names(file: Path) -> None:
    file.write_text('theme = "nord"\n')
    desk, _heard = desk_of(file)
    file.write_text('theme = "nord"\n[connections."my work"]\nurl = "ws://x"\ntoken_env = "X"\n')
    seen = desk.look()
    assert seen is not None
    assert told(seen) == ["The connection “my work” is saved."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('theme = "light"\nmouse = 3\n', "line 2: the setting mouse must be true or false, not a number"),
        ("theme = \n", "line 1"),
        ('\ntheme = "no-such"\n', "line 2: There is no theme “no-such”"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_an_invalid_file_is_told_once_and_what_counted_stays(
    file: Path, text: str | bytes, words: str
) -> None:
    file.write_text('theme = "nord"\n')
    desk, heard = desk_of(file)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    desk.glance()
    with pytest.raises(SettingsError) as refused:
        desk.glance()
    assert words in refused.value.sentence()
    assert desk.glance() is None
    assert heard == []
    assert desk.find("theme").value == "nord"
    with pytest.raises(SettingsError, match=words[:4]):
        desk.change("skin_tone", "dark")
    assert file.read_bytes() == (text if isinstance(text, bytes) else text.encode())
    file.write_text('theme = "nord"\nmouse = false\n')
    desk.glance()
    assert desk.glance() is not None
    assert desk.trouble is None


def test_a_file_that_was_broken_from_the_start_is_told_as_well(file: Path) -> None:
    file.write_text("mouse = 3")
    desk, _ = desk_of(file)
    assert desk.trouble is not None
    file.write_text("mouse = false")
    desk.glance()
    desk.glance()
    assert (desk.trouble, desk.settings.mouse) == (None, False)


def test_a_file_that_goes_away_means_the_defaults(file: Path) -> None:
    file.write_text('theme = "nord"\n')
    desk, heard = desk_of(file)
    file.unlink()
    desk.glance()
    desk.glance()
    assert heard[-1][1] == Settings()
    assert desk.glance() is None


def test_a_saved_file_of_the_same_size_and_time_is_not_missed(file: Path) -> None:
    file.write_text('theme = "nord"\n')
    desk, _ = desk_of(file)
    before = file.stat()
    other = file.with_suffix(".new")
    other.write_text('theme = "dark"\n')
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)
    desk.glance()
    assert desk.glance() is not None


def test_what_goes_before_the_file_is_named_and_counts(file: Path) -> None:
    file.write_text('theme = "nord"\nreduced_motion = false\n')
    desk, heard = desk_of(file, {"theme": ("light", "--theme")}, TEXTUAL_ANIMATIONS="none")
    found = desk.find("theme")
    assert (found.value, found.filed, found.origin, found.by) == (
        *("light", "nord"),
        *(Origin.COMMAND_LINE, "--theme"),
    )
    assert desk.effective(desk.settings).reduced_motion
    file.write_text('theme = "dark"\n')
    desk.glance()
    desk.glance()
    assert heard == []  # the option still counts
    desk.change("theme", "dracula")  # but not over a later choice
    assert heard[-1][1].theme == "dracula"
    assert heard[-1][1].reduced_motion


def test_a_secret_is_written_but_neither_shown_nor_kept_for_undoing(file: Path) -> None:
    desk, _ = desk_of(file)
    desk.change("model.api_key", "sk-secret")
    assert "sk-secret" not in repr(desk.all())
    assert desk.find("model.api_key").shown == '"***"'
    assert not desk.can_undo
    desk.change("model.api_key", None)
    assert "sk-secret" not in file.read_text()


def test_a_value_that_is_refused_changes_nothing(file: Path) -> None:
    file.write_text('theme = "nord"\n')
    desk, heard = desk_of(file)
    for key, value in (("theme", "no-such"), ("emoji_profile", "red"), ("quick_reactions", ("x",))):
        with pytest.raises(SettingsError):
            desk.change(key, value)
    assert (file.read_text(), heard, desk.can_undo) == ('theme = "nord"\n', [], False)


def test_what_was_saved_while_the_program_started_counts_as_well(file: Path) -> None:
    file.write_text('theme = "light"\n')
    desk = SettingsDesk(file, {}, began_with=Settings(theme="nord"))
    heard: Heard = []
    desk.follow(lambda before, now: heard.append((before, now)))
    assert [(before.theme, now.theme) for before, now in heard] == [("nord", "light")]
