"""The arguments of ``tui-tapback``; importing this loads nothing heavy."""

from __future__ import annotations

import argparse

from tui_tapback import __version__
from tui_tapback.terminal.profile import CHOICES

TOKEN_VARIABLE = "TUI_TAPBACK_TOKEN"
WEB_TOKEN_VARIABLE = "TUI_TAPBACK_WEB_TOKEN"

_EPILOG = f"""\
Without a command the chat opens. A token for --connect is read from the environment variable
{TOKEN_VARIABLE}, never from the command line. TUI_TAPBACK_HOME moves data, settings, logs and
sockets to another folder.
"""


def build_parser() -> argparse.ArgumentParser:
    """All commands and options. The result has ``command`` (None: the chat) and ``emoji_profile``."""
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group("which chat")
    group.add_argument("--connect", metavar="URL", help="another gateway, such as ws://127.0.0.1:9119/api/ws")
    group.add_argument("--session", metavar="ID", help="open this session instead of the last one")

    parser = argparse.ArgumentParser(
        prog="tui-tapback",
        description="A chat in which you and your AI agent tap back on each other's messages.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[common],
    )
    parser.add_argument("--version", action="version", version=f"tui-tapback {__version__}")
    parser.add_argument("--new", action="store_true", help="begin a new session")
    parser.add_argument(
        "--local",
        action="store_true",
        help="let the small model of the extra 'local' answer, where no gateway is running yet",
    )
    parser.add_argument("--theme", metavar="NAME", help="auto, light, dark or the name of a theme")
    parser.add_argument(
        "--emoji", dest="emoji_profile", choices=CHOICES, help="how emoji are drawn in this terminal"
    )
    parser.add_argument(
        "--no-mouse", dest="mouse", action="store_false", help="leave the mouse to the terminal"
    )
    commands = parser.add_subparsers(dest="command", title="commands", metavar="")
    _add_send(commands.add_parser("send", parents=[common], help="send a message and print the answer"))
    _add_react(commands.add_parser("react", parents=[common], help="tap back on a message"))
    _add_export(commands.add_parser("export", parents=[common], help="print a session with its tapbacks"))
    listing = commands.add_parser("sessions", parents=[common], help="list the sessions")
    listing.add_argument("--json", action="store_true", help="as JSON")
    commands.add_parser("emoji", add_help=False, help="find an emoji by what it means")
    examined = commands.add_parser(
        "doctor", parents=[common], help="examine terminal, gateway, model, folders"
    )
    examined.add_argument("--json", action="store_true", help="as JSON, for a bug report")
    examined.add_argument("--keys", action="store_true", help="try which keys reach the chat; q leaves out")
    _add_web(commands.add_parser("web", parents=[common], help="the same screen in a browser"))
    commands.add_parser(
        "serve", add_help=False, help="run the gateway in the foreground (serve --help says more)"
    )
    return parser


def _add_web(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8730, help="port to listen on (8730; 0: a free one)")
    parser.epilog = (
        f"The address that is printed holds a token. One of your own goes into {WEB_TOKEN_VARIABLE}; "
        "without it nothing but loopback is served."
    )


def _add_send(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", help="the message; none or - reads standard input")
    parser.add_argument("--new", action="store_true", help="begin a new session")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON when it is complete")
    _add_timeout(parser, 600.0)


def _add_react(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("emoji", help="an emoji or a name: 👍, :tada:, heart; - takes your tapback back")
    target = parser.add_mutually_exclusive_group()
    target.add_argument("--row", type=int, metavar="ID", help="the message with this row id (see export)")
    target.add_argument(
        "--back",
        type=_positive,
        default=1,
        metavar="N",
        help="the agent's N-th last message (default 1)",
    )
    parser.add_argument("--json", action="store_true", help="print the message as JSON")
    _add_timeout(parser, 30.0)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON instead of text")
    _add_timeout(parser, 30.0)


def _add_timeout(parser: argparse.ArgumentParser, default: float) -> None:
    parser.add_argument(
        "--timeout",
        type=float,
        default=default,
        metavar="SECONDS",
        help=f"give up after this time (default {default:g})",
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number
