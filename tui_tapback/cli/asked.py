"""Puts into words what a gateway asks while a command runs; it is answered in the chat."""

from __future__ import annotations

from typing import assert_never

from tui_tapback.client.open_questions import Approval, Clarify, Question, SecretAsked
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _


def question_words(question: Question) -> str:
    """What a gateway wants to know, as one clean sentence."""
    match question:
        case Approval():
            what = clean_line(question.description, 200) or _("The agent asks for leave")
            return f"{what.rstrip('.:')}: {clean_line(question.command, 200)}"
        case Clarify():
            return _("The agent asks: {question}").format(
                question=" ".join(clean_line(item.question, 200) for item in question.items)
            )
        case SecretAsked():
            return clean_line(question.prompt, 200) or _("The agent asks for a password.")
        case _:
            assert_never(question)
