"""Remembers what was sent, over all chats and runs, for the history of the composer and its search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from tui_tapback.client.private_file import write_private
from tui_tapback.domain.text import clean_text

KEPT: Final = 2000
LONGEST: Final = 20_000
"""Characters of a message that is remembered; longer ones are not."""


class Sent(msgspec.Struct, frozen=True):
    """One message and the chat it was sent in ("" before that had an id)."""

    text: str
    session: str = ""


class Prompts:
    """What was sent, oldest first; ``file`` None: in this run only. Nothing secret ever comes here."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._sent = self._read()
        self._unwritten: list[Sent] = []

    @property
    def all(self) -> tuple[str, ...]:
        """Every text once, in the order in which it was last sent."""
        return tuple(dict.fromkeys(reversed([sent.text for sent in self._sent])))[::-1]

    def of(self, session_id: str | None) -> tuple[str, ...]:
        """What was sent in one chat, oldest first; what others said before, where it has nothing yet."""
        return tuple(
            sent.text for sent in self._sent if session_id is not None and sent.session == session_id
        )

    def add(self, text: str, session_id: str | None) -> None:
        """Remember a message that was sent."""
        if text.strip() and len(text) <= LONGEST:
            sent = Sent(text, session_id or "")
            self._sent.append(sent)
            self._unwritten.append(sent)
            del self._sent[:-KEPT]

    def save(self) -> None:
        """Write what is new. Raises OSError."""
        if self._file is None or not self._unwritten:
            return
        news, self._unwritten = self._unwritten, []
        # Another terminal may have written meanwhile.
        kept = [*self._read(), *news][-KEPT:]
        write_private(self._file, b"".join(msgspec.json.encode(sent) + b"\n" for sent in kept))

    def _read(self) -> list[Sent]:
        if self._file is None:
            return []
        try:
            lines: Sequence[bytes] = self._file.read_bytes().splitlines()
        except OSError:
            return []  # nothing was sent yet, or nothing that can be read: one can write all the same
        found: list[Sent] = []
        for line in lines:
            try:
                sent = msgspec.json.decode(line, type=Sent)
            except msgspec.DecodeError:
                continue  # of a damaged file the sound lines
            found.append(Sent(clean_text(sent.text), sent.session))
        return found[-KEPT:]
