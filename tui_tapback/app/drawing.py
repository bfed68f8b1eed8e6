"""The last look at every line that is drawn: no emoji unfitted; ASCII and no colour where that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter, Monochrome, NoColor

from tui_tapback.terminal.ascii import ascii_signs, ascii_text
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.graphemes import fill


class Drawable(LineFilter):
    """Makes text drawable that came past the fitter: in toasts, palettes, frames and whatever comes next.

    Where ``fitter`` is for a terminal without UTF-8 our own signs become ASCII; with ``only_ascii`` all does.
    What is fit already stays the same object. No line changes its width.
    """

    def __init__(self, fitter: EmojiFitter, *, only_ascii: bool = False) -> None:
        super().__init__()
        self._fit = fitter.fit_text
        self._spell = _speller(fitter, only_ascii=only_ascii)
        self._drawn = lru_cache(8192)(self._draw)

    def forget(self) -> None:
        """The fitter fits otherwise now."""
        self._drawn.cache_clear()

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments with drawable text; ``background`` is of no account."""
        del background
        if all(segment.text.isascii() for segment in segments):
            return segments
        return [
            segment
            if segment.control or segment.text.isascii()
            else Segment(self._drawn(segment.text), segment.style)
            for segment in segments
        ]

    def _draw(self, text: str) -> str:
        drawn = self._spell(self._fit(text))
        return drawn if drawn == text else fill(drawn, cell_len(text))

    def line(self, text: str) -> str:
        """``text`` for where no strip is: the window's title. Its width may change."""
        return self._spell(self._fit(text))


def _speller(fitter: EmojiFitter, *, only_ascii: bool) -> Callable[[str], str]:
    if only_ascii:
        return ascii_text
    return str if fitter.profile.utf8 else ascii_signs


class Colourless(NoColor):
    """Leaves no colour in any style, not even an order for the default ones; bold, reverse and so on stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments without colours; ``background`` is of no account."""
        del background
        return [Segment(text, style and _uncoloured(style), control) for text, style, control in segments]


@lru_cache(4096)
def _uncoloured(style: Style) -> Style:
    plain = style.without_color
    return plain + Style.from_meta(style.meta) if style.meta else plain


class LastLook:
    """All line filters of the app: Textual's own, but without any colour where it would leave greys."""

    def __init__(self, drawable: Drawable) -> None:
        self._drawable = drawable
        self._colourless = Colourless()

    def over(self, filters: Sequence[LineFilter]) -> list[LineFilter]:
        """``filters`` are Textual's. Each call gives the same objects, for strips remember them."""
        kept: list[LineFilter] = [
            self._colourless if isinstance(each, Monochrome) else each for each in filters
        ]
        return [*kept, self._drawable]
