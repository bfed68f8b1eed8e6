"""Completes names of files and folders behind an ``@``."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

PATH_WORD: Final = re.compile(r"(?:^|(?<=\s))@(?P<path>\"[^\"\n]*|[^\s\"]*)$")
SCANNED: Final = 2000
"""Entries of one folder that are looked at; a larger one is completed by what comes first."""


def complete_path(typed: str, base: Path, limit: int) -> list[tuple[str, str]]:
    """What ``typed`` (without the ``@``) could become: what to insert, and the name to show.

    Folders first, then by name; hidden ones only where a dot was typed. A folder that cannot be read gives
    nothing.
    """
    typed = typed.removeprefix('"')
    folder, _, begun = typed.rpartition("/")
    head = typed[: len(typed) - len(begun)]
    where = Path(folder or ("/" if head else ".")).expanduser()
    found: list[tuple[bool, str]] = []
    try:
        with os.scandir(base / where) as entries:
            for number, entry in enumerate(entries):
                if number >= SCANNED:
                    break
                if not entry.name.isprintable() or '"' in entry.name:
                    continue
                hidden = entry.name.startswith(".") and not begun.startswith(".")
                if not hidden and entry.name.casefold().startswith(begun.casefold()):
                    found.append((not entry.is_dir(), entry.name))
    except OSError:
        return []
    return [_offered(head, name, is_file=is_file) for is_file, name in sorted(found)[:limit]]


def _offered(head: str, name: str, *, is_file: bool) -> tuple[str, str]:
    whole = head + name
    if not is_file:
        return (f'@"{whole}/' if " " in whole else f"@{whole}/"), f"{name}/"
    return (f'@"{whole}" ' if " " in whole else f"@{whole} "), name
