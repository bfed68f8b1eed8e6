"""Opens the chat on the terminal: builds the app from settings and arguments and runs it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, MutableMapping

from .compose import Program

FRAMES = "240"
"""Frames a second for Textual: at its own 60 a key that follows a frame waits up to 16.7 ms (measured)."""


def open_chat(
    program: Program,
    options: argparse.Namespace,
    typed: Callable[[], str],
    environ: MutableMapping[str, str] = os.environ,
) -> int:
    """Run the chat until the person leaves; returns the exit status. ``typed`` gives what came before it."""
    environ.setdefault("TEXTUAL_FPS", FRAMES)  # read once, when Textual is imported
    from tui_tapback.app.app import ChatApp, Preferences
    from tui_tapback.app.crash import CrashLog

    preferences = Preferences.of(
        program.settings,
        program.environ,
        theme=options.theme,
        emoji_profile=options.emoji_profile,
        recents_file=program.paths.recents_file,
    )
    app = ChatApp(
        program.client(options),
        preferences,
        crash_log=CrashLog(program.paths.logs),
        session_id=getattr(options, "session", None),
        new=options.new,
        typed=typed,
    )
    app.run()
    return app.return_code or 0
