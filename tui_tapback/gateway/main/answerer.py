"""Who answers in this process, whether it is answering just now, and its look around at the start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from tui_tapback.gateway.agent.companion import COMPANION_NAME
from tui_tapback.gateway.service.ports import Agent, ConversationTools, Turn


class LookingAgent(Agent, Protocol):
    """An agent that looks for a model, and holds connections."""

    async def look(self) -> None:
        """Look for a model on this machine."""
        ...

    async def close(self) -> None:
        """Give the connections back."""
        ...


class Answerer:
    """Implements ``ports.Agent`` around the real one, and counts its turns."""

    def __init__(self, agent: LookingAgent) -> None:
        self._agent = agent
        self._turns = 0

    @classmethod
    def around(
        cls, make: Callable[[ConversationTools], LookingAgent]
    ) -> Callable[[ConversationTools], Answerer]:
        """The same factory, for counted agents."""
        return lambda tools: cls(make(tools))

    @property
    def busy(self) -> bool:
        """Whether a turn is running."""
        return self._turns > 0

    @property
    def is_companion(self) -> bool:
        """Whether no model is there, so that the offline companion answers."""
        return self._agent.model == COMPANION_NAME

    @property
    def model(self) -> str:
        """Name for the status line."""
        return self._agent.model

    def system_prompt(self) -> str:
        """The system prompt of a new session."""
        return self._agent.system_prompt()

    def tools(self) -> str:
        """The tool list of a new session."""
        return self._agent.tools()

    async def run(self, turn: Turn) -> None:
        """Answer one turn."""
        self._turns += 1
        try:
            await self._agent.run(turn)
        finally:
            self._turns -= 1

    async def look(self, patience: float) -> asyncio.Task[None]:
        """Begin to look for a model; returns after ``patience`` seconds at the latest, still looking."""
        looking = asyncio.create_task(self._agent.look(), name="look for a model")
        await asyncio.wait({looking}, timeout=patience)
        return looking

    async def close(self) -> None:
        """Give the connections back; after the last turn."""
        await self._agent.close()
