"""Parameters and results of what is said and unsaid: prompts, edits, undo, branches, summaries, notes."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .base import Params, Result
from .rows import WireRow


class SubmitParams(Params):
    """A message of the user.

    ``client_ref`` (ours, only for gateways with ``tapback``) makes a repetition harmless and comes back in
    the ``tapback.row`` event. ``truncate_before_row_id`` (a row of the user) takes that row and all behind it
    back first, which needs ``confirm_truncate``, and ``confirm_empty_truncate`` too where nothing would be
    left; ``confirm_deep_truncate`` says that several turns may fall, and is not asked for. An ordinal alone
    is refused: rows are named by their ids.
    """

    session_id: str
    text: str
    queued: bool | None = None
    client_ref: str | None = None
    truncate_before_row_id: int | None = None
    truncate_before_user_ordinal: int | None = None
    confirm_truncate: bool = False
    confirm_empty_truncate: bool = False
    confirm_deep_truncate: bool = False
    rebind_survivor_row_ids: list[int] | None = None


class Submitted(Result):
    """``status``: streaming, queued or redirected. ``user_row_id`` is missing when queued on Hermes.

    After an edit ``survivor_user_row_ids`` are the user's rows that stand, or ``survivor_row_id_map`` says of
    each id asked about what it is now (null: gone).
    """

    status: str
    user_row_id: int | None = None
    survivor_user_row_ids: list[int] | None = None
    survivor_row_id_map: dict[str, int | None] | None = None


class SteerParams(Params):
    """Words for a turn that is running."""

    session_id: str
    text: str


class Steered(Result):
    """``status``: queued (steer), redirected, or rejected where no turn runs."""

    status: str
    text: str = ""


class UndoParams(Params):
    """Both intents take the last turn back; "retry" says that its text will be sent again."""

    session_id: str
    intent: Literal["undo", "retry"] = "undo"


class Undone(Result):
    """``removed``: how many rows went. ``text`` and ``from_row_id`` (ours): what the user had said there, and
    its row."""

    removed: int = 0
    text: str | None = None
    from_row_id: int | None = None


class BranchParams(Params):
    """``name``: title of the branch. ``count``: how many messages of the beginning, tool rows not counted;
    all of them where it is missing."""

    session_id: str
    name: str | None = None
    count: int | None = None


class CompressParams(Params):
    """``focus_topic``: what the summary must not lose."""

    session_id: str
    focus_topic: str | None = None


class CompressSummary(Result):
    """How it went, in words and flags. ``noop``: nothing was changed."""

    noop: bool = False
    aborted: bool = False
    refused_would_grow: bool = False
    headline: str | None = None
    token_line: str | None = None
    note: str | None = None


class SessionUsage(Result):
    """Tokens of a session: sums over its requests (``input``, ``output``, ``total``, ``calls``), and the
    present context (``context_used`` of ``context_max``; 0: no limit is set). ``context_estimated``: the
    model's server has not counted it, so this is a guess by length."""

    model: str = ""
    input: int = 0
    output: int = 0
    total: int = 0
    calls: int = 0
    context_used: int = 0
    context_max: int = 0
    context_percent: int = 0
    context_estimated: bool = False
    compressions: int = 0


class Compressed(Result):
    """What was summed up for the model. ``removed`` counts the messages that the summary stands for; the
    rows that people read (``messages``) are all there, with their ids and reactions."""

    status: str = "compressed"
    removed: int = 0
    before_messages: int = 0
    after_messages: int = 0
    before_tokens: int = 0
    after_tokens: int = 0
    summary: CompressSummary = msgspec.field(default_factory=CompressSummary)
    usage: SessionUsage = msgspec.field(default_factory=SessionUsage)
    info: dict[str, Any] = {}
    messages: list[WireRow] = []


class PendingLine(Result):
    """One line about a reaction that the model has not heard of. ``part`` is an anchor; ``withheld``: it is
    kept back."""

    row_id: int
    text: str
    part: str | None = None
    withheld: bool = False


class PendingNotes(Result):
    """``lines``: every change that the model has not heard of, in order, those that are kept back included.
    ``head``: exactly what will stand at the head of the next message (at most 12 lines and one that sums the
    rest up)."""

    lines: list[PendingLine] = []
    head: list[str] = []


class WithholdParams(Params):
    """``part``: the anchor, for a reaction to a part of the message."""

    session_id: str
    row_id: int
    withheld: bool
    part: str | None = None
