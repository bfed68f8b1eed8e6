"""The commands about tapbacks: react, take back, repeat, echo, undo, who, find an emoji, what is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tui_tapback.client import tapback_memory
from tui_tapback.client.abilities import Ability
from tui_tapback.client.tapback_history import Change, Outcome
from tui_tapback.client.telling import PendingLine
from tui_tapback.config.quick import reaction
from tui_tapback.domain.errors import InvalidInput, NotAnEmoji, TapbackError
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.emoji.typed import React, TapbackCommand, without_colons
from tui_tapback.words import _, language, plural

from . import sentences, turn_commands
from .reading import leading_number, number, words_and_number
from .room import Room
from .speech import in_quotes

FOUND = 12
"""Emoji that ``/emoji`` reads."""


async def typed(room: Room, wanted: TapbackCommand) -> None:
    """``+:tada:``, ``2-`` and their like."""
    target = room.chosen(None, Role.ASSISTANT, back=wanted.back)
    if isinstance(wanted, React):
        _set(room, target, named(room, wanted.emoji))
    else:
        _remove(room, target)


async def react(room: Room, rest: str) -> None:
    """``/react NAME on N``."""
    words, at = words_and_number(rest)
    if not words:
        raise nameless()
    target = room.chosen(at, None if at is not None else Role.ASSISTANT)
    _set(room, target, named(room, words))


def nameless() -> InvalidInput:
    """What is raised where ``/react`` was given no name."""
    return InvalidInput(_("Which tapback? /react needs a name."), hint=_("/reactions reads the quick ones."))


def named(room: Room, words: str) -> str:
    """The emoji of that name or quick number. Raises NotAnEmoji."""
    from tui_tapback.emoji.resolve import resolve

    place = number(words)
    if place is not None and 1 <= place <= len(room.choices.quick):
        return room.choices.quick[place - 1]
    spoken = language()
    return reaction(without_colons(words.strip()), lambda text: resolve(text, locales=(spoken,)))


def _set(room: Room, target: Message, emoji: str) -> None:
    if room.present(target.key) == emoji:
        what = sentences.subject(room.speech, target, room.number(target))
        words = _("Your {emoji} is on {what} already; /unreact takes it back.")
        room.say(words.format(emoji=room.speech.emoji(emoji), what=what))
        return
    room.react(target, emoji)
    tell_of_switch(room)


def tell_of_switch(room: Room) -> None:
    """With the first tapback, where the gateway keeps them from the model: that it does, and the way out."""
    if room.chat.state.reactions_offered and not room.told_of_switch:
        room.told_of_switch = True
        room.say(_("The model hears of no tapbacks here. /enable tapbacks switches them on."))


async def switch(room: Room, rest: str) -> None:
    """``/enable tapbacks``: where the gateway keeps them from the model."""
    if rest.lower() not in ("", "tapbacks"):
        raise InvalidInput(_("/enable takes one word: tapbacks."))
    if not room.chat.state.reactions_offered:
        room.say(_("The model hears of your tapbacks here already."))
        return
    await room.chat.reactions.enable()
    room.say(_("Tapbacks are on: the model hears of yours with your next message."))


async def mute(room: Room, rest: str) -> None:
    """``/mute``."""
    if room.announcer.muted:
        room.say(_("Tapbacks are muted already; /unmute has you told of them again."))
        return
    _be_muted(room, muted=True)


async def unmute(room: Room, rest: str) -> None:
    """``/unmute``."""
    if not room.announcer.muted:
        room.say(_("Tapbacks are not muted."))
        return
    _be_muted(room, muted=False)


def _be_muted(room: Room, *, muted: bool) -> None:
    trouble = room.remember(tapback_memory.muted(muted))
    room.announcer.muted = muted
    room.say(sentences.muted() if muted else _("Tapbacks are counted and told again."))
    if trouble:
        room.say(trouble)


async def unreact(room: Room, rest: str) -> None:
    """``/unreact N``."""
    at = number(words_and_number(rest)[0] or rest) if rest else None
    if rest and at is None:
        at = words_and_number(rest)[1]
    _remove(room, room.chosen(at, None if at is not None else Role.ASSISTANT))


def _remove(room: Room, target: Message) -> None:
    if room.present(target.key) is None:
        what = sentences.subject(room.speech, target, room.number(target))
        room.say(_("You have no tapback on {what}.").format(what=what))
        return
    room.react(target, None)


async def repeat(room: Room, rest: str) -> None:
    """``/repeat N``."""
    emoji = room.steps.last
    if emoji is None:
        room.say(_("There is no tapback to repeat yet; /react sets the first."))
        return
    at = number(rest)
    _set(room, room.chosen(at, None if at is not None else Role.ASSISTANT), emoji)


async def echo(room: Room, rest: str) -> None:
    """``/echo N``: the message that the agent has reacted to last, or that one."""
    at = number(rest)
    theirs = [m for m in room.messages if m.reactions.by(Author.AGENT) is not None]
    target = room.chosen(at) if at is not None else (theirs[-1] if theirs else None)
    found = target.reactions.by(Author.AGENT) if target is not None else None
    if target is None or found is None:
        room.say(_("The agent has not tapped back there, so there is nothing to echo."))
        return
    _set(room, target, found.emoji)


async def undo(room: Room, rest: str) -> None:
    """``/undo``, and ``/undo turn`` which is another matter."""
    if rest.lower() in ("turn", _("turn")):
        await turn_commands.undo_turn(room)
        return
    outcome = room.steps.undo(room.present)
    if not outcome:
        room.say(_("There is no tapback to take back. /undo turn takes the last turn back."))
    _move(room, outcome)


async def redo(room: Room, rest: str) -> None:
    """``/redo``."""
    outcome = room.steps.redo(room.present)
    if not outcome:
        room.say(_("There is no tapback to do again."))
    _move(room, outcome)


def _move(room: Room, outcome: Outcome) -> None:
    for change in outcome.changes:
        room.set(change.key, change.after, change.part, change.quote, expected=change.before)
    for change in outcome.kept:
        room.say(_kept(room, change))


def _kept(room: Room, change: Change) -> str:
    message = room.numbers.find(change.key)
    if message is None:
        return _("That message is gone.")
    what = sentences.subject(room.speech, message, room.number(message))
    return _("The tapback on {what} was changed meanwhile; the newer choice stays.").format(what=what)


async def who(room: Room, rest: str) -> None:
    """``/who N``: that message, else the last one with a tapback."""
    at = number(rest)
    reacted = [m for m in room.messages if m.reactions]
    message = room.chosen(at) if at is not None or not reacted else reacted[-1]
    pending = await _pending(room)
    room.tell(sentences.who(room.speech, message, room.number(message), pending, room.now))


async def _pending(room: Room) -> Sequence[PendingLine] | None:
    try:
        return await room.chat.reactions.pending()
    except TapbackError:
        return None  # what the agent knows is not known at the moment, and then it is not said


async def reactions(room: Room, rest: str) -> None:
    """``/reactions``."""
    for place, emoji in enumerate(room.choices.quick, 1):
        room.say(f"{place}. {room.speech.emoji(emoji)}")


async def find_emoji(room: Room, rest: str) -> None:
    """``/emoji WORDS``: each with its place, so that one knows how many there are (case B185)."""
    from tui_tapback.emoji.catalogue import load_catalogue
    from tui_tapback.emoji.search import search

    if not rest:
        raise InvalidInput(_("Which emoji? /emoji needs words to look for."))
    found = search(rest, FOUND)
    if not found:
        raise NotAnEmoji(_("Nothing was found for {words}.").format(words=in_quotes(rest)))
    for place, match in enumerate(found, 1):
        known = load_catalogue().get(match.emoji)
        code = known.shortcodes[0] if known is not None and known.shortcodes else ""
        line = _("{place} of {count}: {emoji}").format(
            place=place, count=len(found), emoji=room.speech.emoji(match.emoji)
        )
        room.say(f"{line}, :{code}:" if code else line)


async def pending(room: Room, rest: str) -> None:
    """``/pending``."""
    room.need(Ability.PENDING)
    due = await room.chat.reactions.pending()
    if not due:
        room.say(_("With your next message the agent is told of no tapback."))
        return
    room.say(_("With your next message the agent is told:"))
    for line in due:
        message = room.numbers.find(line.key) if line.key is not None else None
        at = _("message {number}: ").format(number=room.number(message)) if message is not None else ""
        kept = " " + _("(kept back)") if line.withheld else ""
        room.say(f"{at}{room.speech.text(line.text)}{kept}")


async def withhold(room: Room, rest: str) -> None:
    """``/withhold N``."""
    await _keep_back(room, rest, withheld=True)


async def tell(room: Room, rest: str) -> None:
    """``/tell N``."""
    await _keep_back(room, rest, withheld=False)


async def _keep_back(room: Room, rest: str, *, withheld: bool) -> None:
    at, _rest = leading_number(rest)
    if at is None:
        raise InvalidInput(_("Which message? Its number is missing."), hint=_("/pending reads what is due."))
    message = room.chosen(at)
    room.need(Ability.WITHHOLD)
    await room.chat.reactions.withhold(message.key, withheld)
    words = _("The agent is not told of your tapback on message {number}.")
    if not withheld:
        words = _("The agent is told of your tapback on message {number}.")
    room.say(words.format(number=at))


async def stats(room: Room, rest: str) -> None:
    """``/stats``: of this chat."""
    for author in Author:
        room.say(_figures(room, author))


def _figures(room: Room, author: Author) -> str:
    given = Counter(r.emoji for m in room.messages for r in m.reactions if r.author is author)
    total = given.total()
    if author is Author.USER:
        words = plural("You gave {count} tapback", "You gave {count} tapbacks", total)
    else:
        words = plural("The agent gave {count} tapback", "The agent gave {count} tapbacks", total)
    said = words.format(count=total)
    each = ", ".join(f"{count} {room.speech.emoji(emoji)}" for emoji, count in given.most_common())
    return f"{said}: {each}." if each else f"{said}."
