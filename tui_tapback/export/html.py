"""A conversation as one HTML page that looks like the chat: bubbles with their badges, light and dark."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib import resources

from markdown_it import MarkdownIt

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_text
from tui_tapback.words import language

from .record import Record, emoji_of, part_of, state_of, told, who

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The page loads nothing and runs nothing, whatever an answer contains."""


@cache
def _parser() -> MarkdownIt:
    # Raw HTML of an answer is shown as text; images would load from elsewhere, so they stay links.
    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")


@cache
def _style() -> str:
    return resources.files("tui_tapback.export").joinpath("page.css").read_text("utf-8")


def body_html(message: Message) -> str:
    """The text of a bubble: answers as Markdown, the person's own words as they were typed."""
    text = clean_text(message.text)
    if message.role is Role.USER:
        return f'<p class="typed">{escape(text)}</p>'
    return str(_parser().render(text)).strip()


def badges_html(message: Message) -> str:
    """The tapbacks, newest first, each with its sentence for those who cannot see it."""
    marks = [
        f'<span class="badge {"mine" if reaction.author is Author.USER else "theirs"}" role="img" '
        f'title="{escape(words)}" aria-label="{escape(words)}">{_badge(reaction)}</span>'
        for reaction, words in zip(message.reactions, told(message), strict=True)
    ]
    return f'<div class="badges">{"".join(reversed(marks))}</div>' if marks else ""


def _badge(reaction: Reaction) -> str:
    part = part_of(reaction)
    return escape(emoji_of(reaction)) + (f" <q>{escape(part)}</q>" if part else "")


def bubble_html(message: Message, when: str = "") -> str:
    """One bubble. ``when`` stands beside the name."""
    side = "user" if message.role is Role.USER else "agent"
    state = state_of(message)
    head = " · ".join(escape(word) for word in (who(message), when, state) if word)
    kind = f"bubble {side}{' pending' if state else ''}"
    return (
        f'<article class="{kind}">{badges_html(message)}<header>{head}</header>'
        f'<div class="text" dir="auto">{body_html(message)}</div></article>'
    )


def page(title: str, body: str) -> str:
    """A whole document around ``body``."""
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_style()}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def to_html(record: Record) -> str:
    """The conversation with a line for each day."""
    parts = [f"<h1>{escape(record.heading)}</h1>"]
    day = ""
    for message in record.said:
        if record.day(message) != day:
            day = record.day(message)
            parts.append(f'<h2 class="day"><time datetime="{day}">{day}</time></h2>')
        parts.append(bubble_html(message, record.clock(message)))
    return page(record.heading, f"<main>\n{chr(10).join(parts)}\n</main>")
