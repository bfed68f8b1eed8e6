"""What a person's use teaches the program: emoji used lately and tones wanted, kept in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tui_tapback.emoji.core import tones_in
from tui_tapback.emoji.normalise import base_of
from tui_tapback.emoji.recents import Recents
from tui_tapback.words import _

_READY = 8
"""Messages whose reactions are kept ready: the one selected, the answer, and where one comes from."""


class Habits:
    """Recent emoji in memory, saved to ``file`` when told to (None: never).

    ``tone`` is the default skin tone as long as none was chosen in the program.
    """

    def __init__(self, recents: Recents, file: Path | None = None, *, tone: int = 0) -> None:
        self.recents = recents
        self._tone = tone
        self._file = file
        self._fresh = False
        self._ready: dict[tuple[str, int, str], list[str]] = {}

    @property
    def tone(self) -> int:
        """The default tone, 0 for none, 1 (light) to 5 (dark)."""
        chosen = self.recents.tone
        return self._tone if chosen is None else chosen

    def prefer_tone(self, tone: int) -> None:
        """Another default of the settings; what was chosen in the program goes before it."""
        self._tone = tone
        self._ready.clear()

    def used(self, emoji: str) -> None:
        """The person reacted with ``emoji``."""
        # A tone that the person did not pick for this emoji follows the default, now and later.
        by_default = bool(tones_in(emoji)) and emoji == self.form(base_of(emoji))
        self.recents.use(emoji, tone_is_default=by_default)
        self._learnt()

    def shown(self, limit: int, tone: int) -> Sequence[str]:
        """For the picker."""
        return self.recents.shown(limit, tone)

    def form(self, emoji: str) -> str:
        """``emoji`` in the tone that is wanted of it."""
        return self.recents.form(emoji, self.tone)

    def choose_tone(self, tone: int) -> None:
        """Another default tone."""
        self.recents.choose_tone(tone)
        self._learnt()

    def choose_form(self, form: str) -> None:
        """Another tone for one emoji."""
        self.recents.choose_form(form)
        self._learnt()

    def _learnt(self) -> None:
        self._fresh = True
        self._ready.clear()

    def fitting(self, text: str, limit: int, locale: str = "en") -> list[str]:
        """The reactions that fit a message best, in the tones that are wanted."""
        ready = self._ready.get((text, limit, locale))
        if ready is None:
            from tui_tapback.emoji.suggestions import suggest  # with the search: not at the start

            found = suggest(text, limit, locales=(locale,), recents=self.recents.weights())
            ready = list(dict.fromkeys(self.form(match.emoji) for match in found))
            if len(self._ready) >= _READY:
                self._ready.clear()
            self._ready[text, limit, locale] = ready
        return list(ready)

    def understand(self, texts: Sequence[str], locale: str = "en") -> None:
        """Have ready what ``fitting`` needs of these messages; for a thread."""
        from tui_tapback.emoji.suggestions import prepare

        for text in texts:
            prepare(text, locales=(locale,))

    def save(self) -> str:
        """Write what is new; returns a sentence where that failed, else the empty string."""
        if not self._fresh or self._file is None:
            return ""
        self._fresh = False
        try:
            self.recents.save(self._file)
        except OSError as error:
            return _("The recent emoji could not be saved: {reason}.").format(reason=error.strerror or error)
        return ""
