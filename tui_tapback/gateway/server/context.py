"""What a handler knows: the service, the gateway's facts, and the connection that asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tui_tapback.gateway.service.ports import Respondent
from tui_tapback.gateway.service.service import GatewayService


@dataclass(frozen=True, slots=True)
class Facts:
    """What the gateway says of itself. ``companion`` tells whether the offline companion answers just now."""

    version: str
    companion: Callable[[], bool] = bool


@dataclass(frozen=True, slots=True)
class Context:
    """One connection's view. Whoever speaks through it is the user: nobody can be the agent from outside."""

    service: GatewayService
    facts: Facts
    sink: Respondent
