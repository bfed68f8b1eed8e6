"""From the command line to the exit status: prepares folders, settings, log and lock, then serves."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence

from tui_tapback.config.paths import Paths
from tui_tapback.config.secret import Secret
from tui_tapback.config.settings import Settings, load_settings
from tui_tapback.domain.errors import SettingsError, StoreError, TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.variables import TOKEN_VARIABLE
from tui_tapback.words import choose, use

from .arguments import Options, parse
from .logs import start_log

_log = logging.getLogger(__name__)

DONE, FAILED, UNUSABLE, STORE = 0, 1, 2, 3
"""Exit statuses.

DONE: ended in good order, or (in the background) another gateway is there already, which is just as well.
FAILED: another gateway is there already, and a person had asked for this one.
UNUSABLE: settings, folders or addresses cannot be used. STORE: the data file cannot be used.
"""


def run(argv: Sequence[str] | None, *, foreground: bool) -> int:
    """Run the gateway; returns the exit status.

    What goes wrong at the start is one sentence, on standard error and as the last line of the log, which the
    chat shows to the person.
    """
    options = parse(argv)
    os.umask(0o077)
    # Until the log is open, messages go nowhere; without a handler they would be printed a second time.
    logging.basicConfig(handlers=[logging.NullHandler()])
    try:
        return _run(options, foreground=foreground)
    except TapbackError as error:
        _log.error("%s", error.sentence())
        who = "tui-tapback: " if foreground else ""  # the chat, which reads this, says itself who failed
        sys.stderr.write(f"{who}{clean_line(error.sentence())}\n")
        return STORE if isinstance(error, StoreError) else UNUSABLE


def _run(options: Options, *, foreground: bool) -> int:
    environ = os.environ
    paths = Paths.from_environ(environ).prepare()
    token = Secret(environ.get(TOKEN_VARIABLE, "").strip())
    secrets = [token, Secret(environ.get("OPENAI_API_KEY", "").strip())]
    _start_log(paths, secrets)
    settings = _settings(paths)
    use(choose(settings.language, environ))
    named = Secret(environ.get(settings.model.api_key_env, "").strip())
    _start_log(paths, [*secrets, settings.model.api_key, named])
    socket_path = options.socket.absolute() if options.socket is not None else paths.socket_path

    from .ownership import take_ownership

    ownership = take_ownership(paths.lock_file, socket_path)
    if ownership is None:
        sentence = f"A gateway is already running at {socket_path}."
        _log.info("%s", sentence)
        if foreground:
            sys.stderr.write(f"tui-tapback: {clean_line(sentence)} Chats will use that one.\n")
        return FAILED if foreground else DONE
    try:
        from .process import Process

        process = Process(paths, settings, environ, token=token, out=sys.stdout if foreground else None)
        process.run(socket_path, options, idle_exit=_idle_exit(options, settings, foreground=foreground))
    finally:
        ownership.release()
    return DONE


def _start_log(paths: Paths, secrets: Sequence[Secret]) -> None:
    try:
        start_log(paths.gateway_log, secrets=secrets)
    except OSError as error:
        raise SettingsError(
            f"The log {paths.gateway_log} cannot be written: {error.strerror or error}.",
            hint="Check the folder's permissions and the free space.",
        ) from error


def _settings(paths: Paths) -> Settings:
    return load_settings(paths.settings_file, warn=lambda text: _log.warning("%s", text))


def _idle_exit(options: Options, settings: Settings, *, foreground: bool) -> float:
    """Seconds; 0 for never."""
    if options.idle_exit is not None:
        return options.idle_exit
    return 0.0 if foreground else settings.gateway.idle_exit
