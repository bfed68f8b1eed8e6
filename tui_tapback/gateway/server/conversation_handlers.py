"""Handlers of what is said and unsaid: prompts and edits, undo, branches, summaries, notes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tui_tapback.domain.errors import RpcError
from tui_tapback.gateway.service.rewind import Truncation
from tui_tapback.wire import conversation as w
from tui_tapback.wire.base import SessionParams
from tui_tapback.wire.errors import Code
from tui_tapback.wire.methods import Branched

from .context import Context

MOST_SURVIVORS = 1_000
"""Rows of which an edit may ask what has become of them."""


async def _prompt_submit(c: Context, p: w.SubmitParams) -> w.Submitted:
    truncation = _truncation(p)
    return await c.service.submit(p.session_id, p.text, p.client_ref, p.queued, c.sink, truncation=truncation)


def _truncation(p: w.SubmitParams) -> Truncation | None:
    """What is to be taken back first; an ordinary message takes nothing back by accident."""
    asked = p.truncate_before_row_id is not None or p.truncate_before_user_ordinal is not None
    confirmed = p.confirm_truncate or p.confirm_empty_truncate or p.confirm_deep_truncate
    if asked and not p.confirm_truncate:
        raise RpcError(
            Code.TRUNCATION_NOT_CONFIRMED,
            "This message would take earlier ones back; that needs confirm_truncate.",
        )
    if p.truncate_before_row_id is None and (asked or confirmed):
        raise RpcError(
            Code.BAD_TRUNCATION, "What is to be taken back must be named by truncate_before_row_id."
        )
    if p.truncate_before_row_id is None:
        return None
    if len(p.rebind_survivor_row_ids or ()) > MOST_SURVIVORS:
        raise RpcError(Code.BAD_VALUE, f"At most {MOST_SURVIVORS} rows can be asked about at once.")
    rebind = None if p.rebind_survivor_row_ids is None else tuple(p.rebind_survivor_row_ids)
    return Truncation(p.truncate_before_row_id, p.confirm_empty_truncate, rebind)


async def _session_undo(c: Context, p: w.UndoParams) -> w.Undone:
    return c.service.changes.undo(p.session_id)


async def _session_branch(c: Context, p: w.BranchParams) -> Branched:
    branch = c.service.changes.branch(p.session_id, p.name, p.count)
    c.service.attach(branch.session_id, c.sink)
    return branch


async def _session_compress(c: Context, p: w.CompressParams) -> w.Compressed:
    return await c.service.changes.compress(p.session_id, p.focus_topic)


async def _session_usage(c: Context, p: SessionParams) -> w.SessionUsage:
    return c.service.changes.usage(p.session_id)


async def _session_steer(c: Context, p: w.SteerParams) -> w.Steered:
    return c.service.meanwhile.steer(p.session_id, p.text)


async def _session_redirect(c: Context, p: w.SteerParams) -> w.Steered:
    return await c.service.meanwhile.redirect(p.session_id, p.text)


async def _reactions_pending(c: Context, p: SessionParams) -> w.PendingNotes:
    return c.service.withholding.pending(p.session_id)


async def _reactions_withhold(c: Context, p: w.WithholdParams) -> w.PendingNotes:
    return c.service.withholding.withhold(p.session_id, p.row_id, p.part, p.withheld)


CONVERSATION_HANDLERS: dict[str, Callable[[Context, Any], Awaitable[Any]]] = {
    "prompt.submit": _prompt_submit,
    "session.undo": _session_undo,
    "session.branch": _session_branch,
    "session.compress": _session_compress,
    "session.usage": _session_usage,
    "session.steer": _session_steer,
    "session.redirect": _session_redirect,
    "reactions.pending": _reactions_pending,
    "reactions.withhold": _reactions_withhold,
}
"""Method → handler."""

CONVERSATION_WRITES = frozenset(CONVERSATION_HANDLERS) - {"session.usage", "reactions.pending"}
"""Those that change something."""
