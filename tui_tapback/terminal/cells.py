"""The one place where an emoji becomes cells: text that is 2 cells for Rich and for the terminal alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from rich.cells import cell_len

from tui_tapback.domain.text import clean_line
from tui_tapback.terminal import standins
from tui_tapback.terminal.graphemes import clusters, fill
from tui_tapback.terminal.profile import WidthProfile

VS15: Final = "\ufe0e"
VS16: Final = "\ufe0f"
ZWJ: Final = "\u200d"
KEYCAP: Final = "\u20e3"
MISSING: Final = "▯ "
_TONE: Final = re.compile("[\U0001f3fb-\U0001f3ff]")
_TAGS: Final = re.compile("[\U000e0020-\U000e007f]")
_TAG_FLAG: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_TONED: Final = re.compile("(.)[\U0001f3fb-\U0001f3ff]")
# One emoji of a joined sequence; what is written otherwise, terminals that join take apart differently.
_PART: Final = re.compile("(.)(?:\ufe0f|[\U0001f3fb-\U0001f3ff])?")
_MOST_PARTS: Final = 4  # of any sequence that Unicode recommends
# What leaves no trace on the screen, but takes a cell in some terminals.
_INVISIBLE: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
_FLAG: Final = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_KEYCAP: Final = re.compile("[0-9#*]\ufe0f\u20e3")
_PICTURES: Final = "\U0001f000"
_REGIONAL: Final = re.compile("[\U0001f1e6-\U0001f1ff]")
# A cluster needs a look only if one of these is in it (all emoji, selectors and joiners are).
_SUSPECT: Final = re.compile(
    f"[{_INVISIBLE}\u200d\ufe0e\ufe0f\u20e3\u231a-\u27bf\u2b1b-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff\U000e0020-\U000e007f]"
)
_EXTEND: Final = re.compile("[\u200d\ufe0e\ufe0f\u20e3\U000e0020-\U000e007f\U0001f3fb-\U0001f3ff]")


def advance(text: str, profile: WidthProfile) -> int | None:
    """Cells the cursor of such a terminal moves by for one cluster; ``None`` where terminals disagree."""
    if text.isascii():
        return len(text)
    if not profile.utf8:
        return None
    if ZWJ in text:
        return 2 if profile.joined and _joins(text.split(ZWJ), profile) else None
    if KEYCAP in text:
        return 2 if (profile.keycaps or profile.pinned) and _KEYCAP.fullmatch(text) else None
    if _FLAG.fullmatch(text):
        return 2 if profile.flags else None
    if _REGIONAL.search(text):
        return None
    if _TAGS.search(text):
        return 2 if profile.tag_flags and _TAG_FLAG.fullmatch(text) else None
    base = text[0]
    if len(text) > 1 and _TONE.search(text):
        toned = _TONED.fullmatch(text) and standins.takes_tone(base) and standins.is_wide_emoji(base)
        return 2 if profile.tones and toned and _drawn(base, profile) else None
    if text[1:] == VS16:
        if standins.is_wide_emoji(base):
            return None
        if cell_len(base) == 2:
            return 2 if profile.wide and profile.wide_vs16 else None
        return 2 if profile.vs16 or (profile.pinned and base not in standins.SOMETIMES_WIDE) else None
    if standins.is_wide_emoji(base):
        return 2 if len(text) == 1 and _drawn(base, profile) else None
    if text in standins.SOMETIMES_NARROW and profile.wide and profile.wide_vs16:
        return None  # with the selector it is what all agree on
    if base in standins.SOMETIMES_WIDE or _EXTEND.search(text):
        return None
    if base >= _PICTURES and not profile.wide:
        return None  # 🈂 and 🈷: ideographs that are 2 cells only where emoji are
    return cell_len(text)


def _drawn(char: str, profile: WidthProfile) -> bool:
    return profile.wide and standins.since(char) <= profile.unicode


def _joins(parts: list[str], profile: WidthProfile) -> bool:
    return len(parts) <= _MOST_PARTS and all(_part_known(part, profile) for part in parts)


def _part_known(part: str, profile: WidthProfile) -> bool:
    if not _PART.fullmatch(part) or not standins.is_joined_emoji(part[0]):
        return False
    if _TONE.search(part[1:]) and not (profile.tones and standins.takes_tone(part[0])):
        return False
    return standins.since(part[0]) <= profile.unicode


def bare(emoji: str) -> str:
    """``emoji`` without variation selectors: the key of the stand-in tables."""
    return emoji.replace(VS16, "").replace(VS15, "")


class EmojiFitter:
    """Turns emoji into text that takes 2 cells both in Rich's measure and in a terminal of ``profile``.

    The ladder: as it is; text presentation and a blank (``❤ ``); without its tone; a look-alike; the first
    part of a joined sequence; the letters of a flag; ``▯ ``. Without wide emoji: symbols, then two ASCII
    characters (``<3 +1 -1 XD !! ??``). ``name_of`` may give names: the last resort is two letters of it.
    Results are cached; an instance is cheap to keep and holds at most a few thousand short strings.
    """

    def __init__(self, profile: WidthProfile, *, name_of: Callable[[str], str] | None = None) -> None:
        self.profile = profile
        self._name_of = name_of
        self._whole = lru_cache(8192)(self._fit)
        self.fit: Callable[[str], str] = self._whole
        self._fit_cluster = lru_cache(8192)(self._running)

    def adopt(self, profile: WidthProfile) -> None:
        """Fit for ``profile`` from now on; what is drawn already has to be drawn anew."""
        self.profile = profile
        self._whole.cache_clear()
        self._fit_cluster.cache_clear()

    def fit_text(self, text: str) -> str:
        """``text`` with every emoji in it made fit; everything else is left alone.

        Also drops joiners and selectors of no emoji, invisible characters and marks that stand on nothing,
        which Rich and terminals measure differently.
        """
        if not text or not (_SUSPECT.search(text) or _stands_on_nothing(text[0])):
            return text
        return "".join(
            self._fit_cluster(cluster) if _SUSPECT.search(cluster) or _stands_on_nothing(cluster) else cluster
            for cluster in clusters(text)
        )

    def _fit(self, emoji: str) -> str:
        """Exactly 2 cells for any string; what is no emoji is cleaned and cut."""
        if not _SUSPECT.search(emoji) and (self.profile.utf8 or emoji.isascii()):
            return fill(clean_line(emoji), 2)
        for candidate in self._candidates(emoji):
            if cell_len(candidate) == 2 and self._exact(candidate):
                return candidate
        return MISSING if self.profile.utf8 else "[]"

    def _exact(self, candidate: str) -> bool:
        if candidate.isascii():
            return True
        width = advance(candidate.removesuffix(" "), self.profile)
        return width is not None and width + candidate.endswith(" ") == 2

    def _candidates(self, emoji: str) -> Iterator[str]:
        key = bare(emoji)
        yield emoji
        if not self.profile.utf8:
            yield from self._letters(key)
            return
        if key in standins.SOMETIMES_NARROW:
            yield key + VS16
        yield from _text_forms(key)
        toneless = _TONE.sub("", emoji) or emoji
        if toneless != emoji:
            yield toneless
            yield bare(toneless) + VS16
            yield from _text_forms(bare(toneless))
        plain = bare(toneless)
        if not self.profile.wide:
            yield from self._letters(plain)
        if plain in standins.LOOKALIKES:
            yield standins.LOOKALIKES[plain]
        if ZWJ in toneless:
            yield from self._parts(emoji)
        if _TAGS.search(plain):
            yield plain[0]
        yield from _flag_letters(plain)

    def _parts(self, joined: str) -> Iterator[str]:
        for part in joined.split(ZWJ):
            toneless = _TONE.sub("", part) or part
            yield part
            yield toneless
            yield bare(toneless) + VS16
            yield from _text_forms(bare(toneless))
            yield standins.LOOKALIKES.get(bare(toneless), "")

    def _letters(self, key: str) -> Iterator[str]:
        plain = _TONE.sub("", key) or key
        if plain in standins.ASCII:
            yield standins.ASCII[plain]
        yield from _flag_letters(plain)
        if KEYCAP in plain:
            yield plain[0] + " "
        first = plain.split(ZWJ)[0]
        if first in standins.ASCII:
            yield standins.ASCII[first]
        if self._name_of is not None:
            yield initials(self._name_of(key))
        yield "[]"

    def _running(self, cluster: str) -> str:
        """One suspect cluster of running text: bare symbols stay as wide as they were written."""
        cluster = cluster.replace(VS15, "")
        if _stands_on_nothing(cluster):
            return ""
        head = cluster[0]
        if _REGIONAL.match(head) and len(cluster) == 1:
            return _letter(head)
        if cluster in standins.SOMETIMES_NARROW:
            return self.fit(cluster)
        emoji_like = standins.is_wide_emoji(head) or (cluster[1:2] == VS16 and cell_len(cluster[:2]) == 2)
        combined = len(cluster) > 1 and (_SUSPECT.match(head) or KEYCAP in cluster)
        if emoji_like or combined or head in standins.SOMETIMES_WIDE:
            return self.fit(cluster)
        # Without what joined it the cluster may fall apart (‼, joiner, emoji): look at each part.
        plain = _EXTEND.sub("", cluster)
        return plain if plain == cluster else self.fit_text(plain)


def _stands_on_nothing(cluster: str) -> bool:
    """Whether it takes no cell: a mark without a letter before it, or what cannot be seen; no line break."""
    return not cluster or (cluster[0] >= " " and not cell_len(cluster))


def _text_forms(key: str) -> Iterator[str]:
    """Text presentation and a blank, for a bare key that is one narrow character or a keycap."""
    if len(key) == 1 and cell_len(key) == 1:
        yield key + " "
    elif len(key) == 2 and key[1] == KEYCAP:
        yield key[0] + " "
    elif len(key) == 1:
        yield key


def _flag_letters(key: str) -> Iterator[str]:
    if _FLAG.fullmatch(key):
        yield "".join(map(_letter, key))


def _letter(regional: str) -> str:
    """The Latin letter of a regional indicator, which alone is no flag."""
    return chr(ord(regional) - 0x1F1E6 + ord("A"))


def initials(name: str) -> str:
    """Two ASCII letters that recall ``name``: the initials of two words, or the first two letters of one."""
    words = [word for word in re.split(r"[^a-z0-9]+", name.lower()) if word]
    if not words:
        return "[]"
    return (words[0][0] + words[1][0]) if len(words) > 1 else (words[0] + "  ")[:2]
