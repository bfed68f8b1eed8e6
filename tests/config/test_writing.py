"""Writing the settings file: one setting changes, everything else stays, and nothing is ever lost."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.config.settings import Settings, parse_settings
from tui_tapback.config.template import template
from tui_tapback.config.toml_edit import with_value, without_value
from tui_tapback.config.values import literal, split_key
from tui_tapback.config.writing import Revision, SettingsFile
from tui_tapback.domain.errors import SettingsError

HAND_MADE = """\
# my settings
theme = "light"  # at the window

# not yet known to this version
colour_of_joy = "yellow"

quick_reactions = [
    "❤️",  # love
    "🎉",
]

# the one at home
[model]
base_url = "http://127.0.0.1:1/v1"   # port 1
model = "m"

# how long it stays
[gateway]
idle_exit = 5
# the end
"""


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "home" / "settings.toml")


def written(file: SettingsFile, text: str | bytes) -> SettingsFile:
    file.path.parent.mkdir(exist_ok=True)
    file.path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_a_file_that_is_not_there_is_made_with_every_setting_explained(file: SettingsFile) -> None:
    file.change({"theme": "light"})
    text = file.path.read_text()
    assert text == template().replace('# theme = "auto"', 'theme = "light"')
    assert file.read() == Settings(theme="light")
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    file.reset("theme")
    assert file.path.read_text() == template()


def test_what_is_first_made_sets_nothing_and_warns_of_nothing() -> None:
    warnings: list[str] = []
    assert parse_settings(template(), "x", warn=warnings.append) == Settings()
    assert warnings == []


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("theme", "dark", 'theme = "light"  # at', 'theme = "dark"  # at'),
        ("model.model", "n", 'model = "m"', 'model = "n"'),
        ("quick_reactions", ("❤️", "👍"), '"🎉"', '"👍"'),
        ("quick_reactions", ("👍", "🎉"), '"❤️",  # love', '"👍",  # love'),
        ("model.discover", False, 'model = "m"\n', 'model = "m"\ndiscover = false\n'),
        ("reduced_motion", True, '"🎉",\n]\n', '"🎉",\n]\nreduced_motion = true\n'),
        ("gateway.idle_exit", 7.5, "idle_exit = 5", "idle_exit = 7.5"),
        ("verbs.pin", "📌", "# the end\n", '# the end\n\n[verbs]\npin = "📌"\n'),
        (
            'connections."my.home".url',
            "ws://h/",
            "# the end\n",
            '# the end\n\n[connections."my.home"]\nurl = "ws://h/"\n',
        ),
    ],
)
def test_one_line_changes_and_all_others_stay(
    file: SettingsFile, key: str, value: Any, old: str, new: str
) -> None:
    written(file, HAND_MADE).change({key: value})
    assert file.path.read_text() == HAND_MADE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("theme", 'theme = "light"  # at', '# theme = "auto"  # at'),
        ("gateway.idle_exit", "idle_exit = 5", "# idle_exit = 60"),
        ("model.api_key", "", ""),
        ("colour_of_joy", 'colour_of_joy = "yellow"\n', ""),
    ],
)
def test_back_to_the_default_leaves_the_line_as_a_comment(
    file: SettingsFile, key: str, old: str, new: str
) -> None:
    written(file, HAND_MADE).reset(key)
    assert file.path.read_text() == HAND_MADE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("model = { model = 'a' } # x\n", "model.discover", False),
        ("model.model = 'a' # x\n", "model.discover", False),
        ("[model]\n", "model.model", "a"),
        ("", "model.model", "a"),
        ("theme='dark'", "mouse", False),
        ("# only words", "theme", "dark"),
        ("[gateway]\nidle_exit=1\n[model]\nmodel='a'", "gateway.idle_exit", 2.0),
        ('x = """\n[model]\n# mouse = true\n"""\n', "mouse", False),
        ('[model]\nmodel = """\n\n# a"""\n[verbs]\n', "model.discover", False),
        ("[connections.a]\nurl='x'\n[gateway]\n[connections.b]\nurl='y'\n", "connections.a.username", "me"),
        ("theme = 'dark' # old: 'light'\n# theme = 'nord'\n", "theme", "nord"),
        ("# theme = 'nord' is nice\n", "theme", "dark"),
        ("", "keys.map.open_pill", "r, f6"),
        ("[keys]\nmap = {}\n", "keys.map.open_pill", "f6"),
    ],
)
def test_however_it_is_written_the_setting_finds_its_place(text: str, key: str, value: Any) -> None:
    new = with_value(text, split_key(key), value)
    found: Any = tomllib.loads(new)
    for name in split_key(key):
        found = found[name]
    assert found == value
    for word in ("# x", "# only words", "# old: 'light'", "# theme = 'nord'"):
        assert (word in new) == (word in text)
    assert tomllib.loads(without_value(new, split_key(key), literal(value))) is not None


def test_a_table_goes_with_all_that_is_in_it(file: SettingsFile) -> None:
    written(file, '# first\n[connections.a]\nurl = "ws://a"\n\n[connections.b]\nurl = "ws://b"\n')
    file.reset("connections.a")
    assert set(file.read().connections) == {"b"}
    assert file.path.read_text().startswith("# first\n")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("theem", "dark", "There is no setting theem. Did you mean theme?"),
        ("emoji_profile", "red", '"safe", "text", "ascii", not "red"'),
        ("quick_reactions", ("no",), "is not"),
        ("quick_reactions", ("👍", "👍️"), "twice"),
        ("double_click", "xx", "is not"),
        ("model.base_url", "ftp://x", "http://"),
        ("gateway.idle_exit", -1.0, "0 or more"),
        ("mouse", "maybe", "true or false"),
        ("a b", "x", "not the name of a setting"),
        ("model", "x", "There is no setting model"),
    ],
)
def test_a_value_that_is_refused_writes_nothing(file: SettingsFile, key: str, value: Any, words: str) -> None:
    written(file, HAND_MADE)
    with pytest.raises(SettingsError) as refused:
        file.change({key: value})
    assert words in refused.value.sentence()
    assert file.path.read_text() == HAND_MADE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('theme = "light"\nmouse = = true\n', "line 2"),
        ('theme = "light"\n[gateway]\nidle_exit = "long"\n', "line 3: the setting gateway.idle_exit must be"),
        (b"theme = '\xff'", "is not UTF-8 text"),
    ],
)
def test_a_broken_file_is_left_alone_and_its_line_is_named(
    file: SettingsFile, text: str | bytes, words: str
) -> None:
    written(file, text)
    before = file.path.read_bytes()
    with pytest.raises(SettingsError) as refused:
        file.change({"mouse": False})
    assert words in refused.value.sentence()
    assert file.path.read_bytes() == before


def test_the_wrong_value_itself_can_be_put_right(file: SettingsFile) -> None:
    written(file, 'emoji_profile = "red" # ?\n').change({"emoji_profile": "safe"})
    assert file.path.read_text() == 'emoji_profile = "safe" # ?\n'


def test_what_an_editor_wrote_meanwhile_is_not_overwritten(file: SettingsFile) -> None:
    seen = written(file, HAND_MADE).revision()
    written(file, HAND_MADE + "# more\n")
    with pytest.raises(SettingsError) as refused:
        file.change({"theme": "dark"}, seen)
    assert "changed meanwhile" in refused.value.sentence()
    assert file.path.read_text() == HAND_MADE + "# more\n"
    file.change({"theme": "dark"}, file.revision())
    with pytest.raises(SettingsError):
        file.replace(Revision(b""), seen)


def test_rights_links_line_ends_and_the_mark_at_the_start_are_kept(
    file: SettingsFile, tmp_path: Path
) -> None:
    dotfiles = tmp_path / "dotfiles.toml"
    dotfiles.write_bytes(b'\xef\xbb\xbftheme = "dark" # a\r\n[model]\r\nmodel = "m"\r\n')
    dotfiles.chmod(0o640)
    file.path.parent.mkdir()
    file.path.symlink_to(dotfiles)
    file.change({"theme": "light", "model.discover": False})
    assert file.path.is_symlink()
    assert dotfiles.read_bytes() == (
        b'\xef\xbb\xbftheme = "light" # a\r\n[model]\r\nmodel = "m"\r\ndiscover = false\r\n'
    )
    assert stat.S_IMODE(dotfiles.stat().st_mode) == 0o640
    file.change({"model.api_key": "k"})
    assert stat.S_IMODE(dotfiles.stat().st_mode) == 0o600


def test_a_disk_that_takes_nothing_is_told(file: SettingsFile) -> None:
    written(file, HAND_MADE)
    file.path.with_name(".settings.toml.lock").mkdir()
    with pytest.raises(SettingsError, match="cannot be written"):
        file.change({"theme": "dark"})
    assert file.path.read_text() == HAND_MADE


def test_a_failed_write_leaves_no_draft(file: SettingsFile) -> None:
    file.path.parent.mkdir()
    file.path.mkdir()
    with pytest.raises(SettingsError):
        file.change({"theme": "dark"})
    assert [each.name for each in file.path.parent.iterdir()] == ["settings.toml"]


CHANGES: list[tuple[str, st.SearchStrategy[Any]]] = [
    ("theme", st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)),
    ("mouse", st.booleans()),
    ("model.model", st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)),
    ("model.discover", st.booleans()),
    ("gateway.idle_exit", st.floats(0, 1e9, allow_nan=False)),
    (
        "notifications.command",
        st.lists(st.sampled_from(["a", "#", '"', "]", "\n", "é"]), max_size=4).map(tuple),
    ),
    ("connections.home.url", st.sampled_from(["ws://a", "ws://b # c"])),
]
STEP = st.sampled_from(CHANGES).flatmap(lambda c: st.tuples(st.just(c[0]), st.one_of(st.none(), c[1])))


@given(
    st.sampled_from(["", HAND_MADE, template(), "theme.x = 1\n"[:0] + "[model]\n\n# tail"]),
    st.lists(STEP, max_size=8),
)
def test_any_changes_leave_every_comment_and_say_what_was_wanted(
    text: str, steps: list[tuple[str, Any]]
) -> None:
    comments = [line for line in text.split("\n") if line.startswith("#") and " = " not in line]
    wanted: dict[str, Any] = {}
    for key, value in steps:
        path = split_key(key)
        text = without_value(text, path, None) if value is None else with_value(text, path, value)
        wanted[key] = value
        found: Any = tomllib.loads(text)
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType] -- what TOML gives
        assert found == (list(value) if isinstance(value, tuple) else value)  # pyright: ignore[reportUnknownArgumentType] -- as above
    raw = tomllib.loads(text)
    for key, value in wanted.items():
        found = raw
        for name in split_key(key):
            found = found.get(name) if isinstance(found, dict) else None  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType] -- as above
        assert found == (list(value) if isinstance(value, tuple) else value)  # pyright: ignore[reportUnknownArgumentType] -- as above
    assert [line for line in text.split("\n") if line in comments] == comments
