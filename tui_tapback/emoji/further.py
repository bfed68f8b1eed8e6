"""Reads the languages beside a person's own in a thread, when a query first finds nothing without them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from tui_tapback.emoji.catalogue import available_locales

# The languages that most people write come first: each answers as soon as it is read.
_FIRST = ("es", "de", "fr", "pt", "it", "zh", "ja", "ru", "ko")


class FurtherLanguages:
    """All bundled languages, read one after another in the background from the first ``ready()`` on.

    They are a second of work and 20 MB, which nobody shall pay who searches in one language. ``ready`` is
    what ``search`` takes for ``others``: what is still being read answers the next keystroke.
    """

    def __init__(self, locales: Sequence[str] | None = None) -> None:
        self._locales = locales
        self._read: tuple[str, ...] = ()
        self._thread: threading.Thread | None = None

    def ready(self) -> tuple[str, ...]:
        """The languages read so far, without waiting; the first call begins."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._read_all, name="emoji-languages", daemon=True)
            self._thread.start()
        return self._read

    def wait(self, seconds: float) -> bool:
        """Wait until all are read, at most so long; whether they are."""
        if self._thread is None:
            return False
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _read_all(self) -> None:
        from tui_tapback.emoji.index import locale_index  # with the search: not at the start

        known = available_locales() if self._locales is None else self._locales
        for locale in sorted(known, key=lambda code: _FIRST.index(code) if code in _FIRST else len(_FIRST)):
            locale_index(locale)
            self._read = (*self._read, locale)
