"""Remembers which emoji a person uses, how often and how lately, in a file that heals itself."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import assert_never, cast

from tui_tapback.domain.values import record, value
from tui_tapback.emoji.core import tones_in, with_tone
from tui_tapback.emoji.file_lock import locked
from tui_tapback.emoji.normalise import base_of, normalise_or_none

Clock = Callable[[], float]
FORMAT = 1
HALF_LIFE = 14 * 86_400.0  # seconds after which one use counts half
CAPACITY = 200
_READ_LIMIT = 1_000_000
_NEGLIGIBLE = 1e-3


@value
class Use:
    """How much an emoji has been used: ``weight`` uses as of Unix time ``at``."""

    weight: float
    at: float

    def now(self, when: float) -> float:
        """The weight decayed to ``when``; a clock that went back decays nothing."""
        return self.weight * math.exp2(-max(0.0, when - self.at) / HALF_LIFE)


def merged(one: Use, other: Use) -> Use:
    """Two records of one emoji made one, as of the later time."""
    at = max(one.at, other.at)
    return Use(one.now(at) + other.now(at), at)


@value
class _Used:
    """One use since the last save."""

    emoji: str
    at: float


@value
class _Forgot:
    """One act of forgetting since the last save: of one emoji, or of all."""

    emoji: str | None


@value
class _Chose:
    """A form of one emoji chosen for good since the last save; the base takes the choice back."""

    base: str
    form: str


@value
class _Toned:
    """Another default tone."""

    tone: int


_Change = _Used | _Forgot | _Chose | _Toned


@record
class _Kept:
    """What the file holds: uses, chosen forms by base, and the default tone (None: none was ever chosen)."""

    uses: dict[str, Use] = field(default_factory=dict[str, Use])
    forms: dict[str, str] = field(default_factory=dict[str, str])
    tone: int | None = None


class Recents:
    """The emoji used so far, most used and most recent first, and the tones chosen for them.

    No emoji stands here twice: spellings are folded on the way in, and so is a tone that only the
    default-tone setting gave (``tone_is_default``), since it follows the setting. A tone chosen on the
    emoji itself is kept exactly. ``problem`` says why a file could not be read, and is empty otherwise.
    """

    def __init__(self, clock: Clock, uses: Mapping[str, Use] | None = None, problem: str = "") -> None:
        self._clock = clock
        self._kept = _Kept(dict(uses or {}))
        self._changes: list[_Change] = []
        self.problem = problem

    @classmethod
    def load(cls, path: Path, clock: Clock) -> Recents:
        """Read ``path``; a missing file is empty, broken entries are skipped, a broken file is reported."""
        recents = cls(clock)
        try:
            recents._kept = _read_file(path, clock())
        except FileNotFoundError:
            pass
        except (OSError, ValueError, RecursionError) as error:
            recents.problem = f"The list of recent emoji could not be read ({error}); it starts anew."
        return recents

    @property
    def tone(self) -> int | None:
        """The default tone that was chosen last (0 none, 1 light to 5 dark); None if none ever was."""
        return self._kept.tone

    def choose_tone(self, tone: int) -> None:
        """Keep another default tone."""
        self._apply(_Toned(tone if 0 <= tone <= 5 else 0))

    def choose_form(self, form: str) -> None:
        """From now on this emoji is wanted in exactly this tone; its base form takes that back."""
        found = normalise_or_none(form)
        if found is not None:
            self._apply(_Chose(base_of(found), found))

    def form(self, emoji: str, tone: int) -> str:
        """``emoji`` as this person wants it: the form chosen for it, else in the default ``tone``.

        An emoji that has a tone already keeps it.
        """
        if tones_in(emoji):
            return emoji
        chosen = self._kept.forms.get(base_of(emoji)) if self._kept.forms else None
        return chosen or (with_tone(emoji, tone) if tone else emoji)

    def use(self, emoji: str, *, tone_is_default: bool = False) -> None:
        """Count one use; what is not an emoji is not remembered."""
        found = normalise_or_none(emoji)
        if found is not None:
            self._apply(_Used(base_of(found) if tone_is_default else found, self._clock()))

    def forget(self, emoji: str | None = None) -> None:
        """Forget one emoji, or all."""
        name = None if emoji is None else normalise_or_none(emoji) or emoji
        self._apply(_Forgot(name))

    def top(self, limit: int = 24) -> tuple[str, ...]:
        """The first ``limit`` emoji, most used and most recent first."""
        now = self._clock()
        ranked = sorted(self._kept.uses.items(), key=lambda item: (-item[1].now(now), -item[1].at, item[0]))
        return tuple(emoji for emoji, _ in ranked[: max(0, limit)])

    def shown(self, limit: int = 24, tone: int = 0) -> tuple[str, ...]:
        """As ``top``, with the untoned as this person wants them (see ``form``), and still none twice."""
        toned = (self.form(emoji, tone) for emoji in self.top(len(self)))
        return tuple(dict.fromkeys(toned))[: max(0, limit)]

    def weights(self) -> dict[str, float]:
        """For the search: each emoji with a weight from 0 to 1, 1 being the most used."""
        now = self._clock()
        decayed = {emoji: use.now(now) for emoji, use in self._kept.uses.items()}
        most = max(decayed.values(), default=0.0)
        if most < _NEGLIGIBLE:
            return {}
        return {emoji: math.log1p(weight) / math.log1p(most) for emoji, weight in decayed.items()}

    def save(self, path: Path) -> None:
        """Write the file in one atomic step; what another client has written meanwhile is kept.

        Raises OSError where the folder cannot be written or somebody holds the lock for long; the old
        file then stays whole, and the next save writes what this one could not.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_name(f".{path.name}.lock")):
            self._rebase(path)
            self._write(path)
        self._changes.clear()
        self.problem = ""

    def _write(self, path: Path) -> None:
        kept = self._kept
        document: dict[str, object] = {
            "format": FORMAT,
            "emoji": {
                emoji: {"weight": round(kept.uses[emoji].weight, 6), "at": round(kept.uses[emoji].at, 3)}
                for emoji in self.top(CAPACITY)
            },
            "forms": sorted(kept.forms.values()),
        }
        if kept.tone is not None:
            document["tone"] = kept.tone
        handle, name = tempfile.mkstemp(prefix=".recents-", suffix=".tmp", dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(document, file, ensure_ascii=False, indent=0)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def _rebase(self, path: Path) -> None:
        """Start from the file as it stands now and do our own changes to it again."""
        try:
            self._kept = _read_file(path, self._clock())
        except (OSError, ValueError, RecursionError):
            # Nothing to start from: what is in memory is the best there is.
            return
        changes, self._changes = self._changes, []
        for change in changes:
            self._apply(change)

    def _apply(self, change: _Change) -> None:
        self._changes.append(change)
        kept = self._kept
        match change:
            case _Used(emoji, at):
                use, before = Use(1.0, at), kept.uses.get(emoji)
                kept.uses[emoji] = use if before is None else merged(before, use)
                for surplus in self.top(len(self))[CAPACITY:]:
                    del kept.uses[surplus]
            case _Forgot(emoji):
                for each in (emoji,) if emoji is not None else tuple(kept.uses):
                    kept.uses.pop(each, None)
            case _Chose(base, form):
                kept.forms.pop(base, None)
                if form != base:
                    kept.forms[base] = form
            case _Toned(tone):
                kept.tone = tone
            case _:
                assert_never(change)

    def __len__(self) -> int:
        return len(self._kept.uses)

    def __iter__(self) -> Iterator[str]:
        return iter(self.top(len(self._kept.uses)))


def _read_file(path: Path, now: float) -> _Kept:
    """Raises OSError for a file that cannot be read and ValueError for one that is not JSON."""
    with path.open("rb") as file:
        raw = file.read(_READ_LIMIT)
    document: object = json.loads(raw) if raw.strip() else {}
    return _read(document, now)


def _read(document: object, now: float) -> _Kept:
    """Take what is sound in a file: our own format, or a plain list of emoji, the most recent first."""
    if isinstance(document, dict):
        fields = cast("dict[str, object]", document)
        tone = fields.get("tone")
        known = isinstance(tone, int) and not isinstance(tone, bool) and 0 <= tone <= 5
        uses = _read_uses(fields.get("emoji", {}), now)
        return _Kept(uses, _read_forms(fields.get("forms")), cast("int", tone) if known else None)
    return _Kept(_read_uses(document, now))


def _read_uses(entries: object, now: float) -> dict[str, Use]:
    pairs: list[tuple[object, object]] = []
    if isinstance(entries, dict):
        pairs = list(cast("dict[object, object]", entries).items())
    elif isinstance(entries, list):
        plain = cast("list[object]", entries)
        pairs = [(emoji, {"weight": 1.0, "at": now - place}) for place, emoji in enumerate(plain)]
    uses: dict[str, Use] = {}
    for key, kept in pairs:
        emoji = normalise_or_none(key) if isinstance(key, str) else None
        use = _read_use(kept, now)
        if emoji is not None and use is not None:
            uses[emoji] = merged(uses[emoji], use) if emoji in uses else use
    return uses


def _read_forms(entries: object) -> dict[str, str]:
    listed = cast("list[object]", entries) if isinstance(entries, list) else []
    forms = [form for entry in listed if isinstance(entry, str) and (form := normalise_or_none(entry))]
    return {base_of(form): form for form in forms if tones_in(form)}


def _read_use(value: object, now: float) -> Use | None:
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, object]", value)
    weight, at = fields.get("weight"), fields.get("at")
    if not isinstance(weight, (int, float)) or not isinstance(at, (int, float)):
        return None
    if not (math.isfinite(weight) and math.isfinite(at)) or weight <= 0:
        return None
    # A time in the future (a clock set back since) would keep an emoji on top for ever.
    return Use(min(float(weight), 1e6), min(float(at), now))
