"""What the model is sent of a session: the stored texts, with a summary in place of what it stands for."""

from __future__ import annotations

from tui_tapback.gateway.store.records import SessionRecord
from tui_tapback.gateway.store.store import Store

from .ports import ModelRequest


def context(store: Store, session_id: str) -> list[str]:
    """The provider messages of the session without its system prompt, exactly as they are sent."""
    summary = store.summaries.newest(session_id)
    if summary is None:
        return store.messages.context(session_id)
    return [summary.sent, *store.messages.context(session_id, summary.until)]


def model_request(store: Store, session: SessionRecord) -> ModelRequest:
    """The next request of the session."""
    system = (session.system_prompt,) if session.system_prompt else ()
    return ModelRequest((*system, *context(store, session.id)), session.tools)


def size(request: ModelRequest) -> int:
    """The length of a request in bytes."""
    return sum(len(text.encode()) for text in (*request.messages, request.tools))
