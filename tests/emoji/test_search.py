"""What people reported missing or misplaced in other pickers is found here, and in the right order."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.core import tones_in
from tui_tapback.emoji.normalise import base_of
from tui_tapback.emoji.search import search, warm


def found(query: str, limit: int = 60, locale: str = "en") -> list[str]:
    return [match.emoji for match in search(query, limit, locales=(locale,))]


# query, what must be among the first three
FIRST_THREE = [
    ("ok", "👌 🆗"),
    ("heart", "❤️"),
    ("thumb", "👍 👎"),
    ("laugh", "😂"),
    ("love", "❤️"),
    ("laughing", "😆 😂 🤣"),
    ("smiley", "😃"),
    ("lol", "😂"),
    ("question", "❓"),
    ("interrobang", "⁉️"),
    ("bangbang", "‼️"),
    ("!!", "‼️"),
    ("corn", "🌽"),
    ("maize", "🌽"),
    ("puke", "🤮"),
    ("vomit", "🤮"),
    ("shr", "🤷"),
    (" shrug", "🤷"),
    ("checkered", "🏁"),
    ("chequered", "🏁"),
    ("two", "2️⃣"),
    ("2", "2️⃣"),
    ("100", "💯"),
    ("hundred", "💯"),
    ("open eyes hand", "🫢"),
    ("thumbup", "👍"),
    ("airplane", "✈️"),
    ("red heart", "❤️"),
    ("melting", "🫠"),
    ("bags under eyes", "🫩"),
    ("thank", "🙏"),
    (":thumbsup:", "👍"),
    (":+1:", "👍"),
    (":-1:", "👎"),
    (":heart:", "❤️"),
    (":red_heart:", "❤️"),
    ("germany", "🇩🇪"),
    ("de flag", "🇩🇪"),
    ("german flag", "🇩🇪"),
    ("swedish", "🇸🇪"),
    ("usa", "🇺🇸"),
    ("+1", "👍"),
    ("-1", "👎"),
    ("?", "❓"),
    ("*", "*️⃣"),
    ("heart red", "❤️"),
    ("RED-HEART", "❤️"),
    ("red_heart", "❤️"),
    ("hearts red", "❤️"),
    ("cats", "🐈"),
    ("wolves", "🐺"),
    ("children crossing", "🚸"),
    ("football", "⚽"),
    ("aubergine", "🍆"),
    ("motorbike", "🏍️"),
]


@pytest.mark.parametrize(("query", "wanted"), FIRST_THREE)
def test_the_obvious_answer_is_among_the_first_three(query: str, wanted: str) -> None:
    first = found(query)[:3]
    assert all(emoji in first for emoji in wanted.split()), first


# query, what must be found at all
SOMEWHERE = [
    ("1", "💯 1️⃣"),
    ("tear", "🥲"),
    ("10", "💯 🔟"),
    ("flower", "🌸 🌺 🌻 🌼 💐 🌷 🌹"),
    ("hand over mouth", "🫢"),
    ("mouth over", "🫢"),
    ("over", "🫢"),
    ("plane", "✈️"),
    ("CAFE", "☕"),
    ("pinata", "🪅"),
    ("flag", "🏁 🇯🇵"),
    ("smile", "😄"),
    ("dog", "🐶 🐕"),
    ("united kingdom", "🇬🇧"),
    ("jp", "🇯🇵"),
    ("clap", "👏"),
    ("fire", "🔥"),
    ("hands", "🙌"),
]


@pytest.mark.parametrize(("query", "wanted"), SOMEWHERE)
def test_other_words_inner_words_and_parts_of_words_find_it(query: str, wanted: str) -> None:
    answers = found(query, 400)
    assert all(emoji in answers for emoji in wanted.split()), answers


@pytest.mark.parametrize(
    ("query", "before", "after"),
    [
        ("ok", "👌", "💔"),
        ("ok", "🆗", "🃏"),
        ("question", "❓", "🎌"),
        ("rain", "🌧️", "🧠"),
        ("art", "🎨", "❤️"),
    ],
)
def test_exact_goes_before_prefix_before_inside(query: str, before: str, after: str) -> None:
    answers = found(query, 2000)
    assert after not in answers or answers.index(before) < answers.index(after)


@pytest.mark.parametrize(
    ("locale", "query", "wanted"),
    [
        ("fr", "tete", "🤯"),
        ("fr", "tête", "🤯"),
        ("fr", "islande", "🇮🇸"),
        ("fr", "iceland", "🇮🇸"),
        ("fr", "poulet", "🐔"),
        ("fr", "coeur", "❤️"),
        ("fr", "cœur", "❤️"),
        ("de", "herz", "❤️"),
        ("de", "muede", "😴"),
        ("de", "müde", "😴"),
        ("es", "corazón", "❤️"),
        ("ja", "ハート", "❤️"),
        ("zh", "爱", "❤️"),
        ("ru", "сердце", "❤️"),
        ("uk", "серце", "❤️"),
        ("ko", "하트", "❤️"),
        ("hi", "दिल", "❤️"),
        ("th", "หัวใจ", "❤️"),
        ("vi", "trái tim", "❤️"),
        ("tr", "kırmızı kalp", "❤️"),
        ("pl", "serce", "❤️"),
        ("sv", "hjärta", "❤️"),
        ("nl", "hart", "❤️"),
        ("it", "cuore", "❤️"),
        ("pt", "coração", "❤️"),
        ("zh-hant", "愛心", "❤️"),
        ("de_AT.UTF-8", "herz", "❤️"),
        ("xx", "heart", "❤️"),
        ("../../etc", "heart", "❤️"),
    ],
)
def test_the_own_language_and_english_are_searched_together(locale: str, query: str, wanted: str) -> None:
    assert wanted in found(query, locale=locale)
    assert found("thumbs up", locale=locale)[0] == "👍"


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("thumbs up dark", "👍🏿"),
        ("wave medium", "👋🏽"),
        ("thumbs up medium dark skin tone", "👍🏾"),
        ("light skin clap", "👏🏻"),
        (":wave::skin-tone-2:", "👋🏻"),
        (":ok_hand_tone5:", "👌🏿"),
        ("medium-light ear", "👂🏼"),
        ("girl dark s", "👧🏿"),
        ("girl medium dark skin t", "👧🏾"),
        ("girl medium d", "👧🏽"),
    ],
)
def test_tone_words_in_the_query_give_the_toned_emoji(query: str, wanted: str) -> None:
    assert found(query)[0] == wanted


@pytest.mark.parametrize(
    ("query", "wanted"), [("light bulb", "💡"), ("dark", "🖤"), ("light blue heart", "🩵")]
)
def test_tone_words_that_belong_to_a_name_are_left_alone(query: str, wanted: str) -> None:
    assert wanted in found(query)[:3]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("haert", "❤️"),
        ("thubms up", "👍"),
        ("rokcet", "🚀"),
        ("birtday", "🎂"),
        ("elephnat", "🐘"),
        ("pizzza", "🍕"),
        ("gren heart", "💚"),
        ("colour palette", "🎨"),
        ("grey heart", "🩶"),
    ],
)
def test_one_slip_of_the_finger_is_forgiven(query: str, wanted: str) -> None:
    assert wanted in found(query)[:5]


@pytest.mark.parametrize(
    ("locale", "query", "wanted"),
    [
        ("de", "katze", "🐱 🐈"),
        ("es", "gato", "🐱 🐈"),
        ("fr", "étoile", "⭐ 🌟"),
        ("ko", "하트", "❤️"),
        ("hi", "साइकिल", "🚲 🚴"),
        ("ja", "ハート", "❤️"),
        ("ru", "солнце", "☀️ 🌞"),
    ],
)
def test_a_plain_word_of_another_language_finds_the_plain_thing_first(
    locale: str, query: str, wanted: str
) -> None:
    # Its keywords are those of cats in tears, of faces with hearts for eyes, of sunglasses, too.
    assert found(query, locale=locale)[0] in wanted.split()


@pytest.mark.parametrize(
    ("locale", "query", "wanted", "english"),
    [
        ("it", "re", "👑", "🇷🇪"),
        ("tr", "at", "🐎", "🇦🇹"),
        ("vi", "cá", "🐟", "🇨🇦"),
        ("pl", "rower", "🚲", "🏴‍☠️"),
    ],
)
def test_the_persons_own_language_goes_before_english(
    locale: str, query: str, wanted: str, english: str
) -> None:
    answers = found(query, locale=locale)
    assert answers.index(wanted) < (answers.index(english) if english in answers else len(answers))
    assert wanted not in answers[:1] or wanted not in found(query)[:1]


@pytest.mark.parametrize(
    ("query", "first", "also"),
    [
        ("avocado toast", "🥑", "🍞"),
        ("happy dog", "😂", "🐕"),
        ("coffee break", "☕", "☕"),
        ("red car", "🚗", "🚗"),
    ],
)
def test_words_that_no_emoji_has_together_find_those_that_have_one(query: str, first: str, also: str) -> None:
    answers = found(query)[:5]
    assert first in answers
    assert also in answers


@pytest.mark.parametrize(
    ("query", "wanted"),
    [("my dog", "🐕"), ("glass of wine", "🍷"), ("piece of cake", "🍰"), ("symbol for peace", "☮️")],
)
def test_small_words_need_not_match(query: str, wanted: str) -> None:
    assert found(query)[0] == wanted


@pytest.mark.parametrize(
    ("query", "wanted"), [("number 7", "7️⃣"), ("half past 7", "🕢"), ("letter p", "🅿️"), ("button x", "❎")]
)
def test_a_letter_or_digit_that_is_a_word_is_one(query: str, wanted: str) -> None:
    assert found(query)[0] == wanted


def test_a_letter_after_a_word_asks_for_another_word_that_begins_with_it() -> None:
    answers = found("flag f")
    assert answers[0] == "🇫🇷"
    assert {"🇫🇮", "🇫🇯", "🇫🇴"} <= set(answers)
    assert "🇩🇪" not in answers and "🏁" not in answers


def test_the_first_letter_of_a_next_word_never_empties_the_answer() -> None:
    assert found("ball s")[0] in found("ball")[:10]
    assert found("zombie f")[0] == "🧟‍♀️"
    assert found("acceptable b")


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (":)", "🙂"),
        (":-)", "🙂"),
        ("(:", "🙂"),
        (":D", "😄"),
        ("xD", "😆"),
        (";-)", "😉"),
        (":'(", "😢"),
        (":P", "😛"),
        ("<3", "❤️"),
        ("</3", "💔"),
        ("¯\\_(ツ)_/¯", "🤷"),
        ("o:)", "😇"),
        (">:(", "😠"),
        ("T_T", "😢"),
        ("-_-", "😑"),
        ("\\o/", "🙌"),
        ("8-)", "😎"),
        (":*", "😗"),
        (":/", "😕"),
        (":|", "😐"),
        ("^^", "😊"),
        (">:)", "😈"),
        ("B-)", "😎"),
        (":o", "😮"),
        ("!?", "⁉️"),
    ],
)
def test_emoticons_are_read(query: str, wanted: str) -> None:
    assert found(query)[0] == wanted


@pytest.mark.parametrize(
    ("pasted", "first", "also"),
    [
        ("👦", "👦", "👨‍👦"),
        ("❤", "❤️", "❤️‍🔥"),
        ("👍🏽", "👍🏽", "👍"),
        ("🇯🇵", "🇯🇵", ""),
        ("👍\ufe0f", "👍", ""),
        ("♥", "♥️", ""),
    ],
)
def test_a_pasted_emoji_is_found_with_its_relatives(pasted: str, first: str, also: str) -> None:
    answers = found(pasted)
    assert answers[0] == first
    assert not also or also in answers


@pytest.mark.parametrize(
    "query", ["he\u200bart", "\u202eheart\u202c", "\ufeffheart", "he\u00adart", "heart\u2069"]
)
def test_signs_that_nobody_sees_are_no_letters(query: str) -> None:
    assert found(query) == found("heart")


def test_a_tone_that_was_found_needs_no_guesses_after_it() -> None:
    assert found("thumbs up dark") == ["👍🏿"]


def test_who_asks_for_a_tone_gets_what_has_one() -> None:
    assert "🌊" in found("wave")
    assert {tones_in(emoji) for emoji in found("wave dark")} == {(5,)}


@pytest.mark.parametrize(
    ("query", "first", "often"), [("fire", "🔥", "🚒"), ("cat", "🐈", "😾"), ("book", "📖", "🔖")]
)
def test_what_is_used_often_never_goes_before_what_was_named(query: str, first: str, often: str) -> None:
    assert found(query)[0] == first
    assert search(query, 60, recents={often: 1.0})[0].emoji == first


@pytest.mark.parametrize("query", ["", " ", "\t\n", "\u3000", "\u200b"])
def test_a_blank_query_finds_nothing(query: str) -> None:
    assert search(query) == []


@pytest.mark.parametrize(
    "query",
    ["qxzvkj", "wmtrplk", "zzzzzzq", "hxqkjd", "vbnrtw", "oqiwuey", "plmoknij", "epistemic", "hysteresis"],
)
def test_nonsense_finds_nothing(query: str) -> None:
    assert found(query) == []


@pytest.mark.parametrize(
    ("query", "locale", "wanted"),
    [("1130", "en", "🕦"), ("500 uhr", "de", "🕔"), ("430", "en", "🕟"), ("redheart", "en", "❤️")],
)
def test_two_words_written_as_one_are_two(query: str, locale: str, wanted: str) -> None:
    assert found(query, locale=locale)[0] == wanted


@pytest.mark.parametrize("query", ["man ", " man", "MAN", "man:"])
def test_blanks_case_and_a_stray_colon_change_nothing(query: str) -> None:
    assert found(query)[:5] == found("man")[:5]


@pytest.mark.parametrize("query", list("+-*()[]{}\\?.^$|#/<>=~`'\"&%@!;:,_"))
def test_signs_are_no_pattern_language(query: str) -> None:
    found(query)


@pytest.mark.parametrize("query", ["x" * 100_000, "a " * 50_000, "👍" * 10_000, "heart " * 1000])
def test_a_huge_query_costs_little(query: str) -> None:
    assert len(search(query, 10)) <= 10


def test_the_label_is_the_name_that_matched() -> None:
    assert search("thumbsup")[0].label == "thumbsup"
    assert search("red heart")[0].label == "red heart"
    assert search("lol")[0].label == "lol"
    for match in search("thank"):
        assert "thank" in match.label.lower() or match.label == ""


def test_answers_are_unique_and_limited() -> None:
    answers = found("face", 500)
    assert len(set(answers)) == len(answers)
    assert len(found("face", 7)) == 7
    assert found("face", 0) == []


def test_what_is_used_often_wins_among_equals_and_no_more() -> None:
    plain = found("cat")
    favourite = plain[2]
    lifted = [match.emoji for match in search("cat", recents={favourite: 1.0})]
    assert lifted.index(favourite) <= plain.index(favourite)
    unmoved = [match.emoji for match in search("red heart", recents={"💔": 1.0, "🩷": 1.0})]
    assert unmoved[0] == "❤️"


def test_every_group_answers_to_its_own_name() -> None:
    for group in load_catalogue().groups:
        answers = found(group.id, 3000)
        assert any(known and known.group == group.id for known in map(load_catalogue().get, answers)), (
            group.id
        )


@given(st.text(max_size=30))
def test_any_text_is_answered_with_known_emoji(query: str) -> None:
    for match in search(query, 20):
        assert load_catalogue().get(base_of(match.emoji)) is not None or match.emoji
        assert match.label


def test_what_is_made_beforehand_in_a_thread_changes_no_answer() -> None:
    thread = threading.Thread(target=warm, args=(("de", "xx"),))
    thread.start()
    during = found("herz", locale="de")
    thread.join()
    assert found("herz", locale="de") == during
    assert during[0] == "❤️"
