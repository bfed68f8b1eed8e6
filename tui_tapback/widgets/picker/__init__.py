"""The emoji picker: search, categories and a grid in one floating widget."""

from tui_tapback.widgets.picker.picker import EmojiPicker

__all__ = ["EmojiPicker"]
