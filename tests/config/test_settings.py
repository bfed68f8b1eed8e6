"""The settings file: defaults, precise complaints, reactions checked, secrets kept."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.config.reference import rows
from tui_tapback.config.secret import Secret
from tui_tapback.config.settings import ModelSettings, Settings, load_settings, parse_settings
from tui_tapback.config.values import read_value, row_of
from tui_tapback.domain.errors import NotAnEmoji, SettingsError
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.words import _, use


def only_animals(text: str) -> str:
    """A small rule in place of the emoji table."""
    if text not in ("🦄", "🐙", "❤️", "👍", "👎", "😂", "‼️", "❓", "🎉"):
        raise NotAnEmoji("No.")
    return text


def read(text: str, warnings: list[str] | None = None) -> Settings:
    heard = [] if warnings is None else warnings
    return parse_settings(text, "settings.toml", warn=heard.append, normalise=only_animals)


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "none.toml") == Settings()


def test_a_full_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        '\ufefftheme = "light"\nreduced_motion = true\n[model]\nbase_url = "http://127.0.0.1:1/v1"\n'
        'model = "m"\napi_key = "k"\n[gateway]\nidle_exit = 5\n'
    )
    settings = load_settings(path)
    assert (settings.theme, settings.reduced_motion) == ("light", True)
    assert settings.model.base_url == "http://127.0.0.1:1/v1"
    assert settings.model.key({}) == Secret("k")
    assert settings.gateway.idle_exit == 5.0


@pytest.mark.parametrize(
    ("text", "line", "key", "expected"),
    [
        ('emoji_profile = "red"', 1, "emoji_profile", '"safe", "text", "ascii"'),
        ("\n\n[model]\napi_key = 3", 4, "model.api_key", "text"),
        ('[model]\nbase_url = "ftp://x"', 2, "model.base_url", "http://"),
        ("model = { discover = 3 }", 1, "model.discover", "true or false"),
        ("[gateway]\n# idle\nidle_exit = -1", 3, "gateway.idle_exit", "0 or more"),
        ("[gateway]\nidle_exit = true", 2, "gateway.idle_exit", "a number"),
        ('quick_reactions = ["❤️", 3]', 1, "quick_reactions", "list of texts"),
        ("gateway = 3", 1, "gateway", "a table"),
    ],
)
def test_a_wrong_value_is_named_with_line_and_expectation(
    text: str, line: int, key: str, expected: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        read(text)
    sentence = caught.value.sentence()
    assert f"settings.toml, line {line}: the setting {key} must be" in sentence
    assert expected in sentence


@pytest.fixture
def german() -> Iterator[None]:
    use("de")
    yield
    use("en")


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("theme = 3", "settings.toml, Zeile 1: Für die Einstellung theme wird erwartet: Text"),
        ("gateway = []", "Für die Einstellung gateway wird erwartet: eine Tabelle, nicht eine Liste."),
    ],
)
def test_what_is_wrong_with_the_file_is_said_in_german(toml: str, sentence: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read(toml)
    assert sentence in str(caught.value)


@pytest.mark.usefixtures("german")
def test_a_value_that_is_refused_is_explained_in_german() -> None:
    with pytest.raises(SettingsError) as caught:
        read_value("reduced_motion", "pink")
    meaning = row_of("reduced_motion").meaning
    assert caught.value.hint == _(meaning) != meaning


def test_broken_toml_names_file_and_line() -> None:
    with pytest.raises(SettingsError, match=r"settings\.toml is not valid TOML: .*line 2"):
        read('theme = "dark"\nreduced_motion = maybe\n')


def test_bytes_that_are_no_text_are_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"theme = \xff")
    with pytest.raises(SettingsError, match="not UTF-8"):
        load_settings(path)
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path)


def test_unknown_keys_are_warned_of_and_passed_over() -> None:
    heard: list[str] = []
    assert read('colour = 1\n[model]\nbase_ur = "x"\n', heard) == Settings()
    assert heard == [
        "settings.toml, line 1: the setting colour is unknown.",
        "settings.toml, line 3: the setting model.base_ur is unknown; did you mean model.base_url?",
    ]


def test_an_escape_sequence_in_a_key_stays_harmless() -> None:
    heard: list[str] = []
    read('"\\u001b]0;x" = 1\n', heard)
    assert "\x1b" not in heard[0]


@pytest.mark.parametrize(("value", "emoji"), [("🦄", "🦄"), ("love", "❤️"), ("", ""), ("xx", "")])
def test_double_click_takes_any_emoji_and_old_names(value: str, emoji: str) -> None:
    # case B200
    heard: list[str] = []
    assert read(f'double_click = "{value}"', heard).double_click == emoji
    told = ["settings.toml, line 1: double_click: “xx” is not one emoji, so it opens the pill."]
    assert heard == (told if value == "xx" else [])


def test_quick_reactions_leave_out_what_is_no_emoji() -> None:
    heard: list[str] = []
    settings = read('quick_reactions = ["Love", "🦄", "xx", "🦄", "like"]', heard)
    assert settings.quick_reactions == ("❤️", "🦄", "👍")
    assert heard == ["settings.toml, line 1: quick_reactions: “xx” is not one emoji and was left out."]


def test_quick_reactions_fall_back_and_stop_at_six() -> None:
    heard: list[str] = []
    assert read('quick_reactions = ["xx"]', heard).quick_reactions == QUICK_REACTIONS
    assert len(heard) == 2
    seven = read('quick_reactions = ["🦄", "🐙", "👍", "👎", "😂", "❓", "🎉"]', heard)
    assert len(seven.quick_reactions) == 6
    assert read("quick_reactions = []").quick_reactions == QUICK_REACTIONS


def test_the_key_comes_from_variable_file_or_settings(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from-file\n")
    file.chmod(0o600)
    assert ModelSettings(api_key_env="K").key({"K": "from-env"}) == Secret("from-env")
    assert ModelSettings(api_key_file=str(file)).key({}) == Secret("from-file")
    with pytest.raises(SettingsError, match="environment variable K"):
        ModelSettings(api_key_env="K").key({})
    file.chmod(0o644)
    with pytest.raises(SettingsError, match="other users"):
        ModelSettings(api_key_file=str(file)).key({})
    file.write_text("  \n")
    file.chmod(0o600)
    with pytest.raises(SettingsError, match="empty"):
        ModelSettings(api_key_file=str(file)).key({})
    with pytest.raises(SettingsError, match="cannot be read"):
        ModelSettings(api_key_file=str(tmp_path / "none")).key({})


@pytest.mark.skipif(os.name != "posix", reason="no such permissions here")
def test_settings_with_a_key_that_others_can_read_are_warned_of(tmp_path: Path) -> None:
    heard: list[str] = []
    path = tmp_path / "settings.toml"
    path.write_text('[model]\napi_key = "sk-hidden-123"\n')
    path.chmod(0o644)
    load_settings(path, warn=heard.append)
    assert heard == [f"{path} holds a key and can be read by other users. Run: chmod 600 {path}"]
    path.chmod(0o600)
    load_settings(path, warn=heard.append)
    path.write_text('[model]\nmodel = "m"\n')
    path.chmod(0o644)
    load_settings(path, warn=heard.append)
    assert len(heard) == 1


def test_a_secret_shows_itself_nowhere() -> None:
    settings = read('[model]\napi_key = "sk-hidden-123"\n')
    assert "sk-hidden" not in repr(settings) + str(settings) + f"{settings.model.api_key}"
    with pytest.raises(TypeError):
        pickle.dumps(settings.model.api_key)
    with pytest.raises(SettingsError) as caught:
        read('[model]\napi_key = ["sk-hidden-123"]\n')
    assert "sk-hidden" not in caught.value.sentence()


@given(st.text(max_size=200))
def test_any_text_gives_settings_or_a_sentence(text: str) -> None:
    try:
        read(text)
    except SettingsError as error:
        assert str(error).endswith(".")
        assert "\n" not in str(error)


def test_every_setting_is_explained() -> None:
    keys = [row.key for row in rows(Settings)]
    assert len(keys) == len(set(keys))
    assert all(row.meaning.endswith(".") for row in rows(Settings))
