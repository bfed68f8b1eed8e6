"""Draws markdown: markdown-it's blocks become wrapped lines of styled runs, never markup of ours."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rich.style import Style

from tui_tapback.domain.values import record

from ..fitter import Fitter
from .growing import GrowingInlines
from .highlight import Highlighter
from .inline import InlineRenderer, clean
from .lines import Line, Run, standing_for, wrap_runs
from .styles import PLAIN, MarkdownStyles
from .table import Align, Cell, render_table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# What can have a meaning in markdown. Text without it is drawn without the parser: the same lines, sooner.
_SPECIAL = re.compile(r"[*_`#>\[\]!~<&\\|\t]|^[ ]*(?:[-+=]|\d+[.)])|^ {4}", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n(?:[ ]*\n)+")
MIN_WIDTH = 8
MAX_NESTING = 40
TABLE_ROWS = 400
"""Rows of one table that are laid out as such: all of them share their columns, so all must be measured."""
_LONG_TABLE = re.compile(rf"(?:^[^\n|]*\|[^\n]*\n){{{TABLE_ROWS + 2}}}", re.MULTILINE)
_TABLE_END = re.compile(r"^[^\n|]*$", re.MULTILINE)


@record
class Block:
    """A block of the tree; ``line`` is where it starts in the source."""

    token: Token
    children: list[Block]

    @property
    def line(self) -> int:
        """Number of its first source line."""
        return self.token.map[0] if self.token.map else 0


def nest(tokens: list[Token]) -> list[Block]:
    """Build the tree that the flat list of tokens tells of."""
    root: list[Block] = []
    stack = [root]
    for token in tokens:
        if token.nesting < 0:
            stack.pop()
            continue
        block = Block(token, [])
        stack[-1].append(block)
        if token.nesting > 0:
            stack.append(block.children)
    return root


class MarkdownRenderer:
    """Renders text at a width, in one set of styles. It keeps no text but a bounded cache of code."""

    def __init__(self, fitter: Fitter, styles: MarkdownStyles) -> None:
        self.styles = styles
        self._inline = InlineRenderer(fitter, styles)
        self._highlighter = Highlighter(styles)

    @cached_property
    def _block_parser(self) -> MarkdownIt:
        """Leaves the words of a block to somebody else."""
        parser = self._new_parser()
        parser.core.ruler.disable("inline")
        return parser

    @cached_property
    def _parser(self) -> MarkdownIt:
        return self._new_parser()

    def _new_parser(self) -> MarkdownIt:
        from markdown_it import MarkdownIt

        return MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(
            ["table", "strikethrough"]
        )

    def render(self, text: str, width: int) -> list[Line]:
        """Lines of at most ``width`` cells; empty text gives none."""
        return join_blocks([lines for _, lines in self.blocks(text, width)])

    def blocks(
        self, text: str, width: int, *, growing: GrowingInlines | None = None
    ) -> list[tuple[int, list[Line]]]:
        """The top-level blocks as ``(first source line, lines)``; ``growing`` while more is to come."""
        if not _SPECIAL.search(text):
            return self._plain(text, width)
        long = _LONG_TABLE.search(text) if text.count("|") > 2 * TABLE_ROWS else None
        if long is not None:
            return self._shortened(text, long.end(), width, growing=growing)
        return self._parsed(text, width, growing=growing)

    def _shortened(
        self, text: str, cut: int, width: int, *, growing: GrowingInlines | None
    ) -> list[tuple[int, list[Line]]]:
        """A table too long to be laid out: its first rows as a table, the others as they were written."""
        end = _TABLE_END.search(text, cut)
        stop = end.start() if end else len(text)
        line = text.count("\n", 0, cut)
        blocks = self._parsed(text[:cut], width, growing=growing)
        rows = self.literal(text[cut:stop], width)
        if rows:
            blocks.append((line, rows))
        rest = self.blocks(text[stop:], width, growing=growing)
        first = text.count("\n", 0, stop)
        return [*blocks, *((first + number, lines) for number, lines in rest)]

    def _parsed(
        self, text: str, width: int, *, growing: GrowingInlines | None
    ) -> list[tuple[int, list[Line]]]:
        if growing is None:
            tokens = self._parser.parse(text)
        else:
            env: dict[str, Any] = {}
            tokens = self._block_parser.parse(text, env)
            growing.fill(tokens, self._block_parser, env)
        if any(token.level >= MAX_NESTING - 2 for token in tokens):
            return [(0, self.literal(text, width))]  # the parser drops what is nested deeper than it counts
        return [
            (block.line, lines)
            for block in nest(tokens)
            if (lines := self._block(block, width, PLAIN, growing=growing is not None))
        ]

    def literal(self, text: str, width: int, *, strip: bool = True) -> list[Line]:
        """The text as it was written, wrapped; ``strip`` leaves out empty lines at its ends."""
        style = self.styles.text
        text = clean(text)
        rows = (text.strip("\n") if strip else text).split("\n")
        return [line for row in rows for line in wrap_runs(self._inline.runs(row, style), width)]

    def _plain(self, text: str, width: int) -> list[tuple[int, list[Line]]]:
        blocks: list[tuple[int, list[Line]]] = []
        offset = 0
        for match in [*_PARAGRAPHS.finditer(text), None]:
            paragraph = text[offset : match.start() if match else len(text)]
            if paragraph.strip():
                lead = len(paragraph) - len(paragraph.lstrip("\n "))
                line = text.count("\n", 0, offset + lead)
                rows = [row.strip(" ") for row in paragraph.strip("\n ").split("\n")]
                lines = [
                    line
                    for row in rows
                    for line in wrap_runs(self._inline.runs(clean(row), self.styles.text), width)
                ]
                blocks.append((line, lines))
            offset = match.end() if match else len(text)
        return blocks

    def _block(self, block: Block, width: int, base: Style, *, growing: bool) -> list[Line]:
        width = max(MIN_WIDTH, width)
        match block.token.type:
            case "paragraph_open":
                return self._text(block, width, base + self.styles.text)
            case "heading_open":
                style = base + self.styles.heading
                if block.token.tag == "h1":
                    style += Style(underline=True)
                return self._text(block, width, style)
            case "bullet_list_open" | "ordered_list_open":
                return self._list(block, width, base, growing=growing)
            case "blockquote_open":
                inner = self._inside(block, width - 2, base + self.styles.quote, growing=growing, loose=True)
                mark = ("▌ ", standing_for("> ", self.styles.muted))
                more = ("▌ ", standing_for("", self.styles.muted))  # of a line that only the width has parted
                return [line.after(mark if line.joint is None else more) for line in inner]
            case "fence" | "code_block":
                return self._code(block.token, width, growing=growing)
            case "hr":
                return [Line([("───", self.styles.muted)], ("─", self.styles.muted))]
            case "table_open":
                return self._table(block, width, base)
            case "inline":
                return self._runs(block.token, width, base)
            case _:
                return [
                    line
                    for row in clean(block.token.content).strip("\n").split("\n")
                    for line in wrap_runs(self._inline.runs(row, base), width)
                ]

    def _text(self, block: Block, width: int, style: Style) -> list[Line]:
        return [line for child in block.children for line in self._runs(child.token, width, style)]

    def _runs(self, token: Token, width: int, style: Style) -> list[Line]:
        return [
            line
            for runs in self._inline.lines(token.children or [], style)
            for line in wrap_runs(runs, width)
        ]

    def _inside(self, block: Block, width: int, base: Style, *, growing: bool, loose: bool) -> list[Line]:
        parts = [self._block(child, width, base, growing=growing) for child in block.children]
        return join_blocks(parts) if loose else [line for part in parts for line in part]

    def _list(self, block: Block, width: int, base: Style, *, growing: bool) -> list[Line]:
        ordered = block.token.type == "ordered_list_open"
        number = int(block.token.attrs.get("start", 1)) if ordered else 0
        room = len(str(number + len(block.children) - 1)) + 2 if ordered else 2
        lines: list[Line] = []
        for item in block.children:
            marker = f"{number}. ".rjust(room) if ordered else "• "
            muted = self.styles.muted if ordered else standing_for("- ", self.styles.muted)
            # The parser hides the paragraphs of tight items; those it shows were set apart by their author.
            parts = [child.token for child in item.children if child.token.type == "paragraph_open"]
            loose = len(parts) > 1 and not any(part.hidden for part in parts)
            inner = self._inside(item, width - room, base, growing=growing, loose=loose) or [Line([])]
            lines.append(inner[0].after((marker, muted)))
            more = (" " * room, standing_for("", PLAIN))  # of a line that only the width has parted
            lines.extend(
                line.after((" " * room, PLAIN) if line.joint is None else more) for line in inner[1:]
            )
            number += 1
        return lines

    def _code(self, token: Token, width: int, *, growing: bool) -> list[Line]:
        words = token.info.split()
        code = clean(token.content.removesuffix("\n"))
        lines: list[Line] = []
        style = self.styles.block
        bar = ("▎", standing_for("", style + self.styles.muted))
        gap = (" ", standing_for("", style))
        for runs in self._highlighter.lines(code, words[0][:40] if words else "", growing=growing):
            drawn = [run for text, ink in runs for run in self._inline.runs(text, ink)]
            for line in wrap_runs(drawn, width - 2, hard=True):
                line.fill = (" ", style)
                lines.append(line.after(bar, gap))
        return lines

    def _table(self, block: Block, width: int, base: Style) -> list[Line]:
        rows = [row for part in block.children for row in part.children]
        cells = [[self._cell(cell, base) for cell in row.children] for row in rows]
        return render_table(cells[0], cells[1:], width, self.styles.muted) if cells else []

    def _cell(self, cell: Block, base: Style) -> Cell:
        style = base + (self.styles.strong if cell.token.type == "th_open" else self.styles.text)
        lines: list[list[Run]] = [
            runs for child in cell.children for runs in self._inline.lines(child.token.children or [], style)
        ]
        told = str(cell.token.attrs.get("style", ""))
        align: Align = "right" if told.endswith("right") else "center" if told.endswith("center") else "left"
        return Cell(lines or [[]], align)


def join_blocks(blocks: list[list[Line]]) -> list[Line]:
    """Blocks one below the other with an empty line between."""
    lines: list[Line] = []
    for block in blocks:
        if lines:
            lines.append(Line([]))
        lines.extend(block)
    return lines
