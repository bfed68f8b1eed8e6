"""The field in which messages are written, and the commands that typed text can be."""

from tui_tapback.widgets.composer.composer import Composer

__all__ = ["Composer"]
