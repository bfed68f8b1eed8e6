"""Turns the Markdown of a message into lines to be read aloud: code, tables and links say what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tui_tapback.words import _, plural

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARKS = ("`", "*", "_", "#", "[", "<", "|", ">", "- ", "+ ", "1.", "1)", "~", "&", "\\", "---", "===", "![")


def spoken_lines(text: str) -> list[str]:
    """``text`` as lines without marks; an empty list where nothing is said."""
    if not any(mark in text for mark in _MARKS) and not _numbered(text):
        return [line.strip() for line in text.split("\n") if line.strip()]
    return list(_Reader(_parsed(text)).lines())


def code_blocks(text: str) -> list[str]:
    """The code of each block, in order."""
    return [token.content for token in _parsed(text) if token.type in ("fence", "code_block")]


def links(text: str) -> list[tuple[str, str]]:
    """What each link says and where it leads, in order."""
    found: list[tuple[str, str]] = []
    for token in _parsed(text):
        words: list[str] = []
        target = ""
        for child in token.children or ():
            if child.type == "link_open":
                target, words = str(child.attrGet("href") or ""), []
            elif child.type == "link_close":
                found.append((" ".join("".join(words).split()), target))
                target = ""
            elif target:
                words.append(child.content)
    return found


def paragraphs(text: str) -> list[int]:
    """Where each complete paragraph of a text that is still growing ends: offsets behind its blank line.

    A blank line inside a code block ends nothing, nor does one whose block may still go on.
    """
    ends: list[int] = []
    fence = ""
    place = 0
    for line in text.split("\n")[:-1]:
        place += len(line) + 1
        bare = line.strip()
        mark = bare[:3] if bare[:3] in ("```", "~~~") else ""
        if fence:
            if mark == fence and not bare.strip(mark[0]):
                fence = ""
        elif mark:
            fence = mark
        elif not bare and place:
            ends.append(place)
    return ends


def block_starts(text: str) -> list[int]:
    """The first source line of each block that stands in no other: paragraphs, lists, code, tables."""
    blocks = (token for token in _parsed(text) if token.level == 0 and token.nesting >= 0)
    return [token.map[0] for token in blocks if token.map is not None]


def _numbered(text: str) -> bool:
    return any(line.lstrip()[:1].isdigit() for line in text.split("\n"))


def _parsed(text: str) -> Sequence[Token]:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).parse(text)


@dataclass(slots=True)
class _List:
    ordered: bool
    number: int = 1


@dataclass(slots=True)
class _Table:
    rows: list[list[str]] = field(default_factory=list[list[str]])


class _Reader:
    """Walks the blocks of one text."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._lists: list[_List] = []
        self._quotes = 0
        self._lead = ""
        self._table: _Table | None = None

    def lines(self) -> Iterator[str]:
        """The lines in order."""
        for token in self._tokens:
            yield from self._block(token)

    def _block(self, token: Token) -> Iterator[str]:
        match token.type:
            case "bullet_list_open":
                self._lists.append(_List(False))
            case "ordered_list_open":
                self._lists.append(_List(True, int(token.attrGet("start") or 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._lead = self._item(self._lists[-1])
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "heading_open":
                self._lead = _("Heading: ")
            case "inline":
                yield from self._inline(token)
            case "fence" | "code_block":
                yield from _code(token)
            case "hr":
                yield _("Section break.")
            case "table_open":
                self._table = _Table()
            case "tr_open":
                if self._table is not None:
                    self._table.rows.append([])
            case "table_close":
                if self._table is not None:
                    yield from _table(self._table.rows)
                self._table = None
            case _:
                pass

    def _item(self, within: _List) -> str:
        depth = "" if len(self._lists) == 1 else _("level {level}, ").format(level=len(self._lists))
        if not within.ordered:
            return f"- {depth}"
        within.number += 1
        return f"{within.number - 1}. {depth}"

    def _inline(self, token: Token) -> Iterator[str]:
        words = _said(token.children or ())
        if self._table is not None:
            self._table.rows[-1].append(" ".join(words.split()))
            return
        lead, self._lead = self._lead, ""
        quote = _("Quote: ") if self._quotes else ""
        for line in words.split("\n"):
            if line.strip():
                yield f"{quote}{lead}{line.strip()}"
                lead = quote = ""


def _said(children: Sequence[Token]) -> str:
    """What a line of text says; a link that shows its own address is said once."""
    parts: list[str] = []
    opened: list[tuple[int, str]] = []
    for child in children:
        match child.type:
            case "softbreak" | "hardbreak":
                parts.append("\n")
            case "image":
                said = _("image: {alt}") if child.content else _("image")
                parts.append(f"({said.format(alt=child.content)})")
            case "link_open":
                opened.append((len(parts), str(child.attrGet("href") or "")))
            case "link_close":
                place, target = opened.pop()
                shown = "".join(parts[place:])
                if target and target not in (shown, f"mailto:{shown}"):
                    parts.append(" (" + _("link: {address}").format(address=target) + ")")
            case "s_open":
                parts.append(_("struck out: "))
            case _:
                parts.append(child.content)
    return "".join(parts)


def _code(token: Token) -> Iterator[str]:
    lines = token.content.rstrip("\n").split("\n")
    count = plural("{count} line", "{count} lines", len(lines)).format(count=len(lines))
    kind = token.info.strip().split(" ")[0]
    if kind:
        yield _("Code, {lines}, {language}:").format(lines=count, language=kind)
    else:
        yield _("Code, {lines}:").format(lines=count)
    yield from lines
    yield _("End of code.")


def _table(rows: list[list[str]]) -> Iterator[str]:
    """Row by row, each cell with the name of its column."""
    if not rows:
        return
    head, *body = rows
    count = plural("{count} row", "{count} rows", len(body)).format(count=len(body))
    yield _("Table, {rows}, columns {names}.").format(rows=count, names=", ".join(head))
    for number, row in enumerate(body, 1):
        cells = "; ".join(
            f"{name}: {cell}" if name else cell for name, cell in zip(head, row, strict=False) if cell
        )
        yield _("Row {number}. {cells}.").format(number=number, cells=cells or _("empty"))
    yield _("End of table.")
