"""Reads the chunks of a streamed answer, whatever dialect of the protocol the server speaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from .provider import CallPiece, Piece, ReasoningPiece, TextPiece, UsagePiece


class _Function(msgspec.Struct):
    name: str | None = None
    # One server in ten sends the arguments as an object and not as text.
    arguments: str | dict[str, Any] | None = None


class _Call(msgspec.Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Part(msgspec.Struct):
    text: str | None = None


class _Delta(msgspec.Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(msgspec.Struct):
    index: int | None = None
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int
    completion_tokens: int = 0


class Chunk(msgspec.Struct):
    """One chunk; those without choices (usage, keep-alive) say nothing, though they may count."""

    choices: list[_Choice] | None = None
    usage: Any = None

    @property
    def finish_reason(self) -> str:
        """Why the answer ends here; empty while it goes on."""
        return next((choice.finish_reason for choice in self._first() if choice.finish_reason), "")

    def pieces(self) -> Iterator[Piece]:
        """What the chunk adds, in the order in which it is to be shown."""
        for choice in self._first():
            delta = choice.delta or _Delta()
            thought = delta.reasoning_content or delta.reasoning
            if thought:
                yield ReasoningPiece(thought)
            text = _joined(delta.content) or delta.refusal
            if text:
                yield TextPiece(text)
            for call in delta.tool_calls or ():
                yield _call_piece(call)
        counted = _counted(self.usage)
        if counted is not None:
            yield counted

    def _first(self) -> Iterator[_Choice]:
        # Only one answer was asked for.
        return (choice for choice in self.choices or () if not choice.index)


def _counted(usage: object) -> UsagePiece | None:
    """The tokens; a server that counts in a way of its own has not counted, which costs no answer."""
    try:
        found = msgspec.convert(usage, _Usage)
    except msgspec.ValidationError:
        return None
    return UsagePiece(found.prompt_tokens, found.completion_tokens)


def _joined(content: str | list[_Part] | None) -> str:
    return "".join(part.text or "" for part in content) if isinstance(content, list) else content or ""


def _call_piece(call: _Call) -> CallPiece:
    function = call.function or _Function()
    arguments = function.arguments or ""
    if isinstance(arguments, dict):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return CallPiece(call.index, call.id or "", function.name or "", arguments)


def read_chunk(data: object) -> Chunk:
    """The chunk in decoded JSON. Raises msgspec.ValidationError, which names the field."""
    return msgspec.convert(data, Chunk)
