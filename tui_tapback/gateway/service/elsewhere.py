"""Messages that went out to other chats: their bubbles here, and the reactions that people set there."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass

from msgspec import UNSET

from tui_tapback.domain.errors import InvalidInput, NotFound, StaleReaction
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.normalise import normalise
from tui_tapback.gateway.store.posts import Address, Post
from tui_tapback.gateway.store.records import NewMessage

from .core import Core
from .errands import POSTED, Errands
from .inputs import message_text, whole_characters
from .reactions import Reactions
from .rows import row_payload
from .sessions import Sessions

_log = logging.getLogger(__name__)
MOST_TAPS = 100
"""People of another chat whose reactions to one message are kept apart."""
_EARLY = 100
_LONGEST_PERSON = 200
Taps = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Tap:
    """What somebody did to a message elsewhere. ``person`` is the platform's id, empty where it is not told;
    ``several``: a second reaction of one person stands beside the first."""

    address: Address
    person: str
    emoji: str
    removed: bool = False
    several: bool = False


class Elsewhere:
    """Whoever reacts there is the other side of the conversation, and so stands on the user's side of the
    bubble here: of several the newest reaction is shown, and when it is taken back the one before.

    ``errands`` are the user's own tapbacks on them, which are to stand there too.
    """

    def __init__(self, core: Core, sessions: Sessions, reactions: Reactions, errands: Errands) -> None:
        self.errands = errands
        self._core = core
        self._sessions = sessions
        self._reactions = reactions
        self._early: deque[Tap] = deque(maxlen=_EARLY)

    def posted(self, session_id: str, address: Address, text: str) -> int:
        """Show a message that has gone out; returns the id of its row, which the model is not sent (it has
        the call that sent it). Raises SessionNotFound, EmptyMessage, MessageTooLong, StoreError."""
        self._sessions.require(session_id)
        shown = message_text(f"→ {address.platform}:{address.chat}\n\n{message_text(text)}")
        now = self._core.clock()
        with self._core.store.transaction():
            row = self._core.store.messages.insert(
                NewMessage(session_id=session_id, role="assistant", text=shown, at=now, kind=POSTED)
            )
            self._core.store.posts.set(address, Post(session_id, row.row_id))
            self._core.store.sessions.touch(session_id, now)
        self._core.broadcast.emit(session_id, "tapback.row", row_payload(row))
        # A platform may tell of a reaction before it has told us that the message arrived.
        early = [tap for tap in self._early if tap.address == address]
        for tap in early:
            self._early.remove(tap)
            self.reacted(tap)
        return row.row_id

    def reacted(self, tap: Tap) -> bool:
        """Bring the bubble in step with what somebody did there; whether its reactions changed.

        What is about no message of ours, about a bubble that is gone or in a deleted session, or no emoji, is
        passed over. Raises StoreError; nothing has changed then.
        """
        post = self._core.store.posts.get(tap.address)
        if post is None:
            self._early.append(tap)
            return False
        try:
            taps = _after(post.taps, tap)
            with self._core.broadcast.held(), self._core.store.group():
                self._core.store.posts.set(tap.address, Post(post.session_id, post.row_id, taps))
                return self._show(post, taps, removed=tap.removed)
        except (InvalidInput, NotFound) as error:
            _log.info("A reaction from %s is not shown here: %s", tap.address.platform, error)
            return False

    def _show(self, post: Post, taps: Taps, *, removed: bool) -> bool:
        """What was chosen here meanwhile stays when somebody there takes theirs back."""
        before = post.taps[-1][1] if post.taps else None
        now = taps[-1][1] if taps else None
        if now == before:
            return False
        expected = before if removed else UNSET
        try:
            return self._reactions.set(
                post.session_id, post.row_id, now, Author.USER, expected=expected, own=False
            ).changed
        except StaleReaction:
            return False


def _after(taps: Taps, tap: Tap) -> Taps:
    """Raises NotAnEmoji."""
    person, emoji = clean_line(whole_characters(tap.person[:_LONGEST_PERSON])), normalise(tap.emoji)
    if tap.removed:
        return tuple(entry for entry in taps if entry != (person, emoji))
    rest = (entry for entry in taps if entry != (person, emoji) and (tap.several or entry[0] != person))
    return (*rest, (person, emoji))[-MOST_TAPS:]
