"""Prints for a person or for a program: cleaned words, JSON, and errors as one sentence."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from tui_tapback.domain.errors import SettingsError, TapbackError
from tui_tapback.domain.messages import Message
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.terminal.profile import SAFE, detect_profile, speaks_utf8


def say(text: str, *, end: str = "\n", stream: TextIO | None = None) -> None:
    """Print text from outside: nothing in it can drive the terminal."""
    target = sys.stdout if stream is None else stream
    text = clean_text(text)
    target.write((drawable(text, os.environ) if target.isatty() else text) + end)
    target.flush()


def drawable(text: str, environ: Mapping[str, str]) -> str:
    """``text`` for this terminal: where it has no UTF-8 or no emoji, signs and emoji in ASCII.

    Elsewhere it is left as it is, since nothing stands beside it that could be pushed out of line, and
    whoever copies it from the terminal should get the emoji itself.
    """
    try:
        profile = detect_profile(environ)
    except SettingsError:
        profile = SAFE
    if profile.utf8:
        return text
    from tui_tapback.terminal.ascii import ascii_signs, ascii_text
    from tui_tapback.terminal.cells import EmojiFitter

    fitted = EmojiFitter(profile).fit_text(text)
    return "\n".join(map(ascii_signs if speaks_utf8(environ) else ascii_text, fitted.split("\n")))


def say_json(value: Any) -> None:
    """Print one JSON document; anything but ASCII is escaped, so it is safe in every terminal."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
    sys.stdout.flush()


def complain(error: TapbackError) -> None:
    """One line on standard error."""
    say(clean_line(f"tui-tapback: {error.sentence()}", 800), stream=sys.stderr)


def say_line(value: Mapping[str, Any]) -> None:
    """Print one JSON object on one line."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def message_json(message: Message) -> dict[str, Any]:
    """A message as ``export --json``, ``send --json`` and ``watch --json`` give it."""
    from tui_tapback.export.data import message_data

    return message_data(message)
