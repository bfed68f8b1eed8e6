"""Answers what a gateway asks of the person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui_tapback.domain.errors import NotFound
from tui_tapback.wire.questions import Choice, RequestAnswerParams, Settled
from tui_tapback.words import _

from .desk import Desk
from .open_questions import Approval, Clarify, Question, SecretAsked


class Questions:
    """The room of a client in which the questions of ``state.questions`` are answered.

    Each call returns True when the answer counted, False where the question was settled already (by another
    client, or too late). Raises NotFound for a question that is not open here, LinkDown, RpcError.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def approve(self, number: str, choice: Choice) -> bool:
        """Answer an approval: "once", "session", "always" or "deny"."""
        return await self._answer(number, Approval, {"choice": choice})

    async def answer(self, number: str, answers: Mapping[str, str]) -> bool:
        """Answer the agent's questions, a text for each ``qid``."""
        return await self._answer(number, Clarify, {"answers": dict(answers)})

    async def give_secret(self, number: str, value: str) -> bool:
        """Hand over a password or secret; it is neither kept nor logged. "" skips it."""
        return await self._answer(number, SecretAsked, {"value": value})

    async def cancel(self, number: str) -> bool:
        """Decline to answer: an approval is denied, a question stays without answer, a secret is skipped."""
        match self._find(number):
            case Approval():
                return await self.approve(number, "deny")
            case Clarify():
                return await self.answer(number, {})
            case SecretAsked():
                return await self.give_secret(number, "")

    def _find(self, number: str) -> Question:
        found = next((q for q in self._desk.conversation.facts.questions.all if q.id == number), None)
        if found is None:
            raise NotFound(
                _("That question is no longer open."), hint=_("It was answered or withdrawn meanwhile.")
            )
        return found

    async def _answer(self, number: str, kind: type[Question], result: dict[str, Any]) -> bool:
        if not isinstance(self._find(number), kind):
            raise NotFound(_("That question wants another kind of answer."))
        conversation = self._desk.conversation
        settled = await self._desk.call("request.answer", RequestAnswerParams(number, result), Settled)
        conversation.facts.questions.withdraw(number)
        self._desk.changed()
        return settled.status == "ok"
