"""Puts together what a screen shows: the conversation, the link, and what waits."""

from __future__ import annotations

from .book import Book
from .engine import Engine
from .state import ClientState


def screen_state(book: Book, engine: Engine, overdue_before: float) -> ClientState:
    """The state as it is now; what was asked for before that time (Unix seconds) and waits is overdue."""
    conversation = book.current
    mirror = conversation.mirror
    window, facts = conversation.window, conversation.facts
    usage = facts.usage
    return ClientState(
        connection=engine.connection,
        session_id=conversation.stored_id,
        title=mirror.title,
        model=mirror.model,
        running=mirror.running or mirror.awaiting,
        messages=conversation.messages,
        waiting=book.waiting,
        overdue=book.overdue(overdue_before),
        loading=not conversation.loaded,
        agent_reacts=mirror.agent_reacts,
        max_message_chars=engine.limit,
        abilities=engine.abilities,
        questions=facts.questions.all,
        has_older=window.has_older,
        has_newer=window.has_newer,
        total=window.total,
        reactions_offered=engine.gate.offered,
        shared=engine.gate.settings,
        context_used=usage.context_used if usage is not None else 0,
        context_max=usage.context_max if usage is not None else 0,
        todos=facts.work.todos,
        tasks=facts.work.tasks,
        work_wanted=facts.work.wanted,
        attachments=conversation.attachments,
        elsewhere=book.elsewhere,
        affections=facts.affections,
        pending_changes=facts.pending_changes,
        branch_of=facts.branch_of,
    )
