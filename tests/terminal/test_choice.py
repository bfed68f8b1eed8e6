from __future__ import annotations

import pytest

from tui_tapback.domain.errors import SettingsError
from tui_tapback.terminal.cache import Known
from tui_tapback.terminal.choice import choose_profile, reason_not_to_ask, worth_asking
from tui_tapback.terminal.probe import PROBES, SEQUENCES, ProbeResult
from tui_tapback.terminal.profile import SAFE, TEXT

XTERM = {"LANG": "en_US.UTF-8", "TERM": "xterm-256color"}
MODERN = ProbeResult("answered", "set", tuple(1 if each in PROBES["symbols"] else 2 for each in SEQUENCES))
NARROW = ProbeResult("answered", "reset", (1,) * len(SEQUENCES))
SILENT = ProbeResult("silent")
NOT_ASKED = [
    ({"TMUX": "/tmp/tmux,1,0", "TERM": "tmux-256color"}, "multiplexer", "safe"),
    ({"STY": "1.x"}, "multiplexer", "safe"),
    ({"NVIM": "/tmp/nvim"}, "multiplexer", "safe"),
    ({"TERM": "dumb"}, "'dumb'", "ascii"),
    ({"TERM": "vt220"}, "'vt220'", "ascii"),
    ({"TERM": "linux"}, "'linux'", "ascii"),
    ({"TERM": ""}, "'unknown'", "safe"),
    ({"LC_ALL": "C"}, "UTF-8", "ascii"),
    ({"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}, "browser", "safe"),
]


@pytest.mark.parametrize(("more", "word", "name"), NOT_ASKED)
def test_some_terminals_are_never_asked_and_answers_do_not_count_there(
    more: dict[str, str], word: str, name: str
) -> None:
    environ = XTERM | more
    assert word in (reason_not_to_ask(environ) or "")
    assert not worth_asking(environ, "auto", None)
    choice = choose_profile(environ, "auto", Known(MODERN), MODERN)
    assert choice.profile.name == name and word in choice.why


def test_the_browser_has_the_table_of_unicode_11() -> None:
    environ = XTERM | {"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}
    assert choose_profile(environ).profile.unicode == 11


def test_an_order_wins_over_every_answer_and_saves_the_question() -> None:
    choice = choose_profile(XTERM, "text", Known(MODERN), MODERN)
    assert choice.profile is TEXT and "the emoji setting" in choice.why
    assert "TUI_TAPBACK_EMOJI" in choose_profile(XTERM | {"TUI_TAPBACK_EMOJI": "full"}).why
    assert not worth_asking(XTERM, "safe", None)
    with pytest.raises(SettingsError):
        choose_profile(XTERM, "rainbow")


def test_the_answer_of_now_wins_over_that_of_before() -> None:
    assert choose_profile(XTERM, known=Known(NARROW), probed=MODERN).profile.joined
    assert choose_profile(XTERM, known=Known(NARROW), probed=MODERN).why == "The terminal was asked just now."


def test_without_an_answer_of_now_that_of_before_serves_even_when_it_is_old() -> None:
    for probed in (None, SILENT, ProbeResult("garbled")):
        choice = choose_profile(XTERM, known=Known(MODERN, stale=True), probed=probed)
        assert choice.profile.name == "measured" and "earlier" in choice.why


@pytest.mark.parametrize("result", [SILENT, ProbeResult("partial", "set"), ProbeResult("garbled")])
def test_b156_without_any_answer_the_safe_profile_is_used(result: ProbeResult) -> None:
    for choice in (choose_profile(XTERM, probed=result), choose_profile(XTERM, known=Known(result))):
        assert choice.profile is SAFE and "alike" in choice.why
    assert "not been asked" in choose_profile(XTERM).why


def test_a_terminal_is_asked_when_nothing_fresh_is_known() -> None:
    assert worth_asking(XTERM, "auto", None)
    assert worth_asking(XTERM, "auto", Known(MODERN, stale=True))
    assert not worth_asking(XTERM, "auto", Known(MODERN))
    assert not worth_asking(XTERM, "auto", Known(SILENT))
