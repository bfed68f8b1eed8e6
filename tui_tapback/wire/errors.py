"""Error codes of the wire, as a Hermes gateway uses them, and which of our exceptions they mean."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

from tui_tapback.words import _, language, mark


class Code(IntEnum):
    """JSON-RPC error codes (``hermes`` protocol notes, section 17)."""

    PARSE = -32700
    INVALID_REQUEST = -32600
    UNKNOWN_METHOD = -32601
    INVALID_PARAMS = -32602
    INTERNAL = -32603
    UNKNOWN_PARAMETER = 4000
    SESSION_NOT_LIVE = 4001
    BAD_VALUE = 4002
    BAD_TRUNCATION = 4004
    SESSION_NOT_FOUND = 4007
    BUSY = 4009
    TRUNCATION_GONE = 4018
    TITLE_REQUIRED = 4021
    NO_TARGET = 4023
    BAD_EMOJI = 4024
    BAD_AUTHOR = 4025
    EMPTY_TRUNCATION = 4028
    TRUNCATION_NOT_CONFIRMED = 4029
    ROW_NOT_FOUND = 4040
    NOT_SHOWN_HERE = 4404
    TOO_MANY_SESSIONS = 4090
    STORAGE = 5007
    DISK = 5071
    # Ours, outside the range that Hermes uses.
    EMPTY_MESSAGE = 4801
    MESSAGE_TOO_LONG = 4802
    STALE_REACTION = 4803  # ``expected`` no longer holds; data carries the present reactions
    RATE_LIMITED = 4804
    TOO_MANY_REQUESTS = 4805  # unanswered ones of one client
    OPERATION_REUSED = 4806  # an op_id that another request bore within 24 hours


_WORDS: Mapping[int, str] = MappingProxyType(
    {
        Code.SESSION_NOT_LIVE: mark("The session is not open at the gateway."),
        Code.SESSION_NOT_FOUND: mark("There is no such session."),
        Code.BUSY: mark("The agent is answering just now."),
        Code.TRUNCATION_GONE: mark("There is no message of yours before that."),
        Code.TITLE_REQUIRED: mark("A title needs at least one visible character."),
        Code.BAD_EMOJI: mark("That is not one emoji."),
        Code.BAD_AUTHOR: mark("Nobody speaks for the other side."),
        Code.ROW_NOT_FOUND: mark("That message is not in this chat any more."),
        Code.TOO_MANY_SESSIONS: mark("The gateway takes no further session."),
        Code.STORAGE: mark("The gateway could not read or write its data."),
        Code.DISK: mark("The disk of the gateway is full."),
        Code.EMPTY_MESSAGE: mark("The message is empty."),
        Code.MESSAGE_TOO_LONG: mark("The message is too long for the gateway."),
        Code.STALE_REACTION: mark("Another choice was made meanwhile."),
        Code.RATE_LIMITED: mark("That was too much in too short a time."),
        Code.TOO_MANY_REQUESTS: mark("Too many requests are waiting for an answer."),
    }
)


def words_of(code: int) -> str:
    """What a refusal with this code says to a person of another language than English, which is that of
    gateways; empty where their own words are the best there are."""
    if language() == "en" or code not in _WORDS:
        return ""
    text = _(_WORDS[code])
    return text if text != _WORDS[code] else ""
