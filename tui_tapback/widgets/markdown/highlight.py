"""Colours code with Pygments, which is loaded when the first code block is seen."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.style import Style

from .lines import Run
from .styles import MarkdownStyles

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType as TokenType  # pyright: ignore[reportPrivateUsage] -- the only name

# Above this, colours cost more than they give; and while a block grows it is coloured in pieces this long.
LIMIT: Final = 60_000
CHUNK_LINES: Final = 60


class Highlighter:
    """Splits code into styled lines. An instance caches what it has coloured."""

    def __init__(self, styles: MarkdownStyles) -> None:
        self._styles = styles
        self._colour = lru_cache(512)(self._colour_now)

    def lines(self, code: str, language: str, *, growing: bool = False) -> list[list[Run]]:
        """The lines of ``code`` as runs.

        While a block is ``growing`` finished pieces of it are coloured once, each for itself; a string that
        runs over the border of two pieces gets its right colour when the block is complete.
        """
        if not language or len(code) > LIMIT:
            return [[(line, self._styles.block)] if line else [] for line in code.split("\n")]
        if not growing:
            return [list(line) for line in self._colour(code, language)]
        rows = code.split("\n")
        done: list[list[Run]] = []
        for start in range(0, len(rows), CHUNK_LINES):
            piece = "\n".join(rows[start : start + CHUNK_LINES])
            done.extend(list(line) for line in self._colour(piece, language))
        return done

    def _colour_now(self, code: str, language: str) -> tuple[tuple[Run, ...], ...]:
        lexer = self._lexer(language)
        if lexer is None:
            return tuple(((line, self._styles.block),) if line else () for line in code.split("\n"))
        lines: list[list[Run]] = [[]]
        for kind, value in lexer.get_tokens(code):
            style = self._styles.block + self._style(kind)
            for index, part in enumerate(value.split("\n")):
                if index:
                    lines.append([])
                if part:
                    lines[-1].append((part, style))
        wanted = code.count("\n") + 1  # lexers end their input with a newline of their own
        del lines[wanted:]
        lines.extend([] for _ in range(wanted - len(lines)))
        return tuple(tuple(line) for line in lines)

    @staticmethod
    @lru_cache(64)
    def _lexer(language: str) -> Lexer | None:
        from pygments.lexers import find_lexer_class_by_name
        from pygments.util import ClassNotFound

        try:
            return find_lexer_class_by_name(language)(stripnl=False, ensurenl=True)
        except ClassNotFound:
            return None

    def _style(self, kind: TokenType) -> Style:
        from pygments.token import Token

        styles = self._styles
        for base, style in (
            (Token.Comment, styles.comment),
            (Token.Keyword, styles.keyword),
            (Token.Operator.Word, styles.keyword),
            (Token.Literal.String, styles.string),
            (Token.Literal.Number, styles.number),
            (Token.Name.Function, styles.name),
            (Token.Name.Class, styles.name),
            (Token.Name.Tag, styles.name),
            (Token.Name.Decorator, styles.name),
        ):
            if kind in base:
                return style
        return styles.block
