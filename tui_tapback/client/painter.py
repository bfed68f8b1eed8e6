"""Draws the intents over the confirmed messages, and gives back the same objects where nothing changed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field, replace

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.domain.values import record

from .intents import Progress, PromptIntent, ReactionIntent, Slot
from .mirror import Mirror
from .overlay import Overlay


@record
class _Touch:
    """What is painted over one message: the newest wish of each part, and why the last one was refused."""

    wishes: dict[str | None, ReactionIntent] = field(default_factory=dict[str | None, ReactionIntent])
    reason: str = ""

    def over(self, base: Message) -> Message:
        """The message with it."""
        reactions = base.reactions
        for part, wish in self.wishes.items():
            reactions = _wished(reactions, part, wish)
        return replace(base, reactions=reactions, reaction_error=self.reason)


def _by_key(overlay: Overlay, reasons: dict[Slot, str]) -> dict[str, _Touch]:
    touches: defaultdict[str, _Touch] = defaultdict(_Touch)
    for intent in overlay:
        if isinstance(intent, ReactionIntent):
            touches[intent.key].wishes[intent.part] = intent
    for (key, _), reason in reasons.items():
        touches[key].reason = reason
    return dict(touches)


class Painter:
    """Remembers what it painted, so that an equal message is the same object the next time."""

    def __init__(self) -> None:
        self._painted: dict[str, Message] = {}

    def paint(self, mirror: Mirror, overlay: Overlay) -> tuple[Message, ...]:
        """The mirror with the intents over it. A message that did not change is the same object."""
        reasons = overlay.refusals.reasons
        if not len(overlay) and not reasons:
            self._painted.clear()
            return mirror.messages
        touches = _by_key(overlay, reasons)
        former, self._painted = self._painted, {}
        ahead, behind = self._prompts(mirror, overlay, touches, former)
        if not (touches or ahead):
            return mirror.messages + tuple(behind)
        shown: list[Message] = []
        for message in mirror.messages:
            shown.extend(ahead.get(message.key, ()))
            touch = touches.get(message.key)
            if touch is None:
                shown.append(message)
            else:
                shown.append(self._same(touch.over(message), message, former))
        return (*shown, *behind)

    def _prompts(
        self,
        mirror: Mirror,
        overlay: Overlay,
        touches: dict[str, _Touch],
        former: dict[str, Message],
    ) -> tuple[dict[str, list[Message]], list[Message]]:
        """Messages without a row: those whose answer is here, by its first bubble, and the others."""
        ahead: dict[str, list[Message]] = {}
        behind: list[Message] = []
        for intent in overlay:
            if isinstance(intent, PromptIntent) and mirror.transcript.get(intent.key) is None:
                touch = touches.get(intent.key) or _Touch()
                message = self._same(touch.over(intent.message()), None, former)
                # Our gateway tells of the row before anything of its turn; nobody else tells of it at all.
                guess = mirror.foreign and intent.may_have_begun
                answer = mirror.start_of(intent.turns + 1) if guess else None
                if answer is not None and mirror.transcript.get(answer) is not None:
                    ahead.setdefault(answer, []).append(message)
                else:
                    behind.append(message)
        return ahead, behind

    def _same(self, painted: Message, base: Message | None, former: dict[str, Message]) -> Message:
        """An object that stood there before, if one is equal."""
        if base is not None and painted == base:
            return base
        before = former.get(painted.key)
        self._painted[painted.key] = before if before is not None and before == painted else painted
        return self._painted[painted.key]


def _wished(reactions: ReactionSet, part: str | None, wish: ReactionIntent) -> ReactionSet:
    present = reactions.by(Author.USER, part)
    if wish.emoji is None:
        return reactions.remove(Author.USER, part)
    if present is not None and present.emoji == wish.emoji:
        return reactions  # the event came before the answer: it is there, and it is one
    confirmed = wish.progress is Progress.ACCEPTED
    return reactions.set(Reaction(wish.emoji, Author.USER, wish.at, part, confirmed, wish.quote))
