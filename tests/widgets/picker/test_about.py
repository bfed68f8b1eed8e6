"""The rows about an emoji use the room there is, and a cell that cannot be drawn still says something."""

import pytest
from rich.cells import cell_len

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.core import core
from tui_tapback.emoji.search import search
from tui_tapback.terminal.cells import MISSING, EmojiFitter
from tui_tapback.terminal.profile import FULL, SAFE
from tui_tapback.widgets.picker.about import facts, named, standing_in
from tui_tapback.widgets.picker.source import PickerSource

LONG = "face with open eyes and hand over mouth"


def source(locale: str = "en") -> PickerSource:
    return PickerSource(search, load_catalogue(locale), lambda limit, tone: [], lambda emoji, tone: emoji)


def test_a_name_that_does_not_fit_goes_on_in_the_next_row() -> None:
    assert named("red heart", " (yours now)", 30, 30, ellipsis="…") == ("red heart (yours now)", "")
    assert named("red heart", " (yours now)", 12, 30, ellipsis="…") == ("red heart", "")
    assert named(LONG, "", 26, 30, ellipsis="…") == ("face with open eyes and", "hand over mouth")
    assert named(LONG, "", 26, 0, ellipsis="…") == ("face with open eyes and h…", "")


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        (60, "    :heart:  Emoji 0.6  Smileys & emotion"),
        (38, " :heart:  Emoji 0.6  Smileys & emotion"),
        (37, " :heart: E0.6 Smileys & emotion"),
        (28, " :heart:  Smileys & emotion"),
        (20, " :heart:  Smileys &…"),
        (0, ""),
    ],
)
def test_what_is_known_of_an_emoji_is_shortened_from_its_end(room: int, expected: str) -> None:
    assert facts((":heart:", "Emoji 0.6", "Smileys & emotion"), room, ellipsis="…") == expected


def test_an_emoji_without_code_or_version_leaves_no_holes() -> None:
    assert facts(("", "", "Symbols"), 40, ellipsis="…") == "    Symbols"


@pytest.mark.parametrize("locale", ["en", "de", "ja", "hi", "th"])
def test_no_cell_of_the_grid_is_an_empty_box(locale: str) -> None:
    # case B114: in a terminal of old tables the new emoji are words, never missing and never nothing.
    fitter, of = EmojiFitter(SAFE), source(locale)
    seen = [standing_in(of, fitter, emoji) for emoji in core().chars]
    assert all(cell_len(drawn) == 2 and drawn != MISSING and drawn.strip() for drawn, _ in seen)


def test_a_stand_in_is_told_from_the_emoji_itself() -> None:
    safe, full = EmojiFitter(SAFE), EmojiFitter(FULL)
    assert standing_in(source(), safe, "🧋") == ("bt", True)
    assert standing_in(source(), full, "🧋") == ("🧋", False)
    assert standing_in(source(), safe, "👍🏽") == ("👍", False)
    assert standing_in(source(), safe, "❤️") == ("❤ ", False)
    assert standing_in(source(), safe, "👩‍💻")[1]
