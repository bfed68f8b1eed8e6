"""``tui-tapback watch``: what happens in a session, line by line, for people or as JSON for programs."""

from __future__ import annotations

import argparse
import asyncio
import os
import stat
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from datetime import datetime
from typing import Any

from tui_tapback.app.ports import ChatSession
from tui_tapback.client.open_questions import Approval, Clarify, Question
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.errors import GatewayRefused
from tui_tapback.domain.messages import Message, Status
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.export.bare import bare_line
from tui_tapback.export.record import QUOTE, emoji_of, reaction_sentence
from tui_tapback.words import _, mark

from .asked import question_words
from .headless import is_ready, require_session
from .output import message_json, say, say_line

Event = Mapping[str, Any]
_SETTLED = (Status.STORED, Status.INTERRUPTED, Status.FAILED)


async def watch(chat: ChatSession, options: argparse.Namespace) -> int:
    """Print what happens until the reader leaves or the person ends it. Raises GatewayRefused."""
    wanted: str | None = getattr(options, "session", None)
    await chat.start(session_id=wanted)
    show: Callable[[Event], None] = say_line if options.json else say_event
    watcher = Watcher(options.history)
    following = asyncio.create_task(_follow(chat, watcher, show, wanted))
    leaving = asyncio.create_task(reader_has_left(sys.stdout.fileno()))
    try:
        await asyncio.wait((following, leaving), return_when=asyncio.FIRST_COMPLETED)
        if following.done():
            following.result()
        return 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing may raise again at exit
        return 0
    finally:
        following.cancel()
        leaving.cancel()
        await asyncio.gather(following, leaving, return_exceptions=True)
        await chat.close()


async def reader_has_left(descriptor: int) -> None:
    """Return when nobody reads the pipe any more; never where it is no pipe."""
    gone = asyncio.Event()
    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        await gone.wait()
    loop = asyncio.get_running_loop()
    loop.add_reader(descriptor, gone.set)  # the writing end of a pipe is "readable" only when it is broken
    try:
        await gone.wait()
    finally:
        loop.remove_reader(descriptor)


async def _follow(
    chat: ChatSession, watcher: Watcher, show: Callable[[Event], None], wanted: str | None
) -> None:
    async with aclosing(_states(chat)) as states:
        async for state in states:
            if is_ready(state):
                require_session(state, wanted)
            for event in watcher.news(state):
                show(event)
            if state.connection.phase is Phase.REFUSED:
                detail = clean_line(state.connection.detail, 400)
                raise GatewayRefused(detail or _("The gateway refused this connection."))


async def _states(chat: ChatSession) -> AsyncGenerator[ClientState]:
    async for state in chat.changes():
        yield state


class Watcher:
    """Compares each state with the one before and names what is new.

    ``history``: so many of the messages that are there at the beginning are told as well. States are
    coalesced: of two tapbacks in one instant in the same place only the one that stays is told.
    """

    def __init__(self, history: int = 0) -> None:
        self._history = history
        self._phase: Phase | None = None
        self._session: str | None = None
        self._running = False
        self._known: dict[str, Message] | None = None
        self._oldest = 0.0
        self._questions: dict[str, Question] = {}

    def news(self, state: ClientState) -> Iterator[Event]:
        """The events that led from the last state to this one."""
        if state.connection.phase is not self._phase:
            self._phase = state.connection.phase
            detail = clean_line(state.connection.detail, 400)
            yield {"event": "connection", "phase": str(self._phase), "detail": detail}
        if state.loading or self._phase is not Phase.ONLINE:
            return  # what is shown now may be old; the comparison goes on when the session has been read
        if state.session_id != self._session and state.session_id is not None:
            self._session = state.session_id
            title = clean_line(state.title, 200)
            yield {"event": "session", "session_id": state.session_id, "title": title}
        yield from self._messages(state)
        yield from self._asked(state)
        if state.running != self._running:
            self._running = state.running
            yield {"event": "turn", "running": state.running}

    def _messages(self, state: ClientState) -> Iterator[Event]:
        settled = {m.key: m for m in state.messages if m.reactable and m.status in _SETTLED}
        if self._known is None:
            first = tuple(settled.values())
            self._known = settled
            self._oldest = first[0].at if first else 0.0
            for message in first[len(first) - self._history :] if self._history else ():
                yield _said(message)
            return
        before, self._known = self._known, settled
        for key, message in settled.items():
            known = before.get(key)
            if known is None:
                if message.at >= self._oldest:  # else it is an older part of the chat that was read now
                    yield _said(message)
            elif known is not message:
                if (known.text, known.status) != (message.text, message.status):
                    yield _said(message) | {"event": "changed"}
                yield from _tapbacks(known, message)
        for key, message in before.items():
            if (
                key not in settled
                and not state.has_newer
                and not (state.has_older and _left(message, settled))
            ):
                yield {"event": "removed", "row_id": message.row_id, "text": message.text}

    def _asked(self, state: ClientState) -> Iterator[Event]:
        present = {question.id: question for question in state.questions}
        for number, question in present.items():
            if number not in self._questions:
                yield {
                    "event": "question",
                    "id": number,
                    "kind": _kind(question),
                    "sentence": question_words(question),
                }
        for number in self._questions.keys() - present.keys():
            yield {"event": "question_closed", "id": number}
        self._questions = present


def _said(message: Message) -> dict[str, Any]:
    return {"event": "message"} | message_json(message)


def _left(message: Message, settled: Mapping[str, Message]) -> bool:
    """Whether it may only have moved out of the part of the chat that is held."""
    first = next(iter(settled.values()), None)
    return first is None or message.at <= first.at


def _tapbacks(before: Message, after: Message) -> Iterator[Event]:
    old = {reaction.slot: reaction for reaction in before.reactions}
    new = {reaction.slot: reaction for reaction in after.reactions}
    for slot, reaction in new.items():
        if slot not in old or old[slot].emoji != reaction.emoji:
            yield _tapback(after, reaction, taken_back=False)
    for slot, reaction in old.items():
        if slot not in new:
            yield _tapback(after, reaction, taken_back=True)


def _tapback(message: Message, reaction: Reaction, *, taken_back: bool) -> Event:
    words = reaction_sentence(message, reaction)
    if taken_back:
        quote = bare_line(message, QUOTE)
        words = (
            _("You took back {emoji} from “{quote}”")
            if reaction.author is Author.USER
            else _("Agent took back {emoji} from “{quote}”")
        ).format(emoji=emoji_of(reaction), quote=quote)
    return {
        "event": "tapback_removed" if taken_back else "tapback",
        "row_id": message.row_id,
        "emoji": reaction.emoji,
        "author": str(reaction.author),
        "at": reaction.at,
        "part": reaction.part,
        "sentence": words,
    }


def _kind(question: Question) -> str:
    if isinstance(question, Approval):
        return "approval"
    return "clarify" if isinstance(question, Clarify) else question.kind


_PHASES = {
    "connecting": mark("Connecting."),
    "online": mark("Connected."),
    "reconnecting": mark("The connection was lost; trying again."),
    "offline": mark("The gateway cannot be reached; trying now and then."),
    "refused": mark("The gateway refused this connection."),
    "closed": mark("The connection is closed."),
}


def say_event(event: Event) -> None:
    """Print an event as a sentence with the time, further lines of a message under its first."""
    words = event_words(event)
    if words:
        at = datetime.fromtimestamp(event["at"]) if "at" in event else datetime.now()
        first, *more = clean_text(words).split("\n")
        say("\n".join((f"{at:%H:%M}  {first}", *(f"       {line}" if line else "" for line in more))))


def event_words(event: Event) -> str:
    """What an event says to a person; empty for one that only programs need."""
    match event["event"]:
        case "message" | "changed":
            name = _("You") if event["role"] == "user" else _("Agent")
            changed = f", {_('changed')}" if event["event"] == "changed" else ""
            status = "" if event["status"] == "stored" else f" ({_(event['status'])})"
            return f"{name}{changed}{status}: {event['text']}"
        case "removed":
            return _("Taken out: “{quote}”").format(quote=clean_line(event["text"], QUOTE))
        case "tapback" | "tapback_removed":
            return f"{event['sentence']}."
        case "question":
            return f"{event['sentence']} {_('Answer it in the chat.')}"
        case "connection":
            return event["detail"] or _(_PHASES[event["phase"]])
        case "session":
            title = f": {event['title']}" if event["title"] else ""
            return _("Session {id}").format(id=event["session_id"]) + title
        case _:
            return ""
