"""The ``send_message`` tool: how the agent taps back, takes it back, or adds a bubble of its own."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from typing import Any, Protocol, assert_never

from tui_tapback.domain.errors import InvalidInput, TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.service.ports import ConversationTools, ReactionOutcome, ToolCall

from .arguments import TOOL_NAME, React, Say, SendTo, Unreact, read_arguments, read_leniently
from .spelling import read_emoji

_log = logging.getLogger(__name__)
_NO_TARGETS = "Leave it out: it means this chat."
_TARGETS = (
    "For send: another chat, written name:chat with one of the names {names}. The user is asked before "
    "anything goes out. Leave it out to stay in this chat."
)
# Written out by hand: these bytes open every request of a session, and must not change in mid-session.
_SCHEMA = """\
[{"type": "function", "function": {"name": "send_message", "description": "Tap back on a message of the \
user, take your tapback back, or add a separate bubble to this chat. Your normal answer needs no tool.", \
"parameters": {"type": "object", "properties": {\
"action": {"type": "string", "enum": ["send", "react", "unreact"], "description": "react: put one emoji on a \
message of the user (it replaces your earlier one there); unreact: remove yours; send: add a bubble."}, \
"emoji": {"type": "string", "description": "For react: one emoji, such as 👍 ❤️ 😂 👎 ‼️ ❓, or its name such \
as :tada:."}, \
"messages_back": {"type": "integer", "minimum": 0, "description": "For react and unreact: 0 is the newest \
message of the user (the default), 1 the one before it, and so on."}, \
"text": {"type": "string", "description": "For send: the text of the bubble."}, \
"target": {"type": "string", "description": "%TARGET%"}\
}, "required": ["action"], "additionalProperties": false}}}]"""


def tool_schema(targets: Sequence[str] = ()) -> str:
    """The tool list as JSON text; ``targets`` are the names of the adapters that are connected."""
    told = _TARGETS.format(names=", ".join(targets)) if targets else _NO_TARGETS
    return _SCHEMA.replace("%TARGET%", told)


TOOL_SCHEMA = tool_schema()
"""The tool list where no adapter is connected."""

_CONTEXT_LIMIT = 80
_SHOWN_TEXT = 1500


class Messenger(Protocol):
    """The other chats that can be reached."""

    @property
    def names(self) -> Sequence[str]:
        """The first halves of targets."""
        ...

    def resolve(self, target: str) -> str:
        """``target`` in its one spelling. Raises InvalidInput, whose sentence lists what there is."""
        ...

    async def send(self, target: str, text: str) -> str:
        """Send; the message's id there. Raises TapbackError."""
        ...


class SendMessageTool:
    """The tools of a session, executed through the conversation's one path for reactions."""

    def __init__(
        self, conversation: ConversationTools, resolve: Callable[[str], str], messenger: Messenger
    ) -> None:
        """``resolve`` turns a glyph or a name into a fully-qualified emoji, or raises NotAnEmoji."""
        self._conversation = conversation
        self._resolve = resolve
        self._messenger = messenger
        self._schema = tool_schema(messenger.names)

    @property
    def schema(self) -> str:
        """The tool list as JSON text."""
        return self._schema

    def context(self, call: ToolCall) -> str:
        """One clean line for people about what ``call`` does."""
        if call.name != TOOL_NAME:
            return clean_line(call.name, _CONTEXT_LIMIT)
        given = read_leniently(call.arguments)
        parts = [given.get(name) for name in ("action", "target", "emoji", "text")]
        line = " ".join(part for part in parts if isinstance(part, str))
        return clean_line(line, _CONTEXT_LIMIT) or TOOL_NAME

    def refuse(self, reason: str) -> str:
        """The result of a call that was not carried out."""
        return _json({"success": False, "error": reason})

    async def execute(self, session_id: str, call: ToolCall) -> str:
        """Carry ``call`` out.

        Returns ``{"success": true, "row_id": …, "reactions": [{emoji, author}]}`` (for ``send`` without
        reactions; to another chat ``{"success": true, "target": …, "message_id": …}``) or
        ``{"success": false, "error": …}``, as JSON text. A call that asks for what is so
        already succeeds.
        """
        try:
            if call.name != TOOL_NAME:
                known = f'The only tool is "{TOOL_NAME}".'
                raise InvalidInput(f"There is no tool named “{clean_line(call.name, 60)}”.", hint=known)
            return await self._carry_out(session_id, call.arguments)
        except TapbackError as error:
            return self.refuse(error.sentence())

    async def _carry_out(self, session_id: str, arguments: str) -> str:
        request = read_arguments(arguments)
        match request:
            case Say(text):
                return _json({"success": True, "row_id": await self._conversation.say(session_id, text)})
            case SendTo(target, text):
                return await self._send_out(session_id, target, text)
            case React(emoji, messages_back):
                wanted: str | None = read_emoji(emoji, self._resolve)
            case Unreact(messages_back):
                wanted = None
            case _:
                assert_never(request)
        outcome = await self._conversation.react_as_agent(session_id, wanted, messages_back=messages_back)
        return _outcome(outcome)

    async def _send_out(self, session_id: str, target: str, text: str) -> str:
        place = self._messenger.resolve(target)
        allowed = await self._conversation.approve(
            session_id,
            command=f"send_message to {place}",
            description=f"The agent wants to send this to {place}:\n\n{text[:_SHOWN_TEXT]}",
            pattern=f"{TOOL_NAME}:{place}",
        )
        if not allowed:
            raise InvalidInput(
                f"The user did not allow the message to {place}, so nothing was sent.",
                hint="Do not try again unless the user asks for it.",
            )
        message = await self._messenger.send(place, text)
        try:
            await self._conversation.posted(session_id, place, message, text)
        except TapbackError as error:
            # It has gone out: a failed result would make the model send it once more.
            _log.warning("What went out to %s has no bubble here: %s", place, error)
        return _json({"success": True, "target": place, "message_id": message})


def _outcome(outcome: ReactionOutcome) -> str:
    # No times in it: what the model reads is the same in every later request and says nothing of clocks.
    reactions = [{"emoji": reaction.emoji, "author": str(reaction.author)} for reaction in outcome.reactions]
    return _json({"success": True, "row_id": outcome.row_id, "reactions": reactions})


def _json(result: dict[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False)
