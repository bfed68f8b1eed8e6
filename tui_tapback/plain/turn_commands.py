"""The commands that say things anew: edit, retry, rewind, branch, stop, steer, sum up, discard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tui_tapback.client.abilities import Ability
from tui_tapback.client.turns import Cost
from tui_tapback.domain.errors import InvalidInput, RowNotFound
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.words import _, plural

from .reading import number, words_and_number
from .room import Expectation, Room


async def edit(room: Room, rest: str) -> None:
    """``/edit N``: the next line takes its place."""
    message = room.chosen(_at(rest), Role.USER)
    if message.status in (Status.WAITING, Status.FAILED) and message.row_id is None:
        _expect_text(room, message, lambda text: _change_waiting(room, message, text))
        return
    room.need(Ability.EDIT)
    cost = room.chat.turns.cost_of_edit(message.key)
    room.say(_("This takes back {what}, with their tapbacks.").format(what=falls(cost)))
    _expect_text(room, message, lambda text: _say_anew(room, message, text))


def _expect_text(room: Room, message: Message, take: Callable[[str], Awaitable[None]]) -> None:
    async def taken(line: str) -> None:
        if line.strip():
            await take(line)
        else:
            room.say(_("Nothing was changed."))

    at = room.number(message)
    room.say(_("Message {number} reads: {text}").format(number=at, text=room.speech.text(message.text)))
    room.say(_("Write the new text. An empty line leaves it as it is."))
    prefill = message.text if "\n" not in message.text else ""
    room.expectation = Expectation(_("New text: "), taken, prefill=prefill)


async def _change_waiting(room: Room, message: Message, text: str) -> None:
    room.chat.edit_waiting(message.key, text)
    room.say(_("Changed."))


async def _say_anew(room: Room, message: Message, text: str) -> None:
    room.announcer.own.add(room.chat.turns.edit(message.key, text))


async def retry(room: Room, rest: str) -> None:
    """``/retry N``: what failed is tried again, an answer is asked for anew."""
    at = _at(rest)
    message = room.chosen(at) if at is not None else _failed(room) or room.chosen(None, Role.ASSISTANT)
    if message.status is Status.INTERRUPTED or message.retriable:
        before = {each.key for each in room.state.messages}
        room.chat.retry(message.key)
        room.announcer.own |= {m.key for m in room.state.messages if m.role is Role.USER} - before
        room.say(_("Trying again."))
        return
    room.need(Ability.EDIT)
    messages = room.messages
    place = room.numbers.place(room.number(message))
    question = next((m for m in messages[place::-1] if m.role is Role.USER), None)
    if question is None:
        raise RowNotFound(_("There is no message of yours before that."))
    cost = room.chat.turns.cost_of_edit(question.key)

    async def again() -> None:
        room.announcer.own.add(room.chat.turns.regenerate(message.key))

    if cost.turns <= 1:
        await again()
        return
    words = _("This takes back {what}, with their tapbacks, and asks again. Do it?")
    room.ask(words.format(what=falls(cost)), again)


def _failed(room: Room) -> Message | None:
    """What failed last, if nothing came after it."""
    for message in reversed(room.messages):
        if message.retriable:
            return message
        if message.role is Role.USER:
            return None
    return None


async def rewind(room: Room, rest: str) -> None:
    """``/rewind N``: asks first."""
    message = room.chosen(_at(rest), Role.USER)
    room.need(Ability.UNDO)
    cost = room.chat.turns.cost_of_edit(message.key)
    words = _("This takes back {what}, with their tapbacks. Do it?")
    room.ask(words.format(what=falls(cost)), lambda: take_back(room, cost.turns))


async def undo_turn(room: Room) -> None:
    """``/undo turn``: asks first."""
    room.need(Ability.UNDO)
    last = room.chosen(None, Role.USER)
    words = _("This takes back message {number} of yours, {quote}, and what came after it. Do it?")
    room.ask(
        words.format(number=room.number(last), quote=room.speech.quote(last.text)),
        lambda: take_back(room, 1),
    )


async def take_back(room: Room, turns: int) -> None:
    """Undo so many turns, and say what had been said in the first of them."""
    said = ""
    for _turn in range(turns):
        taken = await room.chat.turns.undo()
        if not taken:
            break
        said = taken
    if not said:
        room.say(_("There is nothing to take back."))
        return
    room.say(_("Taken back. You had said: {text}").format(text=room.speech.text(said)))


async def branch(room: Room, rest: str) -> None:
    """``/branch NAME at N``."""
    name, at = words_and_number(rest)
    upto = room.chosen(at).key if at is not None else None
    room.need(Ability.BRANCH)
    await room.chat.turns.branch(name or None, upto=upto)
    room.other_chat()
    room.changed_chat()
    room.say(_("This is the branch; the chat that it came from stays as it was."))


async def compress(room: Room, rest: str) -> None:
    """``/compress FOCUS``."""
    room.need(Ability.COMPRESS)
    room.say(_("Summing up the old part for the model."))
    room.say(await room.chat.turns.compress(rest or None) or _("Summed up."))


async def stop(room: Room, rest: str) -> None:
    """``/stop``."""
    if not room.chat.state.running:
        room.say(_("The agent is not at work, so there is nothing to stop."))
        return
    await room.chat.interrupt()


async def steer(room: Room, rest: str) -> None:
    """``/steer TEXT``."""
    await _into(room, rest, room.chat.turns.steer)


async def redirect(room: Room, rest: str) -> None:
    """``/redirect TEXT``."""
    await _into(room, rest, room.chat.turns.redirect)


async def _into(room: Room, text: str, call: Callable[[str], Awaitable[bool]]) -> None:
    if not text:
        raise InvalidInput(_("Which words? They belong behind the command."))
    room.need(Ability.STEER)
    if not await call(text):
        room.say(_("The agent is not at work; send it as a message."))


async def discard(room: Room, rest: str) -> None:
    """``/discard N``, without a number the last message that waits."""
    at = _at(rest)
    waits = [m for m in room.messages if m.role is Role.USER and m.row_id is None]
    if at is None and not waits:
        room.say(_("No message waits."))
        return
    text = room.chat.discard((room.chosen(at) if at is not None else waits[-1]).key)
    room.say(_("Removed: {quote}").format(quote=room.speech.quote(text)))


def falls(cost: Cost) -> str:
    """``4 messages in 2 turns``."""
    count = plural("{count} message", "{count} messages", cost.messages).format(count=cost.messages)
    turns = plural("{count} turn", "{count} turns", cost.turns).format(count=cost.turns)
    return _("{messages} in {turns}").format(messages=count, turns=turns)


def _at(rest: str) -> int | None:
    found = number(rest)
    if rest and found is None:
        raise InvalidInput(_("Only the number of a message belongs there."), hint=_("/list reads numbers."))
    return found
