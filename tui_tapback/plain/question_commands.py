"""The commands for what the agent asks: read the questions, answer one, decline."""

from __future__ import annotations

from typing import assert_never

from tui_tapback.client.open_questions import Approval, Clarify, ClarifyItem, Question, SecretAsked
from tui_tapback.domain.errors import InvalidInput
from tui_tapback.wire.questions import Choice
from tui_tapback.words import _

from . import sentences
from .reading import number
from .room import Expectation, Room

_LEAVE = {"yes": "once", "y": "once", "no": "deny", "n": "deny"}


async def questions(room: Room, rest: str) -> None:
    """``/questions``."""
    if not room.state.questions:
        room.say(_("The agent asks nothing."))
    for asked in room.state.questions:
        room.tell(sentences.question(asked))


async def answer(room: Room, rest: str) -> None:
    """``/answer WORDS`` to the question that was asked first."""
    if not room.state.questions:
        room.say(_("The agent asks nothing."))
        return
    asked = room.state.questions[0]
    if rest.lower() in ("cancel", _("cancel")):
        _told(room, await room.chat.questions.cancel(asked.id))
        return
    match asked:
        case Approval():
            await _approve(room, asked, rest.lower())
        case Clarify():
            await _clarify(room, asked, rest)
        case SecretAsked():
            _ask_unseen(room, asked, rest)
        case _:
            assert_never(asked)


async def _approve(room: Room, asked: Approval, word: str) -> None:
    wanted = _LEAVE.get(word, word)
    choice: Choice | None = None
    for each in asked.choices:
        choice = each if each == wanted else choice
    if choice is None:
        raise InvalidInput(
            _("That is no answer to this question."),
            hint=_("Answer with {choices}.").format(
                choices=", ".join(f"/answer {each}" for each in asked.choices)
            ),
        )
    _told(room, await room.chat.questions.approve(asked.id, choice))


async def _clarify(room: Room, asked: Clarify, words: str) -> None:
    """The first question takes the words; for each further one the next line is asked for."""
    if not words:
        raise InvalidInput(_("Which answer? It belongs behind /answer."))
    await _next_item(room, asked, {asked.items[0].qid: _chosen(asked.items[0], words)})


async def _next_item(room: Room, asked: Clarify, given: dict[str, str]) -> None:
    missing = next((item for item in asked.items if item.qid not in given), None)
    if missing is None:
        _told(room, await room.chat.questions.answer(asked.id, given))
        return

    async def taken(line: str) -> None:
        await _next_item(room, asked, given | {missing.qid: _chosen(missing, line)})

    room.say(missing.question)
    for place, choice in enumerate(missing.choices, 1):
        room.say(f"{place}. {choice}")
    room.expectation = Expectation(_("Answer: "), taken)


def _chosen(item: ClarifyItem, words: str) -> str:
    """The choices of these numbers, else the words themselves."""
    numbers = [number(part) for part in words.split(",")] if item.multi_select else [number(words)]
    found = [
        item.choices[place - 1] for place in numbers if place is not None and 0 < place <= len(item.choices)
    ]
    return ", ".join(found) if found and len(found) == len(numbers) else words.strip()


def _ask_unseen(room: Room, asked: Question, rest: str) -> None:
    if rest:
        raise InvalidInput(
            _("A password is not typed behind a command, where everybody could read it."),
            hint=_("Type /answer alone."),
        )

    async def taken(line: str) -> None:
        _told(room, await room.chat.questions.give_secret(asked.id, line))

    room.expectation = Expectation(_("Unseen: "), taken, hidden=True)


def _told(room: Room, counted: bool) -> None:
    if not counted:
        room.say(_("The question was closed already; your answer did not count."))
