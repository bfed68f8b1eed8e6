"""The commands about the agent's work: its list to do, what runs behind the chat, files, models."""

from __future__ import annotations

from tui_tapback.client.abilities import Ability
from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.work import WorkState
from tui_tapback.words import _, mark

from .reading import number
from .room import Room

_STATES = {
    WorkState.OPEN: mark("open"),
    WorkState.RUNNING: mark("at work"),
    WorkState.DONE: mark("done"),
    WorkState.FAILED: mark("failed"),
    WorkState.STOPPED: mark("stopped"),
    WorkState.UNKNOWN: mark("nobody knows how it ended"),
}


def _state(state: WorkState) -> str:
    return _(_STATES[state])


async def todo(room: Room, rest: str) -> None:
    """``/todo``."""
    if not room.state.todos:
        room.say(_("The agent has no list to do."))
    for place, item in enumerate(room.state.todos, 1):
        room.say(f"{place}. {room.speech.text(item.text)}: {_state(item.state)}.")


async def tasks(room: Room, rest: str) -> None:
    """``/tasks``, and ``/tasks stop N``."""
    room.need(Ability.TASKS)
    await room.chat.work.refresh()
    present = room.state.tasks
    word, _blank, which = rest.partition(" ")
    if word.lower() in ("stop", _("stop")):
        at = number(which)
        if at is None or not 1 <= at <= len(present):
            raise InvalidInput(_("Which task? Its number belongs behind stop."), hint=_("/tasks reads them."))
        stopped = await room.chat.work.stop(present[at - 1])
        room.say(_("It is stopped.") if stopped else _("It had ended already."))
        return
    if not present:
        room.say(_("Nothing runs behind this chat."))
    for place, task in enumerate(present, 1):
        room.say(f"{place}. {room.speech.text(task.title)}: {_state(task.state)}.")
        room.tell([line for line in task.detail.split("\n") if line.strip()][-10:])


async def background(room: Room, rest: str) -> None:
    """``/background TEXT``."""
    room.need(Ability.TASKS)
    await room.chat.work.begin(rest)
    room.say(_("It is done behind the chat; /tasks reads how it stands."))


async def btw(room: Room, rest: str) -> None:
    """``/btw TEXT``."""
    room.need(Ability.TASKS)
    await room.chat.work.ask(rest)
    room.say(_("It is asked aside; /tasks reads the answer."))


async def attach(room: Room, rest: str) -> None:
    """``/attach PATH``."""
    if not rest:
        raise InvalidInput(_("Which file? Its path belongs behind /attach."))
    attached = room.chat.attaching.add(rest)
    room.say(_("{name} goes with your next message.").format(name=attached.name))


async def models(room: Room, rest: str) -> None:
    """``/model``, and ``/model NAME`` which chooses one."""
    room.need(Ability.MODELS)
    if rest:
        await _choose(room, rest, agreed=False)
        return
    for choice in await room.chat.models.list():
        here = ", " + _("in use") if choice.current else ""
        room.say(f"{choice.name}, {choice.provider_title}{here}.")


async def _choose(room: Room, name: str, *, agreed: bool) -> None:
    chosen = await room.chat.models.choose(name, agreed=agreed)
    if chosen.confirm:
        room.ask(chosen.confirm, lambda: _choose(room, name, agreed=True))
        return
    room.say(_("{name} answers from now on.").format(name=chosen.model))
    if chosen.warning:
        room.say(chosen.warning)


async def gateway_config(room: Room, rest: str) -> None:
    """``/config``."""
    for row in await room.chat.models.settings():
        name = f"{row.section}, {row.name}" if row.section else row.name
        room.say(f"{name}: {row.value}")
