"""What the tables hold, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session. Times are Unix seconds. ``system_prompt`` is the provider message as JSON text (or ""),
    ``tools`` the tool list as JSON text; both stay as they were when the session was made.
    ``running_row`` is the user row of a turn that has not ended, ``parent`` the session that a branch was
    made from (which may be gone)."""

    id: str
    title: str
    source: str
    system_prompt: str
    tools: str
    created_at: float
    last_active: float
    running_row: int | None = None
    parent: str = ""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session as a list shows it; ``preview`` is the beginning of the newest message, ``message_count``
    counts what was said by either side, ``reactions`` the tapbacks of both; ``last_row_id`` is the newest
    message, ``parent_title`` the title of the session that this is a branch of (None: none that is there)."""

    session: SessionRecord
    preview: str
    message_count: int
    archived: bool
    reactions: int
    last_row_id: int | None
    parent_title: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRecord:
    """A row. ``text`` is what people read, ``sent`` the provider message as JSON text, exactly as sent (None:
    display only). ``position`` orders the session; None while a prompt waits its turn.
    ``metadata`` holds ``reactions``, ``notes`` and the marks of display."""

    row_id: int
    session_id: str
    position: int | None
    role: str
    text: str
    sent: str | None
    created_at: float
    reasoning: str = ""
    tool_call_id: str | None = None
    tool_name: str | None = None
    kind: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    active: bool = True

    @property
    def waiting(self) -> bool:
        """A prompt behind a running turn."""
        return self.position is None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A row to be inserted; ``waiting`` gives it no position yet."""

    session_id: str
    role: str
    text: str
    at: float
    sent: str | None = None
    reasoning: str = ""
    tool_call_id: str | None = None
    tool_name: str | None = None
    kind: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class SummaryRecord:
    """A summary of the rows up to the position ``until`` (inclusive). ``text`` is what the model wrote,
    ``sent`` the provider message as JSON text, exactly as sent."""

    session_id: str
    until: int
    text: str
    sent: str
    created_at: float


@dataclass(frozen=True, slots=True)
class UsageRecord:
    """Tokens of a session as the model's server counted them: sums over ``calls`` requests, and of the newest
    request ``context_tokens`` beside its length, ``context_bytes``."""

    input: int = 0
    output: int = 0
    calls: int = 0
    context_tokens: int = 0
    context_bytes: int = 0
