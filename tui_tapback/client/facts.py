"""What is known of a session beside its messages: open questions, tokens, warm words, lost tapbacks."""

from __future__ import annotations

from tui_tapback.domain import events as ev
from tui_tapback.words import plural

from .open_questions import OpenQuestions
from .work_facts import WorkFacts


class SessionFacts:
    """``affections`` counts how often the user was warm to the agent, ``pending_changes`` how often what the
    model will be told changed otherwise than by a reaction. ``tapbacks_before`` is set when a gateway that
    loses tapbacks was asked to sum up: how many there were. ``answered`` counts the turns that ended since
    the person last looked. ``branch_of``: see ``ClientState``."""

    def __init__(self) -> None:
        self.questions = OpenQuestions()
        self.work = WorkFacts()
        self.answered = 0
        self.branch_of: str | None = None
        self.usage: ev.UsageReported | None = None
        self.affections = 0
        self.pending_changes = 0
        self.tapbacks_before = 0

    def apply(self, event: ev.SessionEvent) -> None:
        """Take an event; those about messages change nothing here."""
        self.work.apply(event)
        match event:
            case ev.TurnEnded():
                self.answered += 1
            case ev.PendingChanged():
                self.pending_changes += 1
            case ev.UsageReported():
                self.usage = event
            case ev.AffectionShown():
                self.affections += 1
            case ev.QuestionWithdrawn(number):
                self.questions.withdraw(number)
            case _:
                pass

    def lost_tapbacks(self, now: int) -> ev.Notice | None:
        """What to tell the person after the rows were read again."""
        lost, self.tapbacks_before = self.tapbacks_before - now, 0
        if lost <= 0:
            return None
        text = plural(
            "{count} tapback is gone: this gateway drops them when it sums a chat up.",
            "{count} tapbacks are gone: this gateway drops them when it sums a chat up.",
            lost,
        )
        return ev.Notice(text.format(count=lost), "warning")
