"""The real chat in real terminals: before every border the terminal is asked where its cursor is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

Tapped = Callable[..., dict[str, dict[str, Any]]]
TERMINALS = (
    *("tmux", "screen", "xterm", "vte", "kitty", "foot"),
    *("xtermjs-plain", "xtermjs-unicode11", "xtermjs-graphemes", "ghostty", "ghostty-graphemes"),
    # Here the cells of the terminal outside are compared too, of which the multiplexer knows nothing.
    *("tmux@xtermjs-unicode11", "screen@xtermjs-unicode11", "tmux@ghostty"),
)
pytestmark = [pytest.mark.slow, pytest.mark.emulators]


# cases B138, B139, B140, B142 (nothing is left behind by another session), B143, B144, B146, B149, B151
@pytest.mark.parametrize("terminal", TERMINALS)
def test_every_border_of_the_chat_stands_where_it_is_meant_to(tapped: Tapped, terminal: str) -> None:
    phases = tapped(terminal)
    screen = phases["chat"]["screen"]
    for word in (
        "tapbacks",
        "selectors",
        "wide",
        "toned",
        "joined",
        "couples",
        "flags",
        "newer",
        "scripts",
        "other",
    ):
        assert f" {word} " in screen, f"no {word} emoji in\n{screen}"
    assert re.search("और किताब +end", screen), screen  # no word is lost where vowel signs have a cell
    assert "Search emoji" in phases["picker"]["screen"]
    assert phases["pill"]["screen"].count("╭") > screen.count("╭")
    assert "tapbacks" not in phases["another session"]["screen"]
    for name, found in phases.items():
        assert found["taps"] >= {"chat": 200, "pill": 10, "picker": 60}.get(name, 0), name
        assert found["misplaced"] == 0, (name, found["examples"])
        assert not found["differences"], (name, found["differences"][:8])


@pytest.mark.parametrize("terminal", ["vte", "xterm", "xtermjs-unicode11", "tmux"])
def test_borders_stand_as_well_where_the_heart_keeps_its_colour(tapped: Tapped, terminal: str) -> None:
    phases = tapped(terminal, "--emoji", "colour")
    screen = phases["chat"]["screen"]
    assert ("tapbacks ❤️ 👍 👎 😂 ‼️ ❓ end" in screen) is (terminal != "tmux"), screen
    for name, found in phases.items():
        assert found["misplaced"] == 0, (name, found["examples"])
        assert not found["differences"], (name, found["differences"][:8])


@pytest.mark.parametrize("terminal", TERMINALS)
def test_the_naive_program_is_found_out_by_the_same_taps(tapped: Tapped, terminal: str) -> None:
    for name, found in tapped(terminal, "--naive").items():
        assert found["taps"] >= 40 and found["misplaced"] > 0, name
        assert found["differences"] is None or found["differences"], name


@pytest.mark.parametrize("terminal", ["xtermjs-unicode11", "ghostty"])
def test_the_chat_itself_is_found_out_where_it_is_ordered_to_fit_nothing(
    tapped: Tapped, terminal: str
) -> None:
    phases = tapped(terminal, "--emoji", "full")
    assert phases["chat"]["misplaced"] > 20 and phases["chat"]["differences"]
