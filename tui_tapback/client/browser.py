"""The browser of this machine, where a person would see it; none in an SSH session or without a desktop."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

_IN_TERMINAL = frozenset({"lynx", "links", "links2", "elinks", "w3m", "www-browser", "browsh", "carbonyl"})
"""They would draw over the chat."""


def seen_browser(environ: Mapping[str, str], platform: str = sys.platform) -> Callable[[str], bool] | None:
    """Opens an address and says whether a browser took it; None where there is none to be seen.

    ``BROWSER`` wins, as it is how tools bring a remote session's pages to the person's desk.
    """
    chosen = environ.get("BROWSER", "").split(os.pathsep)[0].strip()
    if chosen:
        program = chosen.split()[0].rpartition("/")[2]
        return None if program in _IN_TERMINAL else _open
    if environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return None
    if platform not in ("darwin", "win32") and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        return None
    return _open


def _open(address: str) -> bool:
    import webbrowser

    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False
