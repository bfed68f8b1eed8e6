"""Gets to know the terminal at the start of the program: a kept answer, or a question where none is fresh."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tui_tapback.terminal.background import Sieve, answers_colour
from tui_tapback.terminal.background_cache import BACKGROUNDS, BackgroundCache
from tui_tapback.terminal.cache import FILE_NAME, Known, ProbeCache
from tui_tapback.terminal.choice import Choice, choose_profile, worth_asking
from tui_tapback.terminal.driver import Inquiry
from tui_tapback.terminal.last_frame import LATEST
from tui_tapback.terminal.probe import ROW, Conversation, ProbeResult

PATIENCE: Final = 0.0
"""Seconds that the first picture waits for a terminal that has not answered while all was loading."""


def settled_until(environ: Mapping[str, str], override: str, folder: Path) -> float:
    """Unix seconds until which the terminal is not asked at a start; 0 where the next start will ask it."""
    known = ProbeCache(folder / FILE_NAME).find(environ) if override in ("auto", "colour") else None
    if worth_asking(environ, override, known):
        return 0.0
    return known.until if known is not None else float(LATEST)


class Acquaintance:
    """Use it as a context around the imports that take long: the terminal answers meanwhile.

    ``folder`` keeps the answers. ``typed`` is given what was typed while the question was open. ``sieve``
    has been behind whoever read from this terminal before, and may know its background. Entering raises
    ``SettingsError`` for an ``override`` that is no profile.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        override: str,
        folder: Path,
        typed: Callable[[bytes], None],
        *,
        sieve: Sieve | None = None,
        inquiry: Callable[..., Inquiry] = Inquiry,
    ) -> None:
        self._environ, self._override, self._typed = environ, override, typed
        self._cache = ProbeCache(folder / FILE_NAME)
        self._make = inquiry
        self._inquiry: Inquiry | None = None
        self._rest: Conversation | None = None
        self._settled: Callable[[Choice], object] = lambda _: None
        self._backgrounds = BackgroundCache(folder / BACKGROUNDS)
        self._turned: Callable[[bool], object] = lambda _: None
        self.sieve = sieve or Sieve()
        self.told_dark: bool | None = None
        """Whether the background is dark, as the terminal has told in this run; None: it has not."""
        self._hear()
        self._known = self._cache.find(environ) if override in ("auto", "colour") else None

    @property
    def asks(self) -> bool:
        """Whether there is a reason to put the question."""
        return worth_asking(self._environ, self._override, self._known)

    def __enter__(self) -> Self:
        """Put the question, if there is a reason to."""
        if self.asks or (self.told_dark is None and answers_colour(self._environ)):
            self._inquiry = self._make(widths=self.asks, sieve=self.sieve)
            self._inquiry.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the terminal back, whatever happened."""
        if self._inquiry is not None:
            self._inquiry.__exit__(kind, error, trace)

    def choose(self) -> Choice:
        """The profile to begin with, after ``PATIENCE`` seconds at most; what comes later is ``heard``."""
        if self._inquiry is None:
            return choose_profile(self._environ, self._override, self._known)
        asked_widths = self.asks
        answer = self._inquiry.answer(PATIENCE)
        self._typed(answer.keys)
        self._hear()
        if not asked_widths:
            return choose_profile(self._environ, self._override, self._known)
        self._keep(answer.result)
        if answer.result.outcome == "answered":
            self._known = Known(answer.result)
        self._rest = self._inquiry.rest
        return choose_profile(self._environ, self._override, self._known, answer.result)

    @property
    def dark(self) -> bool | None:
        """Whether the background is dark, as told now or at an earlier start; None: it never was."""
        return self._backgrounds.find(self._environ) if self.told_dark is None else self.told_dark

    @property
    def follows(self) -> bool:
        """Whether the terminal can tell when its background turns dark or light."""
        return self._known is not None and self._known.result.tells

    def turns(self, dark: bool) -> None:
        """The terminal has told that its background is dark, or light."""
        if self.told_dark is dark:
            return
        self.told_dark = dark
        with suppress(OSError):  # where nothing can be kept the next first picture may have the other theme
            self._backgrounds.keep(self._environ, dark=dark)
        self._turned(dark)

    def _hear(self) -> None:
        if self.sieve.dark is not None:
            self.turns(self.sieve.dark)

    def turn_with(self, turned: Callable[[bool], object]) -> None:
        """Have told, from now on, when the background is another than was known."""
        self._turned = turned

    def settle_with(self, settled: Callable[[Choice], object]) -> None:
        """Have told what to draw with from then on, should it turn out after the first picture."""
        self._settled = settled

    def sift(self, typed: str) -> str:
        """``typed``, read from the terminal after ``choose``, without the answers that are in it."""
        typed = self.sieve.feed(typed) + self.sieve.typed()
        self._hear()
        if self._rest is None:
            return typed
        before = len(self._rest.keys)
        self._rest.feed(typed.encode())
        keys = self._rest.close()[before:]
        self._end_if_complete()
        return keys.decode("utf-8", "replace")

    def heard(self, row: int, column: int) -> bool:
        """The terminal has told where its cursor is, counted from 1; False where that is not ours.

        An answer from another row is one to a later question: those that are missing have been lost.
        """
        if self._rest is None:
            return False
        if row != ROW:
            self._rest = None
            return False
        self._rest.feed(b"\x1b[%d;%dR" % (row, column))
        self._end_if_complete()
        return True

    def _end_if_complete(self) -> None:
        if self._rest is None or not self._rest.complete:
            return
        result, self._rest = self._rest.result(), None
        self._keep(result)
        if result.outcome == "answered":
            self._known = Known(result)
            self._settled(choose_profile(self._environ, self._override, self._known, result))

    def confirm(self) -> None:
        """Real frames took the cells that were planned: the kept answer is as good as a new one.

        Who was silent and yet answers here is asked again at the next start.
        """
        if self._known is not None and self._known.result.outcome == "answered":
            self._keep(self._known.result)
        elif self._known is not None:
            self.forget()

    def forget(self) -> None:
        """Real frames took other cells: the terminal is asked again at the next start.

        Until then is drawn what all terminals draw alike.
        """
        with suppress(OSError):  # then the answer grows old by itself
            self._cache.forget(self._environ)
        self._known = None
        self._settled(choose_profile(self._environ, self._override))

    def _keep(self, result: ProbeResult) -> None:
        with suppress(OSError):  # where nothing can be kept the terminal is asked at every start
            self._cache.keep(self._environ, result)
