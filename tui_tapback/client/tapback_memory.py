"""What the program remembers of tapbacks: lenses, pins, figures, quick reactions, when one last looked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from tui_tapback.domain.reactions import Author
from tui_tapback.emoji.file_lock import locked
from tui_tapback.words import _

from .private_file import write_private

SESSIONS: Final = 500
"""Sessions of which the last look is remembered; the least recent go."""
PINS: Final = 500
LENSES: Final = 50
GLOBAL: Final = ""
"""Stands for every session where quick reactions are kept by session."""
_READ_LIMIT = 2_000_000


class KeptLens(msgspec.Struct, frozen=True):
    """A lens under a name."""

    name: str
    emoji: str | None = None
    author: Author | None = None
    unanswered: bool = False


class Pin(msgspec.Struct, frozen=True):
    """A pinned message: where it is, how it begins, and when it was pinned (Unix seconds)."""

    session_id: str
    row_id: int
    quote: str = ""
    at: float = 0.0


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The file. ``seen`` is by session when the person last looked, ``rows`` the newest row there then,
    ``quick`` by session (GLOBAL: all) the quick reactions; ``given`` and ``received`` count tapbacks by
    emoji since ``counted_from`` (Unix seconds, 0: not begun), ``muted``: neither counted nor told."""

    seen: dict[str, float] = {}
    rows: dict[str, int] = {}
    quick: dict[str, tuple[str, ...]] = {}
    lenses: tuple[KeptLens, ...] = ()
    pins: tuple[Pin, ...] = ()
    muted: bool = False
    given: dict[str, int] = {}
    received: dict[str, int] = {}
    counted_from: float = 0.0


Change = Callable[[Kept], Kept]


class TapbackMemory:
    """In memory at once, on disk with ``save``.

    Several programs may share ``file`` (None: nothing is written): what was changed here is applied to what
    stands there by then. A file that cannot be read is begun anew.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._todo: list[Change] = []
        self._kept = Kept() if file is None else _read(file)

    @property
    def now(self) -> Kept:
        """What is remembered."""
        return self._kept

    def change(self, change: Change) -> None:
        """Apply a change that also holds on what another program has written meanwhile."""
        self._kept = change(self._kept)
        if self._file is not None:
            self._todo.append(change)

    def refresh(self) -> None:
        """Take over what another program has written since; what is not saved here yet stays on top."""
        if self._file is not None:
            self._kept = self._applied(self._file)

    def save(self) -> str:
        """Write what is new; returns a sentence where that failed (it is tried again), else ""."""
        if not self._todo or self._file is None:
            return ""
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with locked(self._file.with_suffix(".lock")):
                kept = self._applied(self._file)
                write_private(self._file, msgspec.json.encode(kept))
        except OSError as error:
            return _("What belongs to your tapbacks could not be saved: {reason}.").format(
                reason=error.strerror or error
            )
        self._kept, self._todo = kept, []
        return ""

    def _applied(self, file: Path) -> Kept:
        """What stands in the file by now, with what is not saved here yet."""
        kept = _read(file)
        for change in self._todo:
            kept = change(kept)
        return kept


def _read(file: Path) -> Kept:
    try:
        with file.open("rb") as source:
            return msgspec.json.decode(source.read(_READ_LIMIT), type=Kept)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return Kept()  # it is a convenience: a damaged one is begun anew


def looked(session_id: str, at: float, row: int = 0) -> Change:
    """The person looks at a session at that moment, down to that row (0: to none that is stored)."""

    def change(kept: Kept) -> Kept:
        seen = {**kept.seen, session_id: max(at, kept.seen.get(session_id, 0.0))}
        rows = {**kept.rows, session_id: max(row, kept.rows.get(session_id, 0))}
        newest = sorted(seen, key=lambda each: seen[each])[-SESSIONS:]
        return msgspec.structs.replace(
            kept,
            seen={each: seen[each] for each in newest},
            rows={each: rows[each] for each in newest if rows.get(each)},
        )

    return change


def quick_chosen(session_id: str, quick: tuple[str, ...] | None) -> Change:
    """Quick reactions for a session or for GLOBAL; None takes them back."""

    def change(kept: Kept) -> Kept:
        left = {each: chosen for each, chosen in kept.quick.items() if each != session_id}
        added = {} if quick is None else {session_id: quick}
        return msgspec.structs.replace(kept, quick={**left, **added})

    return change


def lens_kept(lens: KeptLens) -> Change:
    """Keep a lens; one of the same name is replaced."""

    def change(kept: Kept) -> Kept:
        others = tuple(each for each in kept.lenses if each.name != lens.name)
        return msgspec.structs.replace(kept, lenses=(*others, lens)[-LENSES:])

    return change


def lens_forgotten(name: str) -> Change:
    """Drop the lens of that name."""

    def change(kept: Kept) -> Kept:
        return msgspec.structs.replace(kept, lenses=tuple(x for x in kept.lenses if x.name != name))

    return change


def pinned(pin: Pin) -> Change:
    """Pin a message; one that is pinned moves to the end."""

    def change(kept: Kept) -> Kept:
        return msgspec.structs.replace(kept, pins=(*_without(kept, pin), pin)[-PINS:])

    return change


def unpinned(pin: Pin) -> Change:
    """Take a pin off."""

    def change(kept: Kept) -> Kept:
        return msgspec.structs.replace(kept, pins=_without(kept, pin))

    return change


def _without(kept: Kept, pin: Pin) -> tuple[Pin, ...]:
    where = (pin.session_id, pin.row_id)
    return tuple(each for each in kept.pins if (each.session_id, each.row_id) != where)


def muted(muted: bool) -> Change:
    """Whether tapbacks are neither counted nor told."""
    return lambda kept: msgspec.structs.replace(kept, muted=muted)


def counted(author: Author, emoji: str, at: float) -> Change:
    """One more tapback: given by the person, or received from the agent."""

    def change(kept: Kept) -> Kept:
        before = kept.given if author is Author.USER else kept.received
        after = {**before, emoji: before.get(emoji, 0) + 1}
        kept = msgspec.structs.replace(kept, counted_from=kept.counted_from or at)
        if author is Author.USER:
            return msgspec.structs.replace(kept, given=after)
        return msgspec.structs.replace(kept, received=after)

    return change


def uncounted(emoji: str) -> Change:
    """One tapback of the person's less: it was undone."""

    def change(kept: Kept) -> Kept:
        left = {**kept.given, emoji: kept.given.get(emoji, 0) - 1}
        return msgspec.structs.replace(kept, given={each: n for each, n in left.items() if n > 0})

    return change


def figures_reset(at: float) -> Change:
    """Begin to count anew."""
    return lambda kept: msgspec.structs.replace(kept, given={}, received={}, counted_from=at)
