"""The commands about pinned messages: pin, unpin, the list, and going to one."""

from __future__ import annotations

from tui_tapback.client.tapback_memory import Pin, pinned, unpinned
from tui_tapback.domain.errors import InvalidInput, NotFound, RowNotFound, RpcError
from tui_tapback.export.bare import bare_line
from tui_tapback.words import _, plural

from .message_commands import go_to_row, where_told
from .reading import number
from .room import Room

QUOTE = 80
"""Characters of a pinned message that are kept."""


async def pin(room: Room, rest: str) -> None:
    """``/pin N``."""
    at = number(rest)
    if rest and at is None:
        raise InvalidInput(_("Which message? /pin takes its number."), hint=_("/list reads the numbers."))
    message, session_id = room.here(at), room.state.session_id
    if message.row_id is None or session_id is None:
        raise RowNotFound(_("That message is not stored yet."), hint=_("Wait a moment."))
    trouble = room.remember(pinned(Pin(session_id, message.row_id, bare_line(message, QUOTE), room.now)))
    number_of = room.number(message)
    room.say(trouble or _("Message {number} is pinned. /pins reads all pins.").format(number=number_of))


async def unpin(room: Room, rest: str) -> None:
    """``/unpin N``: number N of ``/pins``."""
    wanted = _of_list(room, rest, _("Which pin? /unpin takes a number that /pins reads."))
    trouble = room.remember(unpinned(wanted))
    room.pins = ()  # their numbers are others now
    room.say(trouble or _("No longer pinned: {quote}.").format(quote=_quote(room, wanted)))


async def pins(room: Room, rest: str) -> None:
    """``/pins``, and ``/pins N`` which goes to one."""
    if rest:
        wanted = _of_list(room, rest, _("Which pin? /pins takes a number that it has read."))
        try:
            await go_to_row(room, wanted.session_id, wanted.row_id)
        except (NotFound, RpcError) as error:
            room.say(error.sentence())
            room.say(_("/unpin {number} takes the pin off.").format(number=number(rest)))
        return
    room.pins = _newest_first(room)
    count = len(room.pins)
    if not count:
        room.say(_("Nothing is pinned yet. /pin N pins message N."))
        return
    room.say(plural("{count} pinned message:", "{count} pinned messages:", count).format(count=count))
    for place, each in enumerate(room.pins, 1):
        where = where_told(room, each.session_id, each.row_id, elsewhere=_("another chat"))
        when = room.speech.moment(each.at, room.now)
        room.say(f"{place}. {where}, {when}: {_quote(room, each)}")
    room.say(_("/pins N goes to one, /unpin N takes one off."))


def _of_list(room: Room, rest: str, words: str) -> Pin:
    at = number(rest)
    known = room.pins or _newest_first(room)
    if at is None or not 1 <= at <= len(known):
        raise InvalidInput(words)
    return known[at - 1]


def _newest_first(room: Room) -> tuple[Pin, ...]:
    return tuple(reversed(room.remembered.pins))


def _quote(room: Room, pin: Pin) -> str:
    return room.speech.quote(pin.quote) if pin.quote else _("a message")
