"""The single path of every reaction: the wire, the toggling call and the agent's tool all end here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from tui_tapback.domain.errors import InvalidInput, RowNotFound, StaleReaction, WrongAuthor
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet, toggled
from tui_tapback.emoji.normalise import normalise
from tui_tapback.gateway.store.records import MessageRecord
from tui_tapback.wire.rows import WirePart, reactions_from_wire, reactions_to_wire

from .core import Core
from .errands import ABROAD, POSTED, Errands, abroad_of
from .inputs import message_part, reference
from .pending import with_withheld, withheld_of
from .ports import ReactionOutcome
from .repetition import answer_before, remember_answer
from .rows import STREAMING
from .sessions import Sessions
from .settings import Reacting, Settings

MAX_PARTS = 12
"""Parts of one row that one author may react to, beside the whole."""
WHOLE = WirePart("")
"""The whole message."""
_REACTABLE = ("user", "assistant")


def reactions_of(row: MessageRecord) -> ReactionSet:
    """The reactions stored with a row; a doubled entry of one author counts once."""
    return reactions_from_wire(row.metadata.get("reactions"))


def with_reactions(metadata: Mapping[str, Any], reactions: ReactionSet) -> dict[str, Any]:
    """The metadata with other reactions; without any, the key goes too."""
    rest = {key: value for key, value in metadata.items() if key != "reactions"}
    return rest | ({"reactions": reactions_to_wire(reactions)} if reactions else {})


class Reactions:
    """Sets, removes and toggles reactions; stores them with their row and tells every attached client."""

    def __init__(self, core: Core, sessions: Sessions, settings: Settings, errands: Errands) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._clock = core.clock
        self._sessions = sessions
        self._settings = settings
        self._errands = errands

    def set(
        self,
        session_id: str,
        row_id: int,
        emoji: str | None,
        author: Author,
        *,
        op_id: str | None = None,
        expected: str | UnsetType | None = UNSET,
        part: WirePart | str | None = None,
        own: bool = True,
    ) -> ReactionOutcome:
        """Put ``emoji`` into the author's slot of a row, or with None empty it; what is so already stays.

        ``op_id``: repeated within 24 hours, it has no effect and the answer is the one given before; where it
        comes with another row, part, emoji or author, it is refused.
        ``expected``: the emoji last seen in the slot (None for none); where neither it nor what is asked for
        is there, nothing changes. A change makes a line due again that was kept back. ``own``: it was chosen
        here, and so is to stand elsewhere too where the message went out.
        Raises SessionNotFound, RowNotFound, NotAnEmoji, StaleReaction, OperationReused, InvalidInput,
        StoreError.
        """
        self._sessions.require(session_id)
        wanted = None if emoji is None else normalise(emoji)
        seen = expected if expected is None or expected is UNSET else normalise(expected)
        place = message_part(part) or WHOLE
        op_id = None if op_id is None else reference(op_id, "op_id")
        asked = {"row_id": row_id, "part": place.anchor, "emoji": wanted, "author": str(author)}
        now = self._clock()
        with self._store.transaction():
            before = self._remembered(session_id, op_id, asked, now)
            if before is not None:
                return before
            row = self._row(session_id, row_id)
            present = reactions_of(row)
            _check_expected(present, author, place.anchor or None, seen, wanted)
            after = _changed(present, author, place, wanted, now)
            changed = after != present
            metadata = _metadata(row, after, author, place) if changed else row.metadata
            outward = own and author is Author.USER and not place.anchor and row.kind == POSTED
            if outward:
                metadata = {**metadata, ABROAD: self._errands.chosen(row, wanted)}
            if metadata is not row.metadata:
                self._store.messages.set_metadata(row_id, metadata)
            told = changed or (outward and bool(abroad_of(row.metadata).complaint))
            seq = self._broadcast.latest(session_id) + 1 if told else None
            outcome = ReactionOutcome(row_id, after, changed, seq)
            if op_id is not None:
                answer = self._answer(outcome)
                remember_answer(self._store, "reaction", session_id, op_id, answer, asked=asked, now=now)
        if told:
            change = _told(present.by(author, place.anchor or None), wanted, author, place)
            payload = {"row_id": row_id, "reactions": reactions_to_wire(after), "role": row.role}
            payload |= {"change": change} if changed else {}
            payload |= {"complaint": ""} if outward else {}
            self._broadcast.emit(session_id, "message.reaction", payload)
        return outcome

    def toggle(
        self,
        session_id: str,
        emoji: str | None,
        *,
        row_id: int | None = None,
        newest_role: str | None = None,
        author: Author = Author.USER,
    ) -> ReactionOutcome:
        """The call of a Hermes gateway: the same emoji again removes. ``row_id`` wins over ``newest_role``.

        Raises WrongAuthor for anyone but the user, and what ``set`` raises.
        """
        if author is not Author.USER:
            raise WrongAuthor("Only the agent itself can react as the agent.", hint="React as the user.")
        self._sessions.require(session_id)
        if row_id is None:
            row_id = self._newest(session_id, newest_role or "").row_id
        if emoji is not None:
            present = reactions_of(self._row(session_id, row_id)).by(author)
            emoji = toggled(present, normalise(emoji))
        return self.set(session_id, row_id, emoji, author)

    def set_as_agent(self, session_id: str, emoji: str | None, messages_back: int) -> ReactionOutcome:
        """The agent's reaction on the user's message that is ``messages_back`` from the newest that was sent.

        Raises RowNotFound, NotAnEmoji, InvalidInput where the person has switched the agent's reactions off.
        """
        if self._settings.reacting is not Reacting.BOTH:
            raise InvalidInput("The user has switched your reactions off.", hint="Answer in words.")
        row = self._newest(session_id, "user", messages_back)
        return self.set(session_id, row.row_id, emoji, Author.AGENT)

    def _newest(self, session_id: str, role: str, back: int = 0) -> MessageRecord:
        if role not in _REACTABLE:
            raise InvalidInput(
                "A reaction needs a message: neither a row nor a role to look for was given.",
                hint='Give row_id, or newest_role "user" or "assistant".',
            )
        row = self._store.messages.newest(session_id, role, back)
        if row is None:
            raise RowNotFound(
                "There is no such message in this chat.", hint="Choose a message that is there."
            )
        return row

    def _row(self, session_id: str, row_id: int) -> MessageRecord:
        row = self._store.messages.get(session_id, row_id)
        # An answer without a word yet may come to nothing, and its row with it.
        begun = row is not None and (bool(row.text) or not row.metadata.get(STREAMING))
        if row is None or row.role not in _REACTABLE or not begun:
            raise RowNotFound(
                "That message is not in this chat (or no longer).", hint="Reload the chat and try again."
            )
        return row

    def _answer(self, outcome: ReactionOutcome) -> dict[str, Any]:
        return {
            "row_id": outcome.row_id,
            "reactions": reactions_to_wire(outcome.reactions),
            "changed": outcome.changed,
            "seq": outcome.seq,
            "epoch": self._broadcast.epoch,
        }

    def _remembered(
        self, session_id: str, op_id: str | None, asked: Mapping[str, Any], now: float
    ) -> ReactionOutcome | None:
        if op_id is None:
            return None
        answer = answer_before(self._store, "reaction", session_id, op_id, asked=asked, now=now)
        if answer is None:
            return None
        return ReactionOutcome(
            row_id=answer["row_id"],
            reactions=reactions_from_wire(answer["reactions"]),
            changed=answer["changed"],
            # A number of an earlier run of the gateway would name another event of this one.
            seq=answer["seq"] if answer["epoch"] == self._broadcast.epoch else None,
        )


def _metadata(row: MessageRecord, after: ReactionSet, author: Author, place: WirePart) -> Mapping[str, Any]:
    """With the new reactions; a line about the user's that was kept back is due again."""
    metadata = with_reactions(row.metadata, after)
    if author is not Author.USER:
        return metadata
    withheld = withheld_of(metadata)
    withheld.pop(place.anchor or None, None)
    return with_withheld(metadata, withheld)


def _told(before: Reaction | None, wanted: str | None, author: Author, place: WirePart) -> dict[str, Any]:
    """What one call changed; ``before`` and ``emoji`` are None for nothing."""
    told = {"author": str(author), "emoji": wanted, "before": None if before is None else before.emoji}
    return told | ({"part": place.anchor} if place.anchor else {})


def _check_expected(
    present: ReactionSet,
    author: Author,
    part: str | None,
    expected: str | UnsetType | None,
    wanted: str | None,
) -> None:
    if expected is UNSET:
        return
    found = present.by(author, part)
    emoji = found.emoji if found is not None else None
    if emoji not in (expected, wanted):
        raise StaleReaction(
            f"Meanwhile the reaction was {'removed' if emoji is None else f'changed to {emoji}'}.",
            present,
            hint="The newer choice stays; react again to replace it.",
        )


def _changed(
    present: ReactionSet, author: Author, place: WirePart, wanted: str | None, now: float
) -> ReactionSet:
    part = place.anchor or None
    if wanted is None:
        return present.remove(author, part)
    after = present.set(Reaction(wanted, author, now, part, quote=place.quote))
    if sum(item.author is author and item.part is not None for item in after) > MAX_PARTS:
        raise InvalidInput(
            f"At most {MAX_PARTS} parts of a message take a reaction of one side.", hint="Remove one first."
        )
    return after
