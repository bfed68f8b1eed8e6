"""The wrapped lines of each message's text, cached while near the window."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.parts import FORMATTED_MOST
from tui_tapback.domain.text import clean_text
from tui_tapback.domain.values import value
from tui_tapback.words import _

from ..fitter import Fitter
from ..markdown import Line, MarkdownRenderer, StreamedLiteral, StreamedMarkdown, join_blocks, wrap_runs
from .palette import Palette

CACHE_SIZE: Final = 400
CARET: Final = "▌"
LONG: Final = 16_000
"""Characters of an answer that is not drawn anew when its last word has come."""
SHOWN_MOST: Final = 256_000
"""Characters that are drawn at all."""


@value
class Body:
    """The lines of a text, and its blocks: each the number of its first source line and its first row.

    A text that is being written has none.
    """

    lines: list[Line]
    blocks: tuple[tuple[int, int], ...] = ()


@value
class _Drawn:
    text: str
    streaming: bool
    body: Body


class Bodies:
    """Lines of at most ``width`` cells: markdown for the agent's text, the user's as it was typed.

    A reaction makes a new message with the same text: its lines are kept.
    """

    def __init__(self, palette: Palette, fitter: Fitter, width: int) -> None:
        self.width = width
        self._palette = palette
        self._markdown = MarkdownRenderer(fitter, palette.markdown)
        self._cache: OrderedDict[str, _Drawn] = OrderedDict()
        self._streams: dict[str, StreamedMarkdown | StreamedLiteral] = {}
        self._clean: dict[
            str, tuple[str, str]
        ] = {}  # complete lines of growing texts, as they came and clean

    def body(self, message: Message) -> Body:
        """A message's text as lines; that of a streaming one with the caret at the end."""
        streaming = message.status is Status.STREAMING
        drawn = self._cache.get(message.key)
        if drawn is None or drawn.text != message.text or drawn.streaming != streaming:
            body = self._grow(message) if streaming else self._draw(message)
            drawn = _Drawn(message.text, streaming, body)
            self._cache[message.key] = drawn
            while len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
        self._cache.move_to_end(message.key)
        return drawn.body

    def _draw(self, message: Message) -> Body:
        stream = self._streams.pop(message.key, None)
        self._clean.pop(message.key, None)
        text = clean_text(message.text[:SHOWN_MOST])
        agents = message.role is Role.ASSISTANT
        if not agents or len(message.text) > FORMATTED_MOST:
            lines = self._markdown.literal(text, self.width)
            return Body(
                [*lines, *self._note(len(message.text), agents=agents)], tuple(_paragraphs(text, lines))
            )
        if isinstance(stream, StreamedMarkdown) and stream.exact and len(text) > LONG:
            # All but its last block is drawn already; to draw it all anew would hold up the keys.
            return Body(stream.lines(text))
        blocks = self._markdown.blocks(text, self.width)
        if not blocks:
            # What is nothing in markdown (a lone link definition) is shown as it is, never as nothing.
            return Body(self._markdown.literal(text, self.width))
        rows, starts = 0, list[tuple[int, int]]()
        for line, lines in blocks:
            starts.append((line, rows))
            rows += len(lines) + 1
        return Body(join_blocks([lines for _, lines in blocks]), tuple(starts))

    def _grow(self, message: Message) -> Body:
        key, text = message.key, self._cleaned(message.key, message.text[:SHOWN_MOST])
        agents = message.role is Role.ASSISTANT
        formatted = agents and len(message.text) <= FORMATTED_MOST
        stream = self._streams.get(key)
        if stream is None or isinstance(stream, StreamedMarkdown) != formatted:
            kind = StreamedMarkdown if formatted else StreamedLiteral
            stream = self._streams[key] = kind(self._markdown, self.width)
        lines = self._with_caret(stream.lines(text))
        return Body(lines if formatted else [*lines, *self._note(len(message.text), agents=agents)])

    def _cleaned(self, key: str, text: str) -> str:
        """The clean text of a growing message; its complete lines are cleaned once."""
        raw, clean = self._clean.get(key, ("", ""))
        if not text.startswith(raw):
            raw, clean = "", ""
        end = text.rfind("\n") + 1
        if end > len(raw):
            raw, clean = text[:end], clean + clean_text(text[len(raw) : end])
            self._clean[key] = raw, clean
        return clean + clean_text(text[len(raw) :])

    def _note(self, size: int, *, agents: bool) -> list[Line]:
        """What a person must know of a text that is too long to be drawn whole or with its formatting."""
        if size > SHOWN_MOST:
            told = _("These are the first {most:,} of {size:,} characters; y copies them all.").format(
                most=SHOWN_MOST, size=size
            )
        elif agents:
            told = _("This is shown as it was written: it is too long to be formatted.")
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


def _paragraphs(text: str, lines: list[Line]) -> Iterator[tuple[int, int]]:
    """Where the paragraphs of a text that is drawn as it was written begin: source line and row."""
    source = len(text) - len(text.lstrip("\n")) - 1  # empty lines at the start are not drawn
    after_blank = True
    for row, line in enumerate(lines):
        source += line.joint is None
        blank = not line.text.strip()
        if after_blank and not blank:
            yield source, row
        after_blank = blank
