"""The composer, and what a typed text asks for."""

from tui_tapback.widgets.composer.composer import Composer

__all__ = ["Composer"]
