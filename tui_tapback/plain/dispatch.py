"""Carries out what was typed: finds the function of a command, sends a message, says what went wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from tui_tapback.client.abilities import Ability
from tui_tapback.domain.errors import TapbackError
from tui_tapback.words import _

from . import (
    coverage,
    helping,
    message_commands,
    part_commands,
    pin_commands,
    program_commands,
    question_commands,
    session_commands,
    tapback_commands,
    turn_commands,
    work_commands,
)
from .reading import Order, Say, Whole, read
from .room import Room
from .table import command

Handler = Callable[[Room, str], Awaitable[None]]

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "react": part_commands.react,
        "unreact": part_commands.unreact,
        "parts": part_commands.read_parts,
        "repeat": tapback_commands.repeat,
        "echo": tapback_commands.echo,
        "undo": tapback_commands.undo,
        "redo": tapback_commands.redo,
        "who": tapback_commands.who,
        "reactions": tapback_commands.reactions,
        "emoji": tapback_commands.find_emoji,
        "pending": tapback_commands.pending,
        "withhold": tapback_commands.withhold,
        "tell": tapback_commands.tell,
        "stats": tapback_commands.stats,
        "mute": tapback_commands.mute,
        "unmute": tapback_commands.unmute,
        "enable": tapback_commands.switch,
        "list": message_commands.list_messages,
        "read": message_commands.read_message,
        "next": message_commands.next_message,
        "previous": message_commands.previous_message,
        "first": message_commands.first,
        "last": message_commands.last,
        "find": message_commands.find,
        "hit": message_commands.hit,
        "filter": message_commands.filtered,
        "pin": pin_commands.pin,
        "unpin": pin_commands.unpin,
        "pins": pin_commands.pins,
        "code": message_commands.code,
        "links": message_commands.links,
        "tools": message_commands.tools,
        "thoughts": message_commands.thoughts,
        "export": message_commands.export,
        "quote": message_commands.quote,
        "edit": turn_commands.edit,
        "retry": turn_commands.retry,
        "rewind": turn_commands.rewind,
        "branch": turn_commands.branch,
        "discard": turn_commands.discard,
        "stop": turn_commands.stop,
        "steer": turn_commands.steer,
        "redirect": turn_commands.redirect,
        "compress": turn_commands.compress,
        "questions": question_commands.questions,
        "answer": question_commands.answer,
        "todo": work_commands.todo,
        "tasks": work_commands.tasks,
        "background": work_commands.background,
        "btw": work_commands.btw,
        "attach": work_commands.attach,
        "model": work_commands.models,
        "config": work_commands.gateway_config,
        "sessions": session_commands.sessions,
        "open": session_commands.open_session,
        "new": session_commands.new,
        "title": session_commands.title,
        "rename": session_commands.rename,
        "archive": session_commands.archive,
        "unarchive": session_commands.unarchive,
        "archived": session_commands.archived,
        "delete": session_commands.delete,
        "restore": session_commands.restore,
        "status": program_commands.status,
        "connections": program_commands.connections,
        "connect": program_commands.connect,
        "reconnect": program_commands.reconnect,
        "quiet": program_commands.quiet,
        "speak": program_commands.speak,
        "settings": program_commands.settings,
        "help": program_commands.help_,
        "quit": program_commands.quit_,
    }
)
"""By name; ``/paste`` is read where lines are put together."""


async def carry_out(room: Room, whole: Whole) -> None:
    """Do what was typed; what cannot be is said in a sentence, and nothing else comes of it."""
    try:
        expected, room.expectation = room.expectation, None
        if expected is not None:
            await expected.take(whole.text)
        elif whole.literal:
            _send(room, whole.text)
        else:
            await _typed(room, whole.text)
    except TapbackError as error:
        room.say(error.sentence())


async def _typed(room: Room, text: str) -> None:
    match read(text):
        case Say(said):
            if said.strip():
                _send(room, said)
        case Order(name, rest):
            await _order(room, name, rest, text)
        case tapback:
            await tapback_commands.typed(room, tapback)


async def _order(room: Room, name: str, rest: str, line: str) -> None:
    found = command(name)
    if found is not None and found.name in HANDLERS:
        await HANDLERS[found.name](room, rest)
    elif Ability.COMMANDS in room.chat.state.abilities and await _of_gateway(room, name, line):
        return
    else:
        room.say(_alternative(name) or helping.unknown(name))


def _alternative(name: str) -> str:
    """A command of the screen that has no meaning here: why, and what there is instead."""
    from tui_tapback.actions.table import ACTIONS

    for action in ACTIONS:
        if action.slash.partition(" ")[0] == f"/{name}":
            there = coverage.command_for(action)
            return coverage.reason_for(action) if there is None else helping.instead(name, there)
    return ""


async def _of_gateway(room: Room, name: str, line: str) -> bool:
    """Run a slash command of the gateway, if it has one of that name."""
    known = {item.name.lstrip("/") for item in await room.chat.commands.catalog()}
    if name not in known:
        return False
    outcome = await room.chat.commands.run(line.strip())
    match outcome.kind:
        case "send":
            _send(room, outcome.text)
        case "shown" | "prefill":
            room.tell([each for each in outcome.text.split("\n") if each.strip()] or [_("Done.")])
    return True


def _send(room: Room, text: str) -> None:
    room.announcer.own.add(room.chat.send(text))
