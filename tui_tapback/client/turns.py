"""Saying things again or otherwise: undo, edit, regenerate, branch, compress, words into a running turn."""

from __future__ import annotations

from tui_tapback.domain.errors import Busy, RowNotFound
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.domain.values import value
from tui_tapback.wire.base import SessionParams
from tui_tapback.wire.conversation import (
    BranchParams,
    Compressed,
    CompressParams,
    SessionUsage,
    Steered,
    SteerParams,
    Undone,
    UndoParams,
)
from tui_tapback.wire.methods import Branched
from tui_tapback.words import _

from .abilities import Ability
from .desk import Desk
from .hand import Hand
from .intents import Cut
from .state import Notice

_LONG = 600.0
"""Seconds that a summary may take."""


@value
class Cost:
    """What an edit takes away: ``messages`` of both sides (the edited one included), in ``turns`` turns."""

    messages: int
    turns: int
    everything: bool


class Turns:
    """Works on the session on screen. The coroutines raise NotSupported, Busy, RpcError, LinkDown."""

    def __init__(self, desk: Desk, hand: Hand) -> None:
        self._desk = desk
        self._hand = hand

    def cost_of_edit(self, key: str) -> Cost:
        """What falls when this message of the user is said anew. Raises RowNotFound."""
        messages = self._chat()
        place = _place(messages, self._question(messages, key).key)
        falling = messages[place:]
        turns = sum(m.role is Role.USER for m in falling)
        return Cost(len(falling), turns, place == 0 and not self._desk.conversation.window.has_older)

    def edit(self, key: str, text: str) -> str:
        """Say this message of the user otherwise; it and all behind it goes. Returns the new bubble's key.

        The call is the consent: show ``cost_of_edit`` before. Raises RowNotFound, Busy, EmptyMessage,
        MessageTooLong, NotSupported, LinkDown.
        """
        self._desk.require(Ability.EDIT)
        if self._desk.conversation.mirror.running:
            raise Busy(_("The agent is answering just now."), hint=_("Interrupt it first."))
        message = self._question(self._chat(), key)
        if message.row_id is None:
            raise RowNotFound(_("That message is not stored yet."), hint=_("Wait a moment."))
        cost = self.cost_of_edit(message.key)
        cut = Cut(message.row_id, everything=cost.everything, deep=cost.turns > 1)
        new = self._hand.send(text, limit=self._desk.engine.limit, cut=cut)
        self._desk.changed()
        self._desk.engine.wake()
        return new

    def regenerate(self, key: str) -> str:
        """Ask again for the answer of that key: its question is said once more, what came after it goes."""
        question = self._question(self._chat(), key)
        return self.edit(question.key, question.text)

    async def undo(self) -> str:
        """Take the last turn back; returns what the user had said there ("": there was nothing)."""
        self._desk.require(Ability.UNDO)
        conversation = self._desk.conversation
        said = next((m.text for m in reversed(self._chat()) if m.role is Role.USER), "")
        undone = await self._desk.call_idle("session.undo", UndoParams(self._desk.runtime_id()), Undone)
        if undone.removed and self._desk.foreign:
            conversation.stale = True  # ours tells by itself
        self._desk.changed()
        self._desk.engine.wake()
        return clean_text(undone.text or said) if undone.removed else ""

    async def branch(self, name: str | None = None, *, upto: str | None = None) -> str:
        """Copy this chat, as far as the message of that key, and show the copy; returns its session id."""
        self._desk.require(Ability.BRANCH)
        count = None
        if upto is not None:
            conversation = self._desk.conversation
            place = _place(self._chat(), upto)
            window = conversation.window
            hidden = (window.total or 0) - len(self._chat()) if window.has_older else 0
            count = hidden + place + 1
        params = BranchParams(self._desk.runtime_id(), name=name, count=count)
        branched = await self._desk.call_idle("session.branch", params, Branched)
        self._desk.book.open(branched.stored_id)
        self._desk.changed()
        self._desk.engine.wake()
        return branched.stored_id

    async def compress(self, focus: str | None = None) -> str:
        """Sum up the old part for the model; returns how it went, in one line."""
        self._desk.require(Ability.COMPRESS)
        conversation = self._desk.conversation
        before = _tapbacks(self._chat())
        params = CompressParams(self._desk.runtime_id(), focus_topic=focus)
        done = await self._desk.call_idle("session.compress", params, Compressed, within=_LONG)
        if self._desk.foreign and not done.summary.noop:
            # Such a gateway stores the rows that it keeps anew, without their tapbacks.
            conversation.facts.tapbacks_before = before
            conversation.stale = True
        self._desk.changed()
        self._desk.engine.wake()
        return clean_line(done.summary.headline or done.summary.note or done.status, 300)

    async def steer(self, text: str) -> bool:
        """Slip words into the running turn, after its next tool; False where no turn runs."""
        return await self._into_turn("session.steer", text)

    async def redirect(self, text: str) -> bool:
        """Cut the running answer short; it goes on from these words. False where no turn runs."""
        return await self._into_turn("session.redirect", text)

    async def usage(self) -> SessionUsage:
        """Tokens so far, as the model's server counts them."""
        return await self._desk.call("session.usage", SessionParams(self._desk.runtime_id()), SessionUsage)

    # --- inside ----------------------------------------------------------------------------------------

    async def _into_turn(self, method: str, text: str) -> bool:
        self._desk.require(Ability.STEER)
        if not self._desk.conversation.mirror.running:
            return False  # a Hermes gateway would take it for a moment after the answer
        conversation = self._desk.conversation
        params = SteerParams(self._desk.runtime_id(), clean_text(text))
        answer = await self._desk.call(method, params, Steered)
        if answer.status == "rejected":
            return False
        if self._desk.foreign:
            conversation.mirror.told(params.text)
            self._desk.changed()
        if method == "session.steer":
            self._desk.notify(Notice(_("The agent will read that after its next tool.")))
        return True

    def _chat(self) -> list[Message]:
        """The bubbles of both sides that have a row or will have one."""
        return [m for m in self._desk.conversation.messages if m.reactable]

    @staticmethod
    def _question(messages: list[Message], key: str) -> Message:
        """The message of the user at that key, or the one before it."""
        for message in reversed(messages[: _place(messages, key) + 1]):
            if message.role is Role.USER:
                return message
        raise RowNotFound(_("There is no message of yours before that."))


def _place(messages: list[Message], key: str) -> int:
    for place, message in enumerate(messages):
        if message.key == key:
            return place
    raise RowNotFound(_("That message is not in this chat."), hint=_("Choose one that is there."))


def _tapbacks(messages: list[Message]) -> int:
    return sum(len(m.reactions) for m in messages)
