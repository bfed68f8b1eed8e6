"""❤️ in two cells and in colour on terminals that give it one: who is given it, and what is written."""

from __future__ import annotations

import emoji
import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.choice import choose_profile
from tui_tapback.terminal.pinning import pin
from tui_tapback.terminal.probe import PROBES, SEQUENCES, ProbeResult

XTERM = {"LANG": "en_US.UTF-8", "TERM": "xterm-256color"}


def added_up(text: str) -> int:
    """A terminal that counts every code point for itself, as VTE and xterm do."""
    return sum(max(0, wcwidth.wcwidth(char)) for char in text)


OLD = ProbeResult("answered", "reset", tuple(map(added_up, SEQUENCES)))
MODERN = ProbeResult("answered", "set", tuple(1 if each in PROBES["symbols"] else 2 for each in SEQUENCES))


def test_the_heart_keeps_its_colour_only_where_that_is_ordered_and_it_is_one_cell_wide() -> None:
    coloured = choose_profile(XTERM, "colour", probed=OLD).profile
    assert coloured.pinned and not coloured.vs16
    assert [EmojiFitter(coloured).fit(each) for each in ("❤️", "‼️", "1️⃣", "🕵️", "👍🏽")] == [
        *("❤️", "‼️", "1️⃣"),
        *("🔎", "👍"),
    ]
    assert choose_profile(XTERM | {"TUI_TAPBACK_EMOJI": "colour"}, probed=OLD).profile == coloured
    assert not choose_profile(XTERM, "auto", probed=OLD).profile.pinned
    assert not choose_profile(XTERM, "colour", probed=MODERN).profile.pinned
    narrow = ProbeResult("answered", "reset", (1,) * len(SEQUENCES))
    assert not choose_profile(XTERM, "colour", probed=narrow).profile.pinned


@pytest.mark.parametrize("more", [{"TMUX": "x"}, {"STY": "1.x"}, {"TERM": "dumb"}, {"LC_ALL": "C"}])
def test_never_inside_a_multiplexer_or_where_nobody_may_ask(more: dict[str, str]) -> None:
    assert not choose_profile(XTERM | more, "colour", probed=OLD).profile.pinned


def test_a_terminal_that_disagrees_with_itself_is_not_pinned() -> None:
    for member in (PROBES["vs16"][-1], PROBES["keycaps"][0]):
        widths = [2 if each == member else added_up(each) for each in SEQUENCES]
        mixed = ProbeResult("answered", "reset", tuple(widths))
        assert not choose_profile(XTERM, "colour", probed=mixed).profile.pinned


def test_every_pinned_emoji_takes_two_cells_of_an_old_terminal() -> None:
    fitter = EmojiFitter(choose_profile(XTERM, "colour", probed=OLD).profile)
    texts = {fitter.fit(each) for each in emoji.EMOJI_DATA}
    assert [text for text in texts if cell_len(text) != 2 or added_up(pin(text)) != 2] == []
    assert sum(pin(text) != text for text in texts) > 150


def test_only_what_is_narrow_gets_a_blank() -> None:
    assert pin("a❤️b ‼️ 1️⃣ ㊗️ 👍 ❤ 〰️") == "a❤️ b ‼️  1️⃣  ㊗️ 👍 ❤ 〰️"
    assert pin("\x1b[1m❤️\x1b[0m") == "\x1b[1m❤️ \x1b[0m"
    for joined in ("❤️\u200d🔥", "🏳️\u200d🌈"):
        assert pin(joined) == joined


@given(st.text(st.sampled_from("a❤☀1㊗👍\ufe0f\u20e3\u200d \x1b[m")))
def test_nothing_is_lost_and_nothing_but_blanks_is_added(text: str) -> None:
    assert pin(text).replace(" ", "") == text.replace(" ", "")
