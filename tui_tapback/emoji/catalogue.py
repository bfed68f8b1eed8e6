"""The table of all emoji in one language: names, keywords, shortcodes, groups and tones."""

from __future__ import annotations

import json
import re
from functools import cache, cached_property
from typing import Any, NamedTuple

from tui_tapback.domain.values import value
from tui_tapback.emoji.core import bare, core, tones_in
from tui_tapback.emoji.locate import asset, assets

_LOCALE = re.compile(r"[a-z]{2,3}(-[a-z]{2,8})?")
_ENGLISH = "en"
# Other names of a locale, as environments and browsers write them.
_SAME = {"zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-cn": "zh", "zh-hans": "zh", "zh-sg": "zh"}


@value
class Emoji:
    """One base emoji. ``char`` is fully qualified; ``tones`` are its toned forms (5, more for two people)."""

    char: str
    name: str
    group: str
    subgroup: str
    order: int
    shortcodes: tuple[str, ...]
    keywords: tuple[str, ...]
    emoticons: tuple[str, ...]
    tones: tuple[str, ...]
    version: float


class Group(NamedTuple):
    """A category of the picker with its title in the language and one emoji that stands for it."""

    id: str
    title: str
    emoji: str


@value
class LocaleTable:
    """One locale file: ``names`` in chart order, ``keywords`` and ``more`` from a word to emoji numbers."""

    locale: str
    titles: dict[str, str]
    tones: tuple[str, ...]
    names: tuple[str, ...]
    keywords: dict[str, list[int]]
    more: dict[str, list[int]]


@cache
def available_locales() -> tuple[str, ...]:
    """The languages that the bundle carries, sorted."""
    return tuple(sorted(path.stem for path in (assets() / "locales").glob("*.json")))


def known_locale(locale: str) -> str:
    """The bundled locale nearest to ``locale`` (``pt_BR.UTF-8`` → ``pt``), English where there is none."""
    wanted = locale.split(".", maxsplit=1)[0].split("@", maxsplit=1)[0].replace("_", "-").lower()
    wanted = _SAME.get(wanted, wanted)
    while _LOCALE.fullmatch(wanted):
        if asset("locales", f"{wanted}.json").is_file():
            return wanted
        if "-" not in wanted:
            break
        wanted = wanted.rpartition("-")[0]
    return _ENGLISH


@cache
def locale_table(locale: str) -> LocaleTable:
    """The table of one locale, kept once read; ``locale`` must come from ``known_locale``."""
    return read_locale(locale)


def read_locale(locale: str) -> LocaleTable:
    """Read one locale file anew."""
    document: dict[str, Any] = json.loads(asset("locales", f"{locale}.json").read_text(encoding="utf-8"))
    return LocaleTable(
        locale=locale,
        titles=document["groups"],
        tones=tuple(document["tones"]),
        names=tuple(document["names"]),
        keywords=_shared(document["keywords"]),
        more=_shared(document.get("more", {})),
    )


def _shared(words: dict[str, list[int]]) -> dict[str, list[int]]:
    """The same table on shared numbers: the parser makes a new object of every one, 28 bytes each."""
    numbers, alone = shared_numbers()
    return {
        word: alone[of[0]] if len(of) == 1 else [numbers[number] for number in of]
        for word, of in words.items()
    }


@cache
def shared_numbers() -> tuple[list[int], list[list[int]]]:
    """Each emoji number once, and each once more in a list of its own."""
    numbers = list(range(len(core().chars)))
    return numbers, [[number] for number in numbers]


@cache
def shortcode_table() -> tuple[tuple[str, ...], ...]:
    """For each emoji in chart order its shortcodes, without colons, the best known first."""
    document = json.loads(asset("shortcodes.json").read_text(encoding="utf-8"))
    return tuple(tuple(codes.split()) for codes in document["shortcodes"])


class Catalogue:
    """All base emoji of the bundle with their names in one bundled language, read when first asked for."""

    def __init__(self, locale: str) -> None:
        self.locale = locale

    @cached_property
    def _table(self) -> LocaleTable:
        return locale_table(self.locale)

    def complete(self) -> None:
        """Make now what else would be made by the first look."""
        _ = self.all, self.groups, self._codes

    @cached_property
    def all(self) -> tuple[Emoji, ...]:
        """Every base emoji in chart order."""
        table, shared, codes = self._table, core(), shortcode_table()
        keywords: list[list[str]] = [[] for _ in shared.chars]
        for words in (table.keywords, table.more):
            for word, numbers in words.items():
                for number in numbers:
                    keywords[number].append(word)
        return tuple(
            Emoji(
                char=char,
                name=table.names[number],
                group=shared.groups[shared.subgroups[shared.subgroup[number]][1]][0],
                subgroup=shared.subgroups[shared.subgroup[number]][0],
                order=number,
                shortcodes=codes[number],
                keywords=tuple(dict.fromkeys(keywords[number])),
                emoticons=shared.emoticons.get(char, ()),
                tones=shared.toned[number],
                version=shared.versions[number],
            )
            for number, char in enumerate(shared.chars)
        )

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The categories in the order of the charts."""
        titles = self._table.titles
        return tuple(Group(name, titles.get(name, name), char) for name, char in core().groups)

    @property
    def version(self) -> float:
        """The newest Emoji version of which the bundle knows everything."""
        return core().version

    def get(self, char: str) -> Emoji | None:
        """The base emoji of ``char`` in whatever spelling or tone, None for what is not in the bundle."""
        number = core().number.get(bare(char.strip()))
        return None if number is None else self.all[number]

    def by_shortcode(self, code: str) -> Emoji | None:
        """The emoji of a shortcode, with or without its colons, in any case."""
        number = self._codes.get(code.strip().strip(":").lower())
        return None if number is None else self.all[number]

    def name(self, char: str) -> str:
        """The spoken name with the tones; of an emoji that the bundle does not know its code points."""
        number = core().number.get(bare(char.strip()))
        if number is None:
            return "emoji " + " ".join(f"U+{ord(point):04X}" for point in bare(char.strip()))
        name = self._table.names[number]
        tones = ", ".join(self._table.tones[tone - 1] for tone in dict.fromkeys(tones_in(char)))
        if not tones:
            return name
        head, colon, rest = name.partition(": ")
        return f"{head}: {tones}, {rest}" if colon else f"{name}: {tones}"

    @cached_property
    def _codes(self) -> dict[str, int]:
        codes: dict[str, int] = {}
        # A code may mean two things in two presets; the emoji for which it stands nearer the front has it.
        ranked = sorted(
            (rank, number, code.lower())
            for number, of in enumerate(shortcode_table())
            for rank, code in enumerate(of)
        )
        for _, number, code in ranked:
            codes.setdefault(code, number)
        return codes


@cache
def _catalogue(locale: str) -> Catalogue:
    return Catalogue(locale)


def load_catalogue(locale: str = _ENGLISH) -> Catalogue:
    """The catalogue in the bundled language nearest to ``locale``; each is read once, when first wanted."""
    return _catalogue(known_locale(locale))
