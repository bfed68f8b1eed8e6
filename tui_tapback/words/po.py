"""Reads .po files, the usual form of translations: one entry after the other, with its flags."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])?[ \t]+)?"(.*)"[ \t]*')
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


class _Reader:
    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._begin()

    def _begin(self) -> None:
        self._notes: list[str] = []
        self._one: list[str] | None = None
        self._many: list[str] = []
        self._texts: list[list[str]] = []
        self._open: list[str] | None = None

    def line(self, line: str) -> None:
        if not line or line.startswith("#"):
            if self._one is not None:
                self._finish()
            if line and not line.startswith("#~"):
                self._notes.append(line)
            return
        found = _LINE.fullmatch(line)
        if found is None:
            raise PoError("This is neither a comment nor a text in quotes.")
        keyword, index, text = found.groups()
        if keyword:
            self._keyword(keyword, int(index or 0))
        if self._open is None:
            raise PoError("A text stands before msgid.")
        self._open.append(text if "\\" not in text else _ESCAPE.sub(_unescaped, text))

    def _keyword(self, keyword: str, index: int) -> None:
        if keyword == "msgctxt":
            raise PoError("This program uses no contexts (msgctxt).")
        if keyword == "msgid":
            if self._one is not None:
                self._finish()
            self._one = self._open = []
        elif self._one is None:
            raise PoError(f"{keyword} stands before msgid.")
        elif keyword == "msgid_plural":
            self._open = self._many
        elif index != len(self._texts):
            raise PoError("The forms of msgstr are not in order.")
        else:
            self._open = []
            self._texts.append(self._open)

    def _finish(self) -> None:
        if self._one is None or not self._texts:
            raise PoError("A msgid has no msgstr.")
        fuzzy = any(note.startswith("#,") and "fuzzy" in note for note in self._notes)
        texts = tuple("".join(text) for text in self._texts)
        self.entries.append(Entry("".join(self._one), "".join(self._many), texts, fuzzy, tuple(self._notes)))
        self._begin()


def _unescaped(found: re.Match[str]) -> str:
    try:
        return _MEANS[found[1]]
    except KeyError:
        raise PoError(f"The escape \\{found[1]} has no meaning here.") from None


def read_po(text: str) -> list[Entry]:
    """The entries of a .po file in order, the header first (its ``one`` is empty).

    Raises PoError with the line. Obsolete entries (``#~``) are left out.
    """
    reader = _Reader()
    for number, line in enumerate([*text.split("\n"), "#"], 1):
        try:
            reader.line(line.strip())
        except PoError as error:
            raise PoError(f"Line {number}: {error}") from None
    return reader.entries
