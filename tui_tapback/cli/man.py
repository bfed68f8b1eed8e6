"""Writes the man page from the parser, in the man macros that every ``man`` reads."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tui_tapback import __version__
from tui_tapback.domain.variables import TOKEN_VARIABLE, WEB_TOKEN_VARIABLE
from tui_tapback.words import _, mark

from .parser import CommandParser

_EXIT = (
    ("0", mark("It is done.")),
    ("1", mark("It failed: no gateway, a refused request, a failed answer, nothing found.")),
    ("2", mark("The request or a setting is wrong.")),
    ("130", mark("It was interrupted (Ctrl+C).")),
)
_ENVIRONMENT = (
    (TOKEN_VARIABLE, mark("Token for --connect; never an argument, since others can read those.")),
    (WEB_TOKEN_VARIABLE, mark("Token of your own for tui-tapback web.")),
    ("TUI_TAPBACK_HOME", mark("Folder of data, settings, logs and sockets.")),
    ("NO_COLOR", mark("No colours.")),
)
_EXAMPLES = (
    ("tui-tapback", mark("Open the chat.")),
    ("git diff | tui-tapback send -", mark("Send what another program prints.")),
    ("tui-tapback react --last :tada:", mark("Tap back on the last answer.")),
    ("tui-tapback watch --json | jq .sentence", mark("Follow tapbacks from a script.")),
    ("tui-tapback export --format html -o chat.html", mark("Keep a picture of the conversation.")),
)


def page(parser: CommandParser) -> str:
    """``tui-tapback(1)`` as roff."""
    lines = [
        '.\\" Made by: tui-tapback man',
        f'.TH TUI\\-TAPBACK 1 "" "tui\\-tapback {escaped(__version__)}" "User Commands"',
        f".SH {_('NAME')}",
        "tui\\-tapback \\- "
        + escaped(_("a chat in which you and your AI agent tap back on each other's messages")),
        f".SH {_('SYNOPSIS')}",
        ".B tui\\-tapback",
        "[\\fIoption\\fR ...] [\\fIcommand\\fR [\\fIargument\\fR ...]]",
        f".SH {_('DESCRIPTION')}",
        text(
            _("Without a command the chat opens. The commands do without a screen what the chat does on it.")
        ),
        f".SH {_('OPTIONS')}",
        *_arguments(parser),
        f".SH {_('COMMANDS')}",
        *_commands(parser, ()),
        f".SH {_('ENVIRONMENT')}",
        *_table(_ENVIRONMENT),
        f".SH {_('EXIT STATUS')}",
        *_table(_EXIT),
        f".SH {_('EXAMPLES')}",
        *_table(_EXAMPLES),
        "",
    ]
    return "\n".join(lines)


def _commands(parser: CommandParser, path: tuple[str, ...]) -> Iterator[str]:
    for name, below in parser.commands.items():
        whole = (*path, name)
        positional = "".join(
            f" \\fI{escaped(_placeholder(action))}\\fR"
            for action in below.arguments
            if not action.option_strings
        )
        yield f".SS {escaped(' '.join(whole))}{positional}"
        yield text((below.description or "").split("\n")[0])
        yield from _arguments(below)
        yield from _commands(below, whole)


def _arguments(parser: CommandParser) -> Iterator[str]:
    for action in parser.arguments:
        names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in action.option_strings)
        value = f"\\fI{escaped(_placeholder(action))}\\fR"
        head = value if not names else names if action.nargs == 0 else f"{names} {value}"
        yield from (".TP", head, text(action.help or ""))


def _placeholder(action: argparse.Action) -> str:
    if action.choices:
        return "|".join(map(str, action.choices))
    if isinstance(action.metavar, str):
        return action.metavar
    return f"[{action.dest} ...]" if action.nargs in ("*", "+") else action.dest


def _table(rows: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for head, words in rows:
        yield from (".TP", f"\\fB{escaped(head)}\\fR", text(_(words)))


def escaped(words: str) -> str:
    """``words`` without anything that roff would read as an order; a hyphen stays one when it is copied."""
    return words.replace("\\", "\\e").replace("-", "\\-").replace("%%", "%")


def text(words: str) -> str:
    """A line of running text, which must not begin with a control character."""
    made = escaped(words) or "."
    return f"\\&{made}" if made[0] in ".'" else made
