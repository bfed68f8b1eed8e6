"""What every use case works with: the store, the broadcast and the clock."""

from __future__ import annotations

from dataclasses import dataclass

from tui_tapback.gateway.store.store import Store

from .broadcast import Broadcast
from .identity import Clock


@dataclass(frozen=True, slots=True)
class Core:
    """Shared by the collaborators of the service; holds no rules."""

    store: Store
    broadcast: Broadcast
    clock: Clock
