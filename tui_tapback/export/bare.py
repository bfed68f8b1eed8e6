"""Says what a message says on one line, without the marks of its Markdown: for sentences that quote it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.text import clean_line

if TYPE_CHECKING:
    from markdown_it.token import Token

MOST: Final = 2000
"""Characters of a message that are looked at: no sentence quotes as much."""
_MARKS: Final = "*_`~#>[]|<&\\!-+.)=\t"


def bare_line(message: Message, limit: int = 0) -> str:
    """The words of ``message`` on one clean line, at most ``limit`` characters if given.

    An answer without its marks; a person's own words as they were typed, since they are shown so.
    """
    if message.role is not Role.ASSISTANT:
        return clean_line(message.text[: MOST * 2], limit)
    return clean_line(bare(message.text), limit)


def bare(markdown: str) -> str:
    """``markdown`` on one line without its marks; where nothing but marks is there, those."""
    text = markdown[:MOST]
    if not any(mark in text for mark in _MARKS):
        return clean_line(text)
    from markdown_it import MarkdownIt  # with the first sentence that quotes, not at the start

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return clean_line(" ".join(_blocks(parser.parse(text)))) or clean_line(text)


def _blocks(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline":
            yield "".join(map(_said, token.children or ()))
        elif token.type in ("fence", "code_block"):
            yield token.content


def _said(token: Token) -> str:
    return " " if token.type in ("softbreak", "hardbreak") else token.content
