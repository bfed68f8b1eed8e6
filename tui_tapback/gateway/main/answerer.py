"""Who answers in this process: the agent that settings and environment ask for."""

from __future__ import annotations

from collections.abc import Mapping

from tui_tapback.config.settings import ModelSettings
from tui_tapback.gateway.agent.companion import Companion
from tui_tapback.gateway.agent.loop import ModelAgent
from tui_tapback.gateway.agent.prompt import SYSTEM_PROMPT
from tui_tapback.gateway.agent.tools import SendMessageTool
from tui_tapback.gateway.service.ports import Agent, ConversationTools


def build(tools: ConversationTools, settings: ModelSettings, environ: Mapping[str, str]) -> Agent:
    """The agent, made around the tools through which it may react and speak."""
    from tui_tapback.emoji.resolve import resolve

    return ModelAgent(Companion(), SendMessageTool(tools, resolve), SYSTEM_PROMPT)
