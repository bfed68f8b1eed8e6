"""What leaves the program on this machine: text for the clipboard, addresses for the system's opener."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tui_tapback.client.private_file import write_private
from tui_tapback.domain.values import value
from tui_tapback.terminal.notification import Kind, in_tmux, kind_for
from tui_tapback.words import _

LONGEST: Final = 74_994
"""Bytes that every terminal with a clipboard takes in one sequence (as base64 that is 100,000)."""
SCHEMES: Final = frozenset({"http", "https", "mailto"})
"""What is handed to the system's opener; anything else could start a program."""


def clipboard_trouble(environ: Mapping[str, str], text: str) -> str:
    """Why text would not arrive in this terminal's clipboard, "" where it should."""
    term = environ.get("TERM", "")
    if len(text.encode("utf-8", "replace")) > LONGEST:
        return _("it is too long for the clipboard of a terminal")
    if term in ("linux", "dumb") or environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return _("this terminal gives programs no clipboard")
    if environ.get("VTE_VERSION") and not environ.get("TMUX"):
        return _("this terminal (VTE) gives programs no clipboard")
    if term.startswith("screen") and environ.get("STY"):
        return _("GNU screen does not hand it on")
    return ""


def is_openable(address: str) -> bool:
    """Whether an address may be handed to the system's opener."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme.lower() in SCHEMES and bool(parts.netloc or parts.path)


def opener(environ: Mapping[str, str], which: Callable[[str], str | None] = shutil.which) -> list[str]:
    """The command that opens an address on this machine's screen; empty where there is none."""
    if which("open") and environ.get("TERM_PROGRAM") in ("Apple_Terminal", "iTerm.app"):
        return ["open"]
    if (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")) and which("xdg-open"):
        return ["xdg-open"]
    return ["wslview"] if environ.get("WSL_DISTRO_NAME") and which("wslview") else []


def _start(command: Sequence[str]) -> None:
    subprocess.Popen(
        list(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@value
class Outside:
    """``file`` takes what the clipboard does not (None: nothing does)."""

    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    file: Path | None = None
    start: Callable[[Sequence[str]], None] = _start

    @property
    def notifies_by(self) -> Kind:
        """How this terminal is asked for a notification."""
        return kind_for(self.environ)

    @property
    def tmux(self) -> bool:
        """Whether tmux stands between the program and the terminal."""
        return in_tmux(self.environ)

    def put_aside(self, text: str) -> Path | None:
        """Write text where the person can get at it; returns the place. Raises OSError."""
        if self.file is not None:
            write_private(self.file, text.encode("utf-8", "replace"))
        return self.file

    def open(self, address: str) -> bool:
        """Open an address beside the program; False where nothing here can. Raises OSError."""
        command = opener(self.environ)
        if not command or not is_openable(address):
            return False
        self.start([*command, address])
        return True
