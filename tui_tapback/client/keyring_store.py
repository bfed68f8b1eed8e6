"""The keyring of the desktop as a place for logins, where the package and something behind it are there."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from tui_tapback.domain.errors import SecretStoreFailed
from tui_tapback.words import _, mark

from .logins import SERVICE, Logins, PrivateFiles, SecretStore

_FAILED = mark("The keyring is locked or failed.")
_SAFE = 1
"""Priority from which on the package calls a backend recommended; those in clear text stay below."""


class KeyringStore:
    """A SecretStore over the module ``keyring``."""

    def __init__(self, keyring: Any) -> None:
        self._keyring = keyring

    def get(self, name: str) -> str | None:
        """Raises SecretStoreFailed where the keyring is locked or fails."""
        return self._call("get_password", SERVICE, name)

    def set(self, name: str, text: str) -> None:
        """Raises SecretStoreFailed, also for a text that is too long for the keyring."""
        self._call("set_password", SERVICE, name, text)

    def remove(self, name: str) -> None:
        """Raises SecretStoreFailed."""
        if self.get(name) is not None:
            self._call("delete_password", SERVICE, name)

    def _call(self, method: str, *arguments: str) -> Any:
        try:
            return getattr(self._keyring, method)(*arguments)
        except Exception as error:  # each backend has exceptions of its own (D-Bus, COM, …)
            raise SecretStoreFailed(_(_FAILED)) from error


def keyring_store() -> SecretStore | None:
    """None where the package is not installed, or has nothing behind it that keeps secrets."""
    try:
        keyring = importlib.import_module("keyring")
        if keyring.get_keyring().priority < _SAFE:
            return None
    except Exception:  # noqa: BLE001  # a backend that cannot even be looked for is none
        return None
    return KeyringStore(keyring)


def kept_logins(folder: Path) -> Logins:
    """The logins of this person: in the keyring where there is one, else as files in ``folder``."""

    def find() -> tuple[SecretStore, ...]:
        keyring = keyring_store()
        files = PrivateFiles(folder)
        return (files,) if keyring is None else (keyring, files)

    return Logins(find, folder)
