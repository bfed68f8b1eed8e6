"""Parses the words of a paragraph that is being written: what no later word can change is parsed once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

PIECE: Final = 160
"""Characters by which a text has to grow before its beginning is looked at again."""
_SEAM: Final = re.compile(r"(?<=[0-9A-Za-z.,;:*`)] )(?=[0-9A-Za-z])")
"""Between two words, where the parser sees the same on either side whether or not it sees the other side."""
_OPEN: Final = re.compile(r"[*_~\[\]!<>`&\\]")
"""What, left over in plain text, may still find its other half."""


class GrowingInlines:
    """The children of inline tokens from one look at a growing text to the next.

    They are what the parser gives for the whole text. Only what was added is parsed, and what is still open
    before it: a paragraph with many words in bold would cost ten milliseconds for each token of its end.
    """

    def __init__(self) -> None:
        self._known: dict[str, list[Token]] = {}
        self._source = ""  # the beginning of the last text that nothing can change any more
        self._tokens: list[Token] = []
        self._tried = 0  # characters behind it at which more of it was looked for last
        self.parsed = 0  # characters parsed since the start, for the curious and for tests

    def fill(self, tokens: list[Token], parser: MarkdownIt, env: MutableMapping[str, Any]) -> None:
        """Give each inline token its children."""
        inlines = [token for token in tokens if token.type == "inline"]
        if env.get("references"):  # what they mean may change with what comes at the very end
            for token in inlines:
                token.children = self._parse(token.content, parser, env)
            return
        known: dict[str, list[Token]] = {}
        for token in inlines[:-1]:
            found = self._known.get(token.content)
            token.children = self._parse(token.content, parser, env) if found is None else found
            known[token.content] = token.children
        for token in inlines[-1:]:
            token.children = self._grown(token.content, parser, env)
        self._known = known

    def _grown(self, text: str, parser: MarkdownIt, env: MutableMapping[str, Any]) -> list[Token]:
        if not text.startswith(self._source):
            self._source, self._tokens, self._tried = "", [], 0
        rest = text[len(self._source) :]
        if len(rest) > self._tried + PIECE:
            self._tried = len(rest)
            seam = _last_seam(rest)
            head = self._parse(rest[:seam], parser, env) if seam else []
            if head and not any(_OPEN.search(each.content) for each in head if each.type == "text"):
                self._source += rest[:seam]
                self._tokens = list(_joined([*self._tokens, *head]))
                self._tried, rest = 0, rest[seam:]
        return list(_joined([*self._tokens, *self._parse(rest, parser, env)]))

    def _parse(self, text: str, parser: MarkdownIt, env: MutableMapping[str, Any]) -> list[Token]:
        self.parsed += len(text)
        children: list[Token] = []
        parser.inline.parse(text, parser, env, children)
        return list(_joined(children))


def _last_seam(text: str) -> int:
    """The last place in ``text`` at which it may be parted, 0 for none."""
    return max((match.start() for match in _SEAM.finditer(text, 0, len(text) - 1)), default=0)


def _joined(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens with neighbouring texts as one, as the parser's last step has it."""
    last: Token | None = None
    for token in tokens:
        if token.type not in ("text", "text_special"):
            if last is not None:
                yield last
                last = None
            yield token
        elif last is None:
            last = token.copy(type="text")
        else:
            last.content += token.content
    if last is not None:
        yield last
