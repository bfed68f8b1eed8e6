"""Where logins are kept: the keyring of the desktop where there is one, else files only for their owner."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

import msgspec

from tui_tapback.domain.errors import SecretStoreFailed
from tui_tapback.words import _, mark

from .account import Tokens
from .private_file import write_private

SERVICE = "tui-tapback"
_LARGEST = 65_536
_FAILED = mark("The file for the login cannot be used.")


class SecretStore(Protocol):
    """Texts by name, such as a keyring. All raise SecretStoreFailed."""

    def get(self, name: str) -> str | None:
        """The text, None for none."""
        ...

    def set(self, name: str, text: str) -> None:
        """Keep it."""
        ...

    def remove(self, name: str) -> None:
        """Forget it; nothing happens where there is none."""
        ...


class PrivateFiles:
    """A SecretStore of files (mode 0600) in their own folder; what others can read is not used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str) -> str | None:
        """None also for a file that is damaged, too large, or open to others."""
        path = self._path(name)
        try:
            found = path.lstat()
            if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
                return None
            if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
                return None
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise SecretStoreFailed(_(_FAILED)) from error

    def set(self, name: str, text: str) -> None:
        """Write it, whole or not at all."""
        try:
            write_private(self._path(name), text.encode())
        except OSError as error:
            raise SecretStoreFailed(_(_FAILED)) from error

    def remove(self, name: str) -> None:
        """Delete the file."""
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise SecretStoreFailed(_(_FAILED)) from error

    def _path(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(name.encode()).hexdigest()[:24]}.json"


class _Kept(msgspec.Struct):
    tokens: Tokens
    at: float


class Logins:
    """The logins of this person, each by the gateway it belongs to and the name that was given there.

    ``find_stores`` gives the places in order of preference, once, when they are first needed: what the first
    will not take goes into the next. ``folder`` holds the lock that keeps two programs from renewing the same
    login at once.
    """

    def __init__(
        self,
        find_stores: Callable[[], Sequence[SecretStore]],
        folder: Path,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._find_stores = find_stores
        self._folder = folder
        self._clock = clock

    @cached_property
    def _stores(self) -> tuple[SecretStore, ...]:
        return tuple(self._find_stores())

    def load(self, base: str, username: str) -> Tokens | None:
        """The login, None where there is none that can be used.

        The newest one counts: a keyring that was locked for a while still holds what it had before.
        """
        found: list[_Kept] = []
        for store in self._stores:
            try:
                text = store.get(_name(base, username))
                if text:
                    found.append(msgspec.json.decode(text, type=_Kept))
            except (SecretStoreFailed, msgspec.DecodeError):
                continue
        return max(found, key=lambda kept: kept.at).tokens if found else None

    def save(self, base: str, username: str, tokens: Tokens) -> None:
        """Keep it, in one store only where that can be. Raises SecretStoreFailed where none takes it."""
        text = msgspec.json.encode(_Kept(tokens, self._clock())).decode()
        for store in self._stores:
            try:
                store.set(_name(base, username), text)
            except SecretStoreFailed:
                continue
            self._forget([other for other in self._stores if other is not store], base, username)
            return
        raise SecretStoreFailed(
            _("The login could not be kept: neither the keyring nor the data folder takes it."),
            hint=_("Check that the data folder can be written."),
        )

    def forget(self, base: str, username: str) -> None:
        """Remove it everywhere."""
        self._forget(self._stores, base, username)

    @contextlib.contextmanager
    def alone(self) -> Generator[None]:
        """Keep other programs of this person from renewing meanwhile (where the system has such locks)."""
        if os.name != "posix":
            yield
            return
        import fcntl

        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _forget(self, stores: Sequence[SecretStore], base: str, username: str) -> None:
        for store in stores:
            with contextlib.suppress(SecretStoreFailed):
                store.remove(_name(base, username))


def _name(base: str, username: str) -> str:
    return f"{username}@{base}" if username else base
