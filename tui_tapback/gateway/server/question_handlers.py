"""Handlers of the requests by which a client answers questions of the gateway, or looks for open ones."""

from __future__ import annotations

from tui_tapback.wire import methods as m
from tui_tapback.wire import questions as q

from .context import Context


async def client_capabilities(c: Context, p: m.ClientCapabilitiesParams) -> m.ClientCapabilities:
    """From now on this connection is asked, or no longer."""
    if p.server_requests:
        c.service.questions.join(c.sink)
    else:
        c.service.questions.leave(c.sink)
    return m.ClientCapabilities(list(q.QUESTIONS))


async def request_answer(c: Context, p: q.RequestAnswerParams) -> q.Settled:
    """Answer a question whose frame went to other connections."""
    return q.Settled("ok" if c.service.questions.answer(p.id, p.result) else "expired")


async def approval_respond(c: Context, p: q.ApprovalRespondParams) -> q.Resolved:
    """Answer approvals."""
    return q.Resolved(c.service.questions.respond(p.session_id, p.choice, p.request_id, every=p.all))


async def approval_pending(c: Context, p: q.ApprovalPendingParams) -> q.ApprovalPending:
    """Look for open approvals."""
    waiting = c.service.questions.pending(p.session_id)
    return q.ApprovalPending(waiting, len(waiting))


async def clarify_lock(c: Context, p: q.ClarifyLockParams) -> q.ClarifyLocked:
    """Answer one question of several."""
    remaining = c.service.questions.lock(p.session_id, p.request_id, p.question_id, p.answer)
    return q.ClarifyLocked("expired") if remaining is None else q.ClarifyLocked("ok", remaining)
