"""The library of widgets: values go down, messages come up; none knows an app, a client or a sibling."""

from .picker import (
    CategoryBar,
    EmojiGrid,
    EmojiPicker,
    EmojiPreview,
    EmojiSearch,
    PickerSource,
    ToneSelector,
)
from .transcript import Transcript

__all__ = [
    "CategoryBar",
    "EmojiGrid",
    "EmojiPicker",
    "EmojiPreview",
    "EmojiSearch",
    "PickerSource",
    "ToneSelector",
    "Transcript",
]
