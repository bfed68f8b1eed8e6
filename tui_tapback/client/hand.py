"""Turns what the person does into intents: checks it, paints it, never waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tui_tapback.domain.errors import Busy, EmptyMessage, MessageTooLong, RowNotFound
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.text import clean_text
from tui_tapback.emoji.normalise import normalise
from tui_tapback.words import _

from .book import Book
from .intents import ANYTHING, Cut, Expected, Progress, PromptIntent, ReactionIntent
from .overlay import expectation
from .reading import local_key


class Hand:
    """Works on the conversation that is on screen at the moment of the call."""

    def __init__(self, book: Book, *, clock: Callable[[], float], ids: Callable[[], str]) -> None:
        self._book = book
        self._clock = clock
        self._ids = ids

    def send(self, text: str, *, limit: int, cut: Cut | None = None, with_files: bool = False) -> str:
        """Say something; ``limit`` 0 is none, ``cut`` says it instead of something.

        ``with_files``: what was attached in this chat goes with it.

        Raises EmptyMessage, MessageTooLong.
        """
        text = self._checked(text, limit)
        ref = self._ids()
        prompt = PromptIntent(key=local_key(ref), ref=ref, text=text, at=self._clock(), cut=cut)
        conversation = self._book.current
        if with_files:
            prompt.attachments, conversation.attachments = conversation.attachments, ()
        conversation.overlay.say(prompt)
        return prompt.key

    def react(
        self,
        key: str,
        emoji: str | None,
        part: str | None,
        quote: str = "",
        *,
        offline: bool,
        expected: Expected = ANYTHING,
    ) -> None:
        """Want ``emoji`` in the user's slot of a bubble or its ``part``. Raises NotAnEmoji, RowNotFound.

        ``expected`` is what must stand there still; without it that is asked for only while offline.
        """
        wanted = None if emoji is None else normalise(emoji)
        conversation = self._book.current
        message = self._message(key)
        if not message.reactable:
            raise RowNotFound(_("That line takes no reactions."), hint=_("Choose a message."))
        wish = conversation.overlay.wish(key, part)
        present = wish.emoji if wish is not None else conversation.user_emoji(key, part)
        if present == wanted:
            conversation.overlay.refusals.forget(key)
            return
        conversation.overlay.react(
            ReactionIntent(
                op_id=self._ids(),
                key=key,
                part=part,
                emoji=wanted,
                at=self._clock(),
                row_id=message.row_id,
                quote=quote,
                expected=(
                    expectation(conversation.mirror, key, part, offline=offline)
                    if expected is ANYTHING
                    else expected
                ),
            )
        )

    def retry(self, key: str, *, limit: int) -> None:
        """Try a refused message, refused reactions or a failed turn again. Raises RowNotFound."""
        conversation = self._book.current
        prompt = conversation.overlay.prompt(key)
        refused = conversation.overlay.refusals.of(key)
        if prompt is not None and prompt.progress is Progress.REFUSED:
            prompt.progress = Progress.WAITING
            prompt.error = ""
            prompt.attempts = 0
        elif refused:
            for intent in refused:
                conversation.overlay.react(
                    replace(
                        intent, op_id=self._ids(), expected=ANYTHING, progress=Progress.WAITING, attempts=0
                    )
                )
        elif (message := self._message(key)).reaction_note:
            # The gateway has it and says that it does not stand where the message went: once more, the same.
            emoji, row_id = conversation.user_emoji(key, None), message.row_id
            conversation.overlay.react(
                ReactionIntent(self._ids(), key, None, emoji, self._clock(), row_id=row_id)
            )
        else:
            self.send(self._question_of(message), limit=limit)

    def edit(self, key: str, text: str, *, limit: int) -> None:
        """Say a message otherwise that has not left.

        Raises Busy (it has), RowNotFound, EmptyMessage, MessageTooLong.
        """
        overlay = self._book.current.overlay
        prompt = overlay.prompt(key)
        if prompt is None:
            self._message(key)
        if prompt is None or not prompt.may_change:
            raise Busy(_("That message is already on its way."), hint=_("It can no longer be changed."))
        prompt.text = self._checked(text, limit)
        if prompt.progress is Progress.REFUSED:
            self.retry(key, limit=limit)

    def discard(self, key: str) -> str:
        """Withdraw a message that has not left; returns its text. Raises Busy, RowNotFound."""
        conversation = self._book.current
        prompt = conversation.overlay.prompt(key)
        text = conversation.overlay.discard(key)
        if text is not None and prompt is not None and prompt.attachments:
            conversation.attachments = prompt.attachments
        if text is not None:
            return text
        self._message(key)
        raise Busy(_("That message is already on its way."), hint=_("It can no longer be withdrawn."))

    @staticmethod
    def _checked(text: str, limit: int) -> str:
        if limit and len(text) > limit:
            raise MessageTooLong(
                _("The message has {count:,} characters; the gateway takes {limit:,}.").format(
                    count=len(text), limit=limit
                ),
                hint=_("Send it in parts."),
            )
        text = clean_text(text)
        if not any(char.isprintable() and not char.isspace() for char in text):
            raise EmptyMessage(_("The message is empty."), hint=_("Write something first."))
        return text

    def _message(self, key: str) -> Message:
        message = self._book.current.message(key)
        if message is None:
            raise RowNotFound(_("That message is not in this chat."), hint=_("Choose one that is there."))
        return message

    def _question_of(self, failed: Message) -> str:
        """The user's text before an answer that failed."""
        messages = self._book.current.messages
        if failed.status in (Status.FAILED, Status.INTERRUPTED) and failed in messages:
            for message in reversed(messages[: messages.index(failed)]):
                if message.role is Role.USER:
                    return message.text
        raise RowNotFound(_("There is nothing to try again here."))
