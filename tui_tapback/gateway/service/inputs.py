"""Checks and cleans what people and peers hand in: messages, titles, references."""

from __future__ import annotations

import re
from itertools import islice
from unicodedata import normalize

from wcwidth import iter_graphemes

from tui_tapback.domain.errors import EmptyMessage, InvalidInput, MessageTooLong
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.wire.rows import WirePart

from .notes import QUOTE_GRAPHEMES

MAX_MESSAGE_CHARS = 200_000
"""Longest message, in characters."""

_SESSION_ID = re.compile(r"\d{8}_\d{6}_[0-9a-f]{6}", re.ASCII)
_TITLE_LIMIT = 200
_SUGGESTED_TITLE = 40
_REFERENCE_LIMIT = 200
_RAW_QUOTE_LIMIT = 4_000
_QUOTE_CHARS = 1_000


def whole_characters(text: str) -> str:
    """``text`` with surrogate pairs joined and lone halves replaced, so that it can be stored and sent."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def message_text(text: str) -> str:
    """The clean text of a message.

    Raises EmptyMessage where nothing in it can be seen, MessageTooLong above ``MAX_MESSAGE_CHARS``.
    """
    if len(text) > MAX_MESSAGE_CHARS:
        raise MessageTooLong(
            f"The message has {len(text):,} characters; the limit is {MAX_MESSAGE_CHARS:,}.",
            hint="Send it in parts, or put it into a file and name the file.",
        )
    cleaned = clean_text(whole_characters(text))
    if not any(char.isprintable() and not char.isspace() for char in cleaned):
        raise EmptyMessage("The message is empty.", hint="Write something first.")
    return cleaned


def title_text(title: str) -> str:
    """A clean title on one line. Raises InvalidInput where nothing is left of it."""
    cleaned = clean_line(whole_characters(title[: 4 * _TITLE_LIMIT]), _TITLE_LIMIT)
    if not cleaned:
        raise InvalidInput("A title needs at least one visible character.", hint="Write a title.")
    return cleaned


def suggested_title(text: str) -> str:
    """A title for a conversation that begins with ``text`` (clean): its first line, cut between graphemes."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    line = clean_line(first[: 50 * _SUGGESTED_TITLE])
    head = "".join(islice(iter_graphemes(line), _SUGGESTED_TITLE))[:_TITLE_LIMIT]
    return head if head == line else head.rstrip() + "…"


def reference(value: str, name: str) -> str:
    """An id that a peer made up (``op_id``, ``client_ref``, an anchor). Raises InvalidInput naming it."""
    if not value or len(value) > _REFERENCE_LIMIT or not value.isprintable():
        raise InvalidInput(
            f"The field {name} must be 1 to {_REFERENCE_LIMIT} printable characters.",
            hint="Use a random identifier.",
        )
    return value


def message_part(value: WirePart | str | None) -> WirePart | None:
    """A part of a message as it is stored: a checked anchor, and a quote that is clean and short.

    An anchor alone has no quote. Raises InvalidInput.
    """
    if value is None:
        return None
    part = WirePart(value) if isinstance(value, str) else value
    anchor = reference(clean_line(normalize("NFC", reference(part.anchor, "part.anchor"))), "part.anchor")
    if len(part.quote) > _RAW_QUOTE_LIMIT:
        raise InvalidInput(
            f"The field part.quote must have at most {_RAW_QUOTE_LIMIT:,} characters.",
            hint="The beginning of the part is enough.",
        )
    line = clean_line(whole_characters(part.quote))
    return WirePart(anchor, "".join(islice(iter_graphemes(line), QUOTE_GRAPHEMES + 1))[:_QUOTE_CHARS])


def is_session_id(value: str) -> bool:
    """Whether ``value`` has the form of a session id."""
    return _SESSION_ID.fullmatch(value) is not None
