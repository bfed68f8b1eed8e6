"""JSON-RPC 2.0 frames and their codec: bytes in, one of four frames out, and back."""

from __future__ import annotations

from typing import Any

import msgspec

from tui_tapback.domain.errors import MalformedFrame

Id = int | str


class RpcFault(msgspec.Struct, omit_defaults=True):
    """``error`` of a response."""

    code: int
    message: str = ""
    data: Any = None


class Frame(msgspec.Struct, omit_defaults=True):
    """Any frame; which one it is follows from the members present."""

    jsonrpc: str = "2.0"
    id: Id | None = None
    method: str | None = None
    params: Any = msgspec.UNSET
    result: Any = msgspec.UNSET
    error: RpcFault | None = None

    @property
    def is_request(self) -> bool:
        """A call that wants an answer (also a question from the gateway)."""
        return self.method is not None and self.id is not None

    @property
    def is_event(self) -> bool:
        """An event of the gateway."""
        return self.method == "event" and self.id is None

    @property
    def is_response(self) -> bool:
        """An answer to one of our calls."""
        return self.method is None and (self.result is not msgspec.UNSET or self.error is not None)


_DECODER = msgspec.json.Decoder(Frame)
_ENCODER = msgspec.json.Encoder()


def encode(frame: Frame) -> str:
    """The frame as JSON text. ``jsonrpc`` is always written."""
    body = msgspec.to_builtins(frame)
    return _ENCODER.encode({"jsonrpc": "2.0"} | body).decode()


def decode(data: str | bytes) -> Frame:
    """Read one frame.

    Raises MalformedFrame: not JSON, not an object, a member of a wrong type, or nested too deeply.
    """
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError, RecursionError) as error:
        raise MalformedFrame(f"The frame is not a JSON-RPC message: {error}.") from error
