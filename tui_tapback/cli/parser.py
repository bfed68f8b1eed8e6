"""The arguments of ``tui-tapback``; importing this loads nothing heavy."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from tui_tapback import __version__
from tui_tapback.domain.variables import TOKEN_VARIABLE, WEB_TOKEN_VARIABLE
from tui_tapback.terminal.profile import CHOICES
from tui_tapback.words import _, mark

from .wording import HELP, WordedHelp, WordedPlainHelp, wrong_arguments

_EMOJI = mark("Find an emoji by what it means: emoji find thumbs up. emoji --help tells its options.")
_SERVE = mark("Run the gateway in the foreground. serve --help tells its options.")
_MAN = mark("Print this program's man page: tui-tapback man | man -l -")
_COMPLETE = mark("Print completions for a shell; docs/cli.md says where each shell looks for them.")
_EPILOG = mark(
    "Without a command the chat opens. A token for --connect is read from the environment variable\n"
    "{variable}, never from the command line. TUI_TAPBACK_HOME moves data, settings, logs and\n"
    "sockets to another folder.\n"
)

FORMATS = ("text", "markdown", "html", "json")
"""Of ``export``; a test compares them with ``tui_tapback.export.formats``, which is heavy to import."""
SHELLS = ("bash", "zsh", "fish")
PRESETS = ("default", "vim", "emacs", "zulip", "azerty")
"""Of ``keys``; a test compares them with ``tui_tapback.actions.presets``."""


class CommandParser(argparse.ArgumentParser):
    """A parser that tells what it consists of, for the completion scripts and the man page."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", WordedHelp)
        super().__init__(**options)
        for action in self._actions:
            if action.help == HELP:
                action.help = _(HELP)
        self.commands: dict[str, CommandParser] = {}
        """The commands below this one, by name."""

    def error(self, message: str) -> NoReturn:
        """End with the usage and what is wrong, on standard error."""
        self.print_usage(sys.stderr)
        told = _("{program}: error: {what}").format(program=self.prog, what=wrong_arguments(message))
        self.exit(2, told + "\n")

    @property
    def arguments(self) -> tuple[argparse.Action, ...]:
        """Options and positional arguments that are shown to people, without the choice of a command."""
        return tuple(
            action
            for action in self._actions
            if action.help != argparse.SUPPRESS and not isinstance(action.choices, dict)
        )


def build_parser() -> CommandParser:
    """All commands and options. The result has ``command`` (None: the chat) and ``emoji_profile``."""
    common = CommandParser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group(_("which chat"))
    group.add_argument(
        "--connect", metavar="URL", help=_("another gateway: an address or a name of the settings")
    )
    group.add_argument("--session", metavar="ID", help=_("this session instead of the last one"))

    parser = CommandParser(
        prog="tui-tapback",
        description=_("A chat in which you and your AI agent tap back on each other's messages."),
        epilog=_(_EPILOG).format(variable=TOKEN_VARIABLE),
        formatter_class=WordedPlainHelp,
        parents=[common],
    )
    _add_chat(parser)
    commands = parser.add_subparsers(dest="command", title=_("commands"), metavar="")

    def command(name: str, told: str, *, own: bool = False, words: str = "") -> CommandParser:
        """``own``: it reads its arguments itself, or needs no chat; ``words`` describe it otherwise."""
        made = commands.add_parser(
            name,
            parents=[] if own else [common],
            add_help=not own,
            help=told,
            description=words or _sentence(told),
        )
        parser.commands[name] = made
        return made

    _add_send(command("send", _("send a message and print the answer")))
    _add_react(command("react", _("tap back on a message")))
    _add_watch(command("watch", _("follow a session: messages, tapbacks, questions, as they come")))
    _add_export(command("export", _("write down a session with its tapbacks")))
    _add_sessions(command("sessions", _("list, search, rename, archive, delete sessions")), common)
    _add_config(command("config", _("show, change and find the settings")))
    _add_keys(command("keys", _("print which keys do what, and what is wrong with your own")))
    command("emoji", _("find an emoji by what it means"), own=True, words=_(_EMOJI))
    _add_doctor(command("doctor", _("examine terminal, gateway, model, folders")))
    _add_more(command)
    return parser


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("as JSON, for a bug report"))
    parser.add_argument("--keys", action="store_true", help=_("try which keys reach the chat; q leaves out"))


def _add_more(command: Callable[..., CommandParser]) -> None:
    """Those that have no session."""
    _add_login(command("login", _("log in at a gateway that asks who is there")))
    _add_gateway(command("logout", _("log out there, and forget the login")))
    _add_web(command("web", _("the same screen in a browser")))
    command(
        "serve", _("run the gateway in the foreground (serve --help says more)"), own=True, words=_(_SERVE)
    )
    completion = command("completion", _("print completions for a shell"), own=True, words=_(_COMPLETE))
    completion.add_argument("shell", choices=SHELLS, help=_("for which shell"))
    command("man", _("print this program's man page"), own=True, words=_(_MAN))


def _add_gateway(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "gateway", nargs="?", metavar="GATEWAY", help=_("a connection of the settings, or an address")
    )


def _add_login(parser: argparse.ArgumentParser) -> None:
    _add_gateway(parser)
    parser.add_argument("--with", dest="way", metavar="WAY", help=_("where there are several ways: this one"))
    parser.add_argument("--user", metavar="NAME", help=_("the name, where the settings have none"))
    parser.add_argument(
        "--browser", action="store_true", help=_("also a name and password through a browser")
    )
    parser.epilog = _("A password is typed unseen, or read from the first line of standard input.")
    _add_timeout(parser, 600.0)


def _add_chat(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--version",
        action="version",
        version=f"tui-tapback {__version__}",
        help=_("show program's version number and exit"),
    )
    parser.add_argument("--new", action="store_true", help=_("begin a new session"))
    parser.add_argument(
        "--local",
        action="store_true",
        help=_("let the small model of the extra 'local' answer, where no gateway is running yet"),
    )
    parser.add_argument(
        "--plain", action="store_true", help=_("plain lines for a screen reader instead of a screen")
    )
    parser.add_argument("--theme", metavar="NAME", help=_("auto, light, dark or the name of a theme"))
    parser.add_argument(
        "--emoji", dest="emoji_profile", choices=CHOICES, help=_("how emoji are drawn in this terminal")
    )
    parser.add_argument(
        "--no-mouse", dest="mouse", action="store_false", help=_("leave the mouse to the terminal")
    )


def _add_web(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help=_("address to listen on (127.0.0.1)"))
    parser.add_argument("--port", type=int, default=8730, help=_("port to listen on (8730; 0: a free one)"))
    parser.epilog = _(
        "The address that is printed holds a token. One of your own goes into "
        "{web_token_variable}; without it nothing but loopback is served."
    ).format(web_token_variable=WEB_TOKEN_VARIABLE)


def _add_send(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", help=_("the message; none or - reads standard input"))
    parser.add_argument("--new", action="store_true", help=_("begin a new session"))
    parser.add_argument("--json", action="store_true", help=_("print the answer as JSON when it is complete"))
    _add_timeout(parser, 600.0)


def _add_react(parser: argparse.ArgumentParser) -> None:
    words = _(
        "an emoji or a name: 👍, :tada:, heart; a digit: the quick reaction of that key; - takes yours back"
    )
    parser.add_argument("emoji", help=words)
    target = parser.add_mutually_exclusive_group()
    target.add_argument("--row", type=int, metavar="ID", help=_("the message with this row id (see export)"))
    target.add_argument(
        "--back",
        type=_positive,
        default=1,
        metavar="N",
        help=_("the agent's N-th last message (default 1)"),
    )
    target.add_argument(
        "--last",
        dest="back",
        action="store_const",
        const=1,
        help=_("the agent's last message, as without it"),
    )
    parser.add_argument("--json", action="store_true", help=_("print the message as JSON"))
    _add_timeout(parser, 30.0)


def _add_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    parser.add_argument(
        "--history", type=_count, default=0, metavar="N", help=_("begin with the last N messages (default 0)")
    )


def _add_export(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--format", choices=FORMATS, default="text", help=_("the format (default text)"))
    form.add_argument(
        "--json", dest="format", action="store_const", const="json", help=_("the same as --format json")
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help=_("write to a file; - prints"))
    _add_timeout(parser, 120.0)


def _add_sessions(parser: CommandParser, common: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("as JSON"))
    doings = parser.add_subparsers(dest="doing", title=_("what to do"), metavar="")

    def plain(name: str, told: str) -> CommandParser:
        made = doings.add_parser(name, help=told, description=_sentence(told))
        parser.commands[name] = made
        return made

    def doing(name: str, told: str) -> CommandParser:
        made = doings.add_parser(name, parents=[common], help=told, description=_sentence(told))
        made.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=_("as JSON"))
        parser.commands[name] = made
        return made

    listing = doing("list", _("list the sessions, newest first (also without a word)"))
    listing.add_argument("--query", metavar="WORDS", help=_("only those that say these words"))
    listing.add_argument("--archived", action="store_true", help=_("those that were put away"))
    listing.add_argument("--reacted", metavar="EMOJI", help=_("only those with such a tapback"))
    listing.add_argument("--limit", type=_positive, metavar="N", help=_("at most so many"))
    search = doing("search", _("find messages in all sessions, newest first"))
    search.add_argument("words", nargs="*", help=_('all must occur; "words in quotes" occur together'))
    search.add_argument("--author", choices=("user", "agent"), help=_("only what this side said"))
    search.add_argument("--reacted", metavar="EMOJI", help=_("only messages with such a tapback"))
    search.add_argument("--limit", type=_positive, default=50, metavar="N", help=_("at most so many (50)"))
    rename = doing("rename", _("give a session another title"))
    rename.add_argument("id", help=_("the session (see sessions list)"))
    rename.add_argument("title", nargs="+", help=_("its new title"))
    for name, told in (
        ("archive", _("put a session away")),
        ("unarchive", _("take a session back that was put away")),
        ("delete", _("delete a session; restore brings it back for a while")),
        ("restore", _("bring a deleted session back")),
    ):
        changed = doing(name, told)
        changed.add_argument("id", help=_("the session (see sessions list)"))
        if name == "delete":
            changed.add_argument(
                "--yes", action="store_true", help=_("also where the gateway cannot bring it back")
            )
    add_care(plain)


def _add_keys(parser: CommandParser) -> None:
    parser.add_argument("--preset", choices=PRESETS, help=_("a preset instead of your settings"))
    parser.add_argument("--json", action="store_true", help=_("as JSON"))


def _add_config(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("as JSON"))
    doings = parser.add_subparsers(dest="doing", title=_("what to do"), metavar="")
    parser.set_defaults(key=None)

    def doing(name: str, told: str) -> CommandParser:
        made = doings.add_parser(name, help=told, description=_sentence(told))
        made.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=_("as JSON"))
        parser.commands[name] = made
        return made

    getting = doing("get", _("print a setting, or all with where they come from (also without a word)"))
    getting.add_argument("key", nargs="?", help=_("which one, such as model.base_url"))
    setting = doing("set", _("set a setting; comments in the file stay"))
    setting.add_argument("key", help=_("which one, such as theme"))
    setting.add_argument("value", nargs="*", help=_("its value; a secret is read from standard input"))
    resetting = doing("reset", _("put settings back to their defaults"))
    resetting.add_argument("keys", nargs="+", metavar="key", help=_("which ones, such as theme"))
    doing("edit", _("open the settings file in your editor and check it afterwards"))
    doing("path", _("print where the settings file lies"))


def add_care(add: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """The commands that work on the data file itself, without a gateway."""
    add("repair", _("make a damaged data file sound, and its search index anew"))
    copying = add("backup", _("copy the data file"))
    copying.add_argument("file", nargs="?", type=Path, help=_("where to; else beside the data file"))


def _add_timeout(parser: argparse.ArgumentParser, default: float) -> None:
    parser.add_argument(
        "--timeout",
        type=float,
        default=default,
        metavar="SECONDS",
        help=_("give up after this time (default {default:g})").format(default=default),
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(_("must be 1 or more"))
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(_("must be 0 or more"))
    return number


def _sentence(told: str) -> str:
    return f"{told[0].upper()}{told[1:]}."
