"""Reads the arguments of a ``send_message`` call strictly: a wrong call becomes a sentence for the model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from tui_tapback.domain.errors import EmptyMessage, InvalidInput
from tui_tapback.domain.text import clean_line

TOOL_NAME = "send_message"
_KNOWN = ("action", "emoji", "messages_back", "text", "target")
_THIS_CHAT = frozenset({"", "this", "this chat", "here", "current", "chat", "user"})
_FARTHEST_BACK = 100_000
_EMOJI_HINT = 'Give one emoji such as "👍"; to remove your tapback use action "unreact".'


@dataclass(frozen=True, slots=True)
class Say:
    """Add a bubble."""

    text: str


@dataclass(frozen=True, slots=True)
class SendTo:
    """Send ``text`` to another chat; ``target`` as the model wrote it."""

    target: str
    text: str


@dataclass(frozen=True, slots=True)
class React:
    """Put ``emoji`` (as the model spelt it) on a message of the user."""

    emoji: str
    messages_back: int


@dataclass(frozen=True, slots=True)
class Unreact:
    """Remove the agent's own reaction."""

    messages_back: int


Request = Say | SendTo | React | Unreact


def read_leniently(arguments: str) -> dict[str, Any]:
    """The arguments as far as they can be read, for display."""
    try:
        return _decode(arguments)
    except InvalidInput:
        return {}


def read_arguments(arguments: str) -> Request:
    """What the call asks for. Raises InvalidInput, whose sentence is meant for the model."""
    given = {name: value for name, value in _decode(arguments).items() if value is not None}
    unknown = [clean_line(name, 40) for name in given if name not in _KNOWN]
    if unknown:
        raise InvalidInput(
            f"{TOOL_NAME} has no argument “{unknown[0]}”.", hint=f"Its arguments are {', '.join(_KNOWN)}."
        )
    target = _target(given)
    match _text(given, "action").strip().lower():
        case "send":
            return _say(given, target)
        case "react":
            _refuse_target(target)
            return _react(given)
        case "unreact":
            _refuse_target(target)
            return Unreact(_messages_back(given))
        case "":
            raise InvalidInput("The argument action is missing.", hint="It is send, react or unreact.")
        case other:
            raise InvalidInput(
                f"There is no action “{clean_line(other, 40)}”.", hint="It is send, react or unreact."
            )


def _decode(arguments: str) -> dict[str, Any]:
    try:
        given: object = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            "The arguments are not valid JSON.",
            hint=f'Send one JSON object for {TOOL_NAME}, such as {{"action": …}}.',
        ) from error
    if not isinstance(given, dict):
        raise InvalidInput("The arguments are not a JSON object.", hint="Send the arguments by their names.")
    return cast(dict[str, Any], given)


def _say(given: dict[str, Any], target: str) -> Say | SendTo:
    text = _text(given, "text")
    if not text.strip():
        raise EmptyMessage("There is no text to send.", hint="Give the argument text.")
    if _text(given, "emoji").strip():
        raise InvalidInput(
            "Action send takes no emoji.", hint="Write it into text, or tap back in a call of its own."
        )
    return SendTo(target, text) if target else Say(text)


def _react(given: dict[str, Any]) -> React:
    emoji = _text(given, "emoji")
    if not emoji.strip():
        raise InvalidInput(
            "The argument emoji is missing or empty, so nothing was changed.", hint=_EMOJI_HINT
        )
    if _text(given, "text").strip():
        raise InvalidInput("Action react takes no text.", hint="Say it in your answer.")
    return React(emoji, _messages_back(given))


def _target(given: dict[str, Any]) -> str:
    """The other chat that is meant, or nothing for this one."""
    target = _text(given, "target").strip()
    return "" if target.lower() in _THIS_CHAT else target


def _refuse_target(target: str) -> None:
    if target:
        raise InvalidInput(
            f"Nothing was done for “{clean_line(target, 60)}”: tapbacks go to messages of this chat.",
            hint="Leave target out.",
        )


def _text(given: dict[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise InvalidInput(f"The argument {name} must be a string.")
    return value


def _messages_back(given: dict[str, Any]) -> int:
    value = given.get("messages_back", 0)
    # Models write whole numbers as 1.0 or "1" now and then; there is no doubt what is meant.
    if isinstance(value, str) and value.strip().isdecimal() and len(value) <= 9:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _FARTHEST_BACK:
        raise InvalidInput(f"The argument messages_back must be a whole number from 0 to {_FARTHEST_BACK}.")
    return value
