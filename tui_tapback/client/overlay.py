"""The person's intents over the mirror: painted at once, dropped once confirmed, or rolled back."""

from __future__ import annotations

from collections.abc import Iterator

from tui_tapback.domain.reactions import Author

from .intents import ANYTHING, Expected, Intent, Progress, PromptIntent, ReactionIntent, Slot
from .mirror import Mirror
from .refusals import Refusals


class Overlay:
    """Pure state. Of several wishes for one slot only the newest is painted and, if it can be, sent."""

    def __init__(self) -> None:
        self._intents: list[Intent] = []
        self.refusals = Refusals()

    def __iter__(self) -> Iterator[Intent]:
        return iter(self._intents)

    def __len__(self) -> int:
        return len(self._intents)

    @property
    def undelivered(self) -> tuple[Intent, ...]:
        """Messages and reactions that will still go out by themselves or are on their way."""
        refused = {i.key for i in self._intents if i.progress is Progress.REFUSED}
        open_states = (Progress.WAITING, Progress.SENT)
        return tuple(i for i in self._intents if i.progress in open_states and i.key not in refused)

    @property
    def wants_session(self) -> bool:
        """Whether a message waits for a session to be made."""
        return any(isinstance(i, PromptIntent) and i.progress is Progress.WAITING for i in self._intents)

    # --- what the person asks --------------------------------------------------------------------------

    def react(self, intent: ReactionIntent) -> None:
        """Add a wish; an older one for the slot that never left is forgotten, its expectation inherited."""
        self.refusals.withdraw(intent.slot)
        for older in self._reactions(intent.slot):
            if older.progress is Progress.WAITING and not older.uncertain:
                intent.expected = older.expected if intent.expected is not ANYTHING else ANYTHING
                self._intents.remove(older)
            elif intent.expected is not ANYTHING:
                # What the slot holds depends on that one's fate, which nobody knows yet.
                intent.expected = older.emoji if older.progress is Progress.ACCEPTED else ANYTHING
        self._intents.append(intent)

    def add(self, intent: Intent) -> None:
        """Take over an intent as it is, behind the others."""
        self._intents.append(intent)

    def say(self, intent: PromptIntent) -> None:
        """Add a message."""
        self._intents.append(intent)

    def prompt(self, key: str) -> PromptIntent | None:
        """The message of that key, if it is still an intent."""
        return next((i for i in self._intents if isinstance(i, PromptIntent) and i.key == key), None)

    def wish(self, key: str, part: str | None) -> ReactionIntent | None:
        """The newest wish for a slot."""
        found = self._reactions((key, part))
        return found[-1] if found else None

    def discard(self, key: str) -> str | None:
        """Withdraw a message that has not left, with the reactions to it; returns its text, else None."""
        prompt = self.prompt(key)
        if prompt is None or not prompt.may_change:
            return None
        self._intents.remove(prompt)
        self.forget_message(key)
        return prompt.text

    def forget_message(self, key: str) -> None:
        """The message is gone: so are the wishes on it."""
        self._intents = [i for i in self._intents if not (isinstance(i, ReactionIntent) and i.key == key)]
        self.refusals.forget(key)

    # --- what may go out now ---------------------------------------------------------------------------

    def due(self, mirror: Mirror) -> list[Intent]:
        """Intents that may be sent at this moment, in order.

        Wishes for one slot go one after another, different slots at once. A message goes after the reactions
        before it, so that the model is told of them with it, after the messages before it, and only when no
        turn runs. A wish on a message without a row waits without holding up anything.
        """
        found: list[Intent] = []
        busy: set[Slot] = set()
        reactions_first = message_first = False
        for intent in self._intents:
            match intent:
                case ReactionIntent(progress=Progress.SENT):
                    busy.add(intent.slot)
                    reactions_first = True
                case ReactionIntent(progress=Progress.WAITING):
                    if self.row_of(intent, mirror) is not None:
                        reactions_first = True
                        if intent.slot not in busy:
                            found.append(intent)
                    busy.add(intent.slot)
                case PromptIntent(progress=Progress.WAITING):
                    if not (reactions_first or message_first) and mirror.idle:
                        found.append(intent)
                    message_first = True
                case PromptIntent():
                    message_first = message_first or intent.progress is Progress.SENT or intent.queued
                case _:
                    pass  # accepted: only the mirror has to catch up
        return found

    def row_of(self, intent: ReactionIntent, mirror: Mirror) -> int | None:
        """The row of the bubble that a wish is for, if it has one."""
        row = mirror.transcript.row_of(intent.key)
        if row is None and (prompt := self.prompt(intent.key)) is not None:
            row = prompt.row_id
        return intent.row_id if row is None else row

    def find_bubbles(self, mirror: Mirror) -> None:
        """Wishes that were kept through a restart of the program know the row; its bubble is here now."""
        for intent in self._intents:
            if isinstance(intent, ReactionIntent) and mirror.transcript.get(intent.key) is None:
                intent.key = mirror.transcript.key_of(intent.row_id) or intent.key

    # --- what became of it -----------------------------------------------------------------------------

    def accepted(self, intent: ReactionIntent, reached: int | None) -> None:
        """The gateway did it; event number ``reached`` tells all. Older wishes for the slot are history."""
        intent.progress = Progress.ACCEPTED
        intent.reached = reached
        intent.uncertain = False
        for other in self._reactions(intent.slot):
            if other is intent:
                continue
            if other.progress is Progress.ACCEPTED:
                self._intents.remove(other)
            elif other.progress is Progress.WAITING and other.expected is not ANYTHING:
                other.expected = intent.emoji

    def done(self, intent: Intent) -> None:
        """Nothing more is to be expected of it: the mirror shows it, or it was withdrawn."""
        if intent in self._intents:
            self._intents.remove(intent)

    def refused(self, intent: ReactionIntent, reason: str) -> bool:
        """Roll this one back alone; False where a newer wish for the slot stands."""
        self.done(intent)
        if self._reactions(intent.slot):
            return False
        self.refusals.add(intent, reason)
        return True

    def lost(self) -> None:
        """The link broke: what was on the wire may or may not have arrived."""
        for intent in self._intents:
            if intent.progress is Progress.SENT:
                intent.progress = Progress.WAITING
                intent.uncertain = True

    def settle(self, mirror: Mirror, reached: int | None) -> None:
        """Drop what the mirror shows by now: event number ``reached`` has been applied."""
        kept: list[Intent] = []
        for intent in self._intents:
            match intent:
                case ReactionIntent(progress=Progress.ACCEPTED, reached=number):
                    if number is None or reached is None or reached < number:
                        kept.append(intent)
                case PromptIntent():
                    if mirror.transcript.get(intent.key) is None:
                        kept.append(intent)
                case _:
                    kept.append(intent)
        self._intents = kept

    def unnumbered(self) -> frozenset[str]:
        """The op ids of accepted wishes of which nobody said which event carries them."""
        return frozenset(
            i.op_id
            for i in self._intents
            if isinstance(i, ReactionIntent) and i.progress is Progress.ACCEPTED and i.reached is None
        )

    def caught_up(self, op_ids: frozenset[str]) -> None:
        """The mirror was read anew after these were accepted: they are in it."""
        self._intents = [
            i for i in self._intents if not (isinstance(i, ReactionIntent) and i.op_id in op_ids)
        ]

    def renumbered(self) -> None:
        """The gateway counts anew: the numbers it gave mean nothing any more."""
        for intent in self._intents:
            if isinstance(intent, ReactionIntent):
                intent.reached = None

    def _reactions(self, slot: Slot) -> list[ReactionIntent]:
        return [i for i in self._intents if isinstance(i, ReactionIntent) and i.slot == slot]


def expectation(mirror: Mirror, key: str, part: str | None, *, offline: bool) -> Expected:
    """What must still stand in the slot for a wish made while offline; online a wish is unconditional."""
    if not offline:
        return ANYTHING
    message = mirror.transcript.get(key)
    present = message.reactions.by(Author.USER, part) if message is not None else None
    return present.emoji if present is not None else None
