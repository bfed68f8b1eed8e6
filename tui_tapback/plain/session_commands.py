"""The commands about stored chats: list, open, new, name, put away, delete and bring back."""

from __future__ import annotations

from tui_tapback.client.abilities import Ability
from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.errors import InvalidInput
from tui_tapback.words import _, plural

from .reading import leading_number, number
from .room import Room
from .speech import counted, in_quotes

LISTED = 20
"""Chats that are read; the others are found by words."""


async def sessions(room: Room, rest: str) -> None:
    """``/sessions WORDS``."""
    found = await room.chat.sessions.list(rest or None)
    _read(room, found)


async def archived(room: Room, rest: str) -> None:
    """``/archived``."""
    room.need(Ability.ARCHIVE)
    _read(room, await room.chat.sessions.list(archived=True))


def _read(room: Room, found: tuple[SessionSummary, ...]) -> None:
    room.sessions = found[:LISTED]
    if not found:
        room.say(_("There is no such chat."))
        return
    for place, session in enumerate(room.sessions, 1):
        room.say(_line(room, place, session))
    if len(found) > LISTED:
        words = _("And {count} more; /sessions WORDS finds them.")
        room.say(words.format(count=len(found) - LISTED))
    room.say(_("/open N opens one."))


def _line(room: Room, place: int, session: SessionSummary) -> str:
    parts = [f"{place}. {_name(session)}", counted(session.message_count)]
    if session.reactions:
        parts.append(
            plural("{count} tapback", "{count} tapbacks", session.reactions).format(count=session.reactions)
        )
    when = room.speech.moment(session.last_active, room.now)
    if when:
        parts.append(_("last at {time}").format(time=when))
    if session.id == room.chat.state.session_id:
        parts.append(_("open now"))
    return ", ".join(parts) + "."


def _name(session: SessionSummary) -> str:
    return _("“{text}”").format(text=session.title or session.preview or session.id)


def _chosen(room: Room, at: int | None) -> SessionSummary:
    if at is None:
        raise InvalidInput(
            _("Which chat? Its number is missing."), hint=_("/sessions reads the chats with numbers.")
        )
    if not 1 <= at <= len(room.sessions):
        raise InvalidInput(
            _("There is no chat {number} in the list that was read last.").format(number=at),
            hint=_("/sessions reads the chats with numbers."),
        )
    return room.sessions[at - 1]


async def open_session(room: Room, rest: str) -> None:
    """``/open N``."""
    chosen = _chosen(room, number(rest))
    await room.chat.open_session(chosen.id)
    room.other_chat()
    room.changed_chat()


async def new(room: Room, rest: str) -> None:
    """``/new``."""
    await room.chat.new_session()
    room.other_chat()
    room.changed_chat()


async def title(room: Room, rest: str) -> None:
    """``/title TEXT``."""
    if rest:
        await room.chat.set_title(rest)
    name = room.state.title
    room.say(
        _("This chat is called {title}.").format(title=in_quotes(name)) if name else _("It has no name.")
    )


async def rename(room: Room, rest: str) -> None:
    """``/rename N TEXT``."""
    at, words = leading_number(rest)
    chosen = _chosen(room, at)
    if not words:
        raise InvalidInput(_("Which name? It belongs behind the number."))
    await room.chat.sessions.rename(chosen.id, words)
    room.say(_("It is called {title} now.").format(title=in_quotes(words)))


async def archive(room: Room, rest: str) -> None:
    """``/archive N``."""
    chosen = _chosen(room, number(rest))
    room.need(Ability.ARCHIVE)
    await room.chat.sessions.archive(chosen.id)
    room.gone = ("archived", chosen.id)
    room.say(_("{title} was put away; /restore takes it back.").format(title=_name(chosen)))


async def unarchive(room: Room, rest: str) -> None:
    """``/unarchive N`` of the list that was read last."""
    chosen = _chosen(room, number(rest))
    room.need(Ability.ARCHIVE)
    await room.chat.sessions.archive(chosen.id, False)
    room.say(_("{title} is among your chats again.").format(title=_name(chosen)))


async def delete(room: Room, rest: str) -> None:
    """``/delete N``: asks first."""
    chosen = _chosen(room, number(rest))
    room.need(Ability.DELETE)

    async def deleted() -> None:
        was_open = chosen.id == room.chat.state.session_id
        seconds = await room.chat.sessions.delete(chosen.id)
        room.gone = ("deleted", chosen.id) if seconds else None
        if seconds:
            words = _("{title} was deleted; within {seconds} seconds /restore brings it back.")
            room.say(words.format(title=_name(chosen), seconds=round(seconds)))
        else:
            room.say(_("{title} was deleted.").format(title=_name(chosen)))
        if was_open:
            room.other_chat()
            room.changed_chat()

    room.ask(
        _("Delete {title} with {messages}?").format(
            title=_name(chosen), messages=counted(chosen.message_count)
        ),
        deleted,
    )


async def restore(room: Room, rest: str) -> None:
    """``/restore``."""
    if room.gone is None:
        room.say(_("Nothing was deleted or put away here that could be brought back."))
        return
    how, session_id = room.gone
    if how == "archived":
        await room.chat.sessions.archive(session_id, False)
    else:
        await room.chat.sessions.restore(session_id)
    room.gone = None
    room.say(_("It is among your chats again."))
