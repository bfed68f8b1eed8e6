"""What a terminal answers becomes a profile: modern, old, strange, silent and broken ones."""

from __future__ import annotations

import dataclasses
from typing import get_args

import emoji
import pytest
import wcwidth
from rich.cells import cell_len
from textual._xterm_parser import XTermParser
from textual.events import Key

from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.probe import (
    PROBES,
    SEQUENCES,
    Conversation,
    ModeState,
    ProbeResult,
    measured_profile,
    request,
)
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, TEXT, WidthProfile


def added_up(text: str) -> int:
    """A terminal that counts every code point for itself."""
    return sum(max(0, wcwidth.wcwidth(char)) for char in text)


def clustered(text: str) -> int:
    """A terminal that counts grapheme clusters."""
    return 1 if text in PROBES["symbols"] else 2


def answers(widths: list[int], mode: bytes = b"") -> bytes:
    return mode + b"".join(b"\x1b[2;%dR" % (width + 1) for width in [*widths, 0])


def told(data: bytes) -> ProbeResult:
    conversation = Conversation()
    conversation.feed(data)
    return conversation.result()


def profile_of(data: bytes) -> WidthProfile:
    profile = measured_profile(told(data))
    assert profile is not None
    return profile


def test_the_request_asks_once_for_each_probe_and_for_the_fence() -> None:
    assert request().count(b"\x1b[6n") == len(SEQUENCES) + 1
    assert request().endswith(b"\r\x1b[K\x1b[6n")
    assert len(set(SEQUENCES)) == len(SEQUENCES) == 55
    assert len(request()) < 4096, "more than a pseudo-terminal takes at once"


def test_a_terminal_that_counts_clusters_is_given_everything() -> None:
    profile = profile_of(answers([clustered(each) for each in SEQUENCES]))
    assert dataclasses.replace(profile, name="full") == FULL


def test_a_terminal_that_adds_up_code_points_is_given_what_it_draws_right() -> None:
    profile = profile_of(answers([added_up(each) for each in SEQUENCES]))
    assert (profile.vs16, profile.keycaps, profile.tones, profile.joined, profile.flags) == (False,) * 5
    fitter = EmojiFitter(profile)
    texts = {fitter.fit(each) for each in emoji.EMOJI_DATA}
    assert [text for text in texts if added_up(text) != 2 or cell_len(text) != 2] == []


@pytest.mark.parametrize("state", [0, 1, 2, 3, 4, None])
def test_b156_the_widths_decide_whatever_is_said_of_mode_2027(state: int | None) -> None:
    mode = b"" if state is None else b"\x1b[?2027;%d$y" % state
    expected: dict[int | None, ModeState] = {0: "unknown", 1: "set", 2: "reset", 3: "set", 4: "reset"}
    for widths in ([added_up(each) for each in SEQUENCES], [clustered(each) for each in SEQUENCES]):
        result = told(answers(widths, mode))
        assert result.mode2027 == expected.get(state, "silent")
        profile = measured_profile(result)
        assert profile is not None and profile.vs16 is (widths[SEQUENCES.index("❤️")] == 2)


def test_the_newest_unicode_is_the_last_without_a_gap() -> None:
    widths = {each: clustered(each) for each in SEQUENCES}
    for version in (14, 16):
        widths[PROBES[f"unicode {version}"][0]] = 1
    assert profile_of(answers(list(widths.values()))).unicode == 13


@pytest.mark.parametrize("name", ["vs16", "wide vs16", "keycaps", "tones", "joined", "flags", "tag flags"])
def test_one_member_that_is_not_two_cells_takes_its_whole_class_away(name: str) -> None:
    field = name.replace(" ", "_") if name != "wide vs16" else "wide_vs16"
    for member in PROBES[name]:
        widths = [3 if each == member else clustered(each) for each in SEQUENCES]
        profile = profile_of(answers(widths))
        assert getattr(profile, field) is False
        had = [f.name for f in dataclasses.fields(profile) if getattr(FULL, f.name) is True]
        lost = [each for each in had if not getattr(profile, each)]
        assert lost == ([field, "flags"] if field == "tones" else [field])


def test_narrow_emoji_mean_letters_and_wide_symbols_mean_ascii() -> None:
    assert profile_of(answers([1] * len(SEQUENCES))) is TEXT
    assert profile_of(answers([2] * len(SEQUENCES))) is ASCII_ONLY
    assert profile_of(answers([4] * len(SEQUENCES))) is ASCII_ONLY


def test_no_some_too_many_and_impossible_answers_are_worth_nothing() -> None:
    all_of_them = answers([2] * len(SEQUENCES))
    assert told(b"").outcome == "silent"
    assert told(b"\x1b[?62c\x1b[?2027;2$y") == ProbeResult("silent", "reset")
    assert told(all_of_them[:-6]).outcome == "partial"
    assert told(all_of_them + b"\x1b[2;1R").outcome == "garbled"
    assert told(all_of_them[:-6] + b"\x1b[2;9R").outcome == "garbled"
    assert told(all_of_them.replace(b"[2;3R", b"[2;0R", 1)).outcome == "garbled"
    assert measured_profile(told(all_of_them[:-6])) is None


def test_answers_that_come_after_the_screen_has_begun_are_no_keys() -> None:
    """Why the fence is no DA1: Textual types the late answer to that one."""
    late = answers([2] * len(SEQUENCES), b"\x1b[?2027;2$y").decode()

    def typed(data: str) -> str:
        parser = XTermParser()
        events = [*parser.feed(data), *parser.tick()]
        return "".join(event.character or "" for event in events if isinstance(event, Key))

    assert typed("a" + late + "b") == "ab"
    assert request().count(b"\x1b[c") == 0
    assert "62" in typed("\x1b[?62;22c\x1b[A"), "Textual knows DA1 now: it could be the fence"


def test_a_result_cannot_be_made_of_parts_that_do_not_belong_together() -> None:
    with pytest.raises(ValueError, match="3 widths"):
        ProbeResult("answered", "set", (1, 2, 3))
    with pytest.raises(ValueError, match="widths"):
        ProbeResult("silent", "set", (2,) * len(SEQUENCES))
    assert set(get_args(ModeState)) == {"set", "reset", "unknown", "silent"}


def test_the_conversation_is_over_with_the_fence_and_keys_are_kept() -> None:
    conversation = Conversation()
    data = answers([2] * len(SEQUENCES))
    conversation.feed(b"h" + data[:96] + b"i\x1b[1;5R" + data[96:-6])
    assert not conversation.complete
    conversation.feed(data[-6:] + b"!")
    assert conversation.complete
    assert conversation.close() == b"hi\x1b[1;5R!"
