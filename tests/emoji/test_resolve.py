import pytest

from tui_tapback.domain.errors import NotAnEmoji
from tui_tapback.emoji.resolve import resolve


@pytest.mark.parametrize(
    ("text", "emoji"),
    [
        ("wave", "👋"),
        (":wave:", "👋"),
        ("👋", "👋"),
        ("✅", "✅"),
        (":white_check_mark:", "✅"),
        ("white_check_mark", "✅"),
        ("👍🏽", "👍🏽"),
        (":+1:", "👍"),
        (":thumbsup:", "👍"),
        ("+1", "👍"),
        ("-1", "👎"),
        ("red heart", "❤️"),
        ("<3", "❤️"),
        (":+1::skin-tone-4:", "👍🏽"),
        ("thumbs up: medium skin tone", "👍🏽"),
        ("+1_medium_light_skin_tone", "👍🏼"),
    ],
)
def test_names_and_emoji_resolve(text: str, emoji: str) -> None:
    assert resolve(text) == emoji


@pytest.mark.parametrize(("text", "near"), [("wavee", "👋"), ("thumsup", "👍")])
def test_an_unknown_name_is_refused_with_close_suggestions(text: str, near: str) -> None:
    with pytest.raises(NotAnEmoji) as refused:
        resolve(text)
    assert near in refused.value.hint


@pytest.mark.parametrize(
    "text", ["", " ", ":not_an_emoji:", "\u200b", "\u0301", "a" * 10_000, "👍👎", "\x1b[31m"]
)
def test_what_is_no_emoji_is_refused(text: str) -> None:
    with pytest.raises(NotAnEmoji):
        resolve(text)
