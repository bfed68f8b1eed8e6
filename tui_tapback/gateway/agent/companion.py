"""The offline companion: a script that stands in for a model, on the very path that a model would use."""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable

from tui_tapback.gateway.service.ports import ModelRequest
from tui_tapback.words import _

from .arguments import TOOL_NAME, read_leniently
from .chat_reading import Chat, Note, read_chat
from .companion_mood import Tapback, choose_tapback
from .companion_topics import answer_to
from .provider import CallPiece, Piece, TextPiece

COMPANION_NAME = "offline companion"
_WORD_DELAY = 0.02
_WORDS = re.compile(r"\s*\S+")
_QUOTE_LIMIT = 48
_NO_MARKDOWN = str.maketrans("", "", "*`#~_|")


class Companion:
    """Answers from a script, word by word, and taps back through the ``send_message`` tool.

    What it says depends on the request alone: the same conversation gets the same answer.
    """

    def __init__(
        self, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep, delay: float = _WORD_DELAY
    ) -> None:
        """``delay`` is the seconds between two words, waited for with ``sleep``."""
        self._sleep = sleep
        self._delay = delay

    @property
    def model(self) -> str:
        """Name for the status line."""
        return COMPANION_NAME

    async def close(self) -> None:
        """Nothing to give back."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Tap back first where that is fitting, then (in the next round) answer."""
        chat = read_chat(request)
        tapback = choose_tapback(chat) if TOOL_NAME in request.tools else None
        if tapback is not None and not chat.tool_results:
            await self._sleep(self._delay)
            yield CallPiece(0, "", TOOL_NAME, _arguments(tapback))
            return
        for word in _WORDS.findall(_answer(chat)):
            await self._sleep(self._delay)
            yield TextPiece(word)


def _arguments(tapback: Tapback) -> str:
    given: dict[str, object] = {"action": "unreact"}
    if tapback.emoji:
        given = {"action": "react", "emoji": tapback.emoji}
    if tapback.messages_back:
        given["messages_back"] = tapback.messages_back
    return json.dumps(given, ensure_ascii=False)


def _answer(chat: Chat) -> str:
    # The number of the turn is in the seed, so that a second hello is not answered like the first.
    seed = zlib.crc32(chat.text.lower().encode("utf-8", "replace")) + chat.turns
    parts = [_seen(chat.notes), answer_to(chat, seed), _complaint(chat.tool_results)]
    return "\n\n".join(part for part in parts if part)


def _seen(notes: tuple[Note, ...]) -> str:
    """What the notes say, in the companion's words."""
    return "\n".join(_saw(note) for note in notes[:3])


def _saw(note: Note) -> str:
    quote = _shortened(note.quote)
    if note.own:
        where = _("your own “{quote}”").format(quote=quote) if quote else _("an earlier message of your own")
    else:
        where = _("“{text}”").format(text=quote) if quote else _("an earlier message")
    if not note.emoji:
        return _("I saw that you took your {emoji} back from {where}.").format(emoji=note.old, where=where)
    if note.old:
        told = _("I saw you change {old} into {emoji} on {where}.")
        return told.format(old=note.old, emoji=note.emoji, where=where)
    return _("I saw your {emoji} on {where}.").format(emoji=note.emoji, where=where)


def _shortened(quote: str) -> str:
    """The quotation without its Markdown signs, cut between words where it is long."""
    plain = quote.translate(_NO_MARKDOWN)
    if len(plain) <= _QUOTE_LIMIT:
        return plain
    return plain[:_QUOTE_LIMIT].rpartition(" ")[0].rstrip(" ,;:.") + "…"


def _complaint(results: tuple[str, ...]) -> str:
    """An honest word where the tapback did not come about."""
    for result in results:
        outcome = read_leniently(result)
        if outcome.get("success") is False:
            reason = str(outcome.get("error", _("No reason was given.")))
            return _("(I wanted to tap back, but it did not work. {reason})").format(reason=reason)
    return ""
