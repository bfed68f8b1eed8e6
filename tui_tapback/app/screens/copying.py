"""The chat screen's ways out: copies go to the clipboard or a file, links are shown and then opened."""

from __future__ import annotations

from rich.text import Text
from textual import on

from tui_tapback.app.outside import clipboard_trouble, is_openable
from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _, mark

from .confirm import ConfirmScreen
from .face import ChatFace
from .panel import Panel

_TOLD = {
    "text": mark("Copied."),
    "markdown": mark("Copied as Markdown."),
    "code": mark("Copied the code."),
    "link": mark("Copied."),
}


class LinksScreen(Panel[str]):
    """Dismisses with the address that was chosen, None for none."""

    def __init__(self, links: tuple[str, ...]) -> None:
        super().__init__(_("Links"), (("list_choose", mark("goes on")), ("list_close", mark("closes"))))
        self._links = links

    def lay_out(self) -> None:
        """One line for each."""
        self.lay("", [Text(clean_line(link, 400), overflow="fold") for link in self._links])

    def chosen(self, place: int) -> None:
        """It is asked about once more, in full."""
        self.dismiss(self._links[place])


class CopyingPart(ChatFace):
    """Nothing is opened before its whole address was seen; nothing is called copied that was not."""

    @on(Transcript.CopyRequested)
    def _copy_requested(self, event: Transcript.CopyRequested) -> None:
        event.stop()
        self.copy(event.text, _(_TOLD[event.kind]))

    def copy(self, text: str, told: str = "") -> None:
        """Put ``text`` into the clipboard of the terminal, and into a file where that takes nothing."""
        outside = self.preferences.outside
        app_of(self).copy_to_clipboard(text)
        trouble = clipboard_trouble(outside.environ, text)
        if not trouble:
            self.tell(told or _("Copied."))
            return
        try:
            place = outside.put_aside(text)
        except OSError as error:
            self.tell(
                _("Not copied: {trouble}, and the file could not be written ({strerror}).").format(
                    trouble=trouble, strerror=error.strerror
                ),
                "warning",
            )
            return
        told = _("Perhaps not copied: {trouble}; it stands in {place}.")
        self.tell(
            (told if place is not None else _("Perhaps not copied: {trouble}.")).format(
                trouble=trouble, place=place
            ),
            "warning",
            seconds=12.0,
        )

    @on(Transcript.LinkRequested)
    def _link_requested(self, event: Transcript.LinkRequested) -> None:
        event.stop()
        if len(event.links) == 1:
            self._show_address(event.links[0])
        else:
            app_of(self).push_screen(LinksScreen(event.links), self._show_address)

    def _show_address(self, address: str | None) -> None:
        if address is None:
            return
        if not is_openable(address):
            self.copy(address, _("That address is not for a browser; it was copied."))
            return

        def go(consent: bool | None) -> None:
            if consent:
                self._hand_over(address)

        shown = clean_line(address, 2000)
        warning = "" if shown.isascii() else _("\n\nIt holds signs that only look like others.")
        app_of(self).push_screen(ConfirmScreen(_("Open this address?"), shown + warning, "open"), go)

    def _hand_over(self, address: str) -> None:
        try:
            opened = self.preferences.outside.open(address)
        except OSError:
            opened = False
        if not opened:
            self.copy(address, _("Nothing here can open it; the address was copied."))
