"""Remembers which emoji a person uses, how often and how lately, in a file that heals itself."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tui_tapback.emoji.core import tones_in, with_tone
from tui_tapback.emoji.normalise import base_of, normalise_or_none

Clock = Callable[[], float]
FORMAT = 1
HALF_LIFE = 14 * 86_400.0  # seconds after which one use counts half
CAPACITY = 200
_READ_LIMIT = 1_000_000
_NEGLIGIBLE = 1e-3


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class _Change:
    """One use (or, with ``emoji`` None or ``forgotten``, one act of forgetting) since the last save."""

    emoji: str | None
    at: float
    forgotten: bool = False


class Recents:
    """The emoji used so far, most used and most recent first.

    No emoji stands here twice: spellings are folded on the way in, and so is a tone that only the
    default-tone setting gave (``tone_is_default``), since it follows the setting. A tone chosen on the
    emoji itself is kept exactly. ``problem`` says why a file could not be read, and is empty otherwise.
    """

    def __init__(self, clock: Clock, uses: Mapping[str, Use] | None = None, problem: str = "") -> None:
        self._clock = clock
        self._uses: dict[str, Use] = dict(uses or {})
        self._changes: list[_Change] = []
        self.problem = problem

    @classmethod
    def load(cls, path: Path, clock: Clock) -> Recents:
        """Read ``path``; a missing file is empty, broken entries are skipped, a broken file is reported."""
        try:
            return cls(clock, _read_file(path, clock()))
        except FileNotFoundError:
            return cls(clock)
        except (OSError, ValueError, RecursionError) as error:
            return cls(
                clock, problem=f"The list of recent emoji could not be read ({error}); it starts anew."
            )

    def use(self, emoji: str, *, tone_is_default: bool = False) -> None:
        """Count one use; what is not an emoji is not remembered."""
        found = normalise_or_none(emoji)
        if found is not None:
            self._apply(_Change(base_of(found) if tone_is_default else found, self._clock()))

    def forget(self, emoji: str | None = None) -> None:
        """Forget one emoji, or all."""
        name = None if emoji is None else normalise_or_none(emoji) or emoji
        self._apply(_Change(name, self._clock(), forgotten=True))

    def top(self, limit: int = 24) -> tuple[str, ...]:
        """The first ``limit`` emoji, most used and most recent first."""
        now = self._clock()
        ranked = sorted(self._uses.items(), key=lambda item: (-item[1].now(now), -item[1].at, item[0]))
        return tuple(emoji for emoji, _ in ranked[: max(0, limit)])

    def shown(self, limit: int = 24, tone: int = 0) -> tuple[str, ...]:
        """As ``top``, with the default tone (0 for none, 1 to 5) on the untoned, and still none twice."""
        toned = (
            with_tone(emoji, tone) if tone and not tones_in(emoji) else emoji
            for emoji in self.top(len(self._uses))
        )
        return tuple(dict.fromkeys(toned))[: max(0, limit)]

    def weights(self) -> dict[str, float]:
        """For the search: each emoji with a weight from 0 to 1, 1 being the most used."""
        now = self._clock()
        decayed = {emoji: use.now(now) for emoji, use in self._uses.items()}
        most = max(decayed.values(), default=0.0)
        if most < _NEGLIGIBLE:
            return {}
        return {emoji: math.log1p(weight) / math.log1p(most) for emoji, weight in decayed.items()}

    def save(self, path: Path) -> None:
        """Write the file in one atomic step; what another client has written meanwhile is kept.

        Raises OSError where the folder cannot be written; the old file then stays whole.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self._rebase(path)
        document = {
            "format": FORMAT,
            "emoji": {
                emoji: {"weight": round(self._uses[emoji].weight, 6), "at": round(self._uses[emoji].at, 3)}
                for emoji in self.top(CAPACITY)
            },
        }
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
        self._changes.clear()
        self.problem = ""

    def _rebase(self, path: Path) -> None:
        """Start from the file as it stands now and do our own changes to it again."""
        try:
            self._uses = _read_file(path, self._clock())
        except (OSError, ValueError, RecursionError):
            # Nothing to start from: what is in memory is the best there is.
            return
        changes, self._changes = self._changes, []
        for change in changes:
            self._apply(change)

    def _apply(self, change: _Change) -> None:
        self._changes.append(change)
        if change.emoji is None:
            self._uses.clear()
        elif change.forgotten:
            self._uses.pop(change.emoji, None)
        else:
            use, before = Use(1.0, change.at), self._uses.get(change.emoji)
            self._uses[change.emoji] = use if before is None else merged(before, use)
            for surplus in self.top(len(self._uses))[CAPACITY:]:
                del self._uses[surplus]

    def __len__(self) -> int:
        return len(self._uses)

    def __iter__(self) -> Iterator[str]:
        return iter(self.top(len(self._uses)))


def _read_file(path: Path, now: float) -> dict[str, Use]:
    """Raises OSError for a file that cannot be read and ValueError for one that is not JSON."""
    with path.open("rb") as file:
        raw = file.read(_READ_LIMIT)
    document: object = json.loads(raw) if raw.strip() else {}
    return _read(document, now)


def _read(document: object, now: float) -> dict[str, Use]:
    """Take what is sound in a file: our own format, or a plain list of emoji, the most recent first."""
    ours = isinstance(document, dict)
    entries = cast("dict[str, Any]", document).get("emoji", {}) if ours else document
    pairs: list[tuple[object, object]] = []
    if isinstance(entries, dict):
        pairs = list(cast("dict[object, object]", entries).items())
    elif isinstance(entries, list):
        plain = cast("list[object]", entries)
        pairs = [(emoji, {"weight": 1.0, "at": now - place}) for place, emoji in enumerate(plain)]
    uses: dict[str, Use] = {}
    for key, value in pairs:
        emoji = normalise_or_none(key) if isinstance(key, str) else None
        use = _read_use(value, now)
        if emoji is not None and use is not None:
            uses[emoji] = merged(uses[emoji], use) if emoji in uses else use
    return uses


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
