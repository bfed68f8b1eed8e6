"""The lines that tell the model about the user's reactions: what is due, and in which words.

Nothing here is flagged as "told". What the model has been told of a message follows from the notes that were
recorded with the user rows that still stand; what is due is the difference between that and the reactions
as they are now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
_QUOTES, _OPENING, _CLOSING = '"“”„‟＂″〝〞〟❝❞', "[［⟦⁅", "]］⟧⁆"
_NEUTRAL = str.maketrans(_QUOTES + _OPENING + _CLOSING, "'" * len(_QUOTES) + "(" * 4 + ")" * 4)

Slot = tuple[int, str | None]
"""A row and the part of it, None for the whole message."""


@dataclass(frozen=True, slots=True)
class Tap:
    """What stands in a slot: an emoji, and for a part of a message how that part begins."""

    emoji: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A row of the conversation as notes see it.

    ``own``: the user wrote it. ``present``: the user's reactions by part. ``withheld``: by part the emoji
    (None: none) of which the user does not want the model to hear.
    """

    row_id: int
    own: bool
    text: str
    present: Mapping[str | None, Tap]
    withheld: Mapping[str | None, str | None] = field(default_factory=dict[str | None, str | None])


@dataclass(frozen=True, slots=True)
class Note:
    """One change that the model has not heard of. ``tap`` None: taken back. ``withheld``: it is kept back."""

    row_id: int
    part: str | None
    tap: Tap | None
    line: str
    withheld: bool = False

    def record(self) -> dict[str, Any]:
        """What is kept with the carrying row."""
        record: dict[str, Any] = {"row_id": self.row_id, "emoji": self.tap.emoji if self.tap else None}
        if self.part is not None:
            record["part"] = self.part
            if self.tap is not None and self.tap.quote:
                record["quote"] = self.tap.quote
        return record


def told(records: Iterable[Mapping[str, Any]]) -> dict[Slot, Tap]:
    """What the model knows, from the recorded notes in the order in which they were sent."""
    known: dict[Slot, Tap] = {}
    for record in records:
        slot = (record["row_id"], record.get("part"))
        known.pop(slot, None)
        if record["emoji"] is not None:
            known[slot] = Tap(record["emoji"], record.get("quote", ""))
    return known


def due(targets: Iterable[Target], known: Mapping[Slot, Tap]) -> list[Note]:
    """The notes that are due, those that are kept back included, in the order of ``targets`` (which must hold
    every row that still stands and has a reaction or was told of); the whole message before its parts."""
    notes: list[Note] = []
    known_parts: dict[int, list[str | None]] = {}
    for row_id, part in known:
        known_parts.setdefault(row_id, []).append(part)
    for target in targets:
        for part in dict.fromkeys((None, *known_parts.get(target.row_id, ()), *target.present)):
            before, now = known.get((target.row_id, part)), _valid(target.present.get(part))
            emoji = now.emoji if now else None
            if emoji != (before.emoji if before else None):
                withheld = part in target.withheld and target.withheld[part] == emoji
                notes.append(Note(target.row_id, part, now, _line(before, now, target, part), withheld))
    return notes


def standing(targets: Iterable[Target], known: Mapping[Slot, Tap]) -> list[str]:
    """What the model was told and has not heard the end of, in words, for a summary that takes the place of
    the messages which told it."""
    return [
        _line(None, tap, target, part)
        for target in targets
        for (row_id, part), tap in known.items()
        if row_id == target.row_id
    ]


def lines(notes: Sequence[Note]) -> list[str]:
    """The text of the notes: at most ``MAX_LINES`` lines of their own, the rest in one more."""
    shown = [note.line for note in notes[:MAX_LINES]]
    rest = len({note.row_id for note in notes[MAX_LINES:]})
    if rest:
        shown.append(f"[The user's reactions to {rest} more message{'s' if rest > 1 else ''} changed too]")
    return shown


def _valid(tap: Tap | None) -> Tap | None:
    emoji = None if tap is None else normalise_or_none(tap.emoji)
    return None if tap is None or emoji is None else Tap(emoji, tap.quote)


def _line(before: Tap | None, now: Tap | None, target: Target, part: str | None) -> str:
    snippet = next((tap.quote for tap in (now, before) if tap is not None and tap.quote), "")
    where = _where(target, part, snippet)
    if now is None:
        return f"[The user took back their {before.emoji if before else ''} from {where}]"
    if before is None:
        return f"[The user reacted {now.emoji} to {where}]"
    return f"[The user changed their reaction from {before.emoji} to {now.emoji} on {where}]"


def _where(target: Target, part: str | None, snippet: str) -> str:
    whose = "their own" if target.own else "your"
    if part is not None and (quoted := quote(snippet)):
        return f'this part of {whose} message: "{quoted}"'
    of_it = "" if part is None else "a part of "
    quoted = quote(target.text)
    return f'{of_it}{whose} message: "{quoted}"' if quoted else f"{of_it}{whose} earlier message"


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
