"""Keeps what terminals answered, so that each is asked once in a while and not at every start."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, field
from pathlib import Path
from typing import Any, Final

import msgspec

from tui_tapback.domain.values import value
from tui_tapback.terminal.probe import EDITION, ProbeResult

FILE_NAME: Final = "terminals.json"
DAY: Final = 86_400.0
FRESH_FOR: Final = 14 * DAY
"""Seconds after which a terminal is asked again: many give no version, and are updated silently."""
SILENT_FOR: Final = DAY
"""Seconds for which a terminal that did not answer is left alone."""
MOST: Final = 32
"""Terminals that are kept: those asked last."""
_LARGEST: Final = 1_000_000

# Who the terminal is. Values that name a window or a connection count only as present.
_NAMES: Final = (
    *("TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL", "LC_TERMINAL_VERSION", "COLORTERM"),
    *("VTE_VERSION", "KONSOLE_VERSION", "XTERM_VERSION", "XTERM_LOCALE", "MLTERM", "TERMINAL_EMULATOR"),
)
_PRESENT: Final = (
    *("KITTY_WINDOW_ID", "WT_SESSION", "ALACRITTY_WINDOW_ID", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR"),
    *("SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY", "WINDOWID"),
)


@value
class Known:
    """An answer from before. ``stale``: the terminal should be asked again when that costs nothing.

    ``until``: Unix seconds at which it becomes so.
    """

    result: ProbeResult
    stale: bool = False
    until: float = field(default=0.0, compare=False)


class _Entry(msgspec.Struct, frozen=True):
    at: float
    edition: str
    terminal: dict[str, str]
    result: ProbeResult


class _File(msgspec.Struct, frozen=True):
    terminals: dict[str, msgspec.Raw] = {}


def identity(environ: Mapping[str, str]) -> dict[str, str]:
    """What the environment tells of the terminal; holds no address and nothing of the person."""
    told = {name: environ[name][:80] for name in _NAMES if environ.get(name)}
    return told | {name: "present" for name in _PRESENT if environ.get(name)}


def fingerprint(environ: Mapping[str, str]) -> str:
    """The key under which answers of this terminal are kept."""
    told = json.dumps(identity(environ), sort_keys=True)
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]


class ProbeCache:
    """A JSON file (mode 0600). One that is damaged or unreadable counts as empty, and is written anew."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock

    def find(self, environ: Mapping[str, str]) -> Known | None:
        """What this terminal answered to these very probes, if that is known."""
        entry = self._read().get(fingerprint(environ))
        if entry is None or entry.edition != EDITION:
            return None
        life = FRESH_FOR if entry.result.outcome == "answered" else SILENT_FOR
        return Known(entry.result, stale=not 0 <= self._clock() - entry.at < life, until=entry.at + life)

    def keep(self, environ: Mapping[str, str], result: ProbeResult) -> None:
        """Remember an answer. Where there is none, a former answer stays, and is asked for again in a day.

        Raises ``OSError`` where the file cannot be written.
        """
        entries = self._read()
        key = fingerprint(environ)
        at, before = self._clock(), entries.pop(key, None)
        if result.outcome != "answered" and before is not None and before.result.outcome == "answered":
            at, result = at - FRESH_FOR + SILENT_FOR, before.result
        entries[key] = _Entry(at, EDITION, identity(environ), result)
        latest = sorted(entries.items(), key=lambda item: item[1].at)[-MOST:]
        write_json(self._path, {"terminals": {name: _plain(entry) for name, entry in latest}})

    def forget(self, environ: Mapping[str, str]) -> None:
        """Have this terminal asked at the next start. Raises ``OSError`` where the file cannot be written."""
        entries = self._read()
        if entries.pop(fingerprint(environ), None) is not None:
            write_json(self._path, {"terminals": {name: _plain(entry) for name, entry in entries.items()}})

    def _read(self) -> dict[str, _Entry]:
        try:
            with self._path.open("rb") as file:
                terminals = msgspec.json.decode(file.read(_LARGEST), type=_File).terminals
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return {}  # nothing yet, or nothing of use: the terminals are asked again
        found: dict[str, _Entry] = {}
        for name, raw in terminals.items():
            try:
                found[name] = msgspec.json.decode(raw, type=_Entry)
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue  # one bad entry costs itself only
        return found


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write ``document`` as a whole, or not at all (mode 0600). Raises ``OSError``."""
    handle, name = tempfile.mkstemp(prefix=".terminals-", suffix=".tmp", dir=path.parent)  # 0600
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=0)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _plain(entry: _Entry) -> dict[str, Any]:
    return {
        "at": entry.at,
        "edition": entry.edition,
        "terminal": entry.terminal,
        "result": asdict(entry.result),
    }
