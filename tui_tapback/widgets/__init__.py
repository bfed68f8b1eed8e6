"""The library of widgets: values go down, messages come up; none knows an app, a client or a sibling."""

from .transcript import Transcript

__all__ = ["Transcript"]
