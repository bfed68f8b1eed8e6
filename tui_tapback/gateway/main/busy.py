"""An agent that counts its turns, so that the process knows whether one is running."""

from __future__ import annotations

from tui_tapback.gateway.service.ports import Agent, Turn


class CountedAgent:
    """Implements ``ports.Agent`` around another one."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._turns = 0

    @property
    def busy(self) -> bool:
        """Whether a turn is running."""
        return self._turns > 0

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
