"""Keeps whether the background of each terminal was dark, for a first frame that comes before its answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from tui_tapback.terminal.cache import MOST, fingerprint, write_json

BACKGROUNDS: Final = "backgrounds.json"
_LARGEST: Final = 100_000


class BackgroundCache:
    """A JSON file (mode 0600): terminal → dark or not, those that changed last at its end. One that is
    damaged or unreadable counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, environ: Mapping[str, str]) -> bool | None:
        """Whether it was dark when it was last asked; None where it never answered."""
        return self._read().get(fingerprint(environ))

    def keep(self, environ: Mapping[str, str], *, dark: bool) -> None:
        """Remember it; nothing is written where nothing is new. Raises ``OSError``."""
        known, key = self._read(), fingerprint(environ)
        if known.pop(key, None) is not dark:
            write_json(self._path, dict([*known.items(), (key, dark)][-MOST:]))

    def _read(self) -> dict[str, bool]:
        try:
            with self._path.open("rb") as file:
                return msgspec.json.decode(file.read(_LARGEST), type=dict[str, bool])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return {}  # nothing yet, or nothing of use
