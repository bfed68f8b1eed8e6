"""How the two kinds of gateway are spoken to: absolute reactions here, a toggle used absolutely there."""

from __future__ import annotations

from typing import Protocol

import msgspec

from tui_tapback.domain.errors import InvalidInput, LinkDown, RowNotFound
from tui_tapback.domain.reactions import Author
from tui_tapback.wire.conversation import SubmitParams, Submitted
from tui_tapback.wire.methods import (
    CreateParams,
    Reacted,
    ReactionSetParams,
    ReactParams,
    ResumeParams,
    Snapshot,
)
from tui_tapback.wire.rows import WirePart, WireReaction, reactions_from_wire
from tui_tapback.words import _

from .conversation import Conversation
from .handing import hand_over, take_back
from .intents import ANYTHING, PromptIntent, ReactionIntent
from .link import Link


class Dialect(Protocol):
    """The calls that differ. Each takes the answer into the conversation; errors are the link's."""

    async def create(self, link: Link) -> Snapshot:
        """Make a session."""
        ...

    async def resume(self, link: Link, stored_id: str, *, rows: int | None) -> Snapshot:
        """Open a session and receive its events from now on; the newest ``rows`` are enough (None: all)."""
        ...

    async def submit(self, link: Link, conversation: Conversation, prompt: PromptIntent) -> None:
        """Send a message."""
        ...

    async def react(self, link: Link, conversation: Conversation, intent: ReactionIntent) -> None:
        """Bring a slot to what the person wants."""
        ...


class TapbackDialect:
    """Our own gateway: everything can be repeated without harm."""

    async def create(self, link: Link) -> Snapshot:
        """Make a session."""
        return await link.call("session.create", CreateParams(source="tui"), Snapshot)

    async def resume(self, link: Link, stored_id: str, *, rows: int | None) -> Snapshot:
        """Open a session with its newest rows, or all."""
        params = ResumeParams(stored_id, omit_messages=rows == 0, limit=rows or None)
        return await link.call("session.resume", params, Snapshot)

    async def submit(self, link: Link, conversation: Conversation, prompt: PromptIntent) -> None:
        """Send a message with its reference."""
        params = _submission(conversation, prompt)
        params.client_ref = prompt.ref
        conversation.prompts.sent(prompt)
        answer = await link.call("prompt.submit", params, Submitted)
        conversation.prompts.accepted(prompt, answer.user_row_id, queued=answer.status == "queued")
        conversation.settle()

    async def react(self, link: Link, conversation: Conversation, intent: ReactionIntent) -> None:
        """One absolute call."""
        params = ReactionSetParams(
            session_id=_runtime(conversation),
            row_id=_row(conversation, intent),
            emoji=intent.emoji,
            op_id=intent.op_id,
            part=None if intent.part is None else WirePart(intent.part, intent.quote),
            expected=msgspec.UNSET if intent.expected is ANYTHING else intent.expected,
        )
        answer = await link.call("reaction.set", params, Reacted)
        conversation.reaction_accepted(intent, answer.seq)


class HermesDialect:
    """A Hermes gateway: no unknown parameters, no references, and reactions that toggle."""

    async def create(self, link: Link) -> Snapshot:
        """Make a session; only the source "desktop" gives the agent its reacting tool."""
        return await link.call("session.create", CreateParams(source="desktop"), Snapshot)

    async def resume(self, link: Link, stored_id: str, *, rows: int | None) -> Snapshot:
        """Open a session, always with its history: nothing else tells of reactions made elsewhere."""
        del rows
        return await link.call("session.resume", ResumeParams(stored_id, source="desktop"), Snapshot)

    async def submit(self, link: Link, conversation: Conversation, prompt: PromptIntent) -> None:
        """Send a message. After a lost answer the history was read, and what is there was found already."""
        params = _submission(conversation, prompt)
        conversation.prompts.sent(prompt)
        if prompt.attachments:
            params.text = await self._with_files(link, params.session_id, prompt)
        answer = await link.call("prompt.submit", params, Submitted)
        prompt.handed = ()
        if prompt.cut is not None:
            conversation.mirror.rewind(prompt.cut.row_id, sent_in_turn=prompt.turns)
        conversation.prompts.accepted(prompt, answer.user_row_id, queued=answer.status == "queued")
        conversation.settle()

    async def _with_files(self, link: Link, session_id: str, prompt: PromptIntent) -> str:
        """Hand its files over, once: what an attempt before left there is taken back first."""
        await take_back(link, session_id, prompt.handed)
        handed = await hand_over(link, session_id, prompt.attachments)
        prompt.handed = handed.images
        return handed.text(prompt.text)

    async def react(self, link: Link, conversation: Conversation, intent: ReactionIntent) -> None:
        """Toggle only where the known state asks for it, and look at the answer.

        Another client may have chosen the same meanwhile, unknown to us; then the call took it away, the
        answer shows that, and a second one sets it again.
        """
        if intent.part is not None:
            raise InvalidInput(_("This gateway knows only reactions to whole messages."))
        row_id = _row(conversation, intent)
        present = conversation.user_emoji(intent.key)
        if intent.expected is not ANYTHING and present not in (intent.expected, intent.emoji):
            raise InvalidInput(
                _("Meanwhile the reaction was removed elsewhere.")
                if present is None
                else _("Meanwhile the reaction was changed to {emoji} elsewhere.").format(emoji=present),
                hint=_("The newer choice stays."),
            )
        if present != intent.emoji:
            for _again in range(2):
                params = ReactParams(_runtime(conversation), row_id=row_id, emoji=intent.emoji)
                answer = await link.call("message.react", params, Reacted)
                if _emoji_of_user(answer.reactions) == intent.emoji:
                    break
            else:
                raise InvalidInput(_("The gateway did not keep the reaction."))
            conversation.mirror.user_answer(row_id, reactions_from_wire(_builtins(answer.reactions)))
        conversation.overlay.done(intent)


def _submission(conversation: Conversation, prompt: PromptIntent) -> SubmitParams:
    params = SubmitParams(_runtime(conversation), prompt.text)
    if prompt.cut is not None:
        params.truncate_before_row_id = prompt.cut.row_id
        params.confirm_truncate = True
        params.confirm_empty_truncate = prompt.cut.everything
        params.confirm_deep_truncate = prompt.cut.deep
    return params


def _builtins(reactions: list[WireReaction]) -> object:
    return msgspec.to_builtins(reactions)


def _emoji_of_user(reactions: list[WireReaction]) -> str | None:
    present = reactions_from_wire(_builtins(reactions)).by(Author.USER)
    return present.emoji if present is not None else None


def _runtime(conversation: Conversation) -> str:
    if conversation.runtime_id is None:
        raise LinkDown(_("The session is not open on this link."))
    return conversation.runtime_id


def _row(conversation: Conversation, intent: ReactionIntent) -> int:
    row_id = conversation.overlay.row_of(intent, conversation.mirror)
    if row_id is None:
        raise RowNotFound(_("That message is not in this chat any more."))
    return row_id
