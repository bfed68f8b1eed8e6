"""The commands that read: lists, whole messages, going from one to the next, finding, code, links, export."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from tui_tapback.client.abilities import Ability
from tui_tapback.client.library import Hit
from tui_tapback.domain.errors import InvalidInput, RowNotFound
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.words import _, plural

from . import prose, sentences
from .reading import leading_number, number
from .room import Room
from .speech import in_quotes, role_name
from .tapback_commands import named

LISTED = 10
"""Messages that ``/list`` reads without a number."""
_RANGE = re.compile(r"(\d{1,9})\s*(?:-|to|bis|–)\s*(\d{1,9})", re.IGNORECASE)
_NAME = re.compile(r":([^\s:]+):")


async def list_messages(room: Room, rest: str) -> None:
    """``/list N`` and ``/list 3 to 7``."""
    messages = room.messages
    if span := _RANGE.fullmatch(rest):
        first, last = sorted((int(span[1]), int(span[2])))
        chosen = [m for m in messages if first <= room.number(m) <= last]
    else:
        count = number(rest) if rest else LISTED
        if not count:
            raise InvalidInput(_("How many? /list takes a number, or two with “to” between them."))
        chosen = list(messages[-count:])
    if not chosen:
        raise RowNotFound(_("There are no messages with these numbers."))
    _glances(room, chosen)


def _glances(room: Room, messages: Sequence[Message]) -> None:
    for message in messages:
        room.say(sentences.glance(room.speech, message, room.number(message), room.now))


async def read_message(room: Room, rest: str) -> None:
    """``/read N``."""
    at = number(rest)
    if rest and at is None:
        raise InvalidInput(_("Which message? /read takes its number."), hint=_("/list reads the numbers."))
    _read(room, room.here(at))


def _read(room: Room, message: Message) -> None:
    room.go(message)
    room.tell(sentences.whole(room.speech, message, room.number(message), room.now))


async def next_message(room: Room, rest: str) -> None:
    """``/next``, ``/next reacted``, ``/next mine``."""
    _step(room, rest, 1)


async def previous_message(room: Room, rest: str) -> None:
    """``/previous`` and its kinds."""
    _step(room, rest, -1)


def _step(room: Room, kind: str, by: int) -> None:
    fits = _kind(kind)
    messages = room.messages
    here = next((place for place, m in enumerate(messages) if m.key == room.place), None)
    if here is None:  # behind the last one, where a chat is read from
        here = len(messages)
    place = here + by
    while 0 <= place < len(messages):
        if fits(messages[place]):
            _read(room, messages[place])
            return
        place += by
    words = _("There is no such message after this one.") if by > 0 else _("There is none before this one.")
    room.say(words)


def _kind(kind: str) -> Callable[[Message], bool]:
    match kind.strip().lower():
        case "":
            return lambda message: True
        case "reacted" | "reaction" | "tapback":
            return lambda message: bool(message.reactions)
        case "mine" | "prompt":
            return lambda message: message.role is Role.USER
        case other:
            raise InvalidInput(
                _("There is no kind of message called {kind}.").format(kind=in_quotes(clean_line(other, 30))),
                hint=_("The kinds are reacted and mine."),
            )


async def first(room: Room, rest: str) -> None:
    """``/first``."""
    _read(room, room.messages[0])


async def last(room: Room, rest: str) -> None:
    """``/last``."""
    _read(room, room.messages[-1])


async def find(room: Room, rest: str) -> None:
    """``/find WORDS``; with ``:heart:`` only what bears that tapback."""
    emoji = None
    if found := _NAME.search(rest):
        emoji = named(room, found[1])
    words = _NAME.sub("", rest).strip()
    if not words and emoji is None:
        raise InvalidInput(_("What shall be found? /find needs words."))
    if Ability.SEARCH not in room.state.abilities:
        _find_here(room, words, emoji)
        return
    hits = await room.chat.sessions.search(words, emoji=emoji)
    room.hits = hits.hits
    count = len(hits.hits)
    if hits.more:
        room.say(_("More than {count} messages found; the newest:").format(count=count))
    else:
        room.say(
            plural("{count} message found.", "{count} messages found.", count).format(count=count or _("no"))
        )
    for place, hit in enumerate(hits.hits, 1):
        room.say(_hit_line(room, place, hit))
    if hits.hits:
        room.say(_("/hit N goes to one."))


def where_told(room: Room, session_id: str, row_id: int, *, elsewhere: str) -> str:
    """Where a message is: its number, or this chat; ``elsewhere`` for one of another chat."""
    if session_id != room.chat.state.session_id:
        return elsewhere
    own = next((m for m in room.numbers.messages if m.row_id == row_id), None)
    return _("this chat") if own is None else _("message {number}").format(number=room.number(own))


def _hit_line(room: Room, place: int, hit: Hit) -> str:
    title = in_quotes(hit.session_title) if hit.session_title else _("another chat")
    where = where_told(room, hit.session_id, hit.row_id, elsewhere=title)
    who = role_name(Role(hit.role)) if hit.role in set(Role) else clean_line(hit.role, 20)
    snippet = clean_line(room.speech.said(hit.snippet), 200)
    return f"{place}. {where}, {who}, {room.speech.moment(hit.at, room.now)}: {snippet}"


def _find_here(room: Room, words: str, emoji: str | None) -> None:
    """Where the gateway cannot search: in this chat, by our own eyes."""
    wanted = words.casefold().split()
    found = [
        m
        for m in room.messages
        if all(word in m.text.casefold() for word in wanted)
        and (emoji is None or any(r.emoji == emoji for r in m.reactions))
    ]
    room.say(_("This gateway cannot search in all chats; in this one:"))
    if not found:
        room.say(_("Nothing was found."))
    _glances(room, found)


async def hit(room: Room, rest: str) -> None:
    """``/hit N``: opens its chat where need be, and reads it."""
    at = number(rest)
    if at is None or not 1 <= at <= len(room.hits):
        raise InvalidInput(_("Which find? /hit takes a number that /find has read."))
    wanted = room.hits[at - 1]
    await go_to_row(room, wanted.session_id, wanted.row_id)


async def go_to_row(room: Room, session_id: str, row_id: int) -> None:
    """Open the chat where need be, and read the message. Raises RowNotFound and what the gateway says."""
    if session_id != room.chat.state.session_id:
        await room.chat.open_session(session_id)
        room.other_chat()
        room.changed_chat()
        async for state in room.chat.changes():
            if not state.loading:
                room.tell(room.announcer.news(state, room.now))  # the greeting goes before the message
                break
    key = await room.chat.history.load_around(row_id)
    messages = room.messages
    message = next((m for m in messages if m.key == key), None)
    if message is None:
        raise RowNotFound(_("That message is no longer in its chat."))
    _read(room, message)


async def filtered(room: Room, rest: str) -> None:
    """``/filter NAME``."""
    emoji = named(room, rest) if rest else None
    found = [
        m
        for m in room.messages
        if (any(r.emoji == emoji for r in m.reactions) if emoji is not None else bool(m.reactions))
    ]
    count = len(found)
    room.say(
        plural("{count} message with that tapback.", "{count} messages with that tapback.", count).format(
            count=count or _("no")
        )
        if emoji is not None
        else plural("{count} message with a tapback.", "{count} messages with a tapback.", count).format(
            count=count or _("no")
        )
    )
    _glances(room, found)


async def code(room: Room, rest: str) -> None:
    """``/code N``: the code as it is, nothing around it."""
    message = room.here(number(rest)) if rest else _last_with(room, lambda m: bool(prose.code_blocks(m.text)))
    blocks = prose.code_blocks(message.text) if message is not None else []
    if not blocks:
        room.say(_("There is no code in it."))
    for block in blocks:
        room.tell(clean_text(block).rstrip("\n").split("\n"))


async def links(room: Room, rest: str) -> None:
    """``/links N``."""
    message = room.here(number(rest)) if rest else _last_with(room, lambda m: bool(prose.links(m.text)))
    found = prose.links(message.text) if message is not None else []
    if not found:
        room.say(_("There is no link in it."))
    for place, (words, address) in enumerate(found, 1):
        shown = clean_line(words, 80)
        target = clean_line(address, 2000)
        room.say(f"{place}. {target}" if shown in ("", target) else f"{place}. {shown}: {target}")


def _last_with(room: Room, holds: Callable[[Message], bool]) -> Message | None:
    return next((m for m in reversed(room.messages) if holds(m)), None)


async def tools(room: Room, rest: str) -> None:
    """``/tools N``: also what came of them, which is not read out by itself."""
    count = number(rest) if rest else 3
    used = [m.tool for m in room.state.messages if m.tool is not None][-(count or 3) :]
    if not used:
        room.say(_("The agent has used no tool in this chat."))
    for activity in used:
        room.say(room.speech.text(sentences.tool(activity)))
        result = clean_text(activity.result).strip()
        room.tell([line for line in result.split("\n") if line.strip()][:40])


async def thoughts(room: Room, rest: str) -> None:
    """``/thoughts N``: what the model wrote for itself, which is not read out by itself."""
    message = room.here(number(rest)) if rest else _last_with(room, lambda m: bool(m.reasoning.strip()))
    if message is None or not message.reasoning.strip():
        room.say(_("There are no thoughts with it."))
        return
    room.tell(prose.spoken_lines(room.speech.text(message.reasoning)))


async def export(room: Room, rest: str) -> None:
    """``/export FORM FILE``; the form may be left out, the file may not exist yet."""
    from tui_tapback.export.formats import FORMATS
    from tui_tapback.export.formats import export as written
    from tui_tapback.export.record import Record

    form, _blank, file = rest.partition(" ")
    if form not in FORMATS:
        form, file = "text", rest
    if not file.strip():
        raise InvalidInput(
            _("Where to? /export needs the name of a file."), hint=_("For example: /export markdown chat.md")
        )
    state, messages = room.state, room.messages
    text = written(Record(messages, title=state.title, session_id=state.session_id or ""), form)
    path = write_new(file.strip(), text)
    count = len(messages)
    words = plural("{count} message written to {path}.", "{count} messages written to {path}.", count)
    room.say(words.format(count=count, path=path))


def write_new(name: str, text: str) -> Path:
    """Write a file that is not there yet, for nobody else to read. Raises InvalidInput."""
    path = Path(name).expanduser()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as target:
            target.write(text)
    except FileExistsError as error:
        raise InvalidInput(
            _("The file {path} is there already; it was left as it is.").format(path=path),
            hint=_("Choose another name."),
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidInput(
            _("The file {path} cannot be written: {reason}.").format(path=path, reason=reason)
        ) from error
    return path


async def quote(room: Room, rest: str) -> None:
    """``/quote N TEXT``: sends both."""
    at, words = leading_number(rest)
    if not words:
        raise InvalidInput(_("What is your answer? /quote takes a number and your text."))
    source = room.chosen(at)
    lines = (f"> {line}" if line else ">" for line in source.text.strip("\n").split("\n"))
    room.announcer.own.add(room.chat.send("\n".join(lines) + "\n\n" + words))
