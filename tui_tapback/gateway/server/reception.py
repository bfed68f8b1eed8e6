"""What comes in at the door, without input or output: an answer at once, or a frame to be dealt with."""

from __future__ import annotations

from tui_tapback.domain.errors import MalformedFrame
from tui_tapback.wire.errors import Code
from tui_tapback.wire.frames import Frame, decode

from .answers import error_frame, result_frame
from .dispatcher import unreadable
from .faults import fault


def receive(data: str) -> bytes | Frame:
    """Read one text frame.

    The bytes are the answer, where it needs nobody's work: the heartbeat, and what is no request. A frame
    with a method is to be carried out, one without answers a question of the gateway.
    """
    try:
        frame = decode(data)
    except MalformedFrame as error:
        return unreadable(error)
    if frame.method == "gateway.ping":
        return result_frame(frame.id, {"ok": True})
    if frame.method is None and not frame.is_response:
        return error_frame(frame.id, fault(Code.INVALID_REQUEST, "The request names no method."))
    return frame
