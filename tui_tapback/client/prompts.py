"""What becomes of the messages that the person sent: acknowledged, queued, merged, or with a lost answer."""

from __future__ import annotations

from collections.abc import Callable

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.text import clean_text

from .intents import Progress, PromptIntent
from .mirror import Mirror
from .overlay import Overlay


class Prompts:
    """Keeps the message intents of an overlay and the rows of a mirror together."""

    def __init__(self, mirror: Mirror, overlay: Overlay, leaving: Callable[[PromptIntent], None]) -> None:
        self._mirror = mirror
        self._overlay = overlay
        self._leaving = leaving

    def sent(self, prompt: PromptIntent) -> None:
        """Remember where the conversation stood when the message left."""
        prompt.progress = Progress.SENT
        prompt.turns = self._mirror.turns
        prompt.newest_row = self._mirror.transcript.newest_row()
        self._leaving(prompt)

    def accepted(self, prompt: PromptIntent, row_id: int | None, *, queued: bool) -> None:
        """The gateway took it; ``row_id`` is its row where it was told."""
        prompt.progress = Progress.ACCEPTED
        prompt.uncertain = False
        prompt.row_id = row_id
        # Our gateway tells with the row when its turn comes; elsewhere the next turn is taken for it.
        prompt.queued = queued and (not self._mirror.foreign or self._mirror.turns == prompt.turns)
        if row_id is not None and self._mirror.foreign:
            self._mirror.adopt(_row_of(prompt, row_id), sent_in_turn=prompt.turns)
        elif row_id is not None:
            self._mirror.bind(row_id, prompt.key)
        if not queued:
            self._mirror.expect_turn(since=prompt.turns)

    def _prompts(self) -> list[PromptIntent]:
        return [i for i in self._overlay if isinstance(i, PromptIntent)]

    def drained(self) -> None:
        """A turn of a foreign gateway begins: the messages that it had queued are in it."""
        for prompt in self._prompts() if self._mirror.foreign else ():
            prompt.queued = False

    def find_lost(self, *, running: bool) -> None:
        """After a history was read: which messages with a lost answer, or queued elsewhere, are rows by now?

        A gateway without references leaves only this: a row of the user that is newer than all that was known
        when the message left, belongs to no other message of ours and says the same. What was queued is found
        this way too, not by the next turn: that may be another device's. Then several messages may have
        become one row, joined by blank lines.
        """
        for prompt in self._prompts():
            if not self._mirror.foreign or prompt.row_id is not None:
                continue
            if not (prompt.uncertain or prompt.progress is Progress.ACCEPTED):
                continue
            row = next((m for m in self._mirror.messages if self._may_be(m, prompt)), None)
            if row is not None and row.row_id is not None:
                prompt.row_id = row.row_id
                self._mirror.bind(row.row_id, prompt.key)
            elif prompt.progress is Progress.ACCEPTED and not (running or prompt.text in self._mirror.queued):
                self._overlay.done(prompt)  # it is nowhere: rewound, or changed by the gateway

    def _may_be(self, message: Message, prompt: PromptIntent) -> bool:
        return (
            message.role is Role.USER
            and message.row_id is not None
            and message.row_id > prompt.newest_row
            and not message.key.startswith("local-")
            and _says(message.text, clean_text(prompt.text), merged=prompt.progress is Progress.ACCEPTED)
        )


def _says(whole: str, text: str, *, merged: bool) -> bool:
    return whole == text or (merged and f"\n\n{text}\n\n" in f"\n\n{whole}\n\n")


def _row_of(prompt: PromptIntent, row_id: int) -> Message:
    return Message(
        key=prompt.key,
        role=Role.USER,
        text=clean_text(prompt.text),
        at=prompt.at,
        row_id=row_id,
        status=Status.STORED,
        attached=tuple(each.name for each in prompt.attachments),
    )
