"""The command prints what the picker would show."""

import io

import pytest

from tui_tapback.emoji.__main__ import main


def said(*arguments: str, environ: dict[str, str] | None = None) -> tuple[int, list[str]]:
    out = io.StringIO()
    return main(arguments, environ=environ or {}, out=out), out.getvalue().splitlines()


def test_emoji_code_and_name_stand_on_a_line() -> None:
    code, lines = said("party", "popper", "--limit", "1")
    assert (code, lines) == (0, ["🎉\t:tada:\tparty popper"])


def test_a_tone_can_be_asked_for_and_names_are_in_the_language() -> None:
    assert said("thumbs up dark", "--limit", "1")[1][0].startswith("👍🏿\t:+1:")
    assert said("herz", "--limit", "1", environ={"LANG": "de_DE.UTF-8"})[1] == ["❤️\t:heart:\trotes Herz"]
    assert said("coeur", "--locale", "fr", "--limit", "1")[1][0].startswith("❤️\t")


def test_nothing_found_is_said_by_the_exit_code() -> None:
    assert said("xqzzvw") == (1, [])


def test_a_query_is_needed() -> None:
    with pytest.raises(SystemExit):
        main([], environ={})
