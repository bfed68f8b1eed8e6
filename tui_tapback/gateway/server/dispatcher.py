"""From a request to the bytes of its answer: look up, decode, call, and name what went wrong."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from tui_tapback.domain.errors import MalformedFrame, TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.wire.errors import Code
from tui_tapback.wire.frames import Frame, RpcFault
from tui_tapback.wire.methods import METHODS, Method

from .answers import error_frame, result_frame
from .context import Context
from .faults import fault, fault_of
from .handlers import HANDLERS, WRITES, Handler
from .rate import Bucket

_log = logging.getLogger(__name__)
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*?)`", re.DOTALL)


class Dispatcher:
    """Answers requests. Holds nothing of any connection, so one serves them all."""

    def __init__(
        self, handlers: Mapping[str, Handler] = HANDLERS, methods: Mapping[str, Method] = METHODS
    ) -> None:
        self._handlers = handlers
        self._methods = methods

    async def answer(self, context: Context, bucket: Bucket, frame: Frame) -> bytes:
        """Carry out a request and return the frame that answers it; never raises but for cancellation."""
        name = frame.method or ""
        method, handler = self._methods.get(name), self._handlers.get(name)
        if method is None or handler is None:
            sentence = f"This gateway knows no method “{clean_line(name[:200], 60)}”."
            return error_frame(frame.id, fault(Code.UNKNOWN_METHOD, sentence))
        if name in WRITES and (wait := bucket.take()):
            return error_frame(frame.id, _too_fast(wait))
        try:
            params = _decoded(frame.params, method)
        except msgspec.ValidationError as error:
            return error_frame(frame.id, _bad_params(str(error), name))
        try:
            return result_frame(frame.id, await handler(context, params))
        except TapbackError as error:
            _log.info("%s was refused: %s", name, error)
            return error_frame(frame.id, fault_of(error))
        except Exception:  # noqa: BLE001 - a fault of ours is logged and answered; it must not cut the link
            _log.exception("%s failed.", name)
            sentence = f"The gateway failed while it carried out {name}. Its log says more."
            return error_frame(frame.id, fault(Code.INTERNAL, sentence))


def _decoded(params: Any, method: Method) -> msgspec.Struct:
    given: Any = {} if params is msgspec.UNSET or params is None else params
    return msgspec.convert(given, method.params)


def _too_fast(wait: float) -> RpcFault:
    return fault(
        Code.RATE_LIMITED,
        "This client sends changes faster than the gateway takes them. Try again in a moment.",
        {"retry_after": round(wait, 3)},
    )


def _bad_params(complaint: str, name: str) -> RpcFault:
    """A sentence that names the field, from what msgspec says."""
    if match := _UNKNOWN.match(complaint):
        field = clean_line(match[1][:200], 60)
        return fault(Code.UNKNOWN_PARAMETER, f"{name} knows no parameter “{field}”.", {"field": field})
    if match := _MISSING.match(complaint):
        field = match[1]
        return fault(Code.INVALID_PARAMS, f"{name} needs the parameter {field}.", {"field": field})
    what, _, where = complaint.partition(" - at `$.")
    field = clean_line(where.rstrip("`")[:200], 60)
    wrong = clean_line(what.replace("`", "")[:300], 120)
    if not field:
        return fault(Code.INVALID_PARAMS, f"The parameters of {name} must be an object ({wrong}).")
    sentence = f"The parameter {field} of {name} has the wrong type: {wrong[:1].lower()}{wrong[1:]}."
    return fault(Code.INVALID_PARAMS, sentence, {"field": field})


def unreadable(error: MalformedFrame) -> bytes:
    """The answer to a frame that is no request: not JSON, or not the members that a request has."""
    invalid = isinstance(error.__cause__, msgspec.ValidationError)
    code = Code.INVALID_REQUEST if invalid else Code.PARSE
    return error_frame(None, fault(code, str(error)))
