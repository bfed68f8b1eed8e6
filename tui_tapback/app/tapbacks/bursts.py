"""What flies over the transcript for a moment: an emoji after a big tapback, hearts after kind words."""

from __future__ import annotations

import math

from tui_tapback.domain.values import value

FRAMES = 12
"""Frames of one burst; FRAME seconds each: short enough not to be waited for."""
FRAME = 0.07
HEARTS = 9
RAYS = 10


@value
class Sprite:
    """An emoji at a cell of the transcript."""

    x: int
    y: int
    emoji: str


def big(emoji: str, frame: int, x: int, y: int, size: tuple[int, int]) -> tuple[Sprite, ...]:
    """A ring of ``emoji`` that grows from cell ``x``, ``y``, in a transcript of ``size`` cells."""
    width, height = size
    reach = 1.0 + frame * max(4.0, min(width / 2, 24.0)) / FRAMES
    found: dict[tuple[int, int], Sprite] = {}
    for ray in range(RAYS):
        angle = 2 * math.pi * ray / RAYS
        at = (round(x + reach * math.cos(angle)), round(y + reach * math.sin(angle) / 2))
        if 0 <= at[0] < width - 2 and 0 <= at[1] < height:
            found[at] = Sprite(*at, emoji)
    return _apart(tuple(found.values()))


def hearts(emoji: str, frame: int, size: tuple[int, int]) -> tuple[Sprite, ...]:
    """Hearts that rise from the bottom, each at its own pace and on its own way."""
    width, height = size
    found: list[Sprite] = []
    for number in range(HEARTS):
        start = (number * 37) % 10 / 10  # how much later this one sets off, as a part of the way
        way = frame / (FRAMES - 1) * 1.6 - start
        x = round((number + 0.5) * (width - 4) / HEARTS + 1.5 * math.sin(frame / 2 + number))
        y = height - 1 - round(way * height)
        if 0.0 <= way <= 1.0 and 0 <= x < width - 2 and 0 <= y < height:
            found.append(Sprite(x, y, emoji))
    return _apart(tuple(found))


def _apart(sprites: tuple[Sprite, ...]) -> tuple[Sprite, ...]:
    """Without those that would lie over another: two cells each."""
    kept: list[Sprite] = []
    for sprite in sorted(sprites, key=lambda each: (each.y, each.x)):
        last = kept[-1] if kept else None
        if last is None or last.y != sprite.y or sprite.x >= last.x + 2:
            kept.append(sprite)
    return tuple(kept)
