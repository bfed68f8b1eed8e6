"""Questions to the people of a chat: asked of every client that can answer, settled by the first answer."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.wire import questions as q

from .approvals import Approvals
from .broadcast import Broadcast
from .inputs import whole_characters
from .ports import EventSink, Respondent

_log = logging.getLogger(__name__)

MAX_OPEN = 32
"""Questions of one session that may be open at once."""
MAX_CLARIFY = 5
_TEXT_LIMIT, _LINE_LIMIT, _CHOICES = 2000, 300, 12

Reason = Literal["resolved", "timeout", "interrupted", "undelivered"]


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that people have for an answer."""

    approval: float = 300.0
    clarify: float = 3600.0


PATIENCE = Patience()


@dataclass(slots=True)
class _Open:
    """One open question. ``asked``: the connections that have its frame and have not declined it."""

    id: str
    session_id: str
    params: q.ApprovalRequest | q.ClarifyRequest
    settled: asyncio.Future[q.ApprovalAnswer | q.ClarifyAnswer]
    asked: list[Respondent] = field(default_factory=list[Respondent])
    until: float = 0.0  # by the clock of the loop

    @property
    def method(self) -> str:
        return q.APPROVAL if isinstance(self.params, q.ApprovalRequest) else q.CLARIFY

    def frame(self) -> dict[str, Any]:
        left = max(0.0, round(self.until - asyncio.get_running_loop().time(), 1))
        params = msgspec.to_builtins(msgspec.structs.replace(self.params, seconds_left=left))
        return {"id": self.id, "method": self.method, "params": params}


class Questions:
    """Asks, and waits.

    A question that all who were asked decline, or that runs out of time, is answered by nobody: an approval
    is then denied, a clarification empty. With nobody attached it waits for a client to come, which finds it
    in ``open_requests``; clients that are attached and cannot answer anything settle it at once.
    """

    def __init__(
        self,
        broadcast: Broadcast,
        approvals: Approvals,
        require: Callable[[str], object],
        *,
        patience: Patience = PATIENCE,
        ids: Callable[[], str] = secrets.token_hex,
    ) -> None:
        """``require`` raises SessionNotFound for a session that is not there."""
        self._broadcast = broadcast
        self._approvals = approvals
        self._require = require
        self._patience = patience
        self._ids = ids
        self._open: dict[str, _Open] = {}
        self._able: list[Respondent] = []

    # --- asking ----------------------------------------------------------------------------------------

    async def approve(self, session_id: str, command: str, description: str, pattern: str) -> bool:
        """Whether a person allows ``command`` (one line), or has allowed all of ``pattern`` before.

        Cancelling the caller withdraws the question. Raises InvalidInput where too many are open.
        """
        if self._approvals.allowed(session_id, pattern):
            return True
        request = q.ApprovalRequest(
            session_id=session_id,
            request_id=self._ids(),
            command=clean_line(whole_characters(command), _LINE_LIMIT),
            description=clean_text(whole_characters(description))[:_TEXT_LIMIT],
            pattern_key=pattern,
            pattern_keys=[pattern],
        )
        answer = await self._ask(session_id, request, self._patience.approval)
        choice = answer.choice if isinstance(answer, q.ApprovalAnswer) else "deny"
        self._approvals.record(session_id, pattern, choice)
        return choice != "deny"

    async def clarify(
        self, session_id: str, questions: Sequence[q.ClarifyQuestion], *, seconds: float | None = None
    ) -> dict[str, str]:
        """The answers by question id; empty where nobody wants to answer, or nobody does within ``seconds``.
        Raises InvalidInput."""
        if not 1 <= len(questions) <= MAX_CLARIFY or len({one.qid for one in questions}) < len(questions):
            raise InvalidInput(f"A clarification has 1 to {MAX_CLARIFY} questions, each with its own id.")
        request = q.ClarifyRequest(session_id, [_clean(question) for question in questions])
        patience = self._patience.clarify if seconds is None else seconds
        answer = await self._ask(session_id, request, patience)
        return answer.answers if isinstance(answer, q.ClarifyAnswer) else {}

    async def _ask(
        self, session_id: str, params: q.ApprovalRequest | q.ClarifyRequest, seconds: float
    ) -> q.ApprovalAnswer | q.ClarifyAnswer | None:
        if sum(entry.session_id == session_id for entry in self._open.values()) >= MAX_OPEN:
            raise InvalidInput("Too many questions wait for an answer in this chat.", hint="Ask later.")
        entry = _Open(f"srq-{self._ids()[:12]}", session_id, params, asyncio.Future())
        entry.until = asyncio.get_running_loop().time() + seconds
        self._open[entry.id] = entry
        reason: Reason = "interrupted"
        try:
            attached = self._broadcast.listeners(session_id)
            entry.asked = [able for able in self._able if any(able is sink for sink in attached)]
            for able in tuple(entry.asked):
                able.ask(entry.frame())
            if attached and not entry.asked:
                reason = "undelivered"
                return None
            async with asyncio.timeout(seconds):
                answer = await entry.settled
            reason = "resolved"
            return answer
        except TimeoutError:
            reason = "timeout"
            return None
        except _Undelivered:
            reason = "undelivered"
            return None
        finally:
            del self._open[entry.id]
            withdrawn = {"id": entry.id, "method": entry.method, "reason": reason}
            self._broadcast.emit(session_id, "request.cancel", withdrawn)

    # --- clients ---------------------------------------------------------------------------------------

    def join(self, respondent: Respondent) -> None:
        """Ask this connection too, from the next question on; it finds open ones in ``open_requests``."""
        if not any(known is respondent for known in self._able):
            self._able.append(respondent)

    def leave(self, sink: EventSink) -> None:
        """A connection is gone or wants no questions. What it left open waits for another client."""
        self._able = [known for known in self._able if known is not sink]
        for entry in self._open.values():
            entry.asked = [known for known in entry.asked if known is not sink]

    def open(self, session_id: str) -> list[dict[str, Any]]:
        """The frames of the open questions, oldest first."""
        return [entry.frame() for entry in self._open.values() if entry.session_id == session_id]

    def answered(self, respondent: Respondent, question_id: object, result: object) -> None:
        """A connection answers a frame it was sent; ``result`` UNSET is a refusal. Late is dropped."""
        entry = self._open.get(question_id) if isinstance(question_id, str) else None
        if entry is None or not any(known is respondent for known in entry.asked):
            return
        if result is not msgspec.UNSET and self._settle(entry, result):
            return
        entry.asked = [known for known in entry.asked if known is not respondent]
        if not entry.asked and not entry.settled.done():
            entry.settled.set_exception(_Undelivered())

    # --- answers by request ----------------------------------------------------------------------------

    def answer(self, question_id: str, result: object) -> bool:
        """Answer an open question by its id; False where it is no longer open. Raises InvalidInput."""
        entry = self._open.get(question_id)
        if entry is None or entry.settled.done():
            return False
        if not self._settle(entry, result):
            raise InvalidInput(
                f"That is no answer to a question of the kind {entry.method}.",
                hint="It looks like {choice} or {answers: {id: text}}.",
            )
        return True

    def respond(self, session_id: str, choice: q.Choice, request_id: str | None, *, every: bool) -> int:
        """Answer the oldest approval of a session, the one named, or all; returns how many.

        Raises SessionNotFound.
        """
        self._require(session_id)
        waiting = [
            entry
            for entry, request in self._approvals_of(session_id)
            if request_id is None or request.request_id == request_id
        ]
        chosen = waiting if every or request_id is not None else waiting[:1]
        for entry in chosen:
            entry.settled.set_result(q.ApprovalAnswer(choice))
        return len(chosen)

    def pending(self, session_id: str) -> list[dict[str, Any]]:
        """The approvals of a session that wait, oldest first, as their frames' parameters.

        Raises SessionNotFound.
        """
        self._require(session_id)
        return [entry.frame()["params"] for entry, _ in self._approvals_of(session_id)]

    def lock(self, session_id: str, question_id: str, qid: str, answer: str) -> list[str] | None:
        """Answer one question of a clarification; the ids that remain, or None where it is not open.

        Raises InvalidInput for an unknown ``qid``.
        """
        entry = self._open.get(question_id)
        if entry is None or entry.session_id != session_id or entry.settled.done():
            return None
        if not isinstance(entry.params, q.ClarifyRequest):
            return None
        known = [question.qid for question in entry.params.questions]
        if qid not in known:
            raise InvalidInput(f"There is no question “{clean_line(qid, 40)}” in that request.")
        entry.params.answers[qid] = clean_text(whole_characters(answer))[:_TEXT_LIMIT]
        remaining = [name for name in known if name not in entry.params.answers]
        if not remaining:
            entry.settled.set_result(q.ClarifyAnswer(dict(entry.params.answers)))
        return remaining

    def _approvals_of(self, session_id: str) -> list[tuple[_Open, q.ApprovalRequest]]:
        return [
            (entry, entry.params)
            for entry in self._open.values()
            if entry.session_id == session_id
            and isinstance(entry.params, q.ApprovalRequest)
            and not entry.settled.done()
        ]

    def _settle(self, entry: _Open, result: object) -> bool:
        """Take an answer; False where it is none. The first one stays."""
        kind = q.ApprovalAnswer if isinstance(entry.params, q.ApprovalRequest) else q.ClarifyAnswer
        try:
            answer = msgspec.convert(result, kind)
        except msgspec.ValidationError as error:
            _log.warning("An answer to the question %s makes no sense: %s.", entry.id, error)
            return False
        if not entry.settled.done():
            entry.settled.set_result(_checked(answer, entry.params))
        return True


class _Undelivered(Exception):
    """All who were asked have declined."""


def _clean(question: q.ClarifyQuestion) -> q.ClarifyQuestion:
    return q.ClarifyQuestion(
        qid=clean_line(question.qid, 40),
        question=clean_text(whole_characters(question.question))[:_TEXT_LIMIT],
        choices=[clean_line(whole_characters(one), _LINE_LIMIT) for one in question.choices[:_CHOICES]],
        multi_select=question.multi_select,
    )


def _checked(
    answer: q.ApprovalAnswer | q.ClarifyAnswer, asked: q.ApprovalRequest | q.ClarifyRequest
) -> q.ApprovalAnswer | q.ClarifyAnswer:
    """A clarification keeps what was locked and takes answers to its own questions only."""
    if isinstance(answer, q.ApprovalAnswer) or isinstance(asked, q.ApprovalRequest):
        return answer
    known = {question.qid for question in asked.questions}
    given = {
        qid: clean_text(whole_characters(text))[:_TEXT_LIMIT]
        for qid, text in answer.answers.items()
        if qid in known
    }
    return q.ClarifyAnswer(asked.answers | given if given else {})
