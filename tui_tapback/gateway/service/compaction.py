"""Sums the old part of a conversation up for the model; what people see stays as it is."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate

from tui_tapback.domain.errors import ModelError, StoreError
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.gateway.store.records import SessionRecord, SummaryRecord
from tui_tapback.wire.conversation import Compressed, CompressSummary

from .context import context, model_request
from .core import Core
from .inputs import whole_characters
from .own_words import own_words
from .pending import told_until
from .ports import Agent, ModelRequest
from .provider_messages import user_message
from .rewind import IN_TURN
from .rows import wire_rows
from .sessions import Sessions
from .usage import Usage

KEPT_SHARE = 0.25
"""How much of the context stays word for word, at most (the last turn does in any case)."""
GROWTH = 1.25
"""A summary that failed of itself is tried again when the context has grown so much."""
MAX_SUMMARY_CHARS = 20_000
MAX_REACTIONS = 12
INSTRUCTION = (
    "[This is not a message of the user. Write a summary of this conversation that can stand in its place: "
    "what the user wants and has decided, what is done and what is open, names, numbers and places in files "
    "exactly. Write plain text, in the language of the conversation, and call no tool.]"
)
FOCUS = "[Above all keep what concerns: {topic}]"
HEAD = "[Summary of the older part of this conversation, which it stands for]"
REACTIONS = "[You were told of these reactions in that part]"


@dataclass(frozen=True, slots=True)
class _Plan:
    """``until``: the last position that is to be summed up; ``replaced``: the provider messages that go."""

    until: int
    replaced: list[str]
    kept: list[str]


def nothing_done(
    headline: str, *, aborted: bool = False, refused: bool = False, note: str = ""
) -> Compressed:
    """The answer where everything stays as it was."""
    summary = CompressSummary(
        noop=True, aborted=aborted, refused_would_grow=refused, headline=headline, note=note
    )
    return Compressed(status="aborted" if aborted else "compressed", summary=summary)


class Compaction:
    """The request for a summary begins with the very messages of the requests before it, so that a server
    that keeps a cache reads only its end."""

    def __init__(self, core: Core, sessions: Sessions, usage: Usage, agent: Agent) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._clock = core.clock
        self._sessions = sessions
        self._usage = usage
        self._agent = agent
        self._failed_at: dict[str, int] = {}

    def needed(self, session: SessionRecord) -> bool:
        """Whether the context has grown beyond its limit, and something can be done about it."""
        try:
            report = self._usage.report(session)
            if not report.context_max or report.context_used <= report.context_max:
                return False
            failed_at = self._failed_at.get(session.id, 0)
            return report.context_used > GROWTH * failed_at and self._plan(session) is not None
        except StoreError:
            return False  # whoever writes next is told

    async def run(self, session: SessionRecord, focus: str | None) -> Compressed:
        """Have the model sum up, and put the summary in the place of what it stands for.

        Nothing else may change the session meanwhile, reactions apart. Raises StoreError.
        """
        status = {"kind": "compacting", "text": "Summing up the older part of this chat…"}
        self._broadcast.emit(session.id, "status.update", status)
        try:
            outcome = await self._run(session, focus)
        except ModelError as failure:
            sentence = failure.sentence()
            outcome = nothing_done("The summary failed; nothing was changed.", aborted=True, note=sentence)
        if not outcome.summary.noop:
            self._failed_at.pop(session.id, None)
            self._broadcast.emit(session.id, "history.changed", {"reason": "compress"})
            self._usage.tell(session)
        elif outcome.summary.aborted or outcome.summary.refused_would_grow:
            self._failed_at[session.id] = self._usage.context_tokens(session)
            text = f"{outcome.summary.headline} {outcome.summary.note}".strip()
            self._broadcast.emit(session.id, "notice", {"text": text, "level": "warning"})
        return self._completed(outcome, session)

    async def _run(self, session: SessionRecord, focus: str | None) -> Compressed:
        plan = self._plan(session)
        if plan is None:
            return nothing_done("There is nothing to sum up yet.")
        before = self._usage.context_tokens(session)
        topic = clean_line(whole_characters((focus or "")[:2_000]), 400)
        wish = f"{INSTRUCTION}\n{FOCUS.format(topic=topic)}" if topic else INSTRUCTION
        request = model_request(self._store, session)
        asked = ModelRequest((*request.messages, user_message((), wish)), request.tools)
        text = clean_text(whole_characters(await self._agent.complete(asked))).strip()[:MAX_SUMMARY_CHARS]
        if not text:
            return nothing_done("The model wrote no summary; nothing was changed.", aborted=True)
        sent = self._message(session.id, plan.until, text)
        if len(sent.encode()) >= sum(len(message.encode()) for message in plan.replaced):
            return nothing_done(
                "The summary would be longer than what it stands for; nothing was changed.", refused=True
            )
        summary = SummaryRecord(session.id, plan.until, text, sent, self._clock())
        with self._store.transaction():
            self._store.summaries.add(summary)
        after = self._usage.context_tokens(session)
        return Compressed(
            removed=len(plan.replaced),
            before_messages=len(plan.replaced) + len(plan.kept),
            after_messages=1 + len(plan.kept),
            before_tokens=before,
            after_tokens=after,
            summary=CompressSummary(
                headline=f"{len(plan.replaced)} older messages are summed up for the model.",
                token_line=f"{before:,} → {after:,} tokens",
                note="All messages and tapbacks stay in the chat.",
            ),
        )

    def _message(self, session_id: str, until: int, text: str) -> str:
        """The provider message of a summary: it keeps what the model was told of reactions, which is not told
        again."""
        told = told_until(self._store.messages, session_id, until)[-MAX_REACTIONS:]
        record = ["", REACTIONS, *told] if told else []
        return user_message((HEAD,), "\n".join((own_words(text), *record)))

    def _plan(self, session: SessionRecord) -> _Plan | None:
        """Where to cut: between turns, so that the last of them stay word for word."""
        summary = self._store.summaries.newest(session.id)
        reached = 0 if summary is None else summary.until
        ids = self._store.turns.starts(session.id, IN_TURN)
        places = self._store.turns.positions(session.id, ids)
        starts = [places[row_id] for row_id in ids if places[row_id] > reached]
        if len(starts) < 2:
            return None
        sizes = self._store.turns.sizes(session.id, reached)
        standing = [position for position, _ in sizes]
        before = list(accumulate((length for _, length in sizes), initial=0))
        head = 0 if summary is None else len(summary.sent.encode())
        share = KEPT_SHARE * (head + before[-1])
        cut = starts[-1]
        for start in reversed(starts[1:-1]):
            if before[-1] - before[bisect_left(standing, start)] > share:
                break
            cut = start
        present = context(self._store, session.id)
        kept = self._store.messages.context(session.id, cut - 1)
        return _Plan(cut - 1, present[: len(present) - len(kept)], kept)

    def _completed(self, outcome: Compressed, session: SessionRecord) -> Compressed:
        outcome.usage = self._usage.report(session)
        outcome.info = self._sessions.info(session, self._agent.model, running=False)
        outcome.messages = wire_rows(self._store.messages.all(session.id))
        return outcome
