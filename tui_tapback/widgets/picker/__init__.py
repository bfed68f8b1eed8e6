"""The emoji picker: search, categories and a grid in one floating widget, and each of them alone."""

from tui_tapback.widgets.picker.parts import (
    CategoryBar,
    EmojiGrid,
    EmojiPreview,
    EmojiSearch,
    ToneSelector,
)
from tui_tapback.widgets.picker.picker import EmojiPicker
from tui_tapback.widgets.picker.source import Occasion, PickerSource

__all__ = [
    "CategoryBar",
    "EmojiGrid",
    "EmojiPicker",
    "EmojiPreview",
    "EmojiSearch",
    "Occasion",
    "PickerSource",
    "ToneSelector",
]
