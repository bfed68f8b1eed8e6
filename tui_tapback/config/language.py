"""Finds the language that the settings ask for, before anything else of them is read."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tui_tapback.domain.errors import SettingsError
from tui_tapback.words import AUTO, choose

from .paths import Paths

_LINE = re.compile(r"^language\s*=\s*[\"']([a-z-]+)[\"']", re.MULTILINE)
_TABLE = re.compile(r"^\s*\[", re.MULTILINE)


def language_wanted(environ: Mapping[str, str]) -> str:
    """The code of the language for words said before the settings are read, such as those of ``--help``.

    A file that cannot be read is complained of later, by who reads all of it.
    """
    try:
        text = Paths.from_environ(environ).settings_file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, SettingsError):
        return choose(AUTO, environ)
    found = _LINE.search(_TABLE.split(text, maxsplit=1)[0])
    return choose(found[1] if found else AUTO, environ)
