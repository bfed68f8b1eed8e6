"""What could complete the word before the caret: emoji after ``:``, commands after ``/``."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.widgets.composer.commands import COMMANDS, SlashCommand
from tui_tapback.widgets.composer.paths import PATH_WORD, complete_path
from tui_tapback.widgets.found import Searcher
from tui_tapback.words import _

MOST: Final = 6
_TAIL: Final = 80
"""How much of a line is looked at; longer than any name, so that its start is never taken for the line's."""
_EMOJI_WORD: Final = re.compile(r"(?:^|(?<=[\s(\[\"']))(?P<sign>\d{0,3}[+-])?:(?P<query>[\w+\-]{2,40})$")
_FULL_NAME: Final = re.compile(r"(?:^|(?<=[^\w:\\]))(?P<all>:(?P<name>[\w+\-]{1,60}):)$")
_COMMAND: Final = re.compile(r"/(?P<name>[a-z][a-z0-9_-]*|)$")


@value
class Completion:
    """One line of the list: ``insert`` replaces the word; ``emoji`` may be empty."""

    insert: str
    label: str
    emoji: str = ""
    detail: str = ""


@value
class Offer:
    """Completions for the text from ``start`` up to the caret, best first, never empty."""

    start: int
    items: tuple[Completion, ...]


class Completer:
    """Looks at the text before the caret.

    ``tone`` gives the form of an emoji that the person prefers, ``name_of`` its name. ``base`` is the folder
    in which paths begin (None: the present one); ``further`` are commands of the gateway.
    """

    def __init__(
        self,
        search: Searcher,
        resolve: Callable[[str], str | None],
        *,
        tone: Callable[[str], str],
        name_of: Callable[[str], str],
        base: Path | None = None,
    ) -> None:
        self._search = search
        self._resolve = resolve
        self._tone = tone
        self._name_of = name_of
        self._base = base
        self.further: tuple[SlashCommand, ...] = ()

    def offer(self, before: str) -> Offer | None:
        """What to offer for ``before``, the text up to the caret."""
        if command := _COMMAND.fullmatch(before):
            return self._commands(command["name"])
        whole = before.rpartition("\n")[2]
        if path := PATH_WORD.search(whole):
            base = self._base or Path()
            found = complete_path(path["path"], base, MOST)
            paths = tuple(Completion(insert, label) for insert, label in found)
            return Offer(len(before) - len(path["path"]) - 1, paths) if paths else None
        line = whole[-_TAIL:]
        found = _EMOJI_WORD.search(line)
        if not found or line[: found.start("query") - 1].endswith("\\"):
            return None
        items = tuple(
            Completion(self._tone(match.emoji), self._name_of(match.emoji), emoji=self._tone(match.emoji))
            for match in self._search(found["query"], MOST)
        )
        start = len(before) - len(found["query"]) - 1
        return Offer(start, items) if items else None

    def _commands(self, begun: str) -> Offer | None:
        """Ours first; a gateway's command of the same name is left out, since ours is carried out."""
        ours = {c.name for c in COMMANDS}
        known = (*COMMANDS, *(c for c in self.further if c.name not in ours))
        items = tuple(
            Completion(f"/{c.name} " if c.argument else f"/{c.name}", f"/{c.name}", detail=_(c.summary))
            for c in known
            if c.name.startswith(begun)
        )
        return Offer(0, items[:MOST]) if items else None

    def replacement(self, before: str) -> tuple[int, str] | None:
        """``(start, emoji)`` if ``before`` ends with a whole ``:name:`` of an emoji without a backslash.

        A tapback written as text (``+:tada:``) keeps its name.
        """
        line = before.rpartition("\n")[2][-_TAIL:]
        found = _FULL_NAME.search(line)
        if not found or re.fullmatch(r"\d{0,3}[+-]", line[: found.start("all")].strip()):
            return None
        emoji = self._resolve(found["name"])
        return (len(before) - len(found["all"]), self._tone(emoji)) if emoji else None
