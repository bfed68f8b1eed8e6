"""``tui-tapback``: reads the arguments and starts the chat, the gateway or a command without a screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from io import TextIOWrapper
from shlex import quote
from typing import TYPE_CHECKING

from tui_tapback.domain.errors import InvalidInput, NotFound, SettingsError, TapbackError
from tui_tapback.terminal.cursor import places_cursor
from tui_tapback.terminal.profile import in_browser
from tui_tapback.terminal.replay import Replay
from tui_tapback.words import _, mark, use

from .nothing import nothing_ordered
from .output import complain, say

if TYPE_CHECKING:
    import argparse

    from .compose import Program

FAILED = 1
USAGE = 2
INTERRUPTED = 130

NO_SCREEN = mark(
    "tui-tapback: The chat needs a terminal, and this is none. "
    "Without a screen use --plain, or tui-tapback send, react, export or sessions; --help tells more."
)


def main(argv: Sequence[str] | None = None, replay: Replay | None = None) -> int:
    """Run a command; returns the exit status: 0 done, 1 failed, 2 wrong request, 130 interrupted.

    ``replay``: the frame of the last time stands on the screen already, and keys are kept.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments:  # who opens the chat is asked by its settings, a moment later
        from tui_tapback.config.language import language_wanted

        use(language_wanted(os.environ))
    if arguments[:1] == ["serve"]:
        return _guarded(lambda: _serve(arguments[1:]))
    if arguments[:1] == ["emoji"]:
        return _guarded(lambda: _emoji(arguments[1:]))
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # An emoji that the locale cannot spell is no reason to fail, nor is a piped byte that is no text.
            stream.reconfigure(errors="replace")
    if arguments[:1] == ["sessions"] and arguments[1:2] in (["repair"], ["backup"]):
        return _guarded(lambda: _care(arguments[1:]))
    options = _options(arguments)
    return _guarded(lambda: _run(options, replay))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    if not arguments:
        return nothing_ordered()
    from .parser import build_parser

    return build_parser().parse_args(arguments)


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


def _emoji(arguments: Sequence[str]) -> int:
    from tui_tapback.emoji.__main__ import main as find

    if arguments[:1] == ["find"] and len(arguments) > 1:
        arguments = arguments[1:]
    return find(arguments, prog="tui-tapback emoji")


def _care(arguments: Sequence[str]) -> int:
    from .sessions import main as care

    return care(arguments)


def _serve(arguments: Sequence[str]) -> int:
    from tui_tapback.gateway.main import main as serve

    return serve(arguments)


def is_terminal(environ: Mapping[str, str], isatty: Callable[[int], bool] = os.isatty) -> bool:
    """Whether a screen can be drawn: standard input and output are terminals that can place their cursor."""
    return isatty(0) and isatty(1) and places_cursor(environ.get("TERM", ""))


def _run(options: argparse.Namespace, replay: Replay | None) -> int:
    if options.local:
        os.environ["OPENAI_MODEL"] = "local"  # the gateway that is started reads it there
    if options.command is None:
        if options.plain or (not in_browser(os.environ) and not is_terminal(os.environ)):
            return _without_screen(options)
        if replay is not None:
            return _chat(options, replay)
        with Replay() as early:  # before anything heavy is imported: what is typed meanwhile is kept
            return _chat(options, early)
    if options.command == "completion":
        from .complete import script
        from .parser import build_parser

        say(script(build_parser(), options.shell), end="")
        return 0
    if options.command == "man":
        from .man import page
        from .parser import build_parser

        say(page(build_parser()), end="")
        return 0
    if options.command == "config":
        from .settings import config

        return config(options, os.environ)
    if options.command == "keys":
        from .keys import show_keymap

        return show_keymap(options, os.environ)
    if options.command == "web":
        return _web(options)
    if options.command == "doctor" and options.keys:
        from .doctor_keys import try_keys

        return try_keys()
    if options.command == "doctor":
        from .doctor import doctor

        return doctor(options)
    if options.command in ("login", "logout"):
        from .login import run_login

        return run_login(_program(), options)
    from .headless import run_command

    return run_command(_program(), options)


def _without_screen(options: argparse.Namespace) -> int:
    """The chat as plain lines: ordered, chosen in the settings, or all that this terminal can do."""
    from .plain import open_plain, why_plain

    program = _program()
    why = "" if options.plain else why_plain(os.environ)
    if options.plain or why or program.settings.plain:
        return open_plain(program, options, why=why)
    say(_(NO_SCREEN), stream=sys.stderr)
    return USAGE


def _web(options: argparse.Namespace) -> int:
    if find_spec("textual_serve") is None:
        raise SettingsError(
            _("What serves the chat to a browser is not installed."),
            # This Python's own pip: the one on the path may belong to another.
            hint=_("Run: {python} -m pip install 'tui-tapback[web]'").format(python=quote(sys.executable)),
        )
    from .web import serve_web

    return serve_web(options)


def _chat(options: argparse.Namespace, replay: Replay) -> int:
    try:
        program = _program(before_warning=replay.put_back)
        if program.settings.plain:
            typed = replay.keys.take()
            replay.put_back()
            from .plain import open_plain

            return open_plain(program, options, typed=typed)
        from .chat import open_chat

        return open_chat(program, options, replay)
    except TapbackError:
        replay.put_back()  # the sentence shall be read
        raise


def _program(before_warning: Callable[[], object] = lambda: None) -> Program:
    from .compose import Program

    program = Program.from_environ(os.environ)
    if program.warnings:
        before_warning()
    for warning in program.warnings:
        say(f"tui-tapback: {warning}", stream=sys.stderr)
    return program


if __name__ == "__main__":
    sys.exit(main())
