"""Markdown drawn as wrapped, styled lines by a small renderer of our own over markdown-it's tokens."""

from .lines import Line, Run, wrap_runs
from .render import MarkdownRenderer
from .stream import StreamedLiteral, StreamedMarkdown
from .styles import MarkdownStyles

__all__ = [
    "Line",
    "MarkdownRenderer",
    "MarkdownStyles",
    "Run",
    "StreamedLiteral",
    "StreamedMarkdown",
    "wrap_runs",
]
