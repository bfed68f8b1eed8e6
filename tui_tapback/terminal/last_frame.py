"""Keeps the last picture of the chat and shows it again at the next start, before anything heavy is imported.

Only ``os``, ``sys`` and ``time`` are imported: what this module costs stands before the first content.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FILE_NAME = "last-frame"
APP_FOLDER = "tui-tapback"
_FORMAT = "tapback-frame 1"
_MOST = 1_000_000  # bytes; a screen of 300 by 100 cells with a colour for each is a third of that
_LATEST = 2**33  # Unix seconds
_TERMINAL = (
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "COLORTERM",
    "NO_COLOR",
    "VTE_VERSION",
    "LANG",
    "LC_ALL",
)
"""What decides how a picture may be drawn; a frame made under other values is not shown."""
_INSIDE = ("TMUX", "STY")
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"
"""Ends a replay when nothing follows it: the screen as it was, with its cursor."""


def data_folder(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The folder of the program's data, found as ``config.paths`` finds it but without its imports.

    The empty string where only that one knows.
    """
    home = environ.get("TUI_TAPBACK_HOME", "").strip()
    if home:
        return os.path.join(os.path.realpath(os.path.expanduser(home)), "data")
    if platform == "linux":
        given = environ.get("XDG_DATA_HOME", "").strip()
        return os.path.join(given or os.path.expanduser("~/.local/share"), APP_FOLDER)
    if platform == "darwin":
        return os.path.join(os.path.expanduser("~/Library/Application Support"), APP_FOLDER)
    return ""


def terminal_key(environ: Mapping[str, str]) -> str:
    """What the terminal says it is, on one line."""
    words = [f"{name}={environ[name]}" for name in _TERMINAL if name in environ]
    words += [name for name in _INSIDE if environ.get(name)]
    return " ".join(words).replace("\n", " ")


class Frame:
    """One picture: ``lines`` of text with colours (SGR) and nothing else, as many as ``size`` has rows."""

    __slots__ = ("at", "lines", "session_id", "size", "terminal")

    def __init__(
        self, lines: Sequence[str], *, size: tuple[int, int], session_id: str, terminal: str, at: int
    ) -> None:
        self.lines = tuple(lines)
        self.size = size  # columns, rows
        self.session_id = session_id
        self.terminal = terminal
        self.at = at  # Unix seconds


def is_plain(line: str) -> bool:
    """Whether ``line`` holds printable text and colours only, so that it can drive nothing."""
    for index, piece in enumerate(line.split("\x1b[")):
        text = piece
        if index:
            colours, found, text = piece.partition("m")
            if not found or any(sign not in "0123456789;:" for sign in colours):
                return False
        if not text.isprintable() and any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in text):
            return False
    return True


def save(path: str, frame: Frame) -> None:
    """Write the frame for the next start, for its owner's eyes only. Raises OSError.

    A frame that is not plain is not kept, and neither is the one before it.
    """
    head = (_FORMAT, f"{frame.size[0]} {frame.size[1]}", frame.terminal, frame.session_id, str(frame.at))
    sound = len(frame.lines) == frame.size[1] and all(map(is_plain, frame.lines))
    if not sound or any("\n" in line for line in (*head, *frame.lines)):
        discard(path)
        return
    temporary = f"{path}.{os.getpid()}.tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write("\n".join((*head, *frame.lines)))
        os.replace(temporary, path)
    except OSError:
        discard(temporary)
        raise


def discard(path: str) -> None:
    """Forget the frame; it is no error if there is none. Raises OSError."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def load(path: str) -> Frame | None:
    """The frame, None where there is none, or one that is not ours alone, broken, or not plain."""
    try:
        with open(path, "rb") as file:
            about = os.fstat(file.fileno())
            if about.st_mode & 0o077 or about.st_uid != os.geteuid() or about.st_size > _MOST:
                return None
            lines = file.read(_MOST).decode("utf-8").split("\n")
        marker, size, terminal, session_id, at = lines[:5]
        columns, rows = map(int, size.split())
        frame = Frame(lines[5:], size=(columns, rows), session_id=session_id, terminal=terminal, at=int(at))
    except (OSError, ValueError):
        return None
    sound = (
        marker == _FORMAT
        and len(frame.lines) == rows > 0
        and 0 <= frame.at < _LATEST
        and all(map(is_plain, frame.lines))
    )
    return frame if sound else None


def mark(frame: Frame, clock: Callable[[float], time.struct_time] = time.localtime) -> str:
    """The words over the last row, in as many cells as there are: this is not live yet."""
    words = f" Last seen {time.strftime('%Y-%m-%d %H:%M', clock(frame.at))}, opening ..."
    return words[: frame.size[0]].ljust(frame.size[0])


def fitting(path: str, environ: Mapping[str, str], size: tuple[int, int]) -> Frame | None:
    """The frame for this very terminal at this very size, else None: never another's."""
    frame = load(path)
    if frame is None or frame.size != size or frame.terminal != terminal_key(environ):
        return None
    return frame


def drawn(frame: Frame) -> str:
    """What to write to the terminal: its other screen, the picture, and the mark over the last row."""
    rows = (f"\x1b[{number}H{line}\x1b[0m" for number, line in enumerate(frame.lines[:-1], 1))
    return f"{_ENTER}{''.join(rows)}\x1b[{frame.size[1]}H\x1b[2m{mark(frame)}\x1b[0m"
