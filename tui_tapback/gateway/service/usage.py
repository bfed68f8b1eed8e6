"""Tokens: what the model's server counted, and how much of the context's limit is used."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tui_tapback.gateway.store.records import SessionRecord, UsageRecord
from tui_tapback.wire.conversation import SessionUsage

from .context import model_request, size
from .core import Core
from .settings import Settings

BYTES_PER_TOKEN = 4
"""The guess until a server has counted."""


class Usage:
    """Counts by session. ``model`` gives the name of whoever answers."""

    def __init__(self, core: Core, settings: Settings, model: Callable[[], str]) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._settings = settings
        self._model = model

    def count(
        self, session: SessionRecord, input_tokens: int, output_tokens: int, request_bytes: int
    ) -> None:
        """Add the tokens of one request, whose length was ``request_bytes``, and tell the clients."""
        before = self._store.usage.get(session.id)
        with self._store.transaction():
            self._store.usage.set(
                session.id,
                UsageRecord(
                    input=before.input + max(input_tokens, 0),
                    output=before.output + max(output_tokens, 0),
                    calls=before.calls + 1,
                    context_tokens=max(input_tokens, 0),
                    context_bytes=request_bytes,
                ),
            )
        self.tell(session)

    def tell(self, session: SessionRecord) -> None:
        """Tell the clients how many tokens there are now."""
        payload = {"usage": msgspec.structs.asdict(self.report(session))}
        self._broadcast.emit(session.id, "session.usage", payload)

    def context_tokens(self, session: SessionRecord) -> int:
        """The tokens of the next request: by length, in the measure of the newest one that was counted."""
        counted = self._store.usage.get(session.id)
        length = size(model_request(self._store, session))
        if counted.context_tokens and counted.context_bytes:
            return round(length * counted.context_tokens / counted.context_bytes)
        return length // BYTES_PER_TOKEN

    def report(self, session: SessionRecord) -> SessionUsage:
        """All that is known of the session's tokens."""
        counted, limit = self._store.usage.get(session.id), self._settings.context_tokens
        used = self.context_tokens(session)
        return SessionUsage(
            model=self._model(),
            input=counted.input,
            output=counted.output,
            total=counted.input + counted.output,
            calls=counted.calls,
            context_used=used,
            context_max=limit,
            context_percent=round(100 * used / limit) if limit else 0,
            context_estimated=not counted.context_tokens,
            compressions=len(self._store.summaries.all(session.id)),
        )
