"""One small function for each method of the table; each calls the service once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec

from tui_tapback.domain.errors import RpcError, WrongAuthor
from tui_tapback.domain.reactions import Author
from tui_tapback.gateway.service.ports import ReactionOutcome
from tui_tapback.wire import methods as m
from tui_tapback.wire.errors import Code
from tui_tapback.wire.rows import WirePart, WireReaction

from . import question_handlers as questions
from .context import Context
from .conversation_handlers import CONVERSATION_HANDLERS, CONVERSATION_WRITES
from .library_handlers import LIBRARY_HANDLERS, LIBRARY_WRITES

Handler = Callable[[Context, Any], Awaitable[Any]]


async def _gateway_capabilities(c: Context, p: m.NoParams) -> m.GatewayCapabilities:
    del p
    tapback = m.Tapback(
        version=c.facts.version,
        max_message_chars=c.service.max_message_chars,
        companion=c.facts.companion(),
    )
    return m.GatewayCapabilities(per_session_exclusive_submit=True, tapback=tapback)


async def _gateway_ping(c: Context, p: m.NoParams) -> m.Ok:
    del c, p
    return m.Ok()


async def _ping(c: Context, p: m.NoParams) -> m.Pong:
    del c, p
    return m.Pong()


async def _session_create(c: Context, p: m.CreateParams) -> m.Snapshot:
    snapshot = c.service.create_session(p.source, p.title)
    c.service.attach(snapshot.session_id, c.sink)
    return snapshot


async def _session_resume(c: Context, p: m.ResumeParams) -> m.Snapshot:
    # Nothing may run between the two calls: an event in the gap would be in neither.
    snapshot = c.service.resume(p.session_id, omit_messages=p.omit_messages, limit=p.limit)
    c.service.attach(snapshot.session_id, c.sink)
    return snapshot


async def _session_history(c: Context, p: m.SessionParams) -> m.History:
    return c.service.history(p.session_id)


async def _session_most_recent(c: Context, p: m.NoParams) -> dict[str, Any]:
    del p
    # Written out, for ``session_id: null`` is the answer where there is none.
    return msgspec.structs.asdict(c.service.most_recent())


async def _session_title(c: Context, p: m.TitleParams) -> m.Title:
    if p.title is not None and not p.title.strip():
        raise RpcError(Code.TITLE_REQUIRED, "A title needs at least one visible character.")
    return c.service.title(p.session_id, p.title)


async def _session_close(c: Context, p: m.SessionParams) -> m.Ok:
    c.service.detach(c.sink, p.session_id)
    return m.Ok()


async def _events_since(c: Context, p: m.EventsSinceParams) -> m.EventsSince:
    return c.service.events_since(p.session_id, p.last_seen)


async def _session_interrupt(c: Context, p: m.SessionParams) -> m.Interrupted:
    return await c.service.interrupt(p.session_id)


async def _message_react(c: Context, p: m.ReactParams) -> m.Reacted:
    if p.author not in (None, "", Author.USER):
        raise WrongAuthor("Only the agent itself can react as the agent.", hint="React as the user.")
    if p.row_id is None and p.newest_role not in ("user", "assistant"):
        raise RpcError(Code.NO_TARGET, 'Give row_id, or newest_role "user" or "assistant".')
    emoji = p.emoji if isinstance(p.emoji, str) else None  # a missing one removes, as on a Hermes gateway
    toggle = partial(
        c.service.toggle_reaction, p.session_id, emoji, row_id=p.row_id, newest_role=p.newest_role
    )
    return _reacted(await c.service.grouping.run(toggle))


async def _reaction_set(c: Context, p: m.ReactionSetParams) -> m.Reacted:
    put = partial(c.service.set_reaction, p.session_id, p.row_id, p.emoji, Author.USER)
    put = partial(put, op_id=p.op_id, expected=p.expected, part=p.part)
    return _reacted(await c.service.grouping.run(put))


async def _config_get(c: Context, p: m.ConfigGetParams) -> m.ConfigValue:
    return c.service.config_get(p.key)


async def _config_set(c: Context, p: m.ConfigSetParams) -> m.ConfigValue:
    return c.service.config_set(p.key, p.value)


def _reacted(outcome: ReactionOutcome) -> m.Reacted:
    reactions = [
        WireReaction(r.emoji, str(r.author), r.at, part=WirePart(r.part, r.quote) if r.part else None)
        for r in outcome.reactions
    ]
    return m.Reacted(outcome.row_id, reactions, outcome.seq)


HANDLERS: dict[str, Handler] = {
    "gateway.capabilities": _gateway_capabilities,
    "client.capabilities": questions.client_capabilities,
    "gateway.ping": _gateway_ping,
    "ping": _ping,
    "session.create": _session_create,
    "session.resume": _session_resume,
    "session.history": _session_history,
    "session.most_recent": _session_most_recent,
    "session.title": _session_title,
    "session.close": _session_close,
    "session.events.since": _events_since,
    "session.interrupt": _session_interrupt,
    "message.react": _message_react,
    "reaction.set": _reaction_set,
    "config.get": _config_get,
    "config.set": _config_set,
    "request.answer": questions.request_answer,
    "approval.respond": questions.approval_respond,
    "approval.pending": questions.approval_pending,
    "clarify.lock": questions.clarify_lock,
    **CONVERSATION_HANDLERS,
    **LIBRARY_HANDLERS,
}
"""Method → handler; a test holds it against the table, names and parameter types."""

WRITES = (
    CONVERSATION_WRITES
    | LIBRARY_WRITES
    | frozenset(
        {
            "session.create",
            "session.title",
            "message.react",
            "reaction.set",
            "config.set",
            "request.answer",
            "approval.respond",
            "clarify.lock",
        }
    )
)
"""Methods that change something, and so count for the rate limit."""
