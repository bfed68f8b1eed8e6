"""What the commands share: the chat, the numbers of its messages, where one is, and what was asked last."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.intents import ANYTHING, Expected
from tui_tapback.client.library import Hit
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import ClientState, Phase, SessionSummary
from tui_tapback.client.tapback_history import Change, TapbackHistory
from tui_tapback.client.tapback_memory import Change as KeptChange
from tui_tapback.client.tapback_memory import Kept, Pin, TapbackMemory
from tui_tapback.config.writing import SettingsFile
from tui_tapback.domain.errors import InvalidInput, NotSupported, RowNotFound
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.words import _

from .announcer import Announcer
from .numbers import Numbers
from .speech import Pictures, Speech


class Gateways(Protocol):
    """The gateways of this person, by name."""

    @property
    def current(self) -> str:
        """The name of the one with which the program began; empty: our own."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """All names, our own (empty) first."""
        ...

    def chat(self, name: str) -> ChatClient:
        """A chat with that gateway that has not begun. Raises SettingsError."""
        ...


@dataclass(frozen=True, slots=True)
class Choices:
    """What the person has set, as far as this mode needs it. ``file``: where settings are changed."""

    quick: tuple[str, ...]
    quiet: bool
    file: SettingsFile
    environ: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Expectation:
    """The next line is for this. ``hidden``: it is typed unseen; ``prefill`` stands in the line already."""

    prompt: str
    take: Callable[[str], Awaitable[None]]
    hidden: bool = False
    prefill: str = ""


class Room:
    """Belongs to one run of the program; another gateway is another ``chat`` in the same room.

    The program sets ``say`` and ``changed_chat``, which is to be called when another chat is shown.
    """

    def __init__(
        self,
        chat: ChatClient,
        gateways: Gateways,
        choices: Choices,
        speech: Speech,
        *,
        memory: TapbackMemory,
        clock: Callable[[], float],
    ) -> None:
        self.chat = chat
        self.gateways = gateways
        self.gateway = gateways.current
        self.choices = choices
        self.numbers = Numbers()
        self._memory = memory
        self.pins: tuple[Pin, ...] = ()
        self.told_of_switch = False
        self.announcer = Announcer(speech, self.numbers)
        self.announcer.muted = self.remembered.muted
        self.clock = clock
        self.say: Callable[[str], None] = lambda line: None
        self.quiet = choices.quiet
        self.leaving = False
        self.expectation: Expectation | None = None
        self.place: str | None = None
        self.sessions: tuple[SessionSummary, ...] = ()
        self.hits: tuple[Hit, ...] = ()
        self.gone: tuple[str, str] | None = None
        self.steps = TapbackHistory()
        self.changed_chat: Callable[[], None] = lambda: None

    @property
    def remembered(self) -> Kept:
        """What this machine keeps of tapbacks and pins, as a screen beside this has it now."""
        self._memory.refresh()
        return self._memory.now

    def remember(self, change: KeptChange) -> str:
        """Keep a change for the screen as well; returns a sentence where it could not be written, else ""."""
        self._memory.change(change)
        return self._memory.save()

    @property
    def speech(self) -> Speech:
        """How things are said at the moment."""
        return self.announcer.speech

    def speak(self, pictures: Pictures) -> None:
        """Say emoji otherwise from now on."""
        self.announcer.speech = replace(self.speech, pictures=pictures)

    @property
    def state(self) -> ClientState:
        """The newest, with its messages numbered."""
        state = self.chat.state
        if not state.loading:
            self.numbers.see(state.messages)
        return state

    @property
    def now(self) -> float:
        """Unix seconds."""
        return self.clock()

    def tell(self, lines: Sequence[str]) -> None:
        """Say several lines."""
        for line in lines:
            self.say(line)

    def other_chat(self) -> None:
        """Another chat is shown from now on: its numbers begin anew."""
        self.announcer.reset()
        self.place = None
        self.steps = TapbackHistory()

    # --- messages --------------------------------------------------------------------------------------

    @property
    def messages(self) -> tuple[Message, ...]:
        """The bubbles of both sides. Raises RowNotFound where there is none."""
        if self.state.loading:
            raise RowNotFound(_("The chat is still being read."), hint=_("Try again in a moment."))
        if not self.numbers.messages:
            raise RowNotFound(_("There is no message in this chat yet."))
        return self.numbers.messages

    def number(self, message: Message) -> int:
        """Its number."""
        return self.numbers.of(message.key)

    def chosen(self, number: int | None, role: Role | None = None, *, back: int = 1) -> Message:
        """Message ``number``, else the ``back``-th last of that role. Raises RowNotFound, InvalidInput."""
        messages = self.messages
        if number is not None:
            message = self.numbers.message(number)
            if role is not None and message.role is not role:
                words = _("Message {number} is yours; choose one of the agent.")
                if role is Role.USER:
                    words = _("Message {number} is the agent's; choose one of yours.")
                raise InvalidInput(words.format(number=number))
            return message
        fitting = [message for message in messages if role in (None, message.role)]
        if len(fitting) < back:
            raise RowNotFound(_("There is no such message in this chat, so nothing was done."))
        return fitting[-back]

    def here(self, number: int | None) -> Message:
        """Message ``number``, else the one where the person is, else the last. Raises RowNotFound."""
        if number is None and self.place is not None and self.messages:
            found = self.numbers.find(self.place)
            if found is not None:
                return found
        return self.chosen(number)

    def go(self, message: Message) -> None:
        """The person is at this message now."""
        self.place = message.key

    # --- tapbacks --------------------------------------------------------------------------------------

    def present(self, key: str, part: str | None = None) -> str | None:
        """The person's emoji there."""
        message = self.numbers.find(key)
        mine = message.reactions.by(Author.USER, part) if message is not None else None
        return mine.emoji if mine is not None else None

    def react(self, message: Message, emoji: str | None) -> Change:
        """Set or take back; it is announced once the gateway has it. Raises TapbackError."""
        before = self.present(message.key)
        self.set(message.key, emoji)
        change = Change(message.key, before, emoji)
        self.steps.record([change])
        return change

    def set(
        self,
        key: str,
        emoji: str | None,
        part: str | None = None,
        quote: str = "",
        *,
        expected: Expected = ANYTHING,
    ) -> None:
        """The same without a step that could be undone."""
        self.chat.set_reaction(key, emoji, part, quote, expected=expected)

    # --- asking ----------------------------------------------------------------------------------------

    def need(self, ability: Ability) -> None:
        """Raises NotSupported where the gateway that is there cannot."""
        if self.online and ability not in self.chat.state.abilities:
            raise NotSupported(lack_of(ability))

    @property
    def online(self) -> bool:
        """Whether the gateway is there."""
        return self.chat.state.connection.phase is Phase.ONLINE

    def ask(self, question: str, then: Callable[[], Awaitable[None]]) -> None:
        """Do it if the next line is a yes."""

        async def answered(line: str) -> None:
            if line.strip().lower() in (_("yes"), "yes", "y"):
                await then()
            else:
                self.say(_("Nothing was done."))

        self.say(question)
        self.expectation = Expectation(_("yes or no: "), answered)
