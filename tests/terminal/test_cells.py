from __future__ import annotations

from dataclasses import replace

import emoji
import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui_tapback.terminal import standins
from tui_tapback.terminal.cells import MISSING, EmojiFitter, initials
from tui_tapback.terminal.graphemes import clusters
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE, TEXT, WidthProfile

PROFILES = pytest.mark.parametrize("profile", [FULL, SAFE, TEXT, ASCII_ONLY], ids=lambda p: p.name)
STATUS = emoji.STATUS
RGI = [e for e, d in emoji.EMOJI_DATA.items() if d["status"] == STATUS["fully_qualified"]]
EVERYTHING = list(emoji.EMOJI_DATA)
QUICK = ("❤️", "👍", "👎", "😂", "‼️", "❓")


def legacy_width(text: str) -> int:
    """What an old terminal does: every code point for itself, selectors and joiners nothing."""
    return sum(max(0, wcwidth.wcwidth(char)) for char in text)


@PROFILES
def test_every_sequence_of_the_emoji_package_becomes_two_cells(profile: WidthProfile) -> None:
    fitter = EmojiFitter(profile)
    wrong = [e for e in EVERYTHING if cell_len(fitter.fit(e)) != 2]
    assert len(RGI) > 3900
    assert wrong == []


def test_the_safe_profile_holds_on_a_terminal_that_adds_up_code_points() -> None:
    fitter = EmojiFitter(SAFE)
    wrong = [(e, fitter.fit(e)) for e in EVERYTHING if legacy_width(fitter.fit(e)) != 2]
    assert wrong == []


def test_the_text_profile_holds_on_a_terminal_that_knows_no_wide_emoji() -> None:
    fitter = EmojiFitter(TEXT)
    texts = {fitter.fit(e) for e in EVERYTHING}
    assert [text for text in texts if any(char >= "\U0001f000" for char in text)] == []


@PROFILES
def test_nothing_but_ascii_leaves_the_ascii_profile(profile: WidthProfile) -> None:
    fitter = EmojiFitter(profile)
    assert all(fitter.fit(e).isascii() for e in (*EVERYTHING, "日本", "é")) is (profile is ASCII_ONLY)


@pytest.mark.parametrize(
    ("profile", "drawn"),
    [
        (FULL, ["❤️", "👍", "👎", "😂", "‼️", "❓"]),
        (SAFE, ["❤ ", "👍", "👎", "😂", "‼ ", "❓"]),
        (TEXT, ["❤ ", "+1", "-1", "XD", "‼ ", "??"]),
        (ASCII_ONLY, ["<3", "+1", "-1", "XD", "!!", "??"]),
    ],
    ids=["full", "safe", "text", "ascii"],
)
def test_the_six_tapbacks(profile: WidthProfile, drawn: list[str]) -> None:
    assert [EmojiFitter(profile).fit(e) for e in QUICK] == drawn


@pytest.mark.parametrize(
    ("sequence", "drawn"),
    [
        ("👍🏽", "👍"),
        ("☝🏽", "👆"),
        ("👩🏽‍💻", "👩"),
        ("👨‍👩‍👧‍👦", "👨"),
        ("🏳️‍🌈", "🌈"),
        ("❤️‍🩹", "💗"),
        ("🐻‍❄️", "🐻"),
        ("🇩🇪", "DE"),
        ("1️⃣", "1 "),
        ("\U0001fae9", MISSING),
        ("\U0001f6dc", MISSING),
    ],
)
def test_the_ladder_of_the_safe_profile(sequence: str, drawn: str) -> None:
    assert EmojiFitter(SAFE).fit(sequence) == drawn


@pytest.mark.parametrize(
    "foreign",
    ["", "ok", "x", "\x1b[2J", "日本語", "\ud83d", "❤️❤️", "👩\u200d", "\u200d", "🏽", "🇩", "a\u0301"],
)
@PROFILES
def test_what_is_no_emoji_is_two_harmless_cells(profile: WidthProfile, foreign: str) -> None:
    drawn = EmojiFitter(profile).fit(foreign)
    assert cell_len(drawn) == 2
    assert "\x1b" not in drawn and drawn.isprintable()


def test_what_terminals_disagree_about_is_not_drawn_as_it_is() -> None:
    assert [EmojiFitter(profile).fit("🇩") for profile in (FULL, SAFE)] == [MISSING, MISSING]
    assert EmojiFitter(SAFE).fit_text("a ☝ ✌ b") == "a 👆 V  b"
    narrow = EmojiFitter(replace(SAFE, wide_vs16=False))
    assert [narrow.fit(each) for each in ("㊗️", "🈂️", "〰️")] == ["㊗", "🈂", "〰"]


def test_a_fitter_may_learn_of_another_terminal() -> None:
    fitter = EmojiFitter(SAFE)
    fit, fit_text = fitter.fit, fitter.fit_text
    assert (fit("❤️"), fit_text("a👍🏽")) == ("❤ ", "a👍")
    fitter.adopt(FULL)
    assert (fit("❤️"), fit_text("a👍🏽")) == ("❤️", "a👍🏽")


def test_running_text_keeps_its_symbols_and_loses_stray_joiners() -> None:
    fit = EmojiFitter(SAFE).fit_text
    assert fit("a ❤ b ✔ → ─ ✓ 日本 12") == "a ❤ b ✔ → ─ ✓ 日本 12"
    assert fit("I ❤️ it, 👍🏽!") == "I ❤  it, 👍!"
    assert fit("一\u200d二 x\ufe0f 👩\u200d ❤\ufe0e") == "一二 x 👩 ❤"
    assert fit("🇩🇪🇩") == "DED"
    assert fit("‼\u200d\U0001fabb") == "‼▯ "


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("a\u2060b\u200bc\u180ed\ufeff\u3164", "abcd"),  # nothing to see, and a cell in some terminals
        ("\u0301a\n\u0301b\ta\u0301", "a\nb\ta\u0301"),  # a mark without a letter before it
        ("\u0928\u200cx", "\u0928\u200cx"),
        ("🏴🏽", "🏴"),  # a tone that does not belong there
        ("🏴\U000e0067\U000e0062", "🏴"),  # the beginning of a flag
        ("⚧\U000e007f🔥\U000e0067", "▯ 🔥"),
        ("👩\u200d🏽", "👩"),
        ("1️⃣a\u20e3 ☝\ufe0f\u20e3", "1️⃣a  ▯ "),
        ("\u200d".join("👩" * 50), "👩"),  # a chain that no font knows
        ("👩\u200da\u200d👩", "👩a👩"),
        ("👩👍\u200d\u200d🔥", "👩👍🔥"),
    ],
)
def test_what_is_put_together_wrongly_is_taken_apart(written: str, drawn: str) -> None:
    # Found by printing random sequences in real terminals, which disagree about each of these.
    assert EmojiFitter(FULL).fit_text(written) == drawn


def test_a_tone_belongs_to_what_the_emoji_package_tones() -> None:
    toned = {e[0] for e in EVERYTHING if len(e) > 1 and "\U0001f3fb" <= e[1] <= "\U0001f3ff"}
    assert {char for char in toned if not standins.takes_tone(char)} == set()
    assert not any(map(standins.takes_tone, "🏴🔥❤⚧日a🏽"))
    parts = {part[0] for e in EVERYTHING if "\u200d" in e for part in e.split("\u200d")}
    assert {char for char in parts if not standins.is_joined_emoji(char)} == set()
    assert max(e.count("\u200d") for e in EVERYTHING) == 3


def test_signs_that_some_terminal_draws_narrow_are_given_the_selector_that_makes_them_wide() -> None:
    for sign in "〰〽㊗㊙🈂🈷":
        for profile in (FULL, SAFE):
            assert (
                EmojiFitter(profile).fit(sign) == EmojiFitter(profile).fit(f"{sign}\ufe0f") == f"{sign}\ufe0f"
            )
            assert EmojiFitter(profile).fit_text(f"a{sign}b") == f"a{sign}\ufe0fb"
    assert EmojiFitter(TEXT).fit("㊙") == "㊙"


TRICKY = st.lists(
    st.one_of(
        st.sampled_from(RGI),
        st.sampled_from(
            [*"a1#©", "日", "\u200d", "\ufe0f", "\ufe0e", "\u20e3", "🏽", "🇩", "♀", "क्\u200dष", " ", "❤", "‼"]
        ),
    ),
    max_size=12,
).map("".join)


@given(TRICKY)
def test_fitted_text_is_measured_alike_whole_by_cluster_and_by_an_old_terminal(text: str) -> None:
    drawn = EmojiFitter(SAFE).fit_text(text)
    by_cluster = sum(cell_len(cluster) for cluster in clusters(drawn))
    assert cell_len(drawn) == by_cluster == legacy_width(drawn)


@given(TRICKY)
def test_fitted_text_is_measured_alike_in_a_full_terminal(text: str) -> None:
    drawn = EmojiFitter(FULL).fit_text(text)
    assert cell_len(drawn) == sum(cell_len(cluster) for cluster in clusters(drawn))


@given(TRICKY)
def test_fitting_twice_changes_nothing_more(text: str) -> None:
    fitter = EmojiFitter(SAFE)
    assert fitter.fit_text(fitter.fit_text(text)) == fitter.fit_text(text)


def test_the_table_of_versions_agrees_with_the_emoji_package() -> None:
    wrong = {
        char: (standins.since(char), data["E"])
        for char, data in emoji.EMOJI_DATA.items()
        if len(char) == 1 and cell_len(char) == 2 and not "\U0001f1e6" <= char <= "\U0001f1ff"
        if standins.since(char) != _unicode_of(data["E"])
    }
    assert wrong == {}


def _unicode_of(emoji_version: float) -> int:
    if emoji_version < 5:
        return 9
    if emoji_version < 11:
        return 10
    return int(emoji_version) if emoji_version < 18 else standins.NEWER


def test_wide_emoji_are_told_from_wide_ideographs() -> None:
    wide = {
        c for c, d in emoji.EMOJI_DATA.items() if len(c) == 1 and d["status"] == STATUS["fully_qualified"]
    }
    assert [c for c in wide if not standins.is_wide_emoji(c)] == []
    assert not any(map(standins.is_wide_emoji, "日本語〰㊗한ａ❤‼"))


def test_names_give_two_letters_where_nothing_else_can() -> None:
    fitter = EmojiFitter(ASCII_ONLY, name_of=lambda _e: "party popper")
    assert fitter.fit("🪩") == "pp"
    assert initials("fire") == "fi"
    assert initials("日本") == "[]"
