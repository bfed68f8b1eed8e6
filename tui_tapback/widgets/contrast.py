"""What can be told apart in the colours of a terminal, by the contrast ratio of the web's guidelines."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet
from rich.style import Style

READABLE: Final = 4.5
"""The least contrast of letters and what they stand on."""
SEEN: Final = 3.0
"""The least contrast of a mark and what is round it."""
STRONG: Final = 7.0
"""The same, of both, where a theme is made for high contrast."""
_TOLD: Final = 1.5
"""Contrast of two marks from which on their brightness alone tells them apart."""
_UTMOST: Final = 19.0
"""Contrast of text that only pure black and white have: whoever chose that wants it of everything."""
_SYSTEMS: Final = {
    "standard": ColorSystem.STANDARD,
    "windows": ColorSystem.WINDOWS,
    "256": ColorSystem.EIGHT_BIT,
}
_STEPS: Final = 24


def system_of(name: str | None) -> ColorSystem:
    """The colours of a console by Rich's name of them; all where it names none."""
    return _SYSTEMS.get(name or "", ColorSystem.TRUECOLOR)


def luminance(color: ColorTriplet) -> float:
    """How bright it is, 0 to 1."""
    linear = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized)
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: ColorTriplet, other: ColorTriplet) -> float:
    """The contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(256)
def legible(style: Style) -> Style:
    """``style`` with black or white letters where its own stand out from its background by less than 4.5.

    Colours of the terminal's own palette, which nobody knows here, are left alone.
    """
    if style.color is None or style.bgcolor is None or not (style.color.triplet and style.bgcolor.triplet):
        return style
    return style if ratio(style.color.triplet, style.bgcolor.triplet) >= READABLE else inked(style)


def inked(style: Style) -> Style:
    """``style`` with those of black and white letters that stand out from its background more."""
    if style.bgcolor is None or style.bgcolor.triplet is None:
        return style
    under = style.bgcolor.triplet
    inks = (ColorTriplet(0, 0, 0), ColorTriplet(255, 255, 255))
    return style + Style(color=Color.from_triplet(max(inks, key=lambda ink: ratio(ink, under))))


def stark(surface: Style) -> bool:
    """Whether text is as black on white, or as white on black, as can be."""
    if not (surface.bgcolor and surface.bgcolor.triplet and surface.color and surface.color.triplet):
        return False
    return ratio(surface.color.triplet, surface.bgcolor.triplet) >= _UTMOST


def raised(style: Style, surface: Style) -> Style:
    """``style`` with a background that is seen on ``surface``: its ink is mixed in until it is."""
    if not (style.bgcolor and style.bgcolor.triplet and surface.bgcolor and surface.color):
        return style
    ground, ink, face = surface.bgcolor.triplet, surface.color.triplet, style.bgcolor.triplet
    if ground is None or ink is None:
        return style
    utmost = stark(surface)
    least = STRONG if utmost else SEEN
    for step in range(_STEPS + 1):
        mixed = _mix(face, ink, step / _STEPS)
        if ratio(mixed, ground) >= least:
            found = style + Style(bgcolor=Color.from_triplet(mixed))
            return inked(found) if utmost else legible(found)
    return style


def only_hue(one: Style, other: Style) -> bool:
    """Whether nothing but the hue tells two backgrounds apart."""
    first, second = one.bgcolor and one.bgcolor.triplet, other.bgcolor and other.bgcolor.triplet
    return first is not None and second is not None and ratio(first, second) < _TOLD


def _mix(one: ColorTriplet, other: ColorTriplet, part: float) -> ColorTriplet:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return ColorTriplet(red, green, blue)


def shade(color: Color | None, system: ColorSystem) -> tuple[int, ...] | None:
    """What the terminal shows for a colour, to be compared; None for its own default."""
    if color is None or color.is_default:
        return None
    found = color.downgrade(system)
    return tuple(found.triplet) if found.triplet is not None else (found.number or 0,)


def differ(colors: Iterable[Color | None], system: ColorSystem) -> bool:
    """Whether no two of these look the same in that system."""
    shades = [shade(color, system) for color in colors]
    return len(set(shades)) == len(shades)
