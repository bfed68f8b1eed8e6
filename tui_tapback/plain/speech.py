"""How things are spoken here: emoji by name, times and quotations as words, nothing that cannot be spelt."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum

from tui_tapback.domain.messages import Role
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.words import _, language, plural

from .prose import spoken_lines

QUOTE = 60
"""Characters of a message that a sentence about it quotes."""
_SIGNS = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "–": "-", "—": "-",
    "‑": "-", "•": "*", "·": "-", "→": "->", "←": "<-", "↑": "up", "↓": "down", "×": "x", "€": "EUR",
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
    "Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "\u00a0": " ", "✓": "yes", "✗": "no",
    "─": "-", "│": "|", "━": "-", "┃": "|",
}  # fmt: skip


class Pictures(StrEnum):
    """What is said of an emoji."""

    BOTH = "both"  # its name, then the emoji itself
    NAMES = "names"  # its name alone


@dataclass(frozen=True, slots=True)
class Speech:
    """``ascii_only``: the terminal can spell nothing else. ``zone``: of the times (None: the machine's)."""

    pictures: Pictures = Pictures.BOTH
    ascii_only: bool = False
    zone: tzinfo | None = None

    def emoji(self, emoji: str) -> str:
        """``red heart ❤️``, or ``red heart``; what is no emoji is quoted."""
        shown = clean_line(emoji, 20)
        name = name_of(shown)
        if not name:
            return _("“{text}”").format(text=shown)
        return name if self.ascii_only or self.pictures is Pictures.NAMES else f"{name} {shown}"

    def text(self, text: str) -> str:
        """Text of a message: its emoji stay as they are, or become ``(red heart)``."""
        if text.isascii():
            return text
        if self.ascii_only or self.pictures is Pictures.NAMES:
            text = _with_names(text)
        return text

    def line(self, text: str) -> str:
        """A line as it goes out: harmless, and spelt as the terminal can."""
        text = clean_text(text).replace("\t", "    ")
        if text.isascii() or not self.ascii_only:
            return text
        return "".join(map(_spelt, _with_names(text)))

    def quote(self, text: str, limit: int = QUOTE) -> str:
        """The beginning of a message on one line, in quotation marks; ``a message`` where it has no words."""
        found = clean_line(self.said(text), limit)
        return in_quotes(found) if found else _("a message without words")

    def said(self, text: str) -> str:
        """What a message says, on one line and without the marks of its Markdown."""
        return " ".join(spoken_lines(self.text(text)))

    def moment(self, at: float, now: float) -> str:
        """``10:42``, with the date where it is not today; empty for a time that nobody knows."""
        if at <= 0:
            return ""
        try:
            when, today = datetime.fromtimestamp(at, self.zone), datetime.fromtimestamp(now, self.zone)
        except (OverflowError, OSError, ValueError):
            return ""
        clock = when.strftime("%H:%M")
        return clock if when.date() == today.date() else f"{when:%Y-%m-%d} {clock}"


def name_of(emoji: str) -> str:
    """The spoken name of an emoji in the language in use; ``emoji U+1FAE9`` for one that has none yet.

    Empty for what is no emoji at all.
    """
    from tui_tapback.emoji.catalogue import available_locales, load_catalogue
    from tui_tapback.emoji.normalise import normalise_or_none

    known = normalise_or_none(emoji)
    if known is None:
        return ""
    spoken = language()
    return load_catalogue(spoken if spoken in available_locales() else "en").name(known)


def author_name(author: Author) -> str:
    """``You`` or ``Agent``."""
    return _("You") if author is Author.USER else _("Agent")


def role_name(role: Role) -> str:
    """Who speaks in a row of that role."""
    return author_name(role.author) if role.author is not None else _("System")


def counted(count: int) -> str:
    """``1 message``, ``12 messages``."""
    return plural("{count} message", "{count} messages", count).format(count=count)


def _with_names(text: str) -> str:
    import emoji

    if not any(ord(char) > 0xA8 for char in text):
        return text

    def named(found: str, _: object) -> str:
        return f"({name_of(found) or found})"

    return emoji.replace_emoji(text, named)


def _spelt(char: str) -> str:
    if char.isascii():
        return char
    if char in _SIGNS:
        return _SIGNS[char]
    plain = "".join(part for part in unicodedata.normalize("NFKD", char) if part.isascii())
    if plain or unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Mn"):
        return plain
    return "?"


def in_quotes(text: str) -> str:
    """The text in the quotation marks of the language in use."""
    return _("“{text}”").format(text=text)
