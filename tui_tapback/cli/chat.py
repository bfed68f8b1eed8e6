"""Opens the chat on the terminal: builds the app from settings and arguments and runs it."""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from functools import cache, partial
from typing import TYPE_CHECKING

from tui_tapback.terminal.last_frame import FILE_NAME, terminal_key
from tui_tapback.terminal.replay import Replay
from tui_tapback.terminal.screen_driver import Background
from tui_tapback.terminal.start import Acquaintance, settled_until

from .compose import Program

if TYPE_CHECKING:
    import argparse

    from tui_tapback.app.app import ChatApp
    from tui_tapback.app.preferences import Preferences
    from tui_tapback.app.settings.desk import SettingsDesk
    from tui_tapback.config.values import Value

FRAMES = "240"
"""Frames a second for Textual: at its own 60 a key that follows a frame waits up to 16.7 ms (measured)."""

SETTLED = 4.0
"""Seconds after the first frame at which also the messages are loaded and the search is warm."""


def open_chat(
    program: Program,
    options: argparse.Namespace,
    replay: Replay,
    environ: MutableMapping[str, str] = os.environ,
) -> int:
    """Run the chat until the person leaves; returns the exit status.

    ``replay`` has what was typed before, and the frame of the last time if that is shown.
    """
    environ.setdefault("TEXTUAL_FPS", FRAMES)  # read once, when Textual is imported
    emoji_profile = options.emoji_profile or program.settings.emoji_profile
    frame_file = program.paths.data / FILE_NAME
    if not program.settings.replay_last_frame:
        replay.put_back()
        frame_file.unlink(missing_ok=True)
    terminal = Acquaintance(
        program.environ, emoji_profile, program.paths.data, replay.keys.keep, sieve=replay.sieve
    )
    if terminal.asks:
        replay.put_back()  # the question stands on that screen
    with terminal:
        from tui_tapback.app.app import ChatApp
        from tui_tapback.app.crash import CrashLog
        from tui_tapback.app.picture import PictureKeeper
        from tui_tapback.app.themes import follows_terminal
        from tui_tapback.widgets.transcript.collector import leave_alone_what_is_loaded

        preferences = _preferences(program, options, terminal)
    chat, belongings, connector = program.chat(options)

    def begin() -> None:
        connector.release()
        leave_alone_what_is_loaded()
        app.set_timer(SETTLED, leave_alone_what_is_loaded)

    def background() -> bool | None:
        return terminal.told_dark if follows_terminal(app.preferences.wanted_theme) else None

    app = ChatApp(
        chat,
        preferences,
        belongings=belongings,
        connections=program.gateways(options),
        crash_log=CrashLog(program.paths.logs),
        session_id=getattr(options, "session", None),
        new=options.new,
        typed=lambda: terminal.sift(replay.keys.take()),
        replay=replay,
        background=Background(terminal.sieve, follows=terminal.follows, told=terminal.turns),
        first_frame=begin,
    )
    if program.settings.replay_last_frame:
        asked_again = partial(settled_until, program.environ, emoji_profile, program.paths.data)
        app.pictures = PictureKeeper(frame_file, terminal_key(program.environ), asked_again, background)
    _connect(app, terminal)
    app.run(mouse=options.mouse and program.settings.mouse)
    return app.return_code or 0


def _connect(app: ChatApp, terminal: Acquaintance) -> None:
    """Have the app told what the terminal tells only now."""
    app.watch_terminal.answer_first(terminal.heard)
    app.watch_terminal.report_to(confirmed=terminal.confirm, wrong=terminal.forget)
    terminal.settle_with(lambda choice: app.call_later(app.settle, choice.profile))
    terminal.turn_with(lambda dark: app.call_later(partial(app.terminal_is, dark=dark)))


def _preferences(program: Program, options: argparse.Namespace, terminal: Acquaintance) -> Preferences:
    """What the person chose, on this terminal."""
    from tui_tapback.app.preferences import Preferences

    profile = terminal.choose().profile  # from here on it is known what the terminal has told so far
    return Preferences.of(
        program.settings,
        program.environ,
        theme=options.theme,
        measured=profile,
        dark=terminal.dark,
        recents_file=program.paths.recents_file,
        tapbacks_file=program.paths.tapbacks_file,
        copied_file=program.paths.data / "copied.txt",
        desk=cache(partial(_desk, program, options)),
    )


def _desk(program: Program, options: argparse.Namespace) -> SettingsDesk:
    """Where settings are changed while the program runs; the first frame does without it."""
    from tui_tapback.app.preferences import theme_of
    from tui_tapback.app.settings.desk import SettingsDesk

    given: dict[str, tuple[Value, str]] = {}
    if options.theme:
        given["theme"] = (options.theme, "--theme")
    if options.emoji_profile:
        given["emoji_profile"] = (options.emoji_profile, "--emoji")
    if not options.mouse:
        given["mouse"] = (False, "--no-mouse")
    return SettingsDesk(
        program.paths.settings_file,
        program.environ,
        given,
        check=lambda settings: theme_of(settings.theme, dark=True),
        began_with=program.settings,
    )
