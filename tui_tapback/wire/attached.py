"""Tells what a person said from what a Hermes gateway adds to the row for the files that went with it."""

from __future__ import annotations

import re
from typing import Final

from tui_tapback.domain.text import clean_line

_ADDED: Final = re.compile(r"\n*--- Attached Context ---\n.*?(?=\n@image:|\Z)", re.DOTALL)
"""The files' contents, which the gateway puts behind the words, and in front of its images."""
_LAST: Final = re.compile(r"(?:\A|\n)@(?:image|file):(?P<path>`[^`\n]+`|[^\n]+)\Z")
MOST: Final = 32


def said_and_attached(text: str) -> tuple[str, tuple[str, ...]]:
    """The words, and the names of the files in order. Only what stands at the very end is taken off."""
    if "@image:" not in text and "@file:" not in text:
        return text, ()
    words = _ADDED.sub("", text, count=1)
    names: list[str] = []
    while len(names) < MOST and (found := _LAST.search(words)):
        names.insert(0, name_of(found["path"]))
        words = words[: found.start()]
    return (words, tuple(names)) if names else (text, ())


def name_of(path: str) -> str:
    """The last part of a path on whatever system, without quotes; a name of ours without its number."""
    name = re.split(r"[/\\]", path.strip("`\"' "))[-1]
    return clean_line(name, 80) or "file"
