"""The chat screen's card: what the gateway asks in mid-turn is shown, gone to, and answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, assert_never

from textual import on
from textual.widget import Widget

from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.table import action
from tui_tapback.client.open_questions import Approval, Clarify, ClarifyItem, Question, SecretAsked
from tui_tapback.client.state import ClientState
from tui_tapback.domain.errors import NotFound
from tui_tapback.emoji.normalise import base_of
from tui_tapback.widgets.asking import Asking, Option, QuestionCard
from tui_tapback.widgets.composer import Composer
from tui_tapback.wire.questions import Choice
from tui_tapback.words import _, mark

from .face import ChatFace

_CHOICES: Final[dict[str, str]] = {
    "once": mark("once"),
    "session": mark("this session"),
    "always": mark("always"),
    "deny": mark("deny"),
}
_BY_TAPBACK: Final[dict[str, Choice]] = {"👍": "once", "👎": "deny"}
_OTHER: Final = "\0other"
"""Stands for an answer in one's own words; no answer of a gateway can be it."""
_SECONDS: Final = 1.0


def options_of(question: Approval, quick: tuple[str, ...], keymap: Keymap) -> tuple[Option, ...]:
    """The answers to an approval; ``quick`` are the reactions on the digits that may answer it too.

    The card knows the default keys; those of ``keymap`` are shown.
    """
    known = [choice for choice in question.choices if choice in _CHOICES]
    options = [
        Option(item.keys[0], choice, _(_CHOICES[choice]), keymap.first(item.id) or "·")
        for choice in known
        for item in (action(f"card_{choice}"),)
    ]
    for digit, emoji in enumerate(quick, 1):
        choice = _BY_TAPBACK.get(base_of(emoji))
        if choice in known:
            options.append(Option(str(digit), choice, emoji))
    return tuple(options)


class QuestionsPart(ChatFace):
    """The card never takes the focus; Alt+A or a click goes to it. Questions are answered one by one."""

    def __init__(self, *positional: Any, **start: Any) -> None:
        super().__init__(*positional, **start)
        self._came: dict[str, float] = {}  # when each open question came, by its id
        self._settled: set[str] = set()
        self._answers: dict[str, str] = {}  # of the clarification on the card, by qid
        self._own_words = ""  # the qid that is answered in one's own words
        self._was_at: Widget | None = None

    def on_mount(self) -> None:
        """Time runs down by itself."""
        self.set_interval(_SECONDS, self.query_one(QuestionCard).tick)

    def show_state(self, state: ClientState) -> None:
        """The oldest open question is on the card."""
        super().show_state(state)
        open_now = {question.id for question in state.questions}
        gone = self._came.keys() - open_now - self._settled
        if gone:
            self.tell(_("A question was answered elsewhere, or withdrawn."))
        self._settled &= open_now
        now = self.clock()
        self._came = {number: self._came.get(number, now) for number in open_now}
        self._show_card(tuple(q for q in state.questions if q.id not in self._settled))

    def _show_card(self, questions: tuple[Question, ...]) -> None:
        card = self.query_one(QuestionCard)
        asking = self._asking(questions[0]) if questions else None
        if asking is None or (card.asking is not None and card.asking.id.split("/")[0] != questions[0].id):
            self._answers, self._own_words = {}, ""
        if asking is not None:
            asking = replace(asking, behind=len(questions) - 1)
        had_focus = self.focused is card
        card.ask(asking)
        if asking is None and had_focus:
            self.action_leave_question()

    def _asking(self, question: Question) -> Asking:
        seconds = None if isinstance(question, SecretAsked) else question.seconds_left
        until = None if seconds is None else self._came[question.id] + seconds
        match question:
            case Approval():
                quick = self.preferences.quick if self.preferences.approve_by_tapback else ()
                body = "\n".join(filter(None, (question.description, question.command)))
                return Asking(
                    question.id,
                    _("May the agent do this?"),
                    body,
                    options_of(question, quick, self.keymap),
                    until=until,
                )
            case Clarify():
                return self._one_of(question, until)
            case SecretAsked():
                what = _("your password") if question.kind == "sudo" else question.name or _("a secret")
                return Asking(
                    question.id,
                    _("The agent needs {what}; it is typed unseen and kept nowhere").format(what=what),
                    question.prompt,
                    hidden=True,
                    esc=_("gives none"),
                )
            case _:
                assert_never(question)

    def _one_of(self, question: Clarify, until: float | None) -> Asking:
        item = self._open_item(question)
        place = question.items.index(item) + 1
        count = len(question.items)
        title = (
            _("The agent asks ({number} of {count})").format(number=place, count=count)
            if count > 1
            else _("The agent asks")
        )
        options: tuple[Option, ...] = ()
        if item.choices and self._own_words != item.qid:
            given = tuple(Option(str(n), c, c) for n, c in enumerate(item.choices[:9], 1))
            options = (*given, Option("0", _OTHER, _("something else…")))
        return Asking(
            f"{question.id}/{item.qid}/{bool(options)}",
            title,
            item.question,
            options,
            many=item.multi_select and bool(options),
            esc=_("gives no answer"),
            until=until,
        )

    def _open_item(self, question: Clarify) -> ClarifyItem:
        waiting = [i for i in question.items if i.answer is None and i.qid not in self._answers]
        return waiting[0] if waiting else question.items[-1]

    @on(QuestionCard.Answered)
    def _answered(self, event: QuestionCard.Answered) -> None:
        event.stop()
        question = self._question(event.asking)
        match question:
            case None:
                pass
            case Approval():
                choice = next((option for option in question.choices if option == event.value), None)
                if choice is not None:
                    self._settle(question, choice)
            case Clarify():
                self._note(question, event.value)
            case SecretAsked():
                self._settle(question, event.value)

    def _note(self, question: Clarify, value: str) -> None:
        item = self._open_item(question)
        if _OTHER in value:
            self._own_words = item.qid
        else:
            self._answers[item.qid] = value
        missing = [i for i in question.items if i.answer is None and i.qid not in self._answers]
        if missing:
            self.show_state(self.chat.state)
        else:
            self._settle(question, dict(self._answers))

    @on(QuestionCard.Declined)
    def _declined(self, event: QuestionCard.Declined) -> None:
        event.stop()
        question = self._question(event.asking)
        if question is not None:
            self._settle(question, None)

    def _question(self, asking: Asking) -> Question | None:
        number = asking.id.split("/")[0]
        return next((q for q in self.chat.state.questions if q.id == number), None)

    def _settle(self, question: Question, answer: str | dict[str, str] | None) -> None:
        self._settled.add(question.id)
        self.show_state(self.chat.state)
        self.later(self._give(question, answer))

    async def _give(self, question: Question, answer: Any) -> None:
        rooms = self.chat.questions
        try:
            if answer is None:
                counted = await rooms.cancel(question.id)
            elif isinstance(question, Approval):
                counted = await rooms.approve(question.id, answer)
            elif isinstance(question, Clarify):
                counted = await rooms.answer(question.id, answer)
            else:
                counted = await rooms.give_secret(question.id, answer)
        except NotFound:
            counted = False  # it was withdrawn at the same moment
        except Exception:
            self._settled.discard(question.id)  # nobody has heard the answer: the card comes back
            self.show_state(self.chat.state)
            raise
        if not counted:
            self.tell(_("That was answered elsewhere already, or too late."))

    @on(QuestionCard.Left)
    def _left(self, event: QuestionCard.Left) -> None:
        event.stop()
        self.action_leave_question()

    def action_leave_question(self) -> None:
        """Back to where one was; the question stays open."""
        back, self._was_at = self._was_at, None
        self.set_focus(back if back is not None and back.is_attached else self.query_one(Composer))

    def action_answer_question(self) -> None:
        """Go to the card."""
        card = self.query_one(QuestionCard)
        if card.asking is None:
            self.tell(_("Nothing is asked just now."))
        elif self.focused is not card:
            self._was_at = self.focused
            self.set_focus(card)
