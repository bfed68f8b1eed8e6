"""Finds the files that are meant in what is typed (``@notes.txt``) or pasted (a dropped file's path)."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

_NAMED: Final = re.compile(r"(?:^|(?<=\s))@(?:\"(?P<quoted>[^\"\n]+)\"|(?P<bare>[^\s\"]+))")
_CLOSING: Final = ".,;:!?)]}'"
PASTED_MOST: Final = 4_000
"""Characters of a paste that may be paths."""


def named_files(text: str, base: Path) -> list[Path]:
    """Files that are named behind an ``@`` and are there, each once; anything else behind one is a word."""
    found: dict[Path, None] = {}
    for match in _NAMED.finditer(text):
        for name in _readings(match):
            path = base / Path(name).expanduser()
            if is_file(path):
                found[path] = None
                break
    return list(found)


def _readings(match: re.Match[str]) -> list[str]:
    """The path as it stands, then without what closes the sentence."""
    if match["quoted"]:
        return [match["quoted"]]
    return list(dict.fromkeys((match["bare"], match["bare"].rstrip(_CLOSING))))


def pasted_files(piece: str) -> list[Path]:
    """The files whose whole paths a paste consists of, as terminals write them where files are dropped.

    Nothing where anything else stands in it, or one of them is not there.
    """
    piece = piece.strip()
    if not piece or len(piece) > PASTED_MOST or not piece.startswith(("/", "~", "'", '"', "file://")):
        return []
    whole = Path(piece).expanduser()
    if "\n" not in piece and is_file(whole):
        return [whole]
    try:
        words = shlex.split(piece)
    except ValueError:
        return []
    paths = [_path(word) for word in words]
    sound = all(path is not None and path.is_absolute() and is_file(path) for path in paths)
    return [path for path in paths if path is not None] if sound else []


def _path(word: str) -> Path | None:
    if not word.startswith("file:"):
        return Path(word).expanduser()
    try:
        address = urlsplit(word)
    except ValueError:
        return None
    return Path(unquote(address.path)) if address.netloc in ("", "localhost") else None


def is_file(path: Path) -> bool:
    """Whether an ordinary file is there; a path that no system takes is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
