"""What ``doctor`` tells of the terminal's background, and of the theme that follows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tui_tapback.app.themes import follows_terminal, resolve, terminal_is_dark
from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.background import named
from tui_tapback.terminal.driver import Answer
from tui_tapback.words import _

Source = Literal["answer", "earlier", "COLORFGBG", "nothing"]


@dataclass(frozen=True, slots=True)
class Background:
    """Whether it is ``dark``, by which ``source``; ``colour`` is ``#rrggbb`` or empty. ``theme`` is the name
    of the one that ``wanted`` stands for here, ``tells`` whether the terminal tells when it changes."""

    dark: bool
    source: Source
    colour: str
    wanted: str
    theme: str
    tells: bool

    @property
    def sentences(self) -> tuple[str, str]:
        """What is known, and what follows."""
        told = {
            "answer": _("the terminal answered {colour}").format(colour=self.colour),
            "earlier": _("the terminal answered at an earlier start"),
            "COLORFGBG": _("no answer; COLORFGBG says so"),
            "nothing": _("no answer; dark is assumed"),
        }[self.source]
        kind = _("dark") if self.dark else _("light")
        wanted, theme = clean_line(self.wanted, 40), clean_line(self.theme, 40)
        if not follows_terminal(self.wanted):
            theme = _("theme: {theme}, whatever the background is").format(theme=theme)
        elif self.tells:
            theme = _("theme: {theme}, from {wanted}; it follows at once when the terminal changes").format(
                theme=theme, wanted=wanted
            )
        else:
            theme = _("theme: {theme}, from {wanted}").format(theme=theme, wanted=wanted)
        return _("background: {kind} ({why})").format(kind=kind, why=told), theme

    def as_json(self) -> dict[str, Any]:
        """The same for a bug report."""
        return {
            "dark": self.dark,
            "source": self.source,
            "colour": self.colour or None,
            "theme": self.theme,
            "tells_changes": self.tells,
        }


def background_of(
    answer: Answer | None, known: bool | None, wanted: str, environ: Mapping[str, str], *, tells: bool
) -> Background:
    """``known``: what the terminal told at an earlier start; ``wanted``: what a person asked for."""
    colorfgbg = environ.get("COLORFGBG", "")
    told: tuple[bool, Source] = terminal_is_dark(colorfgbg), "COLORFGBG" if colorfgbg else "nothing"
    if known is not None:
        told = known, "earlier"
    if answer is not None and answer.dark is not None:
        told = answer.dark, "answer"
    colour = named(answer.colour) if answer is not None and answer.colour is not None else ""
    theme = resolve(wanted, dark_terminal=told[0]) or wanted
    return Background(told[0], told[1], colour, wanted, theme, tells)
