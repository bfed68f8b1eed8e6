"""Turns the inline tokens of a paragraph into styled runs, one list for each line its author made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style

from tui_tapback.domain.text import clean_line, clean_text

from ..fitter import Fitter
from .lines import Run, fitted_runs
from .styles import MarkdownStyles

if TYPE_CHECKING:
    from markdown_it.token import Token

_LINK = "link"


class InlineRenderer:
    """Holds the fitter and the styles; ``lines`` does the work."""

    def __init__(self, fitter: Fitter, styles: MarkdownStyles) -> None:
        self._fitter = fitter
        self._styles = styles

    def runs(self, text: str, style: Style) -> list[Run]:
        """Clean text as it may be drawn."""
        return fitted_runs(text, style, self._fitter.fit_text)

    def lines(self, tokens: list[Token], base: Style) -> list[list[Run]]:
        """Lines of runs; breaks, hard and soft alike, end a line, as people expect of a chat."""
        lines: list[list[Run]] = [[]]
        outer: list[Style] = []
        style = base
        links: list[tuple[str, int, int]] = []  # target, and where its text began: line, run
        for token in tokens:
            match token.type:
                case "softbreak" | "hardbreak":
                    lines.append([])
                case "strong_open" | "em_open" | "s_open" | "link_open":
                    outer.append(style)
                    style = style + self._opened(token.type)
                    if token.type == "link_open":
                        href = str(token.attrs.get("href", ""))
                        style = leading_to(href, style)
                        links.append((href, len(lines) - 1, len(lines[-1])))
                case "strong_close" | "em_close" | "s_close" | "link_close":
                    style = outer.pop() if outer else base
                    if token.type == "link_close" and links:
                        self._target(lines, *links.pop(), base)
                case "code_inline":
                    code = clean(token.content)
                    code = f"`{code}`" if self._styles.colorless else code
                    lines[-1] += self.runs(code, style + self._styles.code)
                case "image":
                    source = str(token.attrs.get("src", ""))
                    lines[-1] += self.runs(
                        clean(token.content) or "image", leading_to(source, style + self._styles.link)
                    )
                    self._append_target(lines[-1], source, base)
                case _:
                    if token.content:
                        self._text(lines, token.content, style)
        return lines

    def _text(self, lines: list[list[Run]], content: str, style: Style) -> None:
        # An entity may have become a newline; it must not reach the screen as one.
        for index, part in enumerate(clean(content).split("\n")):
            if index:
                lines.append([])
            if part:
                lines[-1] += self.runs(part, style)

    def _opened(self, kind: str) -> Style:
        styles = self._styles
        return {
            "strong_open": styles.strong,
            "em_open": styles.emphasis,
            "s_open": styles.strike,
            "link_open": styles.link,
        }[kind]

    def _target(self, lines: list[list[Run]], href: str, line: int, run: int, base: Style) -> None:
        """Show where a link goes unless its text already says so: a text may lie."""
        shown = "".join(text for text, _ in lines[line][run:]) if line == len(lines) - 1 else ""
        if _address(shown) != _address(href):
            self._append_target(lines[-1], href, base)

    def _append_target(self, line: list[Run], href: str, base: Style) -> None:
        if href:
            style = leading_to(href, base + self._styles.muted)
            line += [(" (", style), *self.runs(clean_line(href), style), (")", style)]


def clean(text: str) -> str:
    """Text without control characters: the parser has turned entities into characters, so again."""
    return clean_text(text).expandtabs(4)


def leading_to(href: str, style: Style) -> Style:
    """``style`` for the text of a link."""
    return style + Style(meta={_LINK: clean_line(href)}) if href else style


def link_of(run: Run) -> str | None:
    """Where a run leads to, None if it is no link."""
    return run[1].meta.get(_LINK) if run[1] else None


def _address(text: str) -> str:
    return text.strip().removeprefix("mailto:").removesuffix("/")
