"""What ``/help`` reads out: the commands by topic, one of them at length, or how an action is done here."""

from __future__ import annotations

from tui_tapback.actions.table import ACTIONS
from tui_tapback.words import _

from .command import TITLES, Command, Topic
from .coverage import command_for, reason_for
from .table import COMMANDS, command, nearest


def overview() -> list[str]:
    """All commands, by topic."""
    lines = [_("What you type is sent to the agent. A line that begins with a slash is a command.")]
    for topic in Topic:
        lines.append(f"{_(TITLES[topic])}:")
        lines += [_line(item) for item in COMMANDS if item.topic is topic]
    lines.append(_("/help NAME says more about one, /help tapbacks reads one topic."))
    return lines


def about(asked: str) -> list[str]:
    """More about one command, topic, or action of the screen; the nearest names where there is none."""
    word = asked.strip().lstrip("/").lower()
    topic = next((topic for topic in Topic if word in (topic.value, _(TITLES[topic]).lower())), None)
    if topic is not None:
        return [f"{_(TITLES[topic])}:", *(_line(item) for item in COMMANDS if item.topic is topic)]
    found = command(word)
    if found is not None:
        return _at_length(found)
    return _as_action(word) or [unknown(word)]


def unknown(name: str) -> str:
    """That there is no such command, with the nearest names."""
    near = nearest(name)
    said = _("There is no command /{name}.").format(name=name)
    if near:
        said += " " + _("Did you mean {names}?").format(names=_(" or ").join(f"/{each}" for each in near))
    return said + " " + _("/help lists all.")


def instead(name: str, there: Command) -> str:
    """That what the screen calls ``name`` has another name here."""
    return _("Here /{name} is {line}").format(name=name, line=_line(there))


def _line(item: Command) -> str:
    return f"{_form(item)}: {_(item.summary)}."


def _form(item: Command) -> str:
    return f"/{item.name} {item.argument}".rstrip()


def _at_length(item: Command) -> list[str]:
    lines = [_line(item)]
    if item.more:
        lines.append(_(item.more))
    if item.aliases:
        lines.append(_("Other names: {names}.").format(names=", ".join(f"/{name}" for name in item.aliases)))
    done = [action.told for action in ACTIONS if action.id in item.covers and not action.family]
    if done:
        lines.append(_("On the screen: {actions}.").format(actions="; ".join(done)))
    return lines


def _as_action(word: str) -> list[str]:
    """Actions of the screen whose id or title it is."""
    lines: list[str] = []
    for action in ACTIONS:
        if word not in (action.id, action.title.lower()):
            continue
        there = command_for(action)
        said = _line(there) if there is not None else reason_for(action)
        lines.append(f"{_(action.title)}: {said}")
    return lines
