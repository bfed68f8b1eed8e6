"""Reads .po files, the usual form of translations: one entry after the other, with its notes and flags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_KEYWORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])?[ \t]+(".*")')
_ESCAPE = re.compile(r"\\(.)")
_MEANS = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


class PoError(ValueError):
    """A file that is no .po file; the sentence says in which line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One text: ``one`` is its English, ``many`` the English for several (empty: it is not counted),
    ``texts`` the translations, one per form. ``notes`` are the comments above it, with their sign."""

    one: str
    many: str
    texts: tuple[str, ...]
    fuzzy: bool = False
    notes: tuple[str, ...] = ()


def read_po(text: str) -> list[Entry]:
    """The entries of a .po file in order, the header first (its ``one`` is empty).

    Raises PoError with the line. Obsolete entries (``#~``) are left out.
    """
    return list(_Reader().entries(text))


def unescaped(text: str) -> str:
    """``\\n`` and its kind as what they mean. Raises PoError for an escape that means nothing."""
    return _ESCAPE.sub(_meaning, text)


def _meaning(found: re.Match[str]) -> str:
    if found[1] not in _MEANS:
        raise PoError(f"The escape \\{found[1]} has no meaning here.")
    return _MEANS[found[1]]


class _Reader:
    """Gathers one entry after the other: ``_parts`` holds msgid, msgid_plural and the forms of msgstr."""

    __slots__ = ("_forms", "_line", "_many", "_notes", "_one")

    def __init__(self) -> None:
        self._line = 0
        self._begin()

    def _begin(self) -> None:
        self._notes: list[str] = []
        self._one: list[str] | None = None
        self._many: list[str] = []
        self._forms: list[list[str]] = []

    def entries(self, text: str) -> Iterator[Entry]:
        """All of them."""
        gathering: list[str] | None = None
        for self._line, line in enumerate([*text.split("\n"), "#"], 1):
            line = line.strip()  # noqa: PLW2901
            sign = line[:1]
            if sign == '"' and gathering is not None:
                gathering.append(self._quoted(line))
            elif sign == "m":
                if line.startswith("msgid ") and self._one is not None:
                    yield self._finished()
                gathering = self._keyword(line)
            elif sign in ("#", ""):
                if self._one is not None:
                    yield self._finished()
                    gathering = None
                if sign and not line.startswith("#~"):
                    self._notes.append(line)
            else:
                raise self._wrong(
                    "A text stands before msgid." if sign == '"' else "This is neither comment nor text."
                )

    def _keyword(self, line: str) -> list[str]:
        found = _KEYWORD.fullmatch(line)
        if found is None:
            raise self._wrong("This is neither comment nor text.")
        keyword, index, quoted = found.groups()
        parts = [self._quoted(quoted)]
        if keyword == "msgid":
            self._one = parts
        elif keyword == "msgctxt":
            raise self._wrong("This program uses no contexts (msgctxt).")
        elif self._one is None:
            raise self._wrong(f"{keyword} stands before msgid.")
        elif keyword == "msgid_plural":
            self._many = parts
        elif int(index or 0) != len(self._forms):
            raise self._wrong("The forms of msgstr are not in order.")
        else:
            self._forms.append(parts)
        return parts

    def _quoted(self, line: str) -> str:
        if line[-1:] != '"' or len(line) < 2:
            raise self._wrong("A text lacks its second quotation mark.")
        if "\\" not in line:
            return line[1:-1]
        try:
            return unescaped(line[1:-1])
        except PoError as error:
            raise self._wrong(str(error)) from None

    def _finished(self) -> Entry:
        if self._one is None or not self._forms:
            raise self._wrong("A msgid has no msgstr.")
        fuzzy = any(note.startswith("#,") and "fuzzy" in note for note in self._notes)
        texts = tuple(["".join(form) for form in self._forms])
        entry = Entry("".join(self._one), "".join(self._many), texts, fuzzy, tuple(self._notes))
        self._begin()
        return entry

    def _wrong(self, why: str) -> PoError:
        return PoError(f"Line {self._line}: {why}")
