"""The styles that the markdown renderer draws with."""

from __future__ import annotations

from dataclasses import field

from rich.style import Style

from tui_tapback.domain.values import value

PLAIN = Style.null()


@value
class MarkdownStyles:
    """One Rich style per kind of text.

    With ``colorless`` what colour alone would tell is told by signs: inline code keeps its backticks.
    """

    text: Style = PLAIN
    strong: Style = field(default_factory=lambda: Style(bold=True))
    emphasis: Style = field(default_factory=lambda: Style(italic=True))
    strike: Style = field(default_factory=lambda: Style(strike=True))
    code: Style = PLAIN
    block: Style = PLAIN
    heading: Style = field(default_factory=lambda: Style(bold=True))
    quote: Style = PLAIN
    link: Style = field(default_factory=lambda: Style(underline=True))
    muted: Style = PLAIN
    comment: Style = field(default_factory=lambda: Style(italic=True))
    keyword: Style = field(default_factory=lambda: Style(bold=True))
    string: Style = PLAIN
    number: Style = PLAIN
    name: Style = PLAIN
    colorless: bool = False
