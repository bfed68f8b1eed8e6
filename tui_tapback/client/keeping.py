"""Carries what waits between the conversations and the outbox on disk, a moment after it changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tui_tapback.domain.work import Attachment
from tui_tapback.words import _

from .book import Book
from .conversation import Conversation
from .intents import ANYTHING, Cut, Intent, Progress, PromptIntent, ReactionIntent
from .outbox import Kept, KeptChat, KeptCut, KeptFile, KeptPrompt, KeptReaction, Outbox
from .reading import local_key
from .state import Notice


class Keeper:
    """Writes when something waits for longer than ``pause`` seconds, and before anything written leaves."""

    def __init__(self, outbox: Outbox, book: Book, notify: Callable[[Notice], None], *, pause: float) -> None:
        self._outbox = outbox
        self._book = book
        self._notify = notify
        self._pause = pause
        self._later: asyncio.TimerHandle | None = None
        self._open = False
        self._loop: asyncio.AbstractEventLoop | None = None

    def restore(self) -> None:
        """Take back what waited when the program ended; to be called within the loop of the client."""
        self._loop = asyncio.get_running_loop()
        try:
            chats = self._outbox.open()
        except OSError as error:
            self._notify(
                Notice(
                    _("What waits cannot be kept on disk: {reason}.").format(reason=_reason(error)), "warning"
                )
            )
            return
        self._open = True
        if self._outbox.problem:
            self._notify(Notice(self._outbox.problem, "warning"))
        for chat in chats:
            conversation = self._book.restore(chat.session_id)
            for kept in chat.items:
                conversation.overlay.add(_intent(kept))

    def changed(self) -> None:
        """Something may wait, or wait no longer."""
        if self._loop is None or not self._open or self._later is not None:
            return
        if self._outbox.written or self._book.waiting:
            self._later = self._loop.call_later(self._pause, self.flush)

    def flush(self) -> None:
        """Let the disk hold what waits now."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if not self._open:
            return
        chats = tuple(filter(None, map(_kept_chat, self._book.everything)))
        if chats == self._outbox.written:
            return
        try:
            self._outbox.save(chats)
        except OSError as error:
            if self._book.tell_once("outbox"):
                self._notify(
                    Notice(
                        _("What waits cannot be kept on disk: {reason}.").format(reason=_reason(error)),
                        "warning",
                    )
                )

    def leaving(self, prompt: PromptIntent) -> None:
        """A message goes on the wire: the disk must know it first, or a crash would send it twice."""
        if self._open and self._outbox.holds(prompt.ref):
            self.flush()

    def close(self) -> None:
        """Write for the last time."""
        self.flush()
        self._open = False
        self._outbox.close()


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _kept_chat(conversation: Conversation) -> KeptChat | None:
    items = tuple(_kept(intent) for intent in conversation.overlay if _waits(intent))
    return KeptChat(conversation.stored_id, items) if items else None


def _waits(intent: Intent) -> bool:
    """Whether the person would miss it: everything that was not accepted."""
    return intent.progress is not Progress.ACCEPTED


def _kept(intent: Intent) -> Kept:
    match intent:
        case PromptIntent():
            cut = intent.cut
            return KeptPrompt(
                ref=intent.ref,
                text=intent.text,
                at=intent.at,
                uncertain=intent.uncertain or intent.progress is Progress.SENT,
                newest_row=intent.newest_row,
                cut=None if cut is None else KeptCut(cut.row_id, cut.everything, cut.deep),
                error=intent.error if intent.progress is Progress.REFUSED else "",
                files=tuple(KeptFile(a.path, a.name, a.size, a.image) for a in intent.attachments),
            )
        case ReactionIntent():
            return KeptReaction(
                op_id=intent.op_id,
                key=intent.key,
                at=intent.at,
                emoji=intent.emoji,
                row_id=intent.row_id,
                part=intent.part,
                quote=intent.quote,
                expected=None if intent.expected is ANYTHING else intent.expected,
                conditional=intent.expected is not ANYTHING,
            )


def _intent(kept: Kept) -> Intent:
    match kept:
        case KeptPrompt():
            cut = kept.cut
            return PromptIntent(
                key=local_key(kept.ref),
                ref=kept.ref,
                text=kept.text,
                at=kept.at,
                cut=None if cut is None else Cut(cut.row_id, cut.everything, cut.deep),
                progress=Progress.REFUSED if kept.error else Progress.WAITING,
                newest_row=kept.newest_row,
                error=kept.error,
                uncertain=kept.uncertain,
                attachments=tuple(Attachment(f.path, f.name, f.size, f.image) for f in kept.files),
            )
        case KeptReaction():
            return ReactionIntent(
                op_id=kept.op_id,
                key=kept.key,
                part=kept.part,
                emoji=kept.emoji,
                at=kept.at,
                expected=kept.expected if kept.conditional else ANYTHING,
                row_id=kept.row_id,
                quote=kept.quote,
                uncertain=True,
            )
