"""Which error code each of our exceptions has on the wire; the only place that knows."""

from __future__ import annotations

from typing import Any

from tui_tapback.domain import errors as err
from tui_tapback.domain.text import clean_line
from tui_tapback.wire.errors import Code
from tui_tapback.wire.frames import RpcFault
from tui_tapback.wire.rows import reactions_to_wire

_LONGEST = 600

CODES: tuple[tuple[type[err.TapbackError], Code], ...] = (
    (err.NotAnEmoji, Code.BAD_EMOJI),
    (err.EmptyMessage, Code.EMPTY_MESSAGE),
    (err.MessageTooLong, Code.MESSAGE_TOO_LONG),
    (err.StaleReaction, Code.STALE_REACTION),
    (err.OperationReused, Code.OPERATION_REUSED),
    (err.TooManySessions, Code.TOO_MANY_SESSIONS),
    (err.WrongAuthor, Code.BAD_AUTHOR),
    (err.WouldEmptyChat, Code.EMPTY_TRUNCATION),
    (err.InvalidInput, Code.BAD_VALUE),
    (err.RowNotFound, Code.ROW_NOT_FOUND),
    (err.TurnNotFound, Code.TRUNCATION_GONE),
    (err.SessionNotFound, Code.SESSION_NOT_FOUND),
    (err.NotFound, Code.ROW_NOT_FOUND),
    (err.Busy, Code.BUSY),
    (err.DiskFull, Code.DISK),
    (err.StoreError, Code.STORAGE),
)
"""The first line that fits counts, so the finer ones stand first."""


def fault(code: int, sentence: str, data: Any = None) -> RpcFault:
    """An error for the wire, its sentence harmless for any screen and log."""
    return RpcFault(code, clean_line(sentence, _LONGEST), data)


def fault_of(error: err.TapbackError) -> RpcFault:
    """What a refused request is answered with."""
    if isinstance(error, err.RpcError):
        return fault(error.code, str(error), error.data)
    code = next((code for kind, code in CODES if isinstance(error, kind)), Code.INTERNAL)
    data: dict[str, Any] | None = None
    if isinstance(error, err.StaleReaction):
        data = {"reactions": reactions_to_wire(error.present)}
    if isinstance(error, err.TurnNotFound):
        data = {
            "user_turn_count": error.user_turns,
            "ordinal": None,
            "segment_ordinal": None,
            "prefix_user_count": 0,
        }
    return fault(code, error.sentence(), data)
