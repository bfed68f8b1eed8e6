"""The wrapped lines of each message's text, cached while near the window."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.text import clean_text

from ..fitter import Fitter
from ..markdown import Line, MarkdownRenderer, StreamedLiteral, StreamedMarkdown, wrap_runs
from .palette import Palette

CACHE_SIZE: Final = 400
CARET: Final = "▌"
FORMATTED_MOST: Final = 64_000
"""Characters of markdown that are laid out at once; more would hold up the keys."""
SHOWN_MOST: Final = 256_000
"""Characters that are drawn at all."""


@dataclass(frozen=True, slots=True)
class _Body:
    text: str
    streaming: bool
    lines: list[Line]


class Bodies:
    """Lines of at most ``width`` cells: markdown for the agent's text, the user's as it was typed.

    A reaction makes a new message with the same text: its lines are kept.
    """

    def __init__(self, palette: Palette, fitter: Fitter, width: int) -> None:
        self.width = width
        self._palette = palette
        self._markdown = MarkdownRenderer(fitter, palette.markdown)
        self._cache: OrderedDict[str, _Body] = OrderedDict()
        self._streams: dict[str, StreamedMarkdown | StreamedLiteral] = {}

    def lines(self, message: Message) -> list[Line]:
        """The lines of a message's text; of a streaming one with the caret at the end."""
        streaming = message.status is Status.STREAMING
        body = self._cache.get(message.key)
        if body is None or body.text != message.text or body.streaming != streaming:
            body = _Body(message.text, streaming, self._draw(message, streaming=streaming))
            self._cache[message.key] = body
            while len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
        self._cache.move_to_end(message.key)
        return body.lines

    def _draw(self, message: Message, *, streaming: bool) -> list[Line]:
        text = clean_text(message.text[:SHOWN_MOST])
        agents = message.role is Role.ASSISTANT
        if agents and len(message.text) <= FORMATTED_MOST:
            return self._formatted(message.key, text, streaming=streaming)
        if not streaming:
            self._streams.pop(message.key, None)
            return [*self._markdown.literal(text, self.width), *self._note(len(message.text), agents=agents)]
        stream = self._streams.get(message.key)
        if not isinstance(stream, StreamedLiteral):
            stream = self._streams[message.key] = StreamedLiteral(self._markdown, self.width)
        return [*self._with_caret(stream.lines(text)), *self._note(len(message.text), agents=agents)]

    def _formatted(self, key: str, text: str, *, streaming: bool) -> list[Line]:
        if not streaming:
            self._streams.pop(key, None)
            # What is nothing in markdown (a lone link definition) is shown as it is, never as nothing.
            return self._markdown.render(text, self.width) or self._markdown.literal(text, self.width)
        stream = self._streams.get(key)
        if not isinstance(stream, StreamedMarkdown):
            stream = self._streams[key] = StreamedMarkdown(self._markdown, self.width)
        return self._with_caret(stream.lines(text))

    def _note(self, size: int, *, agents: bool) -> list[Line]:
        """What a person must know of a text that is too long to be drawn whole or with its formatting."""
        if size > SHOWN_MOST:
            told = f"These are the first {SHOWN_MOST:,} of {size:,} characters; y copies them all."
        elif agents:
            told = "This is shown as it was written: it is too long to be formatted."
        else:
            return []
        return [Line([]), *wrap_runs([(told, self._palette.muted)], self.width)]

    def _with_caret(self, lines: list[Line]) -> list[Line]:
        caret = (CARET, self._palette.caret)
        if not lines:
            return [Line([caret])]
        last = lines[-1]
        if last.width < self.width and last.fill is None:
            return [*lines[:-1], Line([*last.runs, caret])]
        return [*lines, Line([caret])]
