"""The transcript's colours: component classes of its stylesheet, resolved into Rich styles once per theme."""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.color import ColorSystem
from rich.style import Style

from tui_tapback.domain.values import value

from ..badges import BadgeStyles, told_apart
from ..contrast import inked, legible, raised, stark
from ..markdown import MarkdownStyles
from ..pill import PillStyles

CSS = """
Transcript {
    width: 1fr;
    height: 1fr;
    background: $background;
    color: $foreground;

    & > .transcript--muted { color: $foreground 66%; }
    & > .transcript--user { color: $primary; }
    & > .transcript--agent { color: $foreground 35%; }
    & > .transcript--selected { color: $accent; text-style: bold; }
    & > .transcript--badge-user { background: $accent; color: auto 95%; }
    & > .transcript--badge-user-pending { background: $accent 45%; color: auto 70%; }
    & > .transcript--badge-agent { background: $foreground 28%; color: auto 95%; }
    & > .transcript--badge-agent-pending { background: $foreground 14%; color: auto 70%; }
    & > .transcript--code { color: $text-warning; }
    & > .transcript--block { background: $foreground 6%; }
    & > .transcript--heading { color: $text-primary; text-style: bold; }
    & > .transcript--quote { color: $foreground 75%; text-style: italic; }
    & > .transcript--link { color: $text-primary; text-style: underline; }
    & > .transcript--comment { color: $foreground 66%; text-style: italic; }
    & > .transcript--keyword { color: $text-accent; text-style: bold; }
    & > .transcript--string { color: $text-success; }
    & > .transcript--number { color: $text-warning; }
    & > .transcript--name { color: $text-primary; }
    & > .transcript--error { color: $text-error; }
    & > .transcript--caret { color: $accent; }
    & > .transcript--chip { background: $accent; color: auto 95%; text-style: bold; }
    & > .transcript--hit { background: $warning 35%; }
    & > .transcript--here { background: $warning; color: auto 95%; text-style: bold; }
    & > .transcript--marked { background: $primary 45%; }
    & > .transcript--thumb { color: $foreground 30%; }
    & > .transcript--pill { background: $surface; }
    & > .transcript--pill-border { background: $surface; color: $accent; }
    & > .transcript--pill-cursor { background: $accent; color: auto 95%; text-style: bold; }
    & > .transcript--pill-own { background: $accent 40%; color: auto 95%; text-style: bold; }
    & > .transcript--pill-hint { background: $surface; color: $foreground 66%; }
}
"""

COMPONENT_CLASSES = frozenset(re.findall(r"transcript--[a-z-]+", CSS))


@value
class Palette:
    """Complete styles (colour on background), ``text`` being the plain surface."""

    text: Style
    muted: Style
    user: Style
    agent: Style
    selected: Style
    error: Style
    caret: Style
    chip: Style
    thumb: Style
    hit: Style
    here: Style
    marked: Style
    badges: BadgeStyles
    markdown: MarkdownStyles
    pill: PillStyles

    @classmethod
    def resolve(
        cls,
        text: Style,
        style_of: Callable[[str], Style],
        *,
        colorless: bool,
        system: ColorSystem = ColorSystem.TRUECOLOR,
        signed: bool = False,
    ) -> Palette:
        """Build from ``style_of``, which resolves a component class.

        ``system``: the colours that the terminal has. ``signed``: badges bear the sign of their author also
        where colours tell it, as they do in a theme of high contrast.
        """

        def style(name: str) -> Style:
            return style_of(f"transcript--{name}")

        def ink(name: str) -> Style:
            return _without_background(style(name), text)

        badge_styles = _badges(text, style, system, bracketed=colorless or signed)
        markdown = MarkdownStyles(
            code=ink("code"),
            block=style("block"),
            heading=ink("heading"),
            quote=ink("quote"),
            link=ink("link"),
            muted=ink("muted"),
            comment=ink("comment"),
            keyword=ink("keyword"),
            string=ink("string"),
            number=ink("number"),
            name=ink("name"),
            colorless=colorless,
        )
        pill = PillStyles(
            border=style("pill-border"),
            surface=style("pill"),
            cursor=style("pill-cursor"),
            own=inked(style("pill-own")) if stark(text) else style("pill-own"),
            hint=style("pill-hint"),
        )
        return cls(
            text=text,
            muted=style("muted"),
            user=style("user"),
            agent=style("agent"),
            selected=style("selected"),
            error=style("error"),
            caret=style("caret"),
            chip=style("chip"),
            thumb=style("thumb"),
            hit=_ground(style("hit"), Style(underline=True), colorless=colorless),
            here=Style(reverse=True, bold=True) if colorless else legible(style("here")),
            marked=_ground(style("marked"), Style(reverse=True), colorless=colorless),
            badges=badge_styles,
            markdown=markdown,
            pill=pill,
        )


def _badges(
    text: Style, style: Callable[[str], Style], system: ColorSystem, *, bracketed: bool
) -> BadgeStyles:
    """The badges as they are seen on that surface, and told apart in so many colours."""
    user, agent = raised(style("badge-user"), text), raised(style("badge-agent"), text)
    stands_out = stark(text)
    return told_apart(
        BadgeStyles(
            user=user,
            user_pending=user if stands_out else style("badge-user-pending"),
            agent=agent,
            agent_pending=agent if stands_out else style("badge-agent-pending"),
            surface=text,
            bracketed=bracketed or stands_out,
        ),
        system,
    )


def _without_background(style: Style, surface: Style) -> Style:
    """The style without the surface's own background, so that text in a code block keeps that one's."""
    if style.bgcolor != surface.bgcolor:
        return style
    return Style(
        color=style.color,
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=style.reverse,
    )


def _ground(style: Style, sign: Style, *, colorless: bool) -> Style:
    """Only the background, which what stands on it keeps its own colour over; a sign where colours fail."""
    return sign if colorless else Style(bgcolor=style.bgcolor, bold=style.bold)
