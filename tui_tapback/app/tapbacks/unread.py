"""The agent's tapbacks that the person has not seen yet: counted, walked, and told after an absence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.values import value
from tui_tapback.words import _, plural

Mark = tuple[str, str | None, str]
"""(message key, part, emoji): one tapback as it was seen. Another emoji in the same place is news again."""


@value
class Digest:
    """What came while nobody looked: message keys in order of the transcript, and how many are one's own."""

    keys: tuple[str, ...] = ()
    mine: int = 0

    def __bool__(self) -> bool:
        return bool(self.keys)

    @property
    def sentence(self) -> str:
        """One line for a banner or an announcement; empty where nothing came."""
        if not self.keys:
            return ""
        rest = len(self.keys) - self.mine
        if not rest:
            return plural(
                "The agent tapped back on {count} of yours.",
                "The agent tapped back on {count} of yours.",
                self.mine,
            ).format(count=self.mine)
        if not self.mine:
            return plural(
                "The agent tapped back on {count} of its own messages.",
                "The agent tapped back on {count} of its own messages.",
                rest,
            ).format(count=rest)
        return _("The agent tapped back on {yours} of yours and {own} of its own messages.").format(
            yours=self.mine, own=rest
        )


class UnreadTapbacks:
    """Follows one session. What is there at the first look is seen unless it is younger than ``since``.

    ``since`` is Unix seconds of the moment at which the person last looked at the session; None: never,
    so that nothing of an old session is news.
    """

    def __init__(self, since: float | None = None) -> None:
        self._since = since
        self._known: set[Mark] | None = None
        self._unread: dict[Mark, None] = {}

    def look(self, messages: Iterable[Message]) -> tuple[Mark, ...]:
        """Compare with ``messages`` as they are now; returns the tapbacks that are news."""
        present: set[Mark] = set()
        fresh: list[Mark] = []
        for message in messages:
            for reaction in message.reactions:
                if reaction.author is not Author.AGENT:
                    continue
                mark = (message.key, reaction.part, reaction.emoji)
                present.add(mark)
                if self._is_news(mark, reaction.at):
                    fresh.append(mark)
        self._known = present
        self._unread = {mark: None for mark in (*self._unread, *fresh) if mark in present}
        return tuple(fresh)

    def _is_news(self, mark: Mark, at: float) -> bool:
        if self._known is None:
            return self._since is not None and at > self._since
        return mark not in self._known

    def saw(self, keys: Collection[str]) -> bool:
        """The messages of ``keys`` were on the screen; whether that made anything read."""
        left = {mark: None for mark in self._unread if mark[0] not in keys}
        changed = len(left) != len(self._unread)
        self._unread = left
        return changed

    @property
    def keys(self) -> frozenset[str]:
        """Messages with an unread tapback."""
        return frozenset(mark[0] for mark in self._unread)

    def __len__(self) -> int:
        return len(self._unread)

    def next(self, messages: Sequence[Message], after: str | None) -> str | None:
        """The message with an unread tapback that comes after ``after``, beginning again at the top."""
        unread = self.keys
        order = [message.key for message in messages]
        start = order.index(after) + 1 if after in order else 0
        return next((key for key in (*order[start:], *order[:start]) if key in unread), None)

    def digest(self, messages: Iterable[Message]) -> Digest:
        """What is unread, for the line after an absence."""
        unread = self.keys
        found = [message for message in messages if message.key in unread]
        return Digest(tuple(m.key for m in found), sum(m.role is Role.USER for m in found))
