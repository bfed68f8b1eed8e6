"""Our themes: found by name, following the terminal, and with badges that can be told apart and read."""

from __future__ import annotations

import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color
from textual.geometry import Region
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES, Theme

from tui_tapback.app.app import ChatApp
from tui_tapback.app.themes import (
    CONTRAST_DARK,
    CONTRAST_LIGHT,
    DARK,
    LIGHT,
    OURS,
    available,
    resolve,
    terminal_is_dark,
)
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import FULL, SAFE
from tui_tapback.testing.app import chat_app
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.widgets.badges import badge_stack
from tui_tapback.widgets.contrast import ratio, shade
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.widgets.transcript.palette import Palette


@pytest.mark.parametrize(
    ("setting", "dark", "name"),
    [
        ("auto", True, DARK.name),
        ("auto", False, LIGHT.name),
        ("", False, LIGHT.name),
        ("light", True, LIGHT.name),
        ("DARK", False, DARK.name),
        ("nord", True, "nord"),
        ("contrast", True, CONTRAST_DARK.name),
        ("contrast", False, CONTRAST_LIGHT.name),
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


class Themed(App[None]):
    """A transcript in any theme, in the colours of the chat."""

    CSS = ChatApp.CSS

    def compose(self) -> ComposeResult:
        yield Transcript(EmojiFitter(FULL))

    def on_mount(self) -> None:
        for theme in OURS:
            self.register_theme(theme)


async def palette_of(pilot: Pilot[None], theme: str, system: ColorSystem, *, signed: bool = False) -> Palette:
    """The colours of the transcript in that theme and in so many colours."""
    if pilot.app.theme != theme:
        pilot.app.theme = theme
        await settle(pilot)
    transcript = pilot.app.query_one(Transcript)
    return Palette.resolve(
        transcript.rich_style,
        transcript.get_component_rich_style,
        colorless=False,
        system=system,
        signed=signed,
    )


def badge(palette: Palette, author: Author, *, confirmed: bool = True) -> tuple[str, Style]:
    """Sign and style of a badge."""
    reactions = ReactionSet.of([Reaction("❤️", author, 0.0, confirmed=confirmed)])
    drawn = badge_stack(reactions, "left", EmojiFitter(SAFE), palette.badges)
    text = "".join(run[0] for run in drawn.runs)
    return text[0] + text[-1], next(style for run, style in drawn.runs if "❤" in run)


SYSTEMS = (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT, ColorSystem.STANDARD)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name.lower())
async def test_whose_a_badge_is_can_be_told_in_every_theme(system: ColorSystem) -> None:
    # case B190
    app = Themed()
    async with app.run_test() as pilot:
        for theme in (*(theme.name for theme in OURS), *sorted(BUILTIN_THEMES)):
            palette = await palette_of(pilot, theme, system)
            ground = shade(palette.text.bgcolor, system)
            for confirmed in (True, False):
                (mine, user), (theirs, agent) = (badge(palette, a, confirmed=confirmed) for a in Author)
                by_sign = mine == "[]" and theirs == "()"
                for style in (user, agent):
                    assert by_sign or shade(style.bgcolor, system) != ground, theme
                    assert shade(style.color, system) != shade(style.bgcolor, system), theme
                assert by_sign or shade(user.bgcolor, system) != shade(agent.bgcolor, system), theme
                if confirmed and not by_sign and user.bgcolor and agent.bgcolor:
                    faces = user.bgcolor.triplet, agent.bgcolor.triplet
                    assert None not in faces, theme
                    assert ratio(*faces) >= 1.5, theme  # pyright: ignore[reportArgumentType] -- none is None
            signs = [
                badge(await palette_of(pilot, theme, system, signed=True), author)[0] for author in Author
            ]
            assert signs == ["[]", "()"], theme


@pytest.mark.parametrize(
    ("theme", "text", "mark"),
    [(DARK, 4.5, 3.0), (LIGHT, 4.5, 3.0), (CONTRAST_DARK, 7.0, 7.0), (CONTRAST_LIGHT, 7.0, 7.0)],
    ids=lambda value: value.name if isinstance(value, Theme) else "",
)
async def test_our_themes_have_the_contrast_of_the_guidelines(theme: Theme, text: float, mark: float) -> None:
    app = Themed()
    async with app.run_test() as pilot:
        palette = await palette_of(pilot, theme.name, ColorSystem.TRUECOLOR)
        surface, markdown, pill = palette.text, palette.markdown, palette.pill
        inks = {
            "text": surface,
            "muted": palette.muted,
            "error": palette.error,
            "chip": palette.chip,
            "here": palette.here,
            **{
                name: getattr(markdown, name)
                for name in (
                    *("code", "heading", "quote", "link", "muted", "comment"),
                    *("keyword", "string", "number", "name"),
                )
            },
            "pill cursor": pill.cursor,
            "pill own": pill.own,
            "pill hint": pill.hint,
            "mine": badge(palette, Author.USER)[1],
            "theirs": badge(palette, Author.AGENT)[1],
            "my pending": badge(palette, Author.USER, confirmed=False)[1],
            "their pending": badge(palette, Author.AGENT, confirmed=False)[1],
        }
        for name, style in inks.items():
            assert contrast_of(style, surface) >= text, name
        assert palette.badges.bracketed is (text > 4.5)  # the calm pair needs no brackets
        for author in Author:
            face = badge(palette, author)[1].bgcolor
            assert face is not None
            assert face.triplet is not None
            assert surface.bgcolor is not None
            assert surface.bgcolor.triplet is not None
            assert ratio(face.triplet, surface.bgcolor.triplet) >= mark
        for name, style in {
            "caret": palette.caret,
            "selected": palette.selected,
            "border": pill.border,
        }.items():
            assert contrast_of(style, surface) >= mark, name
        for name in (
            "text-primary",
            "text-secondary",
            "text-accent",
            "text-warning",
            "text-error",
            "text-success",
        ):
            ink = Color.parse(app.theme_variables[name])
            for ground in ("background", "surface"):
                assert contrast(ink, Color.parse(app.theme_variables[ground])) >= text, (name, ground)


def contrast_of(style: Style, surface: Style) -> float:
    """Of the letters of a style and what they stand on."""
    ink, ground = style.color or surface.color, style.bgcolor or surface.bgcolor
    assert ink is not None
    assert ground is not None
    assert ink.triplet is not None
    assert ground.triplet is not None
    return ratio(ink.triplet, ground.triplet)


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
            if segment.text.strip("[()]") == "❤ " and segment.style
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
