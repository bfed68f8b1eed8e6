"""An ordered list of messages with look-up by key and by row, which gives back the same objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from tui_tapback.domain.messages import Message, Role, Status


class Transcript:
    """Messages in order. Setting an equal message keeps the old object, so that identity means unchanged."""

    def __init__(self) -> None:
        self._order: list[str] = []
        self._by_key: dict[str, Message] = {}
        self._key_of_row: dict[int, str] = {}
        self._tuple: tuple[Message, ...] | None = ()

    @property
    def messages(self) -> tuple[Message, ...]:
        """The same tuple until something changes."""
        if self._tuple is None:
            self._tuple = tuple(self._by_key[key] for key in self._order)
        return self._tuple

    def get(self, key: str | None) -> Message | None:
        """The message of that key."""
        return self._by_key.get(key) if key is not None else None

    def key_of(self, row_id: int | None) -> str | None:
        """The key that was given to a row, also before the message itself is here."""
        return self._key_of_row.get(row_id) if row_id is not None else None

    def row_of(self, key: str) -> int | None:
        """The row of a message."""
        message = self._by_key.get(key)
        return message.row_id if message is not None else None

    def newest_row(self) -> int:
        """The highest row id seen, 0 for none."""
        return max(self._key_of_row, default=0)

    def oldest_row(self) -> int | None:
        """The row of the first message that has one."""
        return next((m.row_id for m in self.messages if m.row_id is not None), None)

    def newest_shown(self) -> int | None:
        """The row of the last message that has one."""
        return next((m.row_id for m in reversed(self.messages) if m.row_id is not None), None)

    def join(self, messages: Sequence[Message], *, older: bool) -> int:
        """Put a page in front of everything or behind it; those that are here already stay in their places.

        Returns how many came.
        """
        for message in messages:
            if message.key in self._by_key:
                self.put(message)
        fresh = {m.key: m for m in messages if m.key not in self._by_key}
        self._order = [*fresh, *self._order] if older else [*self._order, *fresh]
        self._by_key |= fresh
        self._key_of_row |= {m.row_id: m.key for m in fresh.values() if m.row_id is not None}
        self._tuple = None
        return len(fresh)

    def trim(self, limit: int, *, older: bool) -> bool:
        """Let go what is more than ``limit`` messages, at the front (``older``) or at the end."""
        surplus = len(self._order) - limit
        if surplus <= 0:
            return False
        gone = self._order[:surplus] if older else self._order[-surplus:]
        self._order = self._order[surplus:] if older else self._order[:-surplus]
        for key in gone:
            row_id = self._by_key.pop(key).row_id
            if row_id is not None:
                self._key_of_row.pop(row_id, None)
        self._tuple = None
        return True

    def tool(self, call_id: str) -> Message | None:
        """The newest tool row of a call."""
        for key in reversed(self._order):
            message = self._by_key[key]
            if message.tool is not None and message.tool.call_id == call_id:
                return message
        return None

    def calls(self, call_id: str) -> int:
        """How many tool rows bear this call id."""
        return sum(1 for m in self._by_key.values() if m.tool is not None and m.tool.call_id == call_id)

    def put(self, message: Message, *, before: str | None = None, by_row: bool = False) -> None:
        """Replace the message of that key, or add it.

        A new one goes in front of ``before`` if given, with ``by_row`` where its row id belongs, else to the
        end, but in front of messages that wait for their turn. One whose waiting is over goes to the end.
        """
        present = self._by_key.get(message.key)
        if present is not None:
            if present == message:
                return
            self._by_key[message.key] = message
            if present.status is not Status.WAITING or message.status is Status.WAITING:
                self._patch(message)
                return
            self._tuple = None
            self._order.remove(message.key)
        if before is not None and before in self._by_key:
            place = self._order.index(before)
        elif by_row and message.row_id is not None:
            place = self._place_of(message.row_id)
        else:
            place = self._end(message)
        self._by_key[message.key] = message
        self._order.insert(place, message.key)
        self._tuple = None

    def _patch(self, message: Message) -> None:
        """Put one message into the tuple. With each token of an answer it is the last one, in a long chat."""
        last = len(self._order) - 1
        if self._tuple is not None and self._order[last] == message.key:
            self._tuple = (*self._tuple[:last], message)
        else:
            self._tuple = None

    def _end(self, message: Message) -> int:
        place = len(self._order)
        if message.status is not Status.WAITING:
            while place and self._by_key[self._order[place - 1]].status is Status.WAITING:
                place -= 1
        return place

    def _place_of(self, row_id: int) -> int:
        """Behind everything, but in front of rows that are newer."""
        place = len(self._order)
        for index in range(len(self._order) - 1, -1, -1):
            other = self._by_key[self._order[index]].row_id
            if other is None:
                continue
            if other < row_id:
                break
            place = index
        return place

    def bind(self, row_id: int, key: str) -> None:
        """Give a row its key. A row that is already shown under another key is shown under this one, once."""
        former = self._key_of_row.get(row_id)
        self._key_of_row[row_id] = key
        if former is not None and former != key and (shown := self._by_key.pop(former, None)) is not None:
            place = self._order.index(former)
            if key in self._by_key:
                del self._order[place]
            else:
                self._order[place] = key
                self._by_key[key] = replace(shown, key=key)
            self._tuple = None
        message = self._by_key.get(key)
        if message is not None and message.row_id != row_id:
            self._by_key[key] = replace(message, row_id=row_id)
            self._tuple = None

    def drop(self, key: str) -> None:
        """Take a bubble out (its row keeps its key)."""
        if self._by_key.pop(key, None) is not None:
            self._order.remove(key)
            self._tuple = None

    def cut(self, first: str | None, until: str | None) -> None:
        """Forget the messages from ``first`` on, up to ``until`` or the end."""
        if first not in self._by_key:
            return
        place = self._order.index(first)
        end = self._order.index(until) if until in self._by_key else len(self._order)
        for key in self._order[place:end]:
            row_id = self._by_key[key].row_id
            if row_id is not None:
                self._key_of_row.pop(row_id, None)
            self.drop(key)

    def remove(self, row_ids: Iterable[int]) -> None:
        """Forget rows that were rewound."""
        for row_id in row_ids:
            key = self._key_of_row.pop(row_id, None)
            if key is not None:
                self.drop(key)

    def replace_all(self, loaded: Sequence[Message], *, keep: Sequence[str] = ()) -> None:
        """Take ``loaded`` as the whole transcript, followed by those of ``keep`` that it does not list."""
        fresh: dict[str, Message] = {}
        for message in loaded:
            if message.key not in fresh:
                present = self._by_key.get(message.key)
                fresh[message.key] = present if present is not None and present == message else message
        for key in keep:
            kept = self._by_key.get(key)
            if kept is not None and key not in fresh:
                fresh[key] = kept
        shown = {m.row_id: m.key for m in fresh.values() if m.row_id is not None}
        # Keys that were given to rows ahead of their coming must survive; ids of rows are never used twice.
        ahead = {row: key for row, key in self._key_of_row.items() if key.startswith("local-")}
        self._key_of_row = ahead | shown
        self._by_key = fresh
        self._order = list(fresh)
        self._tuple = None

    def with_failures(self, loaded: Sequence[Message]) -> list[Message]:
        """A history with the failed answers that no row tells of, each behind what it failed to answer."""
        failed = {
            before.key: answer
            for before, answer in pairwise(self.messages)
            if answer.status is Status.FAILED and answer.role is Role.ASSISTANT and answer.row_id is None
        }
        whole: list[Message] = []
        for message, after in zip_longest(loaded, loaded[1:]):
            whole.append(message)
            if message.key in failed and (after is None or after.role is Role.USER):
                whole.append(failed[message.key])
        return whole

    def stop_tools(self) -> None:
        """No tool of an ended turn runs any more."""
        for key in reversed(self._order):
            message = self._by_key[key]
            if message.role is Role.USER:
                break
            if message.tool is not None and message.tool.running:
                self.put(replace(message, tool=replace(message.tool, running=False)))
