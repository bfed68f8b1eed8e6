"""Branches: the beginning of a session, copied into a new one that goes its own way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.gateway.store.records import MessageRecord, SessionRecord

from .core import Core
from .errands import ABROAD
from .identity import Ids
from .inputs import title_text
from .pending import NOTES
from .provider_messages import calls_of
from .rows import CLIENT_REF, listed
from .sessions import Sessions

_NUMBERED = re.compile(r" #\d+$")
_TITLES = 1000


class Branches:
    """A branch has the rows with new ids, and on them the reactions, the lines that are kept back, and the
    record of what the model was told: of a reaction that a copied turn has told it is not told again, of
    another one it is, in either conversation, once. System prompt and tools are those of the parent, so that
    the requests of both begin alike."""

    def __init__(self, core: Core, ids: Ids, sessions: Sessions) -> None:
        self._store = core.store
        self._broadcast = core.broadcast
        self._clock = core.clock
        self._ids = ids
        self._sessions = sessions

    def make(self, session_id: str, name: str | None = None, count: int | None = None) -> SessionRecord:
        """Copy the first ``count`` messages (tool rows not counted; None: all); never between a call
        and its result. Prompts that wait stay behind.

        Raises SessionNotFound, InvalidInput, StoreError; the caller sees to it that no turn is running.
        """
        parent = self._sessions.require(session_id)
        if count is not None and count < 1:
            raise InvalidInput("A branch needs at least one message.", hint="Give a count of 1 or more.")
        rows = _beginning([row for row in self._store.messages.all(session_id) if not row.waiting], count)
        if not rows:
            raise InvalidInput("There is nothing to branch from yet.", hint="Write something first.")
        now = self._clock()
        title = title_text(name) if name else self._numbered(parent.title)
        branch = replace(
            parent,
            id=self._ids.session(now),
            title=title,
            created_at=now,
            last_active=now,
            running_row=None,
            parent=session_id,
        )
        with self._store.transaction():
            self._store.sessions.insert(branch)
            self._copy(rows, branch.id)
            for summary in self._store.summaries.all(session_id):
                if summary.until < _end(rows):
                    self._store.summaries.add(replace(summary, session_id=branch.id))
        self._broadcast.announce("sessions.changed")
        return branch

    def _copy(self, rows: Sequence[MessageRecord], branch_id: str) -> None:
        messages = self._store.messages
        ids = messages.copy(rows[-1].session_id, _end(rows), branch_id, without=(CLIENT_REF, ABROAD))
        for row in messages.annotated(branch_id):
            if NOTES in row.metadata:
                messages.set_metadata(row.row_id, _about_copies(row.metadata, ids))

    def _numbered(self, title: str) -> str:
        """The parent's title with the next number that no session bears."""
        stem = _NUMBERED.sub("", title) or "Branch"
        taken = {summary.session.title for summary in self._store.sessions.recent(_TITLES)}
        number = 2
        while f"{stem} #{number}" in taken:
            number += 1
        return title_text(f"{stem} #{number}")


def _beginning(rows: Sequence[MessageRecord], count: int | None) -> list[MessageRecord]:
    """The rows up to the ``count``-th that people see; results of calls that were made in them come along."""
    taken: list[MessageRecord] = []
    seen, calls = 0, dict[str, str]()
    for row in rows:
        if count is not None and seen >= count and not (calls and row.role == "tool"):
            break
        taken.append(row)
        if row.role == "tool":
            calls.pop(row.tool_call_id or "", None)
        elif row.role == "assistant" and row.sent is not None:
            calls = calls_of(row.sent)
        seen += row.role != "tool" and listed(row)
    return taken


def _end(rows: Sequence[MessageRecord]) -> int:
    return rows[-1].position or 0


def _about_copies(metadata: Mapping[str, Any], ids: Mapping[int, int]) -> dict[str, Any]:
    """The metadata of a copied row: the record of its notes speaks of the copies, too."""
    notes = [note | {"row_id": ids[note["row_id"]]} for note in metadata[NOTES] if note["row_id"] in ids]
    return {**metadata, NOTES: notes}
