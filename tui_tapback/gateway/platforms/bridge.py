"""Brings reactions from other platforms home: an adapter's news to the bubble that shows the message."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Protocol

from tui_tapback.domain.errors import StoreError
from tui_tapback.gateway.service.elsewhere import Tap
from tui_tapback.gateway.store.posts import Address

from .adapter import Adapter, ReactionHandler, ReactionNews

_log = logging.getLogger(__name__)


class Home(Protocol):
    """Where the bubbles are (the service's ``Elsewhere``)."""

    def reacted(self, tap: Tap) -> bool:
        """Take in what somebody did; whether anything changed. Raises StoreError."""
        ...


def bring_home(adapters: Iterable[Adapter], home: Home) -> None:
    """Have ``home`` hear of the reactions of all ``adapters``, each in its order."""
    for adapter in adapters:
        adapter.set_reaction_handler(_handler(adapter, home))


def _handler(adapter: Adapter, home: Home) -> ReactionHandler:
    name, several = adapter.name.lower(), adapter.capabilities.several_per_author

    async def hear(news: ReactionNews) -> None:
        address = Address(name, news.message.chat, news.message.id)
        try:
            home.reacted(Tap(address, news.author, news.emoji, news.removed, several))
        except StoreError as error:
            _log.warning("A reaction from %s could not be stored: %s", name, error)

    return hear
