"""An agent that follows a script, for tests of everything that stands around an agent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import assert_never

from tui_tapback.gateway.service.ports import ModelRequest, ToolCall, Turn


@dataclass(frozen=True, slots=True)
class Say:
    """Stream these pieces of the answer."""

    pieces: tuple[str, ...]

    def __init__(self, *pieces: str) -> None:
        object.__setattr__(self, "pieces", pieces)


@dataclass(frozen=True, slots=True)
class Think:
    """Stream a piece of reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close the answer so far, as a model does that has finished speaking."""


@dataclass(frozen=True, slots=True)
class Call:
    """Close the answer with one tool call, run it, and ask the model again.

    ``result`` is what the model reads, or a function of the turn that does something and gives that text.
    """

    name: str
    arguments: str = "{}"
    result: str | Callable[[Turn], Awaitable[str]] = "{}"
    context: str = ""


@dataclass(frozen=True, slots=True)
class Fail:
    """Raise ``error``."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Wait:
    """Stand still until ``event`` is set; ``reached`` is set on arrival."""

    event: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class Count:
    """Report the tokens of the newest request, as a server does that counts."""

    input_tokens: int
    output_tokens: int = 1


Step = Say | Think | Close | Call | Fail | Wait | Count


class ScriptedAgent:
    """Implements ``ports.Agent``: each turn follows the next script; without one it says "ok".

    ``requests`` holds every request in the order in which a model would have received it; those for
    summaries are in ``summary_requests``, answered with the next of ``summaries``.
    """

    def __init__(
        self,
        scripts: Iterable[Iterable[Step]] = (),
        *,
        model: str = "scripted",
        system_prompt: str = "You are a test.",
        tools: str = '[{"type":"function","function":{"name":"send_message"}}]',
    ) -> None:
        self._scripts: deque[tuple[Step, ...]] = deque(tuple(script) for script in scripts)
        self._model = model
        self._system_prompt = system_prompt
        self._tools = tools
        self.requests: list[ModelRequest] = []
        self.summary_requests: list[ModelRequest] = []
        self.summaries: deque[str | Wait | Exception] = deque()

    @property
    def model(self) -> str:
        """Name for the status line."""
        return self._model

    def system_prompt(self) -> str:
        """The system prompt of a new session."""
        return self._system_prompt

    def tools(self) -> str:
        """The tool list of a new session."""
        return self._tools

    def expect(self, *steps: Step) -> None:
        """Add the script of one more turn."""
        self._scripts.append(steps)

    async def run(self, turn: Turn) -> None:
        """Follow the next script; an answer that it leaves open is closed at its end."""
        steps = self._scripts.popleft() if self._scripts else (Say("ok"),)
        self.requests.append(turn.request())
        spoken = False
        for number, step in enumerate(steps):
            match step:
                case Say(pieces):
                    for piece in pieces:
                        await turn.text(piece)
                    spoken = True
                case Think(text):
                    await turn.reasoning(text)
                case Close():
                    await turn.assistant()
                    spoken = False
                case Call():
                    await self._call(turn, step, f"call-{turn.user_row_id}-{number}")
                    spoken = False
                case Fail(error):
                    raise error
                case Wait(event, reached):
                    reached.set()
                    await event.wait()
                case Count(input_tokens, output_tokens):
                    await turn.usage(input_tokens, output_tokens)
                case _:
                    assert_never(step)
        if spoken:
            await turn.assistant()

    async def complete(self, request: ModelRequest) -> str:
        """Answer with the next summary; without one "sum N"."""
        self.summary_requests.append(request)
        answer = self.summaries.popleft() if self.summaries else f"sum {len(self.summary_requests)}"
        if isinstance(answer, Wait):
            answer.reached.set()
            await answer.event.wait()
            return "sum"
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _call(self, turn: Turn, step: Call, call_id: str) -> None:
        call = ToolCall(call_id, step.name, step.arguments)
        await turn.assistant((call,))
        await turn.tool_started(call, step.context)
        content = step.result if isinstance(step.result, str) else await step.result(turn)
        await turn.tool_result(call, content)
        self.requests.append(turn.request())
