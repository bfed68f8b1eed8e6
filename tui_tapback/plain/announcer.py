"""What happened, as sentences: compares each state of a chat with what was said of it before; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tui_tapback.client.open_questions import Question
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.messages import TAPBACK_TOOLS, Message, Status
from tui_tapback.domain.reactions import Author
from tui_tapback.words import _, plural

from . import sentences
from .numbers import Numbers, counts
from .prose import paragraphs, spoken_lines
from .speech import Speech
from .tapback_news import TapbackNews

PATIENCE = 15.0
"""Seconds of silence in a running turn after which it is said that the agent still works; then rarely."""
_RARELY = 4
_ENDED = (Status.STORED, Status.INTERRUPTED, Status.FAILED)


@dataclass(slots=True)
class _Told:
    """How much of one message has been said: ``said`` characters, and whether its end was."""

    text: str = ""
    said: int = 0
    ended: bool = False
    fault: str = ""


class Announcer:
    """Takes states with the time in Unix seconds and gives lines to say.

    ``due`` is when it should be asked again although nothing happened. ``own``: keys of messages typed here,
    whose words need not be read back. ``muted``: nothing is said of the agent's tapbacks.
    """

    def __init__(self, speech: Speech, numbers: Numbers) -> None:
        self.speech = speech
        self.own: set[str] = set()
        self.muted = False
        self._numbers = numbers
        self._tapbacks = TapbackNews(numbers)
        self._phase: Phase | None = None
        self._waiting = 0
        self._silent_since: float | None = None
        self._silences = 1
        self.reset()

    def reset(self) -> None:
        """Another chat is opened: it is greeted as soon as it has been read."""
        self.own.clear()
        self._told: dict[str, _Told] = {}
        self._tools: set[str] = set()
        self._questions: dict[str, Question] = {}
        self._greeted = False
        self._numbers.clear()
        self._tapbacks.reset()

    @property
    def due(self) -> float | None:
        """When there may be something to say without a new state (None: never)."""
        times = [self._tapbacks.due]
        if self._silent_since is not None:
            times.append(self._silent_since + PATIENCE * self._silences)
        return min((time for time in times if time is not None), default=None)

    def news(self, state: ClientState, now: float) -> list[str]:
        """What is to be said now."""
        lines = list(self._link(state))
        if state.loading:
            return lines
        self._numbers.see(state.messages)
        if not self._greeted and state.connection.phase is not Phase.ONLINE:
            return lines
        if not self._greeted:
            return [*lines, *self._greet(state, now)]
        lines += self._messages(state, now)
        lines += self._tapbacks.news(state, self.speech, now, muted=self.muted)
        lines += self._asked(state)
        lines += self._patience(state, now, spoke=bool(lines))
        return lines

    def _greet(self, state: ClientState, now: float) -> Iterator[str]:
        """What is there already is old news."""
        self._greeted = True
        for message in state.messages:
            if message.tool is not None:
                self._tools.add(message.key)
            elif message.status in _ENDED and counts(message):
                told = self._told[message.key] = _Told(message.text, len(message.text), True)
                told.fault = self._fault(message)
        self._tapbacks.begin(state)
        there = [message for message in self._numbers.messages if message.key not in self.own]
        yield from sentences.welcome(self.speech, state, there, now)
        yield from self._messages(state, now)
        yield from self._asked(state)

    def _link(self, state: ClientState) -> Iterator[str]:
        phase = state.connection.phase
        if phase is not self._phase:
            before, self._phase = self._phase, phase
            if phase is Phase.ONLINE and before not in (None, Phase.CONNECTING):
                yield _("Connected again.")
            elif phase not in (Phase.ONLINE, Phase.CLOSED):  # the greeting says that it stands
                yield sentences.connection(state)
            self._waiting = state.waiting
        elif phase not in (Phase.ONLINE, Phase.CONNECTING) and state.waiting > self._waiting:
            self._waiting = state.waiting
            yield sentences.waiting(state.waiting)

    def _messages(self, state: ClientState, now: float) -> Iterator[str]:
        for message in state.messages:
            if message.tool is not None:
                if message.key not in self._tools:
                    self._tools.add(message.key)
                    if message.tool.name not in TAPBACK_TOOLS:
                        yield self.speech.text(sentences.tool(message.tool))
            elif counts(message):
                yield from self._message(message, now)
        yield from self._gone({message.key for message in state.messages}, state)

    def _message(self, message: Message, now: float) -> Iterator[str]:
        told = self._told.setdefault(message.key, _Told())
        mine = message.role.author is Author.USER
        if mine and message.key in self.own:
            told.text, told.said, told.ended = message.text, len(message.text), message.status in _ENDED
        elif mine and message.status not in _ENDED:
            return  # of another program: said once it counts
        elif told.text != message.text or (message.status in _ENDED and not told.ended):
            yield from self._words(told, message, now)
        fault = self._fault(message)
        if fault != told.fault:
            told.fault = fault
            if fault:
                yield fault

    def _words(self, told: _Told, message: Message, now: float) -> Iterator[str]:
        """The paragraphs that are complete by now, the first one behind the name and the time."""
        text = message.text
        ended = message.status in _ENDED
        if not text.startswith(told.text[: told.said]):
            if not ended:
                return  # wait for what it becomes
            yield _("Message {number} reads otherwise now:").format(number=self._numbers.of(message.key))
            told.said = 0
        end = len(text) if ended else max(paragraphs(text), default=0)
        fresh = spoken_lines(self.speech.text(text[told.said : end])) if end > told.said else []
        if told.said == 0 and fresh:
            shown = message if message.status is not Status.STREAMING else _as_stored(message)
            fresh[0] = f"{sentences.head(self.speech, shown, now)} {fresh[0]}"
        elif ended and not told.ended and message.status is Status.INTERRUPTED:
            fresh.append(_("The answer was interrupted."))
        told.text, told.said, told.ended = text, max(end, told.said), ended
        yield from fresh

    def _fault(self, message: Message) -> str:
        return sentences.fault(message, self._numbers.of(message.key))

    def _gone(self, present: set[str], state: ClientState) -> Iterator[str]:
        lost = [key for key in self._told if key not in present]
        if not lost or state.has_newer or state.has_older:
            return
        heard = sum(self._told.pop(key).ended for key in lost)
        if heard:
            yield plural(
                "{count} message was taken out of the chat.",
                "{count} messages were taken out of the chat.",
                heard,
            ).format(count=heard)

    def _asked(self, state: ClientState) -> Iterator[str]:
        present: Mapping[str, Question] = {asked.id: asked for asked in state.questions}
        for number, asked in present.items():
            if number not in self._questions:
                yield from sentences.question(asked)
        if self._questions.keys() - present.keys():
            yield _("The question is closed.")
        self._questions = dict(present)

    def _patience(self, state: ClientState, now: float, *, spoke: bool) -> Iterator[str]:
        if not state.running or state.questions:
            self._silent_since, self._silences = None, 1
        elif self._silent_since is None or spoke:
            self._silent_since, self._silences = now, 1
        elif now >= self._silent_since + PATIENCE * self._silences:
            self._silences += _RARELY
            yield _("The agent is still at work. /stop interrupts it.")


def _as_stored(message: Message) -> Message:
    """A message whose first paragraph is read while the rest is written needs no word about that."""
    return replace(message, status=Status.STORED)
