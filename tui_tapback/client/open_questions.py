"""What a gateway wants to know of the person in mid-turn: approvals, questions, passwords, as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

import msgspec

from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.domain.values import value
from tui_tapback.wire.peer import SHOWN_QUESTIONS, Asked
from tui_tapback.wire.questions import ApprovalRequest, Choice, ClarifyRequest

LIMIT = 32
"""Open questions kept of one session; a gateway that asks more is not listened to."""


@value
class Approval:
    """May this be done? Answer with one of ``choices`` (once, session, always, deny).

    ``seconds_left`` is how long there was for an answer when it came (None: the gateway does not say).
    """

    id: str
    session_id: str
    command: str
    description: str
    choices: tuple[Choice, ...]
    seconds_left: float | None = field(default=None, compare=False)


@value
class ClarifyItem:
    """One question; without ``choices`` the answer is free text. ``answer``: given elsewhere already."""

    qid: str
    question: str
    choices: tuple[str, ...] = ()
    multi_select: bool = False
    answer: str | None = None


@value
class Clarify:
    """One to five questions of the agent. Answer with a text for each ``qid``."""

    id: str
    session_id: str
    items: tuple[ClarifyItem, ...]
    seconds_left: float | None = field(default=None, compare=False)


@value
class SecretAsked:
    """A password (``kind`` "sudo") or another secret, which is typed unseen and kept nowhere.

    ``prompt`` says what for; ``name`` is the variable of a secret.
    """

    id: str
    session_id: str
    kind: str
    prompt: str
    name: str = ""


Question = Approval | Clarify | SecretAsked


class _Secret(msgspec.Struct):
    session_id: str = ""
    command: str = ""
    prompt: str = ""
    env_var: str = ""


def read_question(asked: Asked) -> Question | None:
    """The question with harmless texts; None where it makes no sense or is none for a person here."""
    try:
        match asked.method:
            case "approval":
                return _approval(asked.id, msgspec.convert(asked.params, ApprovalRequest))
            case "clarify":
                return _clarify(asked.id, msgspec.convert(asked.params, ClarifyRequest))
            case "sudo" | "secret":
                return _secret(asked.id, asked.method, msgspec.convert(asked.params, _Secret))
            case _:
                return None
    except msgspec.ValidationError:
        return None


def _approval(number: str, p: ApprovalRequest) -> Approval:
    return Approval(
        number,
        p.session_id,
        clean_text(p.command)[:4000],
        clean_text(p.description)[:2000],
        tuple(p.choices),
        p.seconds_left,
    )


def _clarify(number: str, p: ClarifyRequest) -> Clarify:
    items = tuple(
        ClarifyItem(
            q.qid,
            clean_text(q.question)[:2000],
            tuple(clean_line(choice, 200) for choice in q.choices[:20]),
            q.multi_select,
            p.answers.get(q.qid),
        )
        for q in p.questions[:10]
    )
    return Clarify(number, p.session_id, items, p.seconds_left)


def _secret(number: str, kind: str, p: _Secret) -> SecretAsked:
    prompt = clean_line(p.prompt or p.command, 400)
    return SecretAsked(number, p.session_id, kind, prompt, clean_line(p.env_var, 80))


class OpenQuestions:
    """The open questions of one session, in the order in which they were asked."""

    def __init__(self) -> None:
        self._open: dict[str, Question] = {}
        self.all: tuple[Question, ...] = ()

    def ask(self, question: Question) -> None:
        """A question came, perhaps for the second time."""
        if question.id in self._open or len(self._open) < LIMIT:
            self._set(self._open | {question.id: question})

    def withdraw(self, number: str) -> None:
        """It is no longer open."""
        self._set({name: question for name, question in self._open.items() if name != number})

    def replace(self, raw: Iterable[Mapping[str, Any]]) -> None:
        """A snapshot says which are open: these and no others."""
        found: dict[str, Question] = {}
        for entry in raw:
            try:
                asked = msgspec.convert(entry, _Entry)
            except msgspec.ValidationError:
                continue
            if asked.method in SHOWN_QUESTIONS:
                question = read_question(Asked(asked.id, asked.method, asked.params))
                if question is not None and len(found) < LIMIT:
                    found[question.id] = question
        self._set(found)

    def _set(self, questions: dict[str, Question]) -> None:
        if questions != self._open:
            self._open = questions
            self.all = tuple(questions.values())


class _Entry(msgspec.Struct):
    id: str
    method: str
    params: Any = None
