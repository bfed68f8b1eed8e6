"""Looks for a model server on the loopback of this machine, quickly and without the SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from .endpoint import Endpoint
from .model_names import chat_model

PROBE_TIMEOUT = 0.8
"""Seconds that a server on this machine has for its list of models."""
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A program that serves models, and the port on which it usually does."""

    name: str
    port: int

    @property
    def base_url(self) -> str:
        """Where its OpenAI-compatible endpoint is."""
        return f"http://127.0.0.1:{self.port}/v1"


LOCAL_SERVERS = (
    LocalServer("Ollama", 11434),
    LocalServer("LM Studio", 1234),
    LocalServer("llama.cpp", 8080),
    LocalServer("vLLM", 8000),
)
"""In the order of preference."""


class _Entry(msgspec.Struct):
    id: str = ""


class _ModelList(msgspec.Struct):
    data: list[_Entry]


async def find_local_endpoint(
    servers: Sequence[LocalServer] = LOCAL_SERVERS, *, wanted: str = "", patience: float = PROBE_TIMEOUT
) -> Endpoint | None:
    """The first of ``servers`` that offers a model for chat (or the one ``wanted``), else None.

    All are asked at once, so this takes ``patience`` seconds at most. Never raises.
    """
    offers = await asyncio.gather(*(_offered(server.port, patience) for server in servers))
    for server, names in zip(servers, offers, strict=True):
        model = chat_model(names, wanted)
        if model:
            return Endpoint(server.base_url, model=model)
    return None


async def _offered(port: int, patience: float) -> list[str]:
    """The names that a server lists; nothing for whatever else listens there."""
    try:
        async with asyncio.timeout(patience):
            answer = await _get(port, "/v1/models")
        head, _, body = answer.partition(b"\r\n\r\n")
        status = head.split(b"\r\n", 1)[0].split()
        if len(status) < 2 or status[1] != b"200":
            return []
        return [entry.id for entry in msgspec.json.decode(body, type=_ModelList).data]
    except (OSError, TimeoutError, EOFError, msgspec.DecodeError, UnicodeDecodeError):
        return []  # nothing there, or no model server: both are everyday, and mean the same


async def _get(port: int, path: str) -> bytes:
    """The whole answer to a request in HTTP/1.0, which is never chunked and ends with the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_LARGEST)
    try:
        request = f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        writer.write(request.encode())
        await writer.drain()
        answer = bytearray()
        while len(answer) < _LARGEST and (part := await reader.read(65_536)):
            answer += part
        return bytes(answer)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
