"""The commands about the program itself: status, connections, quiet, speech, settings, help, quit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui_tapback.config.secret import Secret
from tui_tapback.domain.errors import InvalidInput
from tui_tapback.words import _

from . import helping, sentences
from .room import Room
from .speech import Pictures, counted, in_quotes

if TYPE_CHECKING:
    from tui_tapback.config.origins import Setting

_ALL = "all"


async def status(room: Room, rest: str) -> None:
    """``/status``."""
    state = room.state
    room.say(sentences.connection(state))
    room.say(_("Gateway: {name}.").format(name=_shown(room.gateway)))
    title = in_quotes(state.title) if state.title else _("without a title")
    room.say(_("Chat {title}, {messages}.").format(title=title, messages=counted(len(room.numbers.messages))))
    if state.model:
        room.say(_("Model: {name}.").format(name=state.model))
    if state.context_used:
        used = _("The model's memory holds {used} of {most} tokens.")
        if not state.context_max:
            used = _("The model's memory holds {used} tokens.")
        room.say(used.format(used=f"{state.context_used:,}", most=f"{state.context_max:,}"))
    room.say(_("The agent is at work.") if state.running else _("The agent is not at work."))
    if state.waiting and room.online:
        room.say(sentences.waiting(state.waiting))
    if room.announcer.muted:
        room.say(sentences.muted())
    if room.quiet:
        room.say(_("Quiet: what happens waits until you press Enter."))


async def connections(room: Room, rest: str) -> None:
    """``/connections``."""
    for name in room.gateways.names:
        here = ", " + _("where you are") if name == room.gateway else ""
        room.say(f"{_shown(name)}{here}.")
    room.say(_("/connect NAME goes to another one."))


async def connect(room: Room, rest: str) -> None:
    """``/connect NAME``: leaves the one and goes to the other."""
    if not rest:
        await connections(room, rest)
        return
    here = {_shown("").lower(), "here", "local", "embedded"}
    name = "" if rest.lower() in here else rest
    if name == room.gateway:
        room.say(_("You are there already."))
        return
    chat = room.gateways.chat(name)
    before, room.chat = room.chat, chat
    room.gateway = name
    room.told_of_switch = False
    room.other_chat()
    await chat.start()
    room.changed_chat()
    await before.close()


def _shown(name: str) -> str:
    """An address that was given may hold a token behind its question mark."""
    return name.partition("?")[0] or _("this machine")


async def reconnect(room: Room, rest: str) -> None:
    """``/reconnect``."""
    if room.online:
        room.say(_("The connection stands."))
        return
    room.say(_("Trying to connect."))
    room.chat.reconnect_now()


async def quiet(room: Room, rest: str) -> None:
    """``/quiet on``, ``/quiet off``; alone it changes from one to the other."""
    match rest.lower():
        case "on":
            room.quiet = True
        case "off":
            room.quiet = False
        case "":
            room.quiet = not room.quiet
        case _:
            raise InvalidInput(_("Quiet is on or off."))
    if room.quiet:
        room.say(_("Quiet: what happens waits until you press Enter."))
    else:
        room.say(_("What happens is said at once."))


async def speak(room: Room, rest: str) -> None:
    """``/speak names``, ``/speak both``."""
    try:
        room.speak(Pictures(rest.lower()))
    except ValueError as error:
        raise InvalidInput(_("Emoji are spoken as names or as both.")) from error
    room.say(room.speech.emoji("❤️"))


async def settings(room: Room, rest: str) -> None:
    """``/settings``, ``/settings KEY``, ``/settings KEY VALUE``."""
    from tui_tapback.config.origins import Origin, overridings, settings_of
    from tui_tapback.config.values import read_value, row_of

    file = room.choices.file
    key, _blank, value = rest.partition(" ")
    if value:
        row = row_of(key)
        if row.base is Secret:
            raise InvalidInput(
                _("A key that is typed here stays on the screen."),
                hint=_("tui-tapback config set reads it unseen."),
            )
        file.change({key: read_value(key, value)})
        _take_over(room, key)
    every = settings_of(file.revision().text(file.path), overridings(room.choices.environ, {}))
    if not key:
        every = tuple(each for each in every if each.origin is not Origin.DEFAULT)
        room.say(_("These settings are not as they come; /settings all reads all, /settings KEY one:"))
    elif key != _ALL:
        every = tuple(each for each in every if each.key == key or each.key.startswith(f"{key}."))
        if not every:
            row_of(key)  # raises with the nearest name
    for each in every:
        room.say(_setting(each, at_length=bool(key) and key != _ALL))


def _setting(setting: Setting, *, at_length: bool) -> str:
    said = f"{setting.key}: {setting.shown}"
    if at_length:
        said += ". " + _("{meaning} Expected: {expected}.").format(
            meaning=_(setting.row.meaning), expected=setting.row.expected
        )
    return said


def _take_over(room: Room, key: str) -> None:
    """What this mode can change while it runs."""
    chosen = room.choices.file.read(warn=room.say)
    if key == "plain_quiet":
        room.quiet = chosen.plain_quiet
    elif key == "plain_emoji":
        room.speak(Pictures(chosen.plain_emoji))
    else:
        room.say(_("It counts from the next start on, where it is not for the gateway."))


async def help_(room: Room, rest: str) -> None:
    """``/help NAME``."""
    room.tell(helping.about(rest) if rest else helping.overview())


async def quit_(room: Room, rest: str) -> None:
    """``/quit``."""
    room.leaving = True
