"""Notices when the user's words are warm towards the agent, by a small lexicon, without a model."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tui_tapback.emoji.core import bare

LEXICON = Path(__file__).with_name("affection.json")
SCANNED = 4000
"""Characters of a message that are looked at."""
_NOT_OWN_WORDS = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,}).*?(?:^[ \t]*(?P=fence)|\Z)"  # a fenced block
    r"|`+[^`\n]+`+"
    r"|^[ \t]*>[^\n]*"  # a quoted line
    r"|[“„][^“”„\n]{1,500}[”“]|«[^«»\n]{1,500}»|»[^«»\n]{1,500}«|「[^」\n]{1,500}」|『[^』\n]{1,500}』"
    r"|\"[^\"\n]{1,500}\"|(?<!\w)['‘][^'‘’\n]{1,500}['’](?!\w)",
    re.MULTILINE | re.DOTALL,
)
_TEXT_HEART = re.compile(r"(?<![\w<])<3+(?![\w.,]*\d)(?=\W|$)|(?<=\bi)<3+(?=u\b|you\b)")
_COMPARED = re.compile(r"(?:\b(?!i\b)[a-z]|\d|[)\]=]|\b(?:if|while|when|len|count|size|is|are|was))\s*$")
_SUBJECT = re.compile(r"(?:^|\W)(?:i|we)\s*$")
_OBJECT = re.compile(r"[\s\ufe0f]*(\w+)")
_AGENT = ("u", "you", "ya")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "\u0307": None})


@dataclass(frozen=True, slots=True)
class _Lexicon:
    warm: re.Pattern[str]
    cold: re.Pattern[str]
    alone: frozenset[str]
    hearts: re.Pattern[str]


def is_affectionate(text: str) -> bool:
    """Whether ``text`` thanks the agent, likes it or sends it a heart, in any of the bundled languages.

    What stands in code or quotes does not count, nor does praise of a thing.
    """
    own = folded(_NOT_OWN_WORDS.sub(" · ", text[:SCANNED]))
    lexicon = _lexicon()
    if " ".join(re.findall(r"[\w']+", own)) in lexicon.alone:
        return True
    cold = [match.span(1) for match in lexicon.cold.finditer(own)]
    if any(not _inside(match.span(1), cold) for match in lexicon.warm.finditer(own)):
        return True
    if any(_for_agent(own, match) for match in lexicon.hearts.finditer(own)):
        return True
    return any(
        not _COMPARED.search(own[: match.start()]) and _for_agent(own, match)
        for match in _TEXT_HEART.finditer(own)
    )


def folded(text: str) -> str:
    """The form in which words are compared: composed, without case, one kind of apostrophe and of blank."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)
    return re.sub(r"\s+", " ", bare(plain)).strip()


def _inside(span: tuple[int, int], cold: Sequence[tuple[int, int]]) -> bool:
    """Whether a longer cold match covers some of ``span``."""
    begin, end = span
    return any(start < end and begin < stop and stop - start > end - begin for start, stop in cold)


def _for_agent(text: str, heart: re.Match[str]) -> bool:
    """“I ❤️ cheese” is about cheese."""
    if not _SUBJECT.search(text[: heart.start()]):
        return True
    after = _OBJECT.match(text[heart.end() :])
    return after is None or after[1] in _AGENT


@cache
def _lexicon() -> _Lexicon:
    document = json.loads(LEXICON.read_text("utf-8"))
    languages = document["languages"].values()
    hearts = sorted({bare(heart) for heart in document["hearts"].split()}, key=len, reverse=True)
    return _Lexicon(
        warm=_any_of([(entry["phrases"], entry.get("spaced", True)) for entry in languages]),
        cold=_any_of([(entry["unless"], entry.get("spaced", True)) for entry in languages]),
        alone=frozenset(folded(word) for entry in languages for word in entry.get("alone", ())),
        hearts=re.compile("|".join(map(re.escape, hearts))),
    )


def _any_of(lists: Sequence[tuple[list[str], bool]]) -> re.Pattern[str]:
    """The longest phrase at each place, also where one begins inside another."""
    spaced = [folded(phrase) for phrases, by_word in lists for phrase in phrases if by_word]
    joined = [folded(phrase) for phrases, by_word in lists for phrase in phrases if not by_word]
    edge = r"[\w\u0900-\u0963\u0966-\u097f]"
    words, pieces = _alternatives(spaced), _alternatives(joined)
    return re.compile(rf"(?=((?<!{edge})(?:{words})(?!{edge})|(?:{pieces})))")


def _alternatives(phrases: list[str]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(set(phrases), key=len, reverse=True))
