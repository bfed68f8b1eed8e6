"""What happens when something unforeseen is raised: a log file for us, one clean sentence for the person."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path

from rich.text import Text

from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.words import _

LOG_NAME = "crash.log"


class CrashReport(Exception):
    """Wraps the error that ended the program; what a person sees of it is ``__rich__``."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __rich__(self) -> Text:
        """The sentence, never parsed as markup."""
        return Text(self.sentence)


class CrashLog:
    """Writes errors to ``folder/crash.log`` (mode 0600, appended)."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = folder / LOG_NAME
        self._clock = clock

    def report(self, error: BaseException) -> CrashReport:
        """Log ``error`` with its traceback and say where it lies. An expected error is just its sentence."""
        if isinstance(error, TapbackError):
            return CrashReport(clean_line(error.sentence(), 600))
        told = clean_line(f"{type(error).__name__}: {error}", 200)
        try:
            self._write(error)
        except OSError as trouble:
            reason = clean_line(trouble.strerror or str(trouble), 100)
            return CrashReport(
                _(
                    "tui_tapback stopped at an unexpected error ({told}). It could not be logged: {reason}."
                ).format(told=told, reason=reason)
            )
        return CrashReport(
            _(
                "tui_tapback stopped at an unexpected error ({told}). The details are in {path}; "
                "nothing that was sent is lost."
            ).format(told=told, path=self.path)
        )

    def _write(self, error: BaseException) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))
        story = clean_text("".join(traceback.format_exception(error)))
        self.path.touch(mode=0o600)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{stamp}\n{story}\n")
