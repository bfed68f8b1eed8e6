"""The room of a client for the images and files that go with the message that is being written."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.work import Attachment
from tui_tapback.words import _

from .abilities import Ability
from .desk import Desk
from .handing import look_at

MOST: Final = 10
"""Files that go with one message."""


class Attaching:
    """The files of the message that is being written, as ``state.attachments`` has them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def add(self, path: str | Path) -> Attachment:
        """Let a file go with the next message. Raises InvalidInput, NotSupported, LinkDown."""
        self._desk.require(Ability.ATTACH)
        attachment = look_at(path)
        present = self._desk.conversation.attachments
        if attachment.path in [each.path for each in present]:
            raise InvalidInput(_("{name} goes with this message already.").format(name=attachment.name))
        if len(present) >= MOST:
            raise InvalidInput(_("A message takes {count} files at most.").format(count=MOST))
        self._desk.conversation.attachments = (*present, attachment)
        self._desk.changed()
        return attachment

    def remove(self, path: str) -> None:
        """Let it not go with it; what is not there needs no removing."""
        present = self._desk.conversation.attachments
        self._desk.conversation.attachments = tuple(each for each in present if each.path != path)
        self._desk.changed()
