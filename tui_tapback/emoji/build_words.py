"""Gathers words for the bundle out of other packages than emojibase, and out of the hand-kept files."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from tui_tapback.emoji.core import bare
from tui_tapback.emoji.locate import asset
from tui_tapback.emoji.phrases import shown

# A valence of one is an opinion.
_CLEARLY = 2
# Packages of the Python index whose data the bundle has; the build finds them where they are installed.
INSTALLED = ("emoji", "zulip-emoji-mapping")


@dataclass(frozen=True, slots=True)
class Row:
    """One base emoji while the bundle is made."""

    char: str
    hexcode: str
    subgroup: int
    version: float
    toned: tuple[str, ...]
    emoticons: tuple[str, ...]


def read_json(path: Path) -> Any:
    """Parse one file of a package."""
    return json.loads(path.read_text(encoding="utf-8"))


def chat_words(rows: list[Row]) -> list[tuple[int, str]]:
    """The hand-kept words of chat.json, kind by kind, and the demonyms of the flags."""
    document = read_json(asset("chat.json"))
    numbers = {row.char: number for number, row in enumerate(rows)}
    pairs = [
        (numbers[char], phrase)
        for kind in document["words"].values()
        for phrase, chars in kind.items()
        for char in chars.split()
    ]
    for line in document["flags"].split(","):
        code, *names = line.split()
        flag = "".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in code)
        pairs += [(numbers[flag], name.replace("-", " ")) for name in names]
    return pairs


def british(source: Path, rows: list[Row], english: dict[str, Any]) -> list[tuple[int, str]]:
    """British names and keywords where they are not those of ``english`` (aubergine, football)."""
    entries = {entry["hexcode"]: entry for entry in read_json(source / "en-gb" / "data.json")}
    return [
        (number, word)
        for number, row in enumerate(rows)
        for word in (entries[row.hexcode]["label"], *entries[row.hexcode].get("tags", ()))
        if number not in english["keywords"].get(word, ())
    ]


def further_words(packages: Path, rows: list[Row]) -> list[tuple[int, str]]:
    """English words of emojilib, the search tags of GitHub, the commits of gitmoji and the names of Zulip."""
    lib: dict[str, list[str]] = read_json(folder_of(packages, "emojilib") / "dist" / "emoji-en-US.json")
    words = {bare(char): list(of) for char, of in lib.items()}
    for char, of in _gemoji(folder_of(packages, "gemoji") / "index.js"):
        words.setdefault(bare(char), []).extend(of)
    for char, of in _gitmoji(folder_of(packages, "gitmojis") / "dist" / "index.mjs"):
        words.setdefault(bare(char), []).append(of)
    for char, of in _zulip():
        words.setdefault(bare(char), []).extend(of)
    return [
        (number, word.replace("_", " "))
        for number, row in enumerate(rows)
        for word in words.get(bare(row.char), ())
    ]


def _gemoji(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Emoji and search tags out of the list that the package keeps as JavaScript."""
    for entry in re.finditer(
        r"emoji: '([^']+)',.*?tags: \[(.*?)\]", path.read_text(encoding="utf-8"), re.DOTALL
    ):
        tags = re.findall(r"'((?:[^'\\]|\\.)*)'|\"([^\"]*)\"", entry[2])
        yield entry[1], [(one or other).replace("\\'", "'") for one, other in tags]


def _gitmoji(path: Path) -> Iterator[tuple[str, str]]:
    """Emoji and the sentence that says for which change it stands."""
    for entry in re.finditer(
        r'emoji: "([^"]+)",.*?description: "([^"]*)"', path.read_text(encoding="utf-8"), re.DOTALL
    ):
        yield entry[1], entry[2].rstrip(".")


def _zulip() -> Iterator[tuple[str, list[str]]]:
    """Emoji with their names in Zulip, the first of several first; a table that the package keeps as code."""
    tree = ast.parse(installed_file("zulip-emoji-mapping", "emoji_names.py").read_text(encoding="utf-8"))
    tables = (node.value for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and node.value)
    for table in tables:
        named: dict[str, dict[str, Any]] = ast.literal_eval(table)
        for code, names in named.items():
            char = "".join(chr(int(part, 16)) for part in code.split("-"))
            yield char, [names["canonical_name"], *names["aliases"]]


def spoken_words(locale: str, rows: list[Row]) -> list[tuple[int, str]]:
    """What people say in chats in a language other than English, as phrases.json has it."""
    numbers = {row.char: number for number, row in enumerate(rows)}
    return [(numbers[emoji], phrase) for phrase, emoji in shown(locale)]


def valences(package: Path) -> dict[str, int]:
    """English words that are clearly good or bad, from -5 to 5, out of the list that AFINN keeps as code."""
    text = (package / "index.js").read_text(encoding="utf-8")
    pairs = re.findall(r"^  '?([a-z]+)'?: (-?\d),?$", text, re.MULTILINE)
    return {word: int(number) for word, number in sorted(pairs) if abs(int(number)) >= _CLEARLY}


def folder_of(packages: Path, name: str) -> Path:
    """The unpacked package ``name``, with or without ``-VERSION``."""
    exact = packages / name
    return (
        exact
        if exact.is_dir()
        else next(path for path in sorted(packages.glob(f"{name}-[0-9]*")) if path.is_dir())
    )


def installed_file(package: str, name: str) -> Path:
    """The first file of an installed package whose name begins with ``name``."""
    files = distribution(package).files or ()
    return Path(str(next(file for file in files if file.name.startswith(name)).locate()))
