"""A screen that tells: toasts, refusals, what cannot be kept; and work that goes on behind it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final, Literal

from textual.app import App
from textual.notifications import SeverityLevel

from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .program import ProgramScreen

SMALL: Final = 16
"""Rows of a screen below which nothing may cover much."""


class TellingScreen(ProgramScreen):
    """Everything here is for people: whole sentences, cleaned, never markup.

    ``gateway_name`` stands in front of them where there are several gateways.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told_of_disk = False
        self.gateway_name = ""
        self._topics: dict[str, str] = {}

    def tell(
        self,
        text: str,
        level: Literal["info", "warning", "error"] = "info",
        *,
        seconds: float = 6.0,
        topic: str = "",
    ) -> None:
        """A toast over the end of the transcript, in cleaned text and without markup.

        Where there is little room it is shorter in both senses. What was told of the same ``topic`` goes.
        """
        text = f"{self.gateway_name}: {text}" if self.gateway_name else text
        small = self.size.height < SMALL
        told = clean_text(text)[:600]
        if small:
            seconds, told = min(seconds, 3.0), clean_line(text, 2 * self.size.width - 16)
        severity: SeverityLevel = "information" if level == "info" else level
        if topic:
            self.no_longer(topic)
            self._topics[topic] = told
        app_of(self).notify(told, severity=severity, timeout=seconds, markup=False)

    def no_longer(self, topic: str) -> None:
        """Take away what was told of it: it is no longer so."""
        told, app = self._topics.pop(topic, None), app_of(self)
        if told is not None:
            app.call_later(_take_away, app, told)  # behind the order to show it, which may still be waiting

    def copy(self, text: str) -> None:
        """Hook: put ``text`` into the clipboard."""
        app_of(self).copy_to_clipboard(text)

    def keep(self, save: Callable[[], None]) -> None:
        """Write something down that is worth keeping; where the disk does not take it that is told once."""
        try:
            save()
        except OSError as error:
            self.not_kept(error)

    def not_kept(self, error: OSError) -> None:
        """Tell, once, that the disk takes nothing."""
        if not self._told_of_disk:
            self._told_of_disk = True
            self.tell(
                _("What is read and typed cannot be kept: {reason}.").format(reason=error.strerror or error),
                "warning",
            )

    def refuse(self, error: TapbackError) -> None:
        """What cannot be done, as a sentence."""
        self.tell(clean_line(error.sentence(), 400), "warning")

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Let an intent that speaks to the gateway run in the background."""

        async def guarded() -> None:
            try:
                await work
            except TapbackError as error:
                self.refuse(error)

        self.run_worker(guarded(), group="intents")


def _take_away(app: App[object], told: str) -> None:
    kept = app._notifications  # pyright: ignore[reportPrivateUsage] -- there is no public way to take one note away
    for note in [each for each in kept if each.message == told]:
        app._unnotify(note)  # pyright: ignore[reportPrivateUsage]
