"""Remembers where one was reading in each chat, also across runs of the program."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from tui_tapback.client.private_file import write_private
from tui_tapback.widgets.transcript.places import Place

KEPT: Final = 500
"""Chats of which the place is remembered; the least recent go."""


class _Kept(msgspec.Struct, frozen=True):
    row_id: int
    skip: int = 0


class Places:
    """Places by chat, in memory and in ``file`` (None: in memory only). ``connection`` names the gateway.

    A chat that was left at its end has no place: it opens at its end.
    """

    def __init__(self, file: Path | None = None, connection: str = "") -> None:
        self._file = file
        self._connection = connection
        self._kept = self._read()
        self._fresh = False

    def of(self, session_id: str) -> Place | None:
        """Where the reader was in that chat, None for its end."""
        kept = self._kept.get(self._name(session_id))
        return None if kept is None else Place("", kept.row_id, kept.skip)

    def keep(self, session_id: str, place: Place | None) -> None:
        """The reader is there now."""
        name = self._name(session_id)
        if place is None:
            return  # nothing is shown yet: what was known still counts
        kept = None if place.following or place.row_id is None else _Kept(place.row_id, place.skip)
        if place.row_id is None and not place.following:
            return
        if self._kept.get(name) == kept:
            return
        self._kept.pop(name, None)
        if kept is not None:
            self._kept[name] = kept
        for old in list(self._kept)[:-KEPT]:
            del self._kept[old]
        self._fresh = True

    def save(self) -> None:
        """Write what is new. Raises OSError."""
        if self._fresh and self._file is not None:
            self._fresh = False
            # Another terminal may have written meanwhile: of each chat the newest word counts.
            write_private(self._file, msgspec.json.encode(self._read() | self._kept))

    def _read(self) -> dict[str, _Kept]:
        if self._file is None:
            return {}
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, _Kept])
        except (OSError, msgspec.DecodeError):
            return {}  # a lost place must not keep anybody from the chat

    def _name(self, session_id: str) -> str:
        # Session ids come from the gateway and may be long.
        told = f"{self._connection}\0{session_id}".encode("utf-8", "replace")
        return hashlib.sha256(told).hexdigest()[:24]
