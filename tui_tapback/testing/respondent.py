"""A client that is asked: reads the gateway's questions off a real connection and answers them by hand."""

from __future__ import annotations

import json
from typing import Any

from .gateway import RawClient, RunningServer


class AskedClient:
    """Wraps a raw client that has said it can answer. ``client`` is that client."""

    def __init__(self, client: RawClient) -> None:
        self.client = client

    @classmethod
    async def join(cls, server: RunningServer, session_id: str, *, able: bool = True) -> AskedClient:
        """Connect, say what it can, and open a session."""
        asked = cls(await server.client())
        await asked.client.call("client.capabilities", server_requests=able)
        await asked.client.call("session.resume", session_id=session_id)
        return asked

    @property
    def questions(self) -> list[dict[str, Any]]:
        """The frames of the questions so far: ``{id, method, params}``."""
        return [frame for frame in self.client.frames if "method" in frame and "id" in frame]

    async def question(self, number: int = 1) -> dict[str, Any]:
        """The n-th question that came, as soon as it has."""
        while len(self.questions) < number:
            await self.client.read()
        return self.questions[number - 1]

    async def answer(self, question: dict[str, Any], result: object) -> None:
        """Answer its frame."""
        await self._send({"id": question["id"], "result": result})

    async def decline(self, question: dict[str, Any], code: int = 4404) -> None:
        """Answer that it is not shown here."""
        await self._send({"id": question["id"], "error": {"code": code, "message": "not shown here"}})

    async def withdrawn(self, question: dict[str, Any]) -> str:
        """The reason for which a question was withdrawn, as soon as it is."""
        found = await self.client.event("request.cancel", lambda payload: payload["id"] == question["id"])
        return found["payload"]["reason"]

    async def _send(self, frame: dict[str, Any]) -> None:
        await self.client.transport.send(json.dumps({"jsonrpc": "2.0"} | frame))
