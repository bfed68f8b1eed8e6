"""The user's tapbacks on messages that went out to other chats: wanted there, and standing there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.store.posts import Address
from tui_tapback.gateway.store.records import MessageRecord
from tui_tapback.wire.rows import reactions_from_wire, reactions_to_wire

from .core import Core

ABROAD = "_abroad"
"""Key in the metadata of a bubble that went out, under which this is kept."""
POSTED = "posted"
"""Display kind of a bubble that went out to another chat."""
_LONGEST_REASON = 200


class Abroad(msgspec.Struct, omit_defaults=True):
    """``wanted`` there by the user, ``standing`` there as far as is known (None: nothing), ``maybe`` there as
    well: sent, but the answer was lost. ``complaint`` says why wanted and standing differ, once that has
    lasted; ``refused``: it is not tried again."""

    wanted: str | None = None
    standing: str | None = None
    maybe: list[str] = []
    complaint: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Errand:
    """The tapback on one message elsewhere has to be brought in step."""

    address: Address
    session_id: str
    row_id: int
    wanted: str | None
    standing: tuple[str, ...]
    """What is there, or may be."""


def abroad_of(metadata: Mapping[str, Any]) -> Abroad:
    """What is kept with a row; nothing for one that no tapback went out from."""
    try:
        return msgspec.convert(metadata.get(ABROAD, {}), Abroad)
    except msgspec.ValidationError:
        return Abroad()  # a file edited by hand


class Errands:
    """Kept with the row, in the transaction that stores the tapback: a stop of the gateway loses none."""

    def __init__(self, core: Core) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._wake: Callable[[], None] | None = None

    def listen(self, wake: Callable[[], None] | None) -> None:
        """Call ``wake`` when there may be something to carry out; it must not block."""
        self._wake = wake

    def chosen(self, row: MessageRecord, wanted: str | None) -> dict[str, Any]:
        """The metadata entry where the user chose ``wanted`` on a bubble that went out.

        The same choice again lets what was refused be tried again.
        """
        if self._wake is not None:
            self._wake()  # runs once this call is through, and so after the commit
        before = abroad_of(row.metadata)
        return msgspec.to_builtins(Abroad(wanted, before.standing, before.maybe))

    def due(self) -> list[Errand]:
        """What is to be carried out, in the order of the messages."""
        found: list[Errand] = []
        for address, post in self._store.posts.marked(ABROAD):
            row = self._store.messages.get(post.session_id, post.row_id)
            abroad = Abroad() if row is None else abroad_of(row.metadata)
            if (abroad.wanted != abroad.standing or abroad.maybe) and not abroad.refused:
                known = [] if abroad.standing is None else [abroad.standing]
                standing = tuple(dict.fromkeys(known + abroad.maybe))
                found.append(Errand(address, post.session_id, post.row_id, abroad.wanted, standing))
        return found

    def trying(self, errand: Errand, emoji: str) -> None:
        """It is sent now, and so may be there from here on, whatever is heard of it. Raises StoreError."""

        def change(abroad: Abroad) -> None:
            if emoji not in abroad.maybe:
                abroad.maybe.append(emoji)

        self._update(errand, change)

    def arrived(self, errand: Errand, standing: str | None) -> None:
        """This stands there now, and nothing else of ours. Raises StoreError."""

        def change(abroad: Abroad) -> None:
            abroad.standing = standing
            abroad.maybe = []
            if abroad.wanted == standing:
                abroad.complaint = ""

        self._update(errand, change)

    def unsent(self, errand: Errand, reason: str) -> None:
        """It could not be carried out and will be tried again. Raises StoreError."""
        where = f"{errand.address.platform}:{errand.address.chat}"
        what = f"Your {errand.wanted} has not reached {where} yet"
        if errand.wanted is None:
            what = f"Your {_shown(errand)} still stands in {where}"
        self._complain(errand, f"{what}; it is tried again. {reason}", refused=False)

    def refused(self, errand: Errand, reason: str) -> None:
        """It cannot be carried out. Raises StoreError."""
        where = f"{errand.address.platform}:{errand.address.chat}"
        what = f"Your {errand.wanted} stands here only: {where} did not take it."
        if errand.wanted is None:
            what = f"Your {_shown(errand)} could not be taken back in {where}."
        self._complain(errand, f"{what} {reason}", refused=True)

    def _complain(self, errand: Errand, sentence: str, *, refused: bool) -> None:
        def change(abroad: Abroad) -> None:
            if abroad.wanted == errand.wanted:  # else it is about a choice that stands no more
                abroad.complaint = clean_line(sentence, 2 * _LONGEST_REASON)
                abroad.refused = refused

        self._update(errand, change)

    def _update(self, errand: Errand, change: Callable[[Abroad], None]) -> None:
        with self._store.transaction():
            row = self._store.messages.get(errand.session_id, errand.row_id)
            if row is None:
                return  # taken back here meanwhile: there is no place left where it could be told
            abroad = abroad_of(row.metadata)
            before = abroad.complaint
            change(abroad)
            metadata = {**row.metadata, ABROAD: msgspec.to_builtins(abroad)}
            self._store.messages.set_metadata(row.row_id, metadata)
        if abroad.complaint != before:
            payload = {
                "row_id": row.row_id,
                "reactions": reactions_to_wire(reactions_from_wire(row.metadata.get("reactions"))),
                "role": row.role,
                "complaint": abroad.complaint,
            }
            self._broadcast.emit(row.session_id, "message.reaction", payload)


def _shown(errand: Errand) -> str:
    return errand.standing[0] if errand.standing else "tapback"
