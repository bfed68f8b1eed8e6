"""A message as a bubble: frame, badges on its top border, state in its bottom border."""

from .frame import BubbleLook, Frame, draw_frame

__all__ = ["BubbleLook", "Frame", "draw_frame"]
