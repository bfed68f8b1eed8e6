"""Puts a model's tool calls together from the fragments of a stream, in a form that can be sent back."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tui_tapback.domain.errors import ModelGarbled
from tui_tapback.gateway.service.inputs import whole_characters
from tui_tapback.gateway.service.ports import ToolCall

from .provider import CallPiece

_NAME_NOT_ALLOWED = re.compile(r"[^a-zA-Z0-9_-]")
_NAME_LIMIT = 64
MAX_CALLS = 128
MAX_CALL_CHARS = 400_000
"""Tool calls of one answer, and the characters of all their ids, names and arguments."""


@dataclass(slots=True)
class _Growing:
    index: int | None
    call_id: str
    name: str = ""
    # Not one text that grows: a model that writes a megabyte in crumbs would cost minutes.
    arguments: list[str] = field(default_factory=list[str])


class CallAssembler:
    """Collects the fragments of one answer, within bounds."""

    def __init__(self) -> None:
        self._calls: list[_Growing] = []
        self._size = 0

    def add(self, piece: CallPiece) -> None:
        """Take a fragment; a new id under a known index begins another call (some servers count wrongly).

        Raises ModelGarbled where the calls grow beyond all measure.
        """
        self._size += len(piece.call_id) + len(piece.name) + len(piece.arguments)
        call = self._find(piece)
        if call is None:
            call = _Growing(piece.index, piece.call_id)
            self._calls.append(call)
        if self._size > MAX_CALL_CHARS or len(self._calls) > MAX_CALLS:
            raise ModelGarbled(
                f"The model's tool calls grew beyond {MAX_CALLS} calls or {MAX_CALL_CHARS:,} characters "
                "and were stopped.",
                hint="Ask again, or choose another model.",
            )
        call.call_id = call.call_id or piece.call_id
        if piece.name and piece.name != call.name:
            call.name += piece.name
        call.arguments.append(piece.arguments)

    def _find(self, piece: CallPiece) -> _Growing | None:
        if piece.index is None:
            last = self._calls[-1] if self._calls else None
            begins = piece.name and last is not None and last.name and piece.call_id in ("", last.call_id)
            if last is None or begins or (piece.call_id and piece.call_id != last.call_id):
                return None
            return last
        for call in reversed(self._calls):
            if call.index == piece.index:
                other = piece.call_id and call.call_id and piece.call_id != call.call_id
                return None if other and piece.name else call
        return None

    def finish(self, fallback_id: str) -> tuple[ToolCall, ...]:
        """The calls in order, raw, each with an id of its own (from ``fallback_id`` where it has none)."""
        seen: set[str] = set()
        calls: list[ToolCall] = []
        for number, call in enumerate(self._calls):
            call_id = whole_characters(call.call_id)
            if not call_id or call_id in seen:
                call_id = f"{fallback_id}_{number}"
            seen.add(call_id)
            name, arguments = whole_characters(call.name), whole_characters("".join(call.arguments))
            calls.append(ToolCall(call_id, name, arguments))
        return tuple(calls)


def sendable(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls as they can stand in the history.

    What is sound stays byte for byte. Servers refuse a whole conversation in which an earlier call has a
    name of other characters or arguments that are no JSON object, so those are wrapped: the model still
    sees what it wrote.
    """
    return tuple(ToolCall(c.call_id, _name(c.name), _arguments(c.arguments)) for c in calls)


def _name(name: str) -> str:
    return _NAME_NOT_ALLOWED.sub("_", name)[:_NAME_LIMIT] or "nameless_tool"


def _arguments(arguments: str) -> str:
    if not arguments.strip():
        return "{}"
    try:
        sound = isinstance(json.loads(arguments, parse_constant=_no_constant), dict)
    except (ValueError, RecursionError):
        sound = False
    return arguments if sound else json.dumps({"unreadable_arguments": arguments}, ensure_ascii=False)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
