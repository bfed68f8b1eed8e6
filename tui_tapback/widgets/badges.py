"""The badges on a bubble's corner: which are shown, in which order, and in which cells."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.style import Style

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.terminal.graphemes import fill

from .contrast import differ, legible, only_hue
from .fitter import Fitter

Corner = Literal["left", "right"]
MAX_BADGES = 2


@value
class BadgeStyles:
    """Backgrounds of the badges (``color`` and ``bgcolor`` both set) and the surface under the bubble.

    With ``bracketed`` badges are told apart by brackets: ``[👍]`` is the user's, ``(👍)`` the agent's.
    """

    user: Style
    user_pending: Style
    agent: Style
    agent_pending: Style
    surface: Style
    bracketed: bool = False

    def of(self, reaction: Reaction) -> Style:
        """The style of one badge; dimmer until the gateway has confirmed it, and legible in any theme."""
        if reaction.author is Author.USER:
            return legible(self.user if reaction.confirmed else self.user_pending)
        return legible(self.agent if reaction.confirmed else self.agent_pending)


def told_apart(styles: BadgeStyles, system: ColorSystem) -> BadgeStyles:
    """``styles`` for a terminal with these colours: brackets where they cannot tell whose a badge is.

    A hue alone does not: not everybody sees it.
    A badge that waits is dimmer only where that makes it neither vanish nor look like the other side's.
    """
    if styles.bracketed:
        return styles
    ground = styles.surface.bgcolor
    colors = (styles.user.bgcolor, styles.agent.bgcolor, ground)
    if not differ(colors, system) or only_hue(styles.user, styles.agent):
        return replace(styles, bracketed=True)
    user, agent = styles.user_pending, styles.agent_pending
    if not differ((user.bgcolor, styles.agent.bgcolor, agent.bgcolor, ground), system):
        user = styles.user
    if not differ((agent.bgcolor, styles.user.bgcolor, user.bgcolor, ground), system):
        agent = styles.agent
    return replace(styles, user_pending=user, agent_pending=agent)


@value
class Badge:
    """One badge in place: cells ``start`` to ``stop`` (exclusive), counted from the stack's first cell."""

    reaction: Reaction
    start: int
    stop: int


@value
class BadgeStack:
    """The drawn stack: ``runs`` are ``(text, style)`` from left to right, ``width`` their cells."""

    runs: tuple[tuple[str, Style], ...]
    badges: tuple[Badge, ...]
    width: int


def shown(reactions: ReactionSet) -> tuple[Reaction, ...]:
    """The reactions that get a badge, newest first: those to the whole message, at most one per author.

    What has no visible character is nobody's badge.
    """
    whole = (r for r in reactions.newest_first() if r.part is None and clean_line(r.emoji))
    return tuple(whole)[:MAX_BADGES]


def face(emoji: str, fitter: Fitter) -> str:
    """Two cells for a reaction, also when a foreign gateway sent something that is no emoji."""
    text = fitter.fit(clean_line(emoji))
    return text if cell_len(text) == 2 else fill(text, 2)


def badge_stack(reactions: ReactionSet, corner: Corner, fitter: Fitter, styles: BadgeStyles) -> BadgeStack:
    """Lay out the stack for a bubble's top border.

    The newest badge lies on top, towards the middle of the bubble; the older one looks out from under it
    at the corner. One badge takes 4 cells, two take 7, or 8 in brackets.
    """
    newest_first = shown(reactions)
    in_order = newest_first if corner == "right" else tuple(reversed(newest_first))
    if styles.bracketed:
        return _bracketed(in_order, fitter, styles)
    runs: list[tuple[str, Style]] = []
    badges: list[Badge] = []
    column = 0
    for index, reaction in enumerate(in_order):
        style = styles.of(reaction)
        edge = Style(color=style.bgcolor, bgcolor=styles.surface.bgcolor)
        last = index == len(in_order) - 1
        if corner == "left":
            under = styles.of(in_order[index - 1]) if index else None
            runs += [("▐", _edge(edge, under)), (face(reaction.emoji, fitter), style)]
            runs += [("▌", edge)] if last else []
        else:
            runs += [] if index else [("▐", edge)]
            under = None if last else styles.of(in_order[index + 1])
            runs += [(face(reaction.emoji, fitter), style), ("▌", _edge(edge, under))]
        start = column
        column = sum(cell_len(text) for text, _ in runs)
        badges.append(Badge(reaction, start, column))
    return BadgeStack(tuple(runs), tuple(badges), column)


def _edge(edge: Style, under: Style | None) -> Style:
    return edge if under is None else edge + Style(bgcolor=under.bgcolor)


def _bracketed(in_order: tuple[Reaction, ...], fitter: Fitter, styles: BadgeStyles) -> BadgeStack:
    runs: list[tuple[str, Style]] = []
    badges: list[Badge] = []
    for index, reaction in enumerate(in_order):
        opening, closing = "[]" if reaction.author is Author.USER else "()"
        runs.append((opening + face(reaction.emoji, fitter) + closing, styles.of(reaction)))
        badges.append(Badge(reaction, index * 4, index * 4 + 4))
    return BadgeStack(tuple(runs), tuple(badges), 4 * len(in_order))
