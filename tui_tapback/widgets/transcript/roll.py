"""The roll of messages that are drawn, and what differs when a new state of the session arrives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from tui_tapback.domain.messages import Message, Role, Status

BLOCK: Final = 512
# Tools whose point is what they did (a bubble, a badge); a row for them would only repeat it.
SILENT_TOOLS = frozenset({"send_message", "react_to_message"})


def is_drawn(message: Message) -> bool:
    """Whether a message has a place in the transcript."""
    match message.role:
        case Role.TOOL:
            return message.tool is None or message.tool.name not in SILENT_TOOLS
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
        return "" if self.day(at) is None else datetime.fromtimestamp(at, self._zone).strftime("%H:%M")


@dataclass(frozen=True, slots=True)
class Entry:
    """One drawn message; ``day`` is set on the first message of a day."""

    message: Message
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """What a new state brought.

    ``rebuilt``: places moved, so heights must be laid out anew (``moved`` tells where the old ones went).
    Otherwise ``changed`` are the indexes of changed entries and ``appended`` how many came at the end.
    """

    rebuilt: bool = False
    changed: tuple[int, ...] = ()
    appended: int = 0

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
        for position in differing:
            index = self._index.get(new[position].key)
            if index is not None and is_drawn(new[position]):
                self.entries[index] = Entry(new[position], self.entries[index].day)
                changed.append(index)
        before = len(self.entries)
        for message in new[shared:]:
            self._append(message)
        return Changes(changed=tuple(changed), appended=len(self.entries) - before)

    def _append(self, message: Message) -> None:
        if not is_drawn(message):
            return
        day = self.days.day(message.at)
        if day is not None and day == self._last_day:
            entry = Entry(message)
        else:
            entry = Entry(message, day)
            self._last_day = day or self._last_day
        self._index[message.key] = len(self.entries)
        self.entries.append(entry)

    def _rebuild(self) -> None:
        self.entries = []
        self._index = {}
        self._last_day = None
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
