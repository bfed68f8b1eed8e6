"""The transcript: a pure model (roll, heights, window) beside a widget that draws it line by line."""

from .transcript import Transcript

__all__ = ["Transcript"]
