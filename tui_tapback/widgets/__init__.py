"""The library of widgets: values go down, messages come up; none knows an app, a client or a sibling."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .picker import (
        CategoryBar,
        EmojiGrid,
        EmojiPicker,
        EmojiPreview,
        EmojiSearch,
        PickerSource,
        ToneSelector,
    )
    from .tapbacks import BadgeStack, TapbackPill
    from .transcript import Transcript

__all__ = [
    "BadgeStack",
    "CategoryBar",
    "EmojiGrid",
    "EmojiPicker",
    "EmojiPreview",
    "EmojiSearch",
    "PickerSource",
    "TapbackPill",
    "ToneSelector",
    "Transcript",
]


def __getattr__(name: str) -> object:
    """Import a widget when it is first asked for: the picker should not cost whoever wants a badge."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = {"Transcript": "transcript", "TapbackPill": "tapbacks", "BadgeStack": "tapbacks"}
    return getattr(import_module(f"{__name__}.{room.get(name, 'picker')}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
