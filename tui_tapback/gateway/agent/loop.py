"""The turn loop: ask the provider, pass the stream on, run the tools it calls, and ask again."""

from __future__ import annotations

from contextlib import aclosing
from typing import Protocol

from tui_tapback.domain.errors import ModelGarbled
from tui_tapback.gateway.service.ports import ModelRequest, ToolCall, Turn

from .calls import CallAssembler, sendable
from .provider import CallPiece, Provider, ReasoningPiece, TextPiece, UsagePiece

MAX_ROUNDS = 16
"""Requests of one turn; a model that still calls tools in the last one is stopped."""
CALLS_AT_ONCE = 16
"""Calls of one answer that are carried out; the model reads of the others that they were not."""
MAX_WORDS = 200_000
"""Characters of an answer outside a turn."""


class Tools(Protocol):
    """The tools a model may call."""

    @property
    def schema(self) -> str:
        """The tool list as JSON text."""
        ...

    def context(self, call: ToolCall) -> str:
        """One clean line for people about what ``call`` does."""
        ...

    async def execute(self, session_id: str, call: ToolCall) -> str:
        """Carry ``call`` out and say how it went, as JSON text; a wrong call is a result, not an error."""
        ...

    def refuse(self, reason: str) -> str:
        """The result of a call that was not carried out."""
        ...


class TurnLoop:
    """Answers turns through a provider, with tools."""

    def __init__(self, provider: Provider, tools: Tools, *, max_rounds: int = MAX_ROUNDS) -> None:
        self._provider = provider
        self._tools = tools
        self._max_rounds = max_rounds

    async def run(self, turn: Turn) -> None:
        """Answer one turn: rounds of request and tool calls until the model has nothing more to call.

        Raises ModelError; ``asyncio.CancelledError`` passes through.
        """
        for number in range(1, self._max_rounds + 1):
            calls, spoke = await self._round(turn, number)
            if not calls:
                if spoke:
                    await turn.assistant()
                elif number == 1:
                    raise ModelGarbled(
                        f"The model {self._provider.model} gave an empty answer.",
                        hint="Send the message again; if it stays so, choose another model.",
                    )
                return  # a tapback, and nothing to say beside it
            await self._answer_calls(turn, calls, last=number == self._max_rounds)
        raise ModelGarbled(
            f"The model {self._provider.model} was stopped after {self._max_rounds} rounds of tool calls.",
            hint="Ask again in other words, or choose another model.",
        )

    async def complete(self, request: ModelRequest) -> str:
        """Answer a request outside any turn, in words alone. Raises ModelError."""
        text = ""
        async with aclosing(self._provider.stream(request)) as pieces:
            async for piece in pieces:
                text += piece.text if isinstance(piece, TextPiece) else ""
                if len(text) > MAX_WORDS:
                    raise ModelGarbled(f"The answer grew beyond {MAX_WORDS:,} characters and was stopped.")
        return text

    async def _round(self, turn: Turn, number: int) -> tuple[tuple[ToolCall, ...], bool]:
        assembler = CallAssembler()
        spoke = False
        counted: UsagePiece | None = None
        async with aclosing(self._provider.stream(turn.request())) as pieces:
            async for piece in pieces:
                match piece:
                    case TextPiece(text):
                        spoke = spoke or bool(text.strip())
                        await turn.text(text)
                    case ReasoningPiece(text):
                        await turn.reasoning(text)
                    case CallPiece():
                        assembler.add(piece)
                    case UsagePiece():
                        counted = piece
        if counted is not None:
            await turn.usage(counted.input_tokens, counted.output_tokens)
        return assembler.finish(f"call_{turn.user_row_id}_{number}"), spoke

    async def _answer_calls(self, turn: Turn, calls: tuple[ToolCall, ...], *, last: bool) -> None:
        stored = sendable(calls)
        await turn.assistant(stored)
        for number, (raw, call) in enumerate(zip(calls, stored, strict=True)):
            await turn.tool_started(call, self._tools.context(raw))
            if last:
                result = self._tools.refuse("This turn has called tools too often; the call was not made.")
            elif number >= CALLS_AT_ONCE:
                result = self._tools.refuse(f"Only {CALLS_AT_ONCE} calls are made at once; this one was not.")
            else:
                result = await self._tools.execute(turn.session_id, raw)
            await turn.tool_result(call, result)
