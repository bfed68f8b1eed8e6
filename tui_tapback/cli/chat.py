"""Opens the chat on the terminal: builds the app from settings and arguments and runs it."""

from __future__ import annotations

import argparse
import os
from collections.abc import MutableMapping

from tui_tapback.terminal.early import EarlyKeys
from tui_tapback.terminal.start import Acquaintance

from .compose import Program

FRAMES = "240"
"""Frames a second for Textual: at its own 60 a key that follows a frame waits up to 16.7 ms (measured)."""


def open_chat(
    program: Program,
    options: argparse.Namespace,
    keys: EarlyKeys,
    environ: MutableMapping[str, str] = os.environ,
) -> int:
    """Run the chat until the person leaves; returns the exit status. ``keys`` has what was typed before."""
    environ.setdefault("TEXTUAL_FPS", FRAMES)  # read once, when Textual is imported
    emoji_profile = options.emoji_profile or program.settings.emoji_profile
    with Acquaintance(program.environ, emoji_profile, program.paths.data, keys.keep) as terminal:
        from tui_tapback.app.app import ChatApp, Preferences
        from tui_tapback.app.crash import CrashLog

        preferences = Preferences.of(
            program.settings,
            program.environ,
            theme=options.theme,
            measured=terminal.choose().profile,
            recents_file=program.paths.recents_file,
        )
    app = ChatApp(
        program.client(options),
        preferences,
        crash_log=CrashLog(program.paths.logs),
        session_id=getattr(options, "session", None),
        new=options.new,
        typed=keys.take,
    )
    app.watch_terminal.report_to(confirmed=terminal.confirm, wrong=terminal.forget)
    app.run(mouse=options.mouse and program.settings.mouse)
    return app.return_code or 0
