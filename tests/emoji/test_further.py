"""The languages beside the person's own are read when they are wanted, and never waited for."""

from tui_tapback.emoji.further import FurtherLanguages
from tui_tapback.emoji.search import search


def found(query: str, further: FurtherLanguages, locale: str = "en") -> list[str]:
    answers = search(query, 10, locales=(locale,), others=further.ready)
    return [match.emoji for match in answers]


def test_a_word_of_any_language_finds_its_emoji_once_the_languages_are_read() -> None:
    further = FurtherLanguages(("de", "ja"))
    found("schildkröte", further)
    assert further.wait(30.0)
    assert found("schildkröte", further)[0] == "🐢"
    assert found("亀", further)[0] == "🐢"
    assert "🐢" not in found("tortuga", further)


def test_a_word_of_another_language_goes_before_a_slip_in_english() -> None:
    further = FurtherLanguages(("es",))
    further.ready()
    assert further.wait(30.0)
    # One letter from perso(n).
    assert found("perro", further)[0] in "🐶 🐕"


def test_what_the_persons_own_language_or_english_answers_reads_no_other() -> None:
    further = FurtherLanguages(("ja",))
    assert found("turtle", further)[0] == "🐢"
    assert found("schildkröte", further, "de")[0] == "🐢"
    assert found("zq", further) == []
    assert found("^^^:", further) == []
    assert not further.wait(0.0)


def test_the_languages_that_most_people_write_are_read_first() -> None:
    further = FurtherLanguages(("vi", "de", "es"))
    further.ready()
    assert further.wait(30.0)
    assert further.ready() == ("es", "de", "vi")
