"""What people reported of other pickers' searches: every kind of fault, with the queries of the reports."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.core import core
from tui_tapback.emoji.normalise import normalise
from tui_tapback.emoji.recents import Recents
from tui_tapback.emoji.search import Match, search


def found(query: str, limit: int = 60, *locales: str) -> list[str]:
    return [match.emoji for match in search(query, limit, locales=locales or ("en",))]


# Query, what must be among the first ``within`` answers.
AMONG = [
    pytest.param("ok", "👌 🆗", 3, id="B091-ok"),
    pytest.param("heart", "❤️", 1, id="B093-heart"),
    pytest.param("thumb", "👍 👎", 3, id="B093-B103-thumb"),
    pytest.param("laugh", "😂", 3, id="B093-laugh"),
    pytest.param("love", "❤️", 3, id="B093-love"),
    pytest.param("checkered", "🏁", 1, id="B095-checkered"),
    pytest.param("chequered", "🏁", 1, id="B095-chequered"),
    pytest.param("flag", "🏁", 300, id="B095-flag"),
    pytest.param("100", "💯", 1, id="B096-100"),
    pytest.param("10", "💯 🔟", 10, id="B096-10"),
    pytest.param("1", "💯 1️⃣", 30, id="B096-1"),
    pytest.param("hundred", "💯", 1, id="B096-hundred"),
    pytest.param("two", "2️⃣", 3, id="B096-two"),
    pytest.param("2", "2️⃣", 3, id="B096-2"),
    pytest.param("corn", "🌽", 1, id="B097-corn"),
    pytest.param("maize", "🌽", 1, id="B097-maize"),
    pytest.param("flower", "🌸 🌺 🌻 🌼 💐 🌷 🌹", 20, id="B097-flower"),
    pytest.param("shr", "🤷 🤷‍♂️ 🤷‍♀️", 10, id="B098-shr"),
    pytest.param(" shrug", "🤷", 1, id="B098-blank-before"),
    pytest.param("plane", "✈️", 3, id="B100-inner-word"),
    pytest.param("CAFE", "☕", 10, id="B100-capitals"),
    pytest.param("pinata", "🪅", 1, id="B100-accent"),
    pytest.param("open eyes hand", "🫢", 1, id="B102-any-order"),
    pytest.param("hand over mouth", "🫢", 3, id="B102-hand-over-mouth"),
    pytest.param("mouth over", "🫢", 5, id="B102-mouth-over"),
    pytest.param("over", "🫢", 60, id="B102-over"),
    pytest.param("puke", "🤮", 2, id="B103-puke"),
    pytest.param("vomit", "🤮", 1, id="B103-vomit"),
    pytest.param("👦", "👦 👨‍👩‍👦", 30, id="B104-boy-and-families"),
    pytest.param("\u2764", "❤️", 1, id="B104-bare-heart"),
    pytest.param("👍🏽", "👍🏽 👍", 2, id="B104-toned"),
    pytest.param("🇯🇵", "🇯🇵", 1, id="B104-flag"),
    pytest.param(":thumbsup:", "👍", 1, id="B105-thumbsup"),
    pytest.param(":+1:", "👍", 1, id="B105-plus"),
    pytest.param("thumbup", "👍", 1, id="B105-thumbup"),
    pytest.param(":-1:", "👎", 1, id="B105-minus"),
    pytest.param(":heart:", "❤️", 1, id="B105-heart"),
    pytest.param(":red_heart:", "❤️", 1, id="B105-red-heart"),
    pytest.param("+1", "👍", 1, id="B106-plus"),
    pytest.param("-1", "👎", 1, id="B106-minus"),
    pytest.param("?", "❓", 1, id="B106-question"),
    pytest.param("*", "*️⃣", 3, id="B106-star"),
    pytest.param("laughing", "😆 😂 🤣", 4, id="B107-laughing"),
    pytest.param("smiley", "😃", 1, id="B107-smiley"),
    pytest.param("lol", "😂", 3, id="B107-lol"),
    pytest.param("interrobang", "⁉️", 1, id="B108-interrobang"),
    pytest.param("bangbang", "‼️", 1, id="B108-bangbang"),
    pytest.param("!!", "‼️", 1, id="B108-signs"),
    pytest.param("question", "❓", 1, id="B108-question"),
    pytest.param("tear", "🥲", 10, id="B112-tear"),
    pytest.param("melting", "🫠", 1, id="B112-melting"),
    pytest.param("bags under eyes", "🫩", 1, id="B112-newest"),
    pytest.param("red heart", "❤️", 1, id="B114-hard-to-draw"),
]


@pytest.mark.parametrize(("query", "wanted", "within"), AMONG)
def test_what_was_missed_elsewhere_is_found(query: str, wanted: str, within: int) -> None:
    first = found(query, 300)[:within]
    assert set(wanted.split()) <= set(first), first


@pytest.mark.parametrize(
    ("query", "wanted"),
    [("islande", "🇮🇸"), ("iceland", "🇮🇸"), ("poulet", "🐔"), ("coeur", "❤️"), ("cœur", "❤️"), ("tete", "🤯")],
)
def test_french_and_english_together_with_and_without_accents(query: str, wanted: str) -> None:
    """B100, B109, B110."""
    assert wanted in found(query, 60, "fr")


def test_a_language_that_is_not_carried_is_english() -> None:
    """B110."""
    assert found("chicken", 5, "tlh") == found("chicken", 5)


def test_obvious_answers_stand_before_words_that_merely_contain_the_query() -> None:
    """B091: ``ok`` is in joking and in broken."""
    answers = found("ok")
    for later in ("😜", "💔"):
        assert later not in answers or answers.index(later) > answers.index("👌")


@pytest.mark.parametrize(
    "query", ["(", "[", "\\", ".", "*", "a(b", "(?:x)+", "\\d+", "^$", "{1,9999}", "a|b"]
)
def test_signs_of_patterns_are_text(query: str) -> None:
    """B106."""
    found(query)


def test_every_group_is_found_by_its_own_name() -> None:
    """B095."""
    catalogue = load_catalogue()
    for group in catalogue.groups:
        answers = found(group.title)
        assert any(known.group == group.id for emoji in answers if (known := catalogue.get(emoji))), group


def test_every_emoji_is_found_by_its_name_as_it_is_typed_to_the_end() -> None:
    """B095, B098: a blank at either end changes nothing."""
    names = load_catalogue().all
    for emoji in names[:: len(names) // 150]:
        assert emoji.char in found(emoji.name), emoji
        assert found(f"  {emoji.name} ") == found(emoji.name)


def test_blanks_ask_for_nothing() -> None:
    """B113: the picker then shows recents and groups."""
    assert found("") == found("   ") == found("\t") == []


def test_the_label_is_what_matched() -> None:
    """B111."""
    for query in ("thank", "tada", "poulet"):
        for match in search(query, 10, locales=("fr",)):
            assert query[:4] in match.label.casefold(), match


def test_letters_typed_one_by_one_keep_the_wanted_one_once_it_leads() -> None:
    """Exact over prefix: what is first for ``party popper`` does not fall out on the way there."""
    places = [found("party popper"[:length]) for length in range(5, 13)]
    for before, after in pairwise(answers.index("🎉") for answers in places):
        assert after <= before or after < 3


def test_names_are_the_same_everywhere() -> None:
    """B205: one table."""
    catalogue = load_catalogue()
    for emoji in ("🤞", "👍", "‼️"):
        known = catalogue.get(emoji)
        assert known is not None
        assert catalogue.name(emoji) == known.name
        assert Match(emoji, known.name) in search(known.name, 1)


def test_what_is_newer_than_the_table_is_still_a_reaction() -> None:
    """B112, B206: and the table says how new it is."""
    assert core().version >= 17
    assert normalise("🫡") == "🫡"


def test_a_recent_emoji_leads_among_equals_and_is_no_wall() -> None:
    recents = Recents(lambda: 1_000_000.0)
    for _ in range(50):
        recents.use("🐈‍⬛")
    with_use = [match.emoji for match in search("cat", 10, recents=recents.weights())]
    assert "🐈‍⬛" in with_use[:4]
    assert search("dog", 1, recents=recents.weights())[0].emoji in {"🐕", "🐶"}
    assert search("tada", 1, recents=recents.weights())[0].emoji == "🎉"


@pytest.mark.parametrize(
    ("query", "locale"),
    [
        ("coeur", "fr"),
        ("Herz", "de"),
        ("corazón", "es"),
        ("cuore", "it"),
        ("сердце", "ru"),
        ("心", "zh"),
        ("hjärta", "sv"),
    ],
)
def test_the_heart_is_the_heart_in_every_language(query: str, locale: str) -> None:
    """B110, B199: and neither the organ nor the card, whose whole name that word is."""
    assert found(query, 1, locale) == ["❤️"]
