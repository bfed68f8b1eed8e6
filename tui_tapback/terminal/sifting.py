"""Has Textual's driver hear what the terminal tells of its background, which Textual would type as keys.

Textual 8 knows neither the answer to OSC 11 nor ``CSI ? 997 ; 1 n`` and hands them out letter by letter. This
file is the whole workaround: ``tests/terminal/test_sifting.py`` says when Textual no longer needs it.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from types import FunctionType
from typing import Any, Final

from textual import constants
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key, Paste
from textual.message import Message

from tui_tapback.terminal.background import PASTE, PASTED, Sieve

CUT: Final = 1.0
"""Seconds that the rest of an answer which has begun is waited for."""
BURST: Final = 32
"""So many letters in one reading are no typing,"""
VARIED: Final = 4
"""with so many different ones among them: a key that is held down repeats one."""
_LOOP: Final = LinuxDriver.run_input_thread


class SiftingParser(XTermParser):
    """Textual's parser behind a sieve; ``told`` is called with True for dark, by the reader's thread.

    Esc and what else may begin an answer is handed on when Textual would have decided that it was a key. A
    bracketed paste is taken whole here: of an escape sequence within it Textual would make keys that act.
    """

    def __init__(self, debug: bool, sieve: Sieve, told: Callable[[bool], object]) -> None:
        super().__init__(debug)
        self._sieve, self._told = sieve, told
        self._held_at = 0.0
        self._pasted: list[str] | None = None

    def feed(self, data: str) -> Iterable[Message]:
        """The events that ``data`` completes; empty data is the end."""
        sifted = self._sieve.feed(data)
        self._held_at = get_time()
        if not data:
            yield from self._hand_on(self._sieve.give_up())
            yield from self._paste()
            yield from super().feed("")
            return
        self._hear()
        yield from self._hand_on(sifted)

    def tick(self) -> Iterable[Message]:
        """The events of keys that are complete because nothing followed."""
        patience = CUT if self._sieve.certain else constants.ESCAPE_DELAY
        # Within a paste nothing was typed: what may be the beginning of its end waits for the rest.
        if self._pasted is None and self._sieve.held and get_time() >= self._held_at + patience:
            yield from self._hand_on(self._sieve.give_up())
            if self._timeout_time is not None:  # its time began when the sieve took it
                self._timeout_time = get_time()
        yield from super().tick()

    def _hand_on(self, sifted: str) -> Iterable[Message]:
        yield from gathered(self._read(sifted))

    def _read(self, sifted: str) -> Iterator[Message]:
        """The sieve holds back what may be the beginning of a mark, so that none is cut here."""
        while sifted:  # to Textual nothing is the end
            if self._pasted is None:
                keys, begun, sifted = sifted.partition(PASTE)
                if keys:
                    yield from super().feed(keys)
                if begun:
                    self._pasted = []
            else:
                text, ended, sifted = sifted.partition(PASTED)
                self._pasted.append(text)
                if ended:
                    yield from self._paste()

    def _paste(self) -> Iterator[Message]:
        """What was pasted so far, as one."""
        if self._pasted is not None:
            yield Paste("".join(self._pasted).replace("\0", ""))
            self._pasted = None

    def _hear(self) -> None:
        dark, self._sieve.dark = self._sieve.dark, None
        if dark is not None:
            self._told(dark)


def gathered(events: Iterable[Message]) -> Iterator[Message]:
    """The events, with each run of letters that no hand types so fast as one paste.

    A terminal that does not bracket what is pasted sends it as keys: a layout for each of them made twenty
    thousand letters a matter of minutes.
    """
    run: list[Key] = []
    for event in chain(events, (None,)):
        if isinstance(event, Key) and event.is_printable:
            run.append(event)
            continue
        letters = "".join(key.character or "" for key in run)
        yield from (Paste(letters),) if _is_pasted(letters) else run
        run.clear()
        if event is not None:
            yield event


def _is_pasted(letters: str) -> bool:
    return len(letters) >= BURST and len(set(letters)) >= VARIED


def read_keys(driver: LinuxDriver, sieve: Sieve, told: Callable[[bool], object]) -> None:
    """Textual's own loop for ``driver``, with our parser in the place of its own.

    A byte that is no UTF-8, as a file in another encoding brings it when it is pasted, becomes U+FFFD; to
    Textual it is the end of the program.
    """

    def parser(debug: bool) -> SiftingParser:
        return SiftingParser(debug, sieve, told)

    def decoder(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
        return partial(codecs.getincrementaldecoder(encoding), errors="replace")

    names: dict[str, Any] = {
        **_LOOP.__globals__,
        XTermParser.__name__: parser,
        codecs.getincrementaldecoder.__name__: decoder,
    }
    FunctionType(_LOOP.__code__, names)(driver)
