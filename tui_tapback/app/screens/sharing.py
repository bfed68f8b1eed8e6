"""Saves one message with its badges as a card to share, as a picture, a page or text, and tells the file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from tui_tapback.domain.errors import InvalidInput, TapbackError
from tui_tapback.domain.messages import Message
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _

from .tapping import TappingScreen

FORMS: Final = ("svg", "png", "html", "text")
_ENDINGS: Final = {"svg": "svg", "png": "png", "html": "html", "text": "txt"}


def free_file(folder: Path, stem: str, ending: str) -> Path:
    """A file in ``folder`` that does not exist yet: ``tapback-5.svg``, else ``tapback-5-2.svg`` …"""
    number = 1
    while True:
        suffix = "" if number == 1 else f"-{number}"
        path = folder / f"{stem}{suffix}.{ending}"
        if not path.exists():
            return path
        number += 1


def write_card(message: Message, form: str, path: Path) -> None:
    """Write the card in one of FORMS. Raises TapbackError where there is nothing to make it with, OSError."""
    from tui_tapback.export.card import card_html, card_svg, card_text  # not at the start of the program

    if form == "png":
        from tui_tapback.export.png import render

        render(card_svg(message), path)
        return
    text = {"svg": card_svg, "html": card_html, "text": card_text}[form](message)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)


class SharePart(TappingScreen):
    """Cards go to the folder in which the program was started; nothing there is ever overwritten."""

    def action_share(self, form: str = FORMS[0]) -> None:
        """A card of the selected message, else of the agent's last one. Refuses a form that there is not."""
        try:
            if form not in FORMS:
                raise InvalidInput(
                    _("There is no card “{form}”.").format(form=form),
                    hint=_("Choose one of {names}.").format(names=", ".join(FORMS)),
                )
            message = self.message(self.query_one(Transcript).selected or "") or self.reactor.answer()
        except TapbackError as error:
            self.refuse(error)
            return
        self.later(self._share(message, form))

    async def _share(self, message: Message, form: str) -> None:
        row = message.row_id if message.row_id is not None else "new"
        path = free_file(Path.cwd(), f"tapback-{row}", _ENDINGS[form])
        try:
            await asyncio.to_thread(write_card, message, form, path)
        except OSError as error:
            self.tell(
                _("The card could not be written to {path}: {reason}.").format(
                    path=path, reason=error.strerror or error
                ),
                "warning",
            )
            return
        self.tell(_("The card is in {path}.").format(path=path), seconds=12.0)
