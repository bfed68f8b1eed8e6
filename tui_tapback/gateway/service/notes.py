"""The lines that tell the model about the user's reactions: what is due, and in which words.

Nothing here is flagged as "told". What the model has been told of a message follows from the notes that were
recorded with the user rows that still stand; what is due is the difference between that and the reactions
as they are now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from wcwidth import iter_graphemes

from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.normalise import normalise_or_none

MAX_LINES = 12
QUOTE_GRAPHEMES = 120
_QUOTE_CHARS = 600  # a grapheme may carry any number of combining marks
_SCANNED_CHARS = 20_000
# Nothing that is quoted may close the quotation or the note, or look like the start of another one.
_NEUTRAL = str.maketrans({'"': "'", "“": "'", "”": "'", "„": "'", "[": "(", "]": ")"})

Slot = tuple[int, str | None]
"""A row and the part of it, None for the whole message."""


@dataclass(frozen=True, slots=True)
class Target:
    """A row of the conversation as notes see it.

    ``own``: the user wrote it. ``present``: the user's reactions by part.
    """

    row_id: int
    own: bool
    text: str
    present: Mapping[str | None, str]


@dataclass(frozen=True, slots=True)
class Note:
    """One change that the model has not heard of. ``emoji`` None: taken back."""

    row_id: int
    part: str | None
    emoji: str | None
    line: str

    def record(self) -> dict[str, Any]:
        """What is kept with the carrying row."""
        return {"row_id": self.row_id, "emoji": self.emoji} | ({"part": self.part} if self.part else {})


def told(records: Iterable[Mapping[str, Any]]) -> dict[Slot, str]:
    """What the model knows, from the recorded notes in the order in which they were sent."""
    known: dict[Slot, str] = {}
    for record in records:
        slot = (record["row_id"], record.get("part"))
        known.pop(slot, None)
        if record["emoji"] is not None:
            known[slot] = record["emoji"]
    return known


def due(targets: Iterable[Target], known: Mapping[Slot, str]) -> list[Note]:
    """The notes that are due, in the order of ``targets`` (which must hold every row that still stands and
    has a reaction or was told of)."""
    notes: list[Note] = []
    known_parts: dict[int, list[str | None]] = {}
    for row_id, part in known:
        known_parts.setdefault(row_id, []).append(part)
    for target in targets:
        parts = dict.fromkeys((*known_parts.get(target.row_id, ()), *target.present))
        for part in parts:
            before = known.get((target.row_id, part))
            now = _valid(target.present.get(part))
            if before != now:
                notes.append(Note(target.row_id, part, now, _line(before, now, target)))
    return notes


def lines(notes: Sequence[Note]) -> list[str]:
    """The text of the notes: at most ``MAX_LINES`` lines of their own, the rest in one more."""
    shown = [note.line for note in notes[:MAX_LINES]]
    rest = len({note.row_id for note in notes[MAX_LINES:]})
    if rest:
        shown.append(f"[The user's reactions to {rest} more message{'s' if rest > 1 else ''} changed too]")
    return shown


def _valid(emoji: str | None) -> str | None:
    return None if emoji is None else normalise_or_none(emoji)


def _line(before: str | None, now: str | None, target: Target) -> str:
    where = _where(target)
    if now is None:
        return f"[The user took back their {before} from {where}]"
    if before is None:
        return f"[The user reacted {now} to {where}]"
    return f"[The user changed their reaction from {before} to {now} on {where}]"


def _where(target: Target) -> str:
    whose = "their own" if target.own else "your"
    quoted = quote(target.text)
    return f'{whose} message: "{quoted}"' if quoted else f"{whose} earlier message"


def quote(text: str) -> str:
    """The beginning of ``text`` on one line, cut between graphemes, unable to end the note it stands in."""
    line = clean_line(text[:_SCANNED_CHARS]).translate(_NEUTRAL)
    head, size = "", 0
    for grapheme in islice(iter_graphemes(line), QUOTE_GRAPHEMES):
        size += len(grapheme)
        if size > _QUOTE_CHARS:
            break
        head += grapheme
    whole = head == line and len(text) <= _SCANNED_CHARS
    return head if whole else head.rstrip() + "…"
