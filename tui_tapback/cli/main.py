"""``tui-tapback``: reads the arguments and starts the chat, the gateway or a command without a screen."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from tui_tapback.domain.errors import InvalidInput, NotFound, SettingsError, TapbackError

from .output import complain, say
from .parser import build_parser

FAILED = 1
USAGE = 2
INTERRUPTED = 130

NO_SCREEN = (
    "tui-tapback: The chat needs a terminal, and this is none. "
    "Without a screen use tui-tapback send, react, export or sessions; --help tells more."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0 done, 1 failed, 2 wrong request, 130 interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["serve"]:
        return _guarded(lambda: _serve(arguments[1:]))
    options = build_parser().parse_args(arguments)
    return _guarded(lambda: _run(options))


def _guarded(command: Callable[[], int]) -> int:
    try:
        return command()
    except (InvalidInput, NotFound, SettingsError) as error:
        complain(error)
        return USAGE
    except TapbackError as error:
        complain(error)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has left (head, a closed pager); what is still buffered must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _serve(arguments: Sequence[str]) -> int:
    from tui_tapback.gateway.main import main as serve

    return serve(arguments)


def _run(options: argparse.Namespace) -> int:
    from .compose import Program, is_terminal

    if options.command is None and not is_terminal(os.environ):
        say(NO_SCREEN, stream=sys.stderr)
        return USAGE
    program = Program.from_environ(os.environ)
    for warning in program.warnings:
        say(f"tui-tapback: {warning}", stream=sys.stderr)
    if options.command is None:
        from .chat import open_chat

        return open_chat(program, options)
    from .headless import run_command

    return run_command(program, options)


if __name__ == "__main__":
    sys.exit(main())
