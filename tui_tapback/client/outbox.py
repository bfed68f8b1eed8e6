"""The outbox on disk: messages and tapbacks that are not delivered, kept through the end of the program."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from pathlib import Path

import msgspec

from tui_tapback.emoji.file_lock import locked
from tui_tapback.words import _

from .private_file import write_private

SLOTS = 16
"""Programs that can keep an outbox for one gateway at the same time."""


class KeptCut(msgspec.Struct, frozen=True):
    """What a message that is said anew takes back."""

    row_id: int
    everything: bool = False
    deep: bool = False


class KeptFile(msgspec.Struct, frozen=True):
    """A file that goes with a message; it is read when that leaves."""

    path: str
    name: str
    size: int
    image: bool


class KeptPrompt(msgspec.Struct, frozen=True, tag="message", omit_defaults=True):
    """A message. ``uncertain``: it had left, and ``newest_row`` was known then. ``error``: it was refused."""

    ref: str
    text: str
    at: float
    uncertain: bool = False
    newest_row: int = 0
    cut: KeptCut | None = None
    error: str = ""
    files: tuple[KeptFile, ...] = ()


class KeptReaction(msgspec.Struct, frozen=True, tag="reaction", omit_defaults=True):
    """A tapback on the row ``row_id``, or on the message ``key`` while that has none.

    ``expected`` counts where ``conditional`` is True.
    """

    op_id: str
    key: str
    at: float
    emoji: str | None = None
    row_id: int | None = None
    part: str | None = None
    quote: str = ""
    expected: str | None = None
    conditional: bool = False


Kept = KeptPrompt | KeptReaction


class KeptChat(msgspec.Struct, frozen=True):
    """What waits in one session (None: a chat that has not begun), in order."""

    session_id: str | None
    items: tuple[Kept, ...]


class _File(msgspec.Struct):
    version: int
    chats: list[KeptChat]


class Outbox:
    """One file for each running program and gateway; a program that starts takes over what dead ones left.

    A message is never in two files, so that two terminals cannot both send it.
    """

    def __init__(self, folder: Path, connection: str) -> None:
        name = hashlib.sha256(connection.encode("utf-8", "replace")).hexdigest()[:16]
        self._folder = folder / name
        self._held = ExitStack()
        self._slot: Path | None = None
        self._written: tuple[KeptChat, ...] = ()
        self.problem = ""

    def open(self) -> tuple[KeptChat, ...]:
        """Take a free slot and what dead programs left. Raises OSError (also where no slot is free)."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        mine: list[Path] = []
        for number in range(SLOTS):
            slot = self._folder / f"{number}.json"
            if mine and not slot.exists():
                continue
            try:
                self._held.enter_context(locked(slot.with_suffix(".lock"), 0.0))
            except TimeoutError:
                continue
            mine.append(slot)
        if not mine:
            raise TimeoutError("all slots of the outbox are taken")
        self._slot = mine[0]
        found = tuple(chat for slot in mine for chat in self._read(slot))
        self.save(found)
        for slot in mine[1:]:
            slot.unlink(missing_ok=True)
        return found

    @property
    def written(self) -> tuple[KeptChat, ...]:
        """What the file holds."""
        return self._written

    def holds(self, ref: str) -> bool:
        """Whether the file holds the message with that reference."""
        return any(isinstance(i, KeptPrompt) and i.ref == ref for chat in self._written for i in chat.items)

    def save(self, chats: tuple[KeptChat, ...]) -> None:
        """Let the file hold this and nothing else. Raises OSError; the file then is as it was."""
        if self._slot is None:
            raise FileNotFoundError("the outbox is not open")
        if chats:
            write_private(self._slot, msgspec.json.encode(_File(1, list(chats))))
        else:
            self._slot.unlink(missing_ok=True)
        self._written = chats

    def close(self) -> None:
        """Give the slot back; what it holds is for whoever comes next."""
        self._held.close()
        self._slot = None

    def _read(self, slot: Path) -> list[KeptChat]:
        try:
            return msgspec.json.decode(slot.read_bytes(), type=_File).chats
        except FileNotFoundError:
            return []
        except msgspec.DecodeError:
            # Not thrown away: a person may still want to read what stands there.
            slot.replace(slot.with_suffix(".damaged"))
            self.problem = _("What waited to be sent could not be read and was put aside.")
            return []
