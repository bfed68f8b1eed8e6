"""Error codes of the wire, as a Hermes gateway uses them, and which of our exceptions they mean."""

from __future__ import annotations

from enum import IntEnum


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
