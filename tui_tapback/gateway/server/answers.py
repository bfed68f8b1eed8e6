"""Turns answers and events into bytes: everything a client of another make expects is written out."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from tui_tapback.wire.frames import Id, RpcFault
from tui_tapback.wire.methods import Result
from tui_tapback.wire.rows import WireReaction

_ENCODER = msgspec.json.Encoder()


def plain(value: Any) -> Any:
    """``value`` with results as objects in which only empty optional fields are missing.

    The structs of the wire leave out what equals a default; a Hermes client wants to read ``ok: true``.
    History rows are left to the encoder, which is faster and leaves out what Hermes leaves out.
    """
    match value:
        case WireReaction():
            rest = {"part": value.part} if value.part else {}
            return {"emoji": value.emoji, "author": value.author, "at": value.at} | rest
        case Result():
            items = ((name, getattr(value, name)) for name in value.__struct_fields__)
            return {name: plain(item) for name, item in items if item is not None}
        case [Result() | WireReaction(), *_]:
            return [plain(item) for item in cast("list[Any]", value)]
        case _:
            return value


def result_frame(request_id: Id | None, result: Any) -> bytes:
    """The answer to a request."""
    return _ENCODER.encode({"jsonrpc": "2.0", "id": request_id, "result": plain(result)})


def error_frame(request_id: Id | None, fault: RpcFault) -> bytes:
    """The refusal of a request; ``id`` is null where it could not be read."""
    return _ENCODER.encode({"jsonrpc": "2.0", "id": request_id, "error": fault})


def question_frame(frame: dict[str, Any]) -> bytes:
    """A question of the gateway: ``{id, method, params}``."""
    return _ENCODER.encode({"jsonrpc": "2.0", **frame})


class EventEncoder:
    """Writes an event once for all connections that hear it, one after the other."""

    def __init__(self) -> None:
        self._params: dict[str, Any] | None = None
        self._frame = b""

    def frame(self, params: dict[str, Any]) -> bytes:
        """An event, with ``params`` as the service made them and as nobody changes them any more."""
        if params is not self._params:
            self._params, self._frame = params, event_frame(params)
        return self._frame


def event_frame(params: dict[str, Any]) -> bytes:
    """An event, with ``params`` as the service made them."""
    return _ENCODER.encode({"jsonrpc": "2.0", "method": "event", "params": params})
