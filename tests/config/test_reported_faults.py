"""What others' settings went wrong about (``cases``), tried on ours."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from rich.style import Style

import tui_tapback
from tui_tapback.app.habits import Habits
from tui_tapback.app.preferences import Preferences
from tui_tapback.config.settings import Settings
from tui_tapback.domain.reactions import NO_REACTIONS
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.recents import Recents
from tui_tapback.terminal.ascii import ascii_signs
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE, TEXT, WidthProfile, detect_profile
from tui_tapback.widgets.pill import Pill, PillStyles

PACKAGE = Path(tui_tapback.__file__).parent
UTF8 = {"LANG": "de_DE.UTF-8", "TERM": "xterm-256color"}
BOX_DRAWING = range(0x2500, 0x2580)


def drawn(fitter: EmojiFitter, cursor: int = 1) -> list[str]:
    styles = PillStyles(*[Style()] * len(PillStyles.__dataclass_fields__))
    pill = Pill.opened("m1", QUICK_REACTIONS, None, NO_REACTIONS).at(cursor)
    return ["".join(text for text, _ in row) for row in pill.draw(4, fitter, styles)]


@pytest.mark.parametrize("profile", [FULL, SAFE, TEXT, ASCII_ONLY], ids=lambda profile: profile.name)
def test_all_six_are_seen_in_every_way_of_drawing_and_one_is_marked_without_colour(
    profile: WidthProfile,
) -> None:
    # case B136
    fitter = EmojiFitter(profile)
    middle = drawn(fitter)[1]
    shown = [fitter.fit(emoji) for emoji in QUICK_REACTIONS]
    assert len(set(shown)) == 6
    assert all(cell.strip() and cell in middle for cell in shown)
    assert f"[{shown[1]}]" in middle


@pytest.mark.parametrize(
    ("environ", "setting"),
    [
        (UTF8, "ascii"),
        (UTF8 | {"TUI_TAPBACK_EMOJI": "ascii"}, "auto"),
        ({"LANG": "C", "TERM": "xterm"}, "auto"),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, "auto"),
    ],
)
def test_emoji_can_be_switched_off_and_what_is_sent_stays_the_same(
    environ: dict[str, str], setting: str
) -> None:
    # case B203
    fitter = EmojiFitter(detect_profile(environ, setting))
    assert fitter.fit("👍") == "+1"
    assert all(ascii_signs(row).isascii() for row in drawn(fitter))
    assert Pill.opened("m1", QUICK_REACTIONS, None, NO_REACTIONS).at(1).emoji == "👍"


def test_frames_are_of_signs_that_every_font_has() -> None:
    # case B204
    fitter = EmojiFitter(SAFE)
    emoji = {char for each in QUICK_REACTIONS for char in fitter.fit(each)}
    chrome = {char for row in drawn(fitter) for char in row} - emoji
    assert all(char.isascii() or ord(char) in BOX_DRAWING for char in chrome)


@pytest.mark.parametrize("layer", ["client", "app", "widgets"])
def test_what_a_gateway_can_do_is_asked_of_it_and_read_in_no_environment(layer: str) -> None:
    # cases B192, B193: no switch of the client stands for the gateway's, and nothing but the answer of the
    # gateway decides, so that it is the same whoever started it.
    reading: set[str] = set()
    for path in sorted((PACKAGE / layer).rglob("*.py")):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        named = (n.attr for n in nodes if isinstance(n, ast.Attribute) and ast.unparse(n.value) == "os")
        if {"environ", "environb", "getenv"} & set(named):
            reading.add(path.name)
    # The one that starts a gateway hands the whole environment on.
    assert reading <= {"embedded.py"}


@pytest.mark.parametrize(("value", "sets"), [("🦄", "🦄"), ("👍", "👍🏽"), ("", "")])
def test_the_emoji_of_a_double_click_reaches_the_transcript_in_the_wanted_tone(value: str, sets: str) -> None:
    # case B200
    settings = Settings(double_click=value, skin_tone="medium")
    assert Preferences.of(settings, UTF8).at_once == sets


def test_quick_reactions_have_the_saved_tone_for_key_and_click_alike() -> None:
    # case B137: digits, pill and clicks all take them from here.
    preferences = Preferences.of(Settings(skin_tone="medium"), UTF8)
    assert preferences.quick[:3] == ("❤️", "👍🏽", "👎🏽")
    chosen = Preferences("dark", EmojiFitter(SAFE), habits=Habits(Recents(lambda: 1.0), tone=5))
    assert chosen.quick[1] == "👍🏿"
