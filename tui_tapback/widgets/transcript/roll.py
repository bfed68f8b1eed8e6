"""The roll of messages that are drawn, and what differs when a new state of the session arrives."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from tui_tapback.domain.messages import TAPBACK_TOOLS, Message, Role, Status
from tui_tapback.domain.values import value
from tui_tapback.words.dates import clock

BLOCK: Final = 512


def is_drawn(message: Message) -> bool:
    """Whether a message has a place in the transcript."""
    match message.role:
        case Role.TOOL:
            return message.tool is None or message.tool.name not in TAPBACK_TOOLS
        case Role.ASSISTANT:
            return bool(
                message.text.strip()
                or message.reasoning.strip()
                or message.error
                or message.reactions
                or message.status in (Status.STREAMING, Status.INTERRUPTED, Status.FAILED)
            )
        case Role.USER:
            return True
        case Role.SYSTEM:
            return bool(message.text.strip())


class Days:
    """Tells on which day a moment was, in one time zone; asks the calendar once per day, not per message."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone
        self._start = self._end = 0.0
        self._day: date | None = None

    def day(self, at: float) -> date | None:
        """The day of ``at`` (Unix seconds); None where there is no honest answer."""
        if self._start <= at < self._end:
            return self._day
        if not math.isfinite(at) or at <= 0:
            return None
        try:
            moment = datetime.fromtimestamp(at, self._zone)
        except (OverflowError, OSError, ValueError):
            return None
        midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
        self._start = midnight.timestamp()
        self._end = (midnight + timedelta(days=1)).timestamp()
        self._day = moment.date()
        return self._day

    def clock(self, at: float) -> str:
        """``14:05``, or nothing where the time is unknown."""
        return "" if self.day(at) is None else clock(datetime.fromtimestamp(at, self._zone))


@value
class Entry:
    """One drawn message; ``day`` is set on the first message of a day, ``news`` on the first unread one."""

    message: Message
    day: date | None = None
    news: bool = False

    @property
    def head(self) -> int:
        """Rows above the message itself."""
        return (0 if self.day is None else 2) + self.news


@value
class Changes:
    """What a new state brought.

    ``rebuilt``: places moved, so heights must be laid out anew (``moved`` tells where the old ones went).
    Otherwise ``changed`` are the indexes of changed entries, ``before`` what stood there, and ``appended``
    how many came at the end.
    """

    rebuilt: bool = False
    changed: tuple[int, ...] = ()
    appended: int = 0
    before: tuple[Message, ...] = ()

    def grown(self, roll: Roll) -> bool:
        """Whether all that happened is that answers in the writing have more words."""
        return (
            bool(self.changed)
            and not self.rebuilt
            and not self.appended
            and all(
                (after := roll.entries[index].message).status is Status.STREAMING is before.status
                and after.reactions == before.reactions
                for index, before in zip(self.changed, self.before, strict=True)
            )
        )

    def __bool__(self) -> bool:
        return self.rebuilt or bool(self.changed) or self.appended > 0


def _differing(old: list[Message], new: list[Message], shared: int) -> list[int]:
    """Places among the first ``shared`` at which another value stands.

    Lists compare by identity first and in C, so that blocks in which nothing happened cost next to nothing.
    """
    places: list[int] = []
    for start in range(0, shared, BLOCK):
        stop = min(start + BLOCK, shared)
        if old[start:stop] != new[start:stop]:
            places.extend(place for place in range(start, stop) if old[place] is not new[place])
    return places


class Roll:
    """The drawn messages in order. ``take`` compares by identity: a state that hardly differs is cheap."""

    def __init__(self, days: Days | None = None) -> None:
        self.days = days or Days()
        self._state: list[Message] = []
        self.entries: list[Entry] = []
        self._index: dict[str, int] = {}
        self._reacted: list[int] | None = None
        self._news: str | None = None

    def __len__(self) -> int:
        return len(self.entries)

    def index(self, key: str | None) -> int | None:
        """Where the message with that key is drawn, None if it is not."""
        return None if key is None else self._index.get(key)

    def get(self, key: str | None) -> Message | None:
        """The drawn message with that key."""
        index = self.index(key)
        return None if index is None else self.entries[index].message

    def take(self, messages: Sequence[Message]) -> Changes:
        """Make ``messages`` the state and tell what differs."""
        old, new = self._state, list(messages)
        shared = min(len(old), len(new))
        differing = _differing(old, new, shared)
        in_place = len(new) >= len(old) and all(
            old[i].key == new[i].key and is_drawn(old[i]) == is_drawn(new[i]) and old[i].at == new[i].at
            for i in differing
        )
        self._state = new
        if not in_place:
            self._rebuild()
            return Changes(rebuilt=True)
        changed: list[int] = []
        former: list[Message] = []
        for position in differing:
            index = self._index.get(new[position].key)
            if index is not None and is_drawn(new[position]):
                former.append(self.entries[index].message)
                self._put(index, new[position])
                changed.append(index)
        before = len(self.entries)
        for message in new[shared:]:
            self._append(message)
        appended = len(self.entries) - before
        return Changes(changed=tuple(changed), appended=appended, before=tuple(former))

    def _put(self, index: int, message: Message) -> None:
        before = self.entries[index]
        reacted = bool(message.reactions.items)
        if self._reacted is not None and bool(before.message.reactions.items) != reacted:
            if reacted:
                insort(self._reacted, index)
            else:
                self._reacted.remove(index)
        self.entries[index] = Entry(message, before.day, before.news)

    def amend(self, message: Message) -> Changes | None:
        """Put one message in the place of the one with its key, or at the end, without looking at the others.

        None where that is not enough, because other places would move.
        """
        state = self._state
        index = self._index.get(message.key)
        if index is None:
            if any(message.key == other.key for other in state[-8:]):
                return None  # it was not drawn so far
            state.append(message)
            before = len(self.entries)
            self._append(message)
            return Changes(appended=len(self.entries) - before)
        present = self.entries[index].message
        if not is_drawn(message) or present.at != message.at:
            return None
        place = next(at for at in range(len(state) - 1, -1, -1) if state[at] is present)
        state[place] = message
        self._put(index, message)
        return Changes(changed=(index,), before=(present,))

    @property
    def state(self) -> Sequence[Message]:
        """All messages as they were given, also those that are not drawn."""
        return self._state

    @property
    def reacted(self) -> Sequence[int]:
        """Where the messages with reactions are drawn, in order."""
        if self._reacted is None:
            self._reacted = [
                index for index, entry in enumerate(self.entries) if entry.message.reactions.items
            ]
        return self._reacted

    @property
    def news(self) -> str | None:
        """The key of the first unread message, above which a line says so."""
        return self._news

    def set_news(self, key: str | None) -> tuple[int, ...]:
        """Move the line above the unread messages; gives the indexes of the entries that changed."""
        old, self._news = self._news, key
        changed: list[int] = []
        for at, news in ((old, False), (key, True)):
            index = self.index(at)
            if index is not None and self.entries[index].news != news:
                entry = self.entries[index]
                self.entries[index] = Entry(entry.message, entry.day, news)
                changed.append(index)
        return tuple(changed)

    def _append(self, message: Message) -> None:
        if not is_drawn(message):
            return
        day = self.days.day(message.at)
        news = message.key == self._news
        if day is not None and day == self._last_day:
            entry = Entry(message, None, news)
        else:
            entry = Entry(message, day, news)
            self._last_day = day or self._last_day
        if message.reactions.items:
            self._reacted = None
        self._index[message.key] = len(self.entries)
        self.entries.append(entry)

    def _rebuild(self) -> None:
        self.entries = []
        self._index = {}
        self._last_day = None
        self._reacted = None
        for message in self._state:
            self._append(message)

    _last_day: date | None = None

    def nearest(self, index: int, wanted: int = 0) -> int | None:
        """The reactable entry closest to ``index``; ``wanted`` -1 looks only upward, 1 only downward."""
        for distance in range(len(self.entries)):
            for candidate in (index + distance, index - distance):
                towards = candidate - index
                inside = 0 <= candidate < len(self.entries) and wanted * towards >= 0
                if inside and self.entries[candidate].message.reactable:
                    return candidate
        return None
