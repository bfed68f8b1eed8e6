"""Words that no emoji has, words written as one, and words that mean nothing that can be drawn."""

import pytest

from tui_tapback.emoji.fold import fold
from tui_tapback.emoji.index import locale_index
from tui_tapback.emoji.search import search
from tui_tapback.emoji.thesaurus import related


def found(query: str, limit: int = 5) -> list[str]:
    return [match.emoji for match in search(query, limit)]


@pytest.mark.parametrize(
    ("query", "emoji"),
    [("rottweiler", "🐶"), ("sedan", "🚗"), ("merlot", "🍇"), ("infuriated", "😡"), ("hammock", "🛌")],
)
def test_a_thing_that_no_emoji_is_called_by_is_found_by_what_it_is(query: str, emoji: str) -> None:
    assert query not in locale_index("en").words
    assert emoji in found(query)


@pytest.mark.parametrize(
    ("query", "emoji"),
    [
        ("redheart", "❤️"),
        ("teddybear", "🧸"),
        ("rainbowflag", "🏳️‍🌈"),
        ("crossedfingers", "🤞"),
        ("brokenheart", "💔"),
    ],
)
def test_two_words_written_as_one_are_found(query: str, emoji: str) -> None:
    assert found(query)[0] == emoji


@pytest.mark.parametrize(
    "query",
    ["quorum", "amortization", "heuristic", "sovereignty", "polynomial", "tautology", "fiduciary", "axiom"],
)
def test_what_cannot_be_drawn_is_answered_with_nothing(query: str) -> None:
    assert found(query) == []


def test_words_of_the_thesaurus_lead_to_words_that_emoji_have() -> None:
    words = locale_index("en").words
    lines = ("rottweiler", "sedan", "merlot", "trout", "flannel")
    for word in lines:
        assert related(word)
        assert all(form in words for form in related(word))
    assert related("") == related("zzzz") == related("žluťoučký") == related("aa") == []


def test_the_first_and_the_last_word_of_the_thesaurus_are_found() -> None:
    from tui_tapback.emoji.locate import asset

    lines = asset("thesaurus.txt").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    for line in (lines[0], lines[1], lines[len(lines) // 2], lines[-2], lines[-1]):
        word, *others = line.split(" ")
        assert related(word) == others


def test_a_letter_of_the_next_word_narrows_the_answers() -> None:
    flags = [match.label for match in search("flag n", 10)]
    assert flags
    assert all(any(word.startswith("n") for word in fold(label).split()) for label in flags)


@pytest.mark.parametrize(("query", "emoji"), [("debit card", "💳"), ("quantum cake", "🎂")])
def test_a_word_that_means_nothing_does_not_hide_what_the_other_means(query: str, emoji: str) -> None:
    assert found(query)[0] == emoji


def test_words_that_mean_something_each_but_nothing_together_are_answered_one_by_one() -> None:
    answers = found("purple banana")
    assert answers[0] == "🍌"
    assert "💜" in answers[:3]


def test_words_that_mean_nothing_find_nothing() -> None:
    assert found("quantum axiom") == []
