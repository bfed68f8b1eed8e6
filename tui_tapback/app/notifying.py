"""What is worth a notification, in words that give nothing away, and not too often; pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final, assert_never

from tui_tapback.client.open_questions import Approval, Clarify, Question, SecretAsked
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.export.bare import bare_line
from tui_tapback.words import _

GAP: Final = 10.0
"""Seconds between two notifications at least."""
PREVIEW: Final = 120
"""Characters of an answer that are shown."""


class Weight(IntEnum):
    """What is told first where several things come at once."""

    TAPBACK = 0
    ANSWER = 1
    FAILURE = 2
    QUESTION = 3


@value
class News:
    """``text`` is one clean line that begins with a word of ours."""

    weight: Weight
    text: str


class Watcher:
    """Follows the states of one chat and says what came: answers, failures, questions.

    An answer is news when its turn is over. What is there at the first look at a session, and what comes by
    paging through it, is none. Tapbacks are followed where they are counted.
    """

    def __init__(self) -> None:
        self._session: str | None = None
        self._at_end = False
        self._ran = False
        self._known: frozenset[str] = frozenset()
        self._failed: frozenset[str] = frozenset()
        self._asked: frozenset[str] = frozenset()

    def look(self, state: ClientState) -> tuple[News, ...]:
        """The news in ``state``."""
        if state.connection.phase is not Phase.ONLINE or state.session_id is None or state.loading:
            return ()
        same = state.session_id == self._session
        if not same:
            self._session, self._known, self._ran = state.session_id, frozenset(), False
        news = (*self._questions(state.questions, same=same), *self._turn(state, same=same))
        self._at_end = not state.has_newer
        return news

    def _questions(self, questions: Sequence[Question], *, same: bool) -> Iterable[News]:
        before, self._asked = self._asked, frozenset(each.id for each in questions)
        fresh = [each for each in questions if each.id not in before] if same else []
        return [News(Weight.QUESTION, _asks(each)) for each in fresh]

    def _turn(self, state: ClientState, *, same: bool) -> Iterable[News]:
        if state.running and same:
            self._ran = True
            return ()  # a turn may have several messages: it is told once, at its end
        before, failed = self._known, self._failed
        self._known = frozenset(m.key for m in state.messages if m.status not in _UNDER_WAY)
        self._failed = frozenset(m.key for m in state.messages if m.status is Status.FAILED)
        if not same or not self._at_end or state.has_newer or not (before or self._ran):
            return ()
        fresh = _behind(state.messages, before)
        if self._failed & (before | {m.key for m in fresh}) - failed:
            # What a provider says of a failure may hold addresses and keys: it stands in the chat.
            return [News(Weight.FAILURE, _("Failed: the last turn ended with an error."))]
        answers = [m for m in fresh if m.role is Role.ASSISTANT and m.status is Status.STORED]
        return [News(Weight.ANSWER, _answer(answers[-1]))] if answers else ()


_UNDER_WAY: Final = frozenset({Status.WAITING, Status.SENDING, Status.STREAMING})


def _behind(messages: Sequence[Message], known: frozenset[str]) -> list[Message]:
    """Those that came after all that was known; none where nothing of it is left."""
    fresh: list[Message] = []
    for message in reversed(messages):
        if message.key in known:
            return fresh[::-1]
        fresh.append(message)
    return [] if known else fresh[::-1]


def _answer(message: Message) -> str:
    said = bare_line(message, PREVIEW)
    return f"{_('Agent')}: {said}" if said else _("Agent: answered.")


def _asks(question: Question) -> str:
    """A command may hold a password, and a notification may stand on a locked screen."""
    match question:
        case Approval():
            return _("Agent asks whether it may do something.")
        case SecretAsked():
            return _("Agent asks for something that is typed unseen.")
        case Clarify(items=items):
            first = clean_line(items[0].question, PREVIEW) if items else ""
            return _("Agent asks: {first}").format(first=first) if first else _("Agent asks something.")
        case _:
            assert_never(question)


class Pace:
    """One notification in ``GAP`` seconds; what comes meanwhile is gathered into the next."""

    def __init__(self) -> None:
        self._last = -math.inf
        self._waiting: list[News] = []

    def add(self, news: Iterable[News]) -> None:
        """Something came."""
        self._waiting.extend(news)

    def drop(self) -> None:
        """Somebody looks: nothing needs to be told any more."""
        self._waiting.clear()

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._waiting

    @property
    def only_tapbacks(self) -> bool:
        """Whether what waits can wait for the answer that mostly follows a tapback."""
        return all(each.weight is Weight.TAPBACK for each in self._waiting)

    def due(self, now: float) -> str | None:
        """What is to be told at ``now`` (seconds of a clock that never goes back), None for nothing yet."""
        if not self._waiting or now - self._last < GAP:
            return None
        self._last = now
        text = summary(self._waiting)
        self._waiting.clear()
        return text

    def wait(self, now: float) -> float | None:
        """Seconds until something is due, None where nothing waits."""
        return max(0.0, self._last + GAP - now) if self._waiting else None


def summary(news: Sequence[News]) -> str:
    """The weightiest, the newest of these, and how many there are besides."""
    first = max(enumerate(news), key=lambda each: (each[1].weight, each[0]))[1]
    rest = len(news) - 1
    return _("{text} (+{count} more)").format(text=first.text, count=rest) if rest else first.text
