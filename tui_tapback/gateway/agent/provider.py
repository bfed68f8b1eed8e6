"""What the turn loop asks of whatever produces an answer, and the pieces in which an answer arrives."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from tui_tapback.gateway.service.ports import ModelRequest


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Some characters of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPiece:
    """Some characters of the model's reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A fragment of a tool call.

    Servers send the id and the name once and the arguments in bits; ``index`` says which call a bit
    belongs to, and is None with the servers that leave it out.
    """

    index: int | None
    call_id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class UsagePiece:
    """What the server counted for this request; of several the last one holds."""

    input_tokens: int
    output_tokens: int


Piece = TextPiece | ReasoningPiece | CallPiece | UsagePiece


class Provider(Protocol):
    """A source of answers: one request in, a stream of pieces out."""

    @property
    def model(self) -> str:
        """Name for the status line."""
        ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Answer ``request``. Ends normally only where the answer is whole; raises ModelError otherwise."""
        ...

    async def close(self) -> None:
        """Give connections back."""
        ...
