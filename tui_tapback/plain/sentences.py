"""Says in whole sentences what there is: messages, tapbacks, tools, questions and the connection; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tui_tapback.client.open_questions import Approval, Clarify, Question, SecretAsked
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.client.telling import PendingLine
from tui_tapback.domain.messages import Message, Status, ToolActivity
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.normalise import base_of
from tui_tapback.words import _, mark, plural

from .prose import spoken_lines
from .speech import Speech, author_name, role_name

_VERBS = {
    "❤️": (mark("You loved {what}."), mark("Agent loved {what}.")),
    "👍": (mark("You liked {what}."), mark("Agent liked {what}.")),
    "👎": (mark("You disliked {what}."), mark("Agent disliked {what}.")),
    "😂": (mark("You laughed at {what}."), mark("Agent laughed at {what}.")),
    "‼️": (mark("You emphasized {what}."), mark("Agent emphasized {what}.")),
    "❓": (mark("You questioned {what}."), mark("Agent questioned {what}.")),
}
_OTHER = (mark("You reacted {emoji} to {what}."), mark("Agent reacted {emoji} to {what}."))
_TAKEN = (mark("You took back {emoji} from {what}."), mark("Agent took back {emoji} from {what}."))


def _side(author: Author) -> int:
    return 0 if author is Author.USER else 1


def subject(speech: Speech, message: Message, number: int, reaction: Reaction | None = None) -> str:
    """What a tapback is on: ``message 4, “Booked for eight”``, or a part of it."""
    if reaction is not None and reaction.part is not None:
        return _("a part of message {number}, {quote}").format(
            number=number, quote=speech.quote(reaction.quote or message.text)
        )
    return _("message {number}, {quote}").format(number=number, quote=speech.quote(message.text))


def tapback(speech: Speech, message: Message, number: int, reaction: Reaction) -> str:
    """``Agent loved message 4, “Booked for eight”.``"""
    words = _VERBS.get(base_of(reaction.emoji), _OTHER)[_side(reaction.author)]
    what = subject(speech, message, number, reaction)
    return _(words).format(what=what, emoji=speech.emoji(reaction.emoji))


def taken_back(speech: Speech, message: Message, number: int, reaction: Reaction) -> str:
    """``You took back red heart ❤️ from message 4, “Booked for eight”.``"""
    words = _TAKEN[_side(reaction.author)]
    what = subject(speech, message, number, reaction)
    return _(words).format(what=what, emoji=speech.emoji(reaction.emoji))


def badges(speech: Speech, message: Message) -> str:
    """``Tapbacks: red heart ❤️ from you, thumbs up 👍 from the agent.``; empty without any."""
    said: list[str] = []
    for reaction in message.reactions.newest_first():
        mine = reaction.author is Author.USER
        words = _("{emoji} from you") if mine else _("{emoji} from the agent")
        one = words.format(emoji=speech.emoji(reaction.emoji))
        if reaction.part is not None:
            one += " " + _("on the part {quote}").format(quote=speech.quote(reaction.quote, 24))
        if not reaction.confirmed:
            one += " " + _("(on its way)")
        said.append(one)
    if not said:
        return ""
    heading = plural("Tapback: {list}.", "Tapbacks: {list}.", len(said))
    return heading.format(list=", ".join(said))


def standing(message: Message) -> str:
    """What has to be said of a message that is not simply there; empty for one that is."""
    match message.status:
        case Status.STORED:
            return ""
        case Status.STREAMING:
            return _("still being written")
        case Status.INTERRUPTED:
            return _("interrupted")
        case Status.FAILED:
            return _("failed")
        case Status.WAITING | Status.SENDING:
            return _("not delivered yet")
        case _:
            assert_never(message.status)


def head(speech: Speech, message: Message, now: float) -> str:
    """``Agent, 10:42:``."""
    parts = (role_name(message.role), speech.moment(message.at, now), standing(message))
    return ", ".join(part for part in parts if part) + ":"


def whole(speech: Speech, message: Message, number: int, now: float) -> list[str]:
    """A message with its number, all of its text, and its tapbacks."""
    lines = spoken_lines(speech.text(message.text)) or [_("(no words)")]
    first = f"{number}. {head(speech, message, now)} {lines[0]}"
    rest = [line for line in (badges(speech, message), fault(message, number)) if line]
    return [first, *lines[1:], *rest]


def glance(speech: Speech, message: Message, number: int, now: float) -> str:
    """A message in one line: number, author, time, its beginning, its tapbacks."""
    words = clean_line(speech.said(message.text), 200) or _("(no words)")
    stuck = badges(speech, message)
    end = "." if stuck and words[-1:].isalnum() else ""
    return " ".join(part for part in (f"{number}. {head(speech, message, now)}", words + end, stuck) if part)


def fault(message: Message, number: int) -> str:
    """Why a message or a tapback did not work, and what to do; empty where all is well."""
    said: list[str] = []
    again = _("/retry {number} tries again.").format(number=number)
    if message.status is Status.FAILED:
        reason = clean_line(message.error, 300)
        words = _("Your message was not delivered.") if _mine(message) else _("The answer failed.")
        said.append(" ".join(part for part in (words, reason, again) if part))
    if message.reaction_error:
        refused = _("The tapback on message {number} was refused.").format(number=number)
        said.append(f"{refused} {clean_line(message.reaction_error, 300)} {again}")
    if message.reaction_note:
        said.append(f"{clean_line(message.reaction_note, 400)} {again}")
    return " ".join(said)


def _mine(message: Message) -> bool:
    return message.role.author is Author.USER


def tool(activity: ToolActivity) -> str:
    """``The agent uses read_file: notes.txt.``"""
    name, context = clean_line(activity.name, 60), clean_line(activity.context, 160)
    words = _("The agent uses {tool}: {context}.") if context else _("The agent uses {tool}.")
    if not activity.running:
        words = _("The agent used {tool}: {context}.") if context else _("The agent used {tool}.")
    return words.format(tool=name, context=context.rstrip("."))


def question(asked: Question) -> list[str]:
    """What the agent wants to know, and how it is answered."""
    match asked:
        case Approval():
            what = clean_line(asked.description, 300) or _("The agent asks for leave.")
            choices = ", ".join(f"/answer {choice}" for choice in asked.choices)
            return [
                _("Question: {what}").format(what=what),
                *(_("Command: {line}").format(line=line) for line in asked.command.split("\n") if line),
                _("Answer with {choices}.").format(choices=choices),
            ]
        case Clarify():
            lines = [_("The agent asks:")]
            for item in asked.items:
                lines.append(clean_line(item.question, 400))
                lines += [f"{place}. {choice}" for place, choice in enumerate(item.choices, 1)]
                if item.multi_select:
                    lines.append(_("Several may be chosen: numbers with commas between them."))
            if any(item.choices for item in asked.items):
                lines.append(_("Answer with /answer and the number, or with /answer and your own words."))
            else:
                lines.append(_("Answer with /answer and your words; /answer cancel declines."))
            return lines
        case SecretAsked():
            what = clean_line(asked.prompt, 300) or _("The agent asks for a password.")
            return [
                what,
                _("Type /answer; then what you type is not shown. /answer cancel declines."),
            ]
        case _:
            assert_never(asked)


def connection(state: ClientState) -> str:
    """How the link to the gateway stands, and what waits for it."""
    link = state.connection
    detail = clean_line(link.detail, 300)
    match link.phase:
        case Phase.CONNECTING:
            return _("Connecting.")
        case Phase.ONLINE:
            return _("Connected.")
        case Phase.RECONNECTING:
            words = _("The connection was lost; trying again.")
        case Phase.OFFLINE:
            words = _("Offline: the gateway cannot be reached. /reconnect tries at once.")
        case Phase.REFUSED:
            words = _("The gateway refused this connection. /reconnect tries again.")
        case Phase.CLOSED:
            return _("The connection is closed.")
        case _:
            assert_never(link.phase)
    return " ".join(part for part in (words, detail, waiting(state.waiting)) if part)


def waiting(count: int) -> str:
    """``2 messages or tapbacks wait.``; empty for none."""
    if not count:
        return ""
    return plural(
        "{count} message or tapback waits to be sent.",
        "{count} messages or tapbacks wait to be sent.",
        count,
    ).format(count=count)


def who(
    speech: Speech, message: Message, number: int, pending: Sequence[PendingLine] | None, now: float
) -> list[str]:
    """Who reacted to a message and when, newest first, and what the agent knows of it."""
    lines: list[str] = []
    for reaction in message.reactions.newest_first():
        when = speech.moment(reaction.at, now)
        words = [tapback(speech, message, number, reaction)]
        if when:
            words.append(_("At {time}.").format(time=when))
        if reaction.author is Author.USER:
            words.append(_known(message, reaction, pending))
        lines.append(" ".join(word for word in words if word))
    nobody = _("Nobody has reacted to message {number}.").format(number=number)
    return lines or [nobody]


def _known(message: Message, mine: Reaction, pending: Sequence[PendingLine] | None) -> str:
    if not mine.confirmed:
        return _("It is on its way.")
    if pending is None:
        return ""
    due = next((line for line in pending if line.key == message.key and line.part == mine.part), None)
    if due is None:
        return _("The agent knows of it.")
    if due.withheld:
        return _("It is kept back from the agent.")
    return _("The agent hears of it with your next message.")


def muted() -> str:
    """That the agent's tapbacks are not told, and the way out."""
    return _("Tapbacks are muted: you are told of none from the agent. /unmute undoes it.")


def opening(*, is_muted: bool) -> list[str]:
    """The first words of all; who muted tapbacks once is not left to wonder why none are told."""
    lines = [_("tui-tapback in plain lines. /help reads the commands.")]
    if is_muted:
        lines.append(muted())
    return lines


def welcome(speech: Speech, state: ClientState, messages: Sequence[Message], now: float) -> list[str]:
    """The first words about a chat that was opened."""
    title = clean_line(state.title, 120)
    if not messages:
        return [_("A new chat. Write something, or type /help.")]
    name = (
        _("Chat {title}").format(title=_("“{text}”").format(text=title))
        if title
        else _("Chat without a title")
    )
    count = plural("{count} message", "{count} messages", len(messages)).format(count=len(messages))
    last = messages[-1]
    return [
        f"{name}, {count}.",
        _("The last one: {who}, {time}: {quote}").format(
            who=author_name(last.role.author) if last.role.author else "",
            time=speech.moment(last.at, now),
            quote=clean_line(speech.said(last.text), 120),
        ),
    ]
