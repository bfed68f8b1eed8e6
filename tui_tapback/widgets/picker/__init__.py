"""The emoji picker."""

from tui_tapback.widgets.picker.picker import EmojiPicker

__all__ = ["EmojiPicker"]
