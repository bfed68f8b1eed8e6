"""The table [verbs]: emoji in one form, none twice, and what is no emoji means nothing and is told."""

from __future__ import annotations

from tui_tapback.app.preferences import Preferences
from tui_tapback.app.tapbacks.verbs import Verb
from tui_tapback.config.settings import parse_settings


def read(text: str) -> tuple[dict[str, str], list[str]]:
    warnings: list[str] = []
    settings = parse_settings(text, "settings.toml", warn=warnings.append)
    return dict(settings.verbs.chosen()), warnings


def test_without_the_table_a_tapback_offers_nothing() -> None:
    assert read("") == ({}, [])


def test_emoji_are_normalised_and_reach_the_program() -> None:
    text = '[verbs]\nretry = "👎"\nshorten = "✂"\n'
    assert read(text) == ({"retry": "👎", "shorten": "✂️"}, [])
    settings = parse_settings(text, "settings.toml", warn=lambda _: None)
    assert dict(Preferences.of(settings, {}).verbs) == {"👎": Verb.RETRY, "✂️": Verb.SHORTEN}


def test_what_is_no_emoji_or_stands_twice_is_told_and_left_out() -> None:
    chosen, warnings = read('[verbs]\nretry = "no"\nexplain = "❓"\npin = "❓"\n')
    assert chosen == {"explain": "❓"}
    assert len(warnings) == 2
    assert "line 2: verbs.retry" in warnings[0] and "not one emoji" in warnings[0]
    assert "verbs.pin" in warnings[1] and "something else already" in warnings[1]


def test_an_unknown_verb_is_told() -> None:
    _, warnings = read('[verbs]\nsing = "🎵"\n')
    assert len(warnings) == 1 and "sing" in warnings[0]
