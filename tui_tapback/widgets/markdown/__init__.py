"""Markdown drawn as wrapped, styled lines by a small renderer of our own over markdown-it's tokens."""

from .inline import link_of
from .lines import Line, Run, original, standing_for, wrap_runs
from .render import MarkdownRenderer, join_blocks
from .stream import StreamedLiteral, StreamedMarkdown
from .styles import MarkdownStyles

__all__ = [
    "Line",
    "MarkdownRenderer",
    "MarkdownStyles",
    "Run",
    "StreamedLiteral",
    "StreamedMarkdown",
    "join_blocks",
    "link_of",
    "original",
    "standing_for",
    "wrap_runs",
]
