"""Our themes: found by name, following the terminal, and with badges that can be told apart and read."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.geometry import Region
from textual.theme import BUILTIN_THEMES

from tui_tapback.app.themes import DARK, LIGHT, OURS, available, resolve, terminal_is_dark
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.terminal.profile import SAFE
from tui_tapback.testing.app import chat_app
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.widgets.transcript import Transcript


@pytest.mark.parametrize(
    ("setting", "dark", "name"),
    [
        ("auto", True, DARK.name),
        ("auto", False, LIGHT.name),
        ("", False, LIGHT.name),
        ("light", True, LIGHT.name),
        ("DARK", False, DARK.name),
        ("nord", True, "nord"),
        ("no-such", True, None),
    ],
)
def test_resolve(setting: str, dark: bool, name: str | None) -> None:
    assert resolve(setting, dark_terminal=dark) == name


@pytest.mark.parametrize(
    ("colorfgbg", "dark"),
    [("15;0", True), ("0;15", False), ("0;default;7", False), ("", True), ("x;y", True)],
)
def test_the_background_of_the_terminal(colorfgbg: str, dark: bool) -> None:
    assert terminal_is_dark(colorfgbg) is dark


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of the web guidelines, 1 to 21."""

    def luminance(color: Color) -> float:
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [theme.name for theme in OURS])
async def test_badges_stand_out_from_the_surface_and_from_each_other(theme: str) -> None:
    app = chat_app(MemoryChat(), theme=theme)
    async with app.run_test() as pilot:
        await settle(pilot)
        transcript = app.screen.query_one(Transcript)
        surface = transcript.background_colors[1]
        user, agent = (
            Color.from_rich_color(style.bgcolor)
            for name in ("user", "agent")
            if (style := transcript.get_component_rich_style(f"transcript--badge-{name}")).bgcolor
        )
        assert contrast(surface, user) >= 3
        assert abs(user.b - agent.b) + abs(user.r - agent.r) > 100
        text = Color.from_rich_color(
            transcript.get_component_rich_style("transcript--badge-user").color  # pyright: ignore[reportArgumentType]
        )
        assert contrast(text, user) >= 4.5


@pytest.mark.parametrize("theme", [*(theme.name for theme in OURS), *sorted(BUILTIN_THEMES)])
async def test_what_stands_on_a_badge_can_be_read_in_every_theme(theme: str) -> None:
    # case B190
    chat = MemoryChat()
    for author in Author:
        for confirmed in (True, False):
            chat.arrive("x", reactions=ReactionSet.of([Reaction("❤️", author, 0.0, confirmed=confirmed)]))
    app = chat_app(chat, theme=theme, profile=SAFE)
    async with app.run_test() as pilot:
        await settle(pilot)
        hearts = [
            segment.style
            for strip in app.screen.query_one(Transcript).render_lines(Region(0, 0, 80, 20))
            for segment in strip
            if segment.text == "❤ " and segment.style
        ]
        assert len(hearts) == 4
        for style in hearts:
            assert style.color != style.bgcolor
            if style.color and style.color.triplet and style.bgcolor and style.bgcolor.triplet:
                assert (
                    contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)) >= 4.5
                )


def test_all_names_are_known() -> None:
    assert {"auto", "light", "dark", DARK.name, LIGHT.name, "nord"} <= set(available())
