"""Questions that a gateway asks its clients, and the requests by which they are answered or looked up."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .base import Method, Params, Result

APPROVAL = "approval"
CLARIFY = "clarify"
QUESTIONS = (APPROVAL, CLARIFY)
"""What our gateway asks."""
Choice = Literal["once", "session", "always", "deny"]


class ApprovalRequest(msgspec.Struct):
    """``approval``: may this be done? Answered by ApprovalAnswer.

    ``command`` is what would be done, on one line; ``description`` says it in words. ``pattern_key`` is what
    "session" and "always" would allow from then on. ``seconds_left`` (ours) is how long there is for an
    answer.
    """

    session_id: str
    request_id: str
    command: str
    description: str
    pattern_key: str
    pattern_keys: list[str]
    allow_permanent: bool = True
    allow_session: bool = True
    seconds_left: float | None = None
    choices: tuple[Choice, ...] = ("once", "session", "always", "deny")


class ApprovalAnswer(msgspec.Struct):
    """``{choice}``."""

    choice: Choice


class ClarifyQuestion(msgspec.Struct):
    """One of the questions of ``clarify``; without ``choices`` the answer is free text."""

    qid: str
    question: str
    choices: list[str] = []
    multi_select: bool = False


class ClarifyRequest(msgspec.Struct):
    """``clarify``: one to five questions. ``answers`` holds those that are locked already."""

    session_id: str
    questions: list[ClarifyQuestion]
    answers: dict[str, str] = {}
    seconds_left: float | None = None


class ClarifyAnswer(msgspec.Struct):
    """``{answers: {qid: text}}``; empty means that the person does not want to answer."""

    answers: dict[str, str]


class RequestAnswerParams(Params):
    """``id``: the id of the question's frame; ``result``: what would have been the result."""

    id: str
    result: Any
    session_id: str | None = None


class Settled(Result):
    """``status``: "ok", or "expired" where the question is no longer open."""

    status: str = "ok"


class ApprovalRespondParams(Params):
    """Answer one approval (the oldest, or ``request_id``), or ``all`` of the session."""

    session_id: str
    choice: Choice
    request_id: str | None = None
    all: bool = False


class Resolved(Result):
    """How many approvals were answered."""

    resolved: int = 0


class ApprovalPendingParams(Params):
    """A session."""

    session_id: str


class ApprovalPending(Result):
    """The approvals that wait for an answer, oldest first."""

    requests: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    count: int = 0


class ClarifyLockParams(Params):
    """Answer one question of a ``clarify``; ``request_id`` is the id of its frame."""

    session_id: str
    request_id: str
    question_id: str
    answer: str


class ClarifyLocked(Result):
    """``remaining``: questions that have no answer yet; the last answer settles the request."""

    status: str = "ok"
    remaining: list[str] = msgspec.field(default_factory=list[str])


QUESTION_METHODS = (
    Method("request.answer", RequestAnswerParams, Settled, "Answer an open question by its id."),
    Method("approval.respond", ApprovalRespondParams, Resolved, "Answer approvals of a session."),
    Method("approval.pending", ApprovalPendingParams, ApprovalPending, "Approvals that wait."),
    Method("clarify.lock", ClarifyLockParams, ClarifyLocked, "Answer one question of several."),
)
