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
_FORMAT = "tapback-frame 3"
_MOST = 1_000_000  # bytes; a screen of 300 by 100 cells with a colour for each is a third of that
LATEST = 2**33
"""Unix seconds in a future that no clock will see."""
_TERMINAL = (
    *("TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL", "LC_TERMINAL_VERSION", "COLORTERM"),
    *("VTE_VERSION", "KONSOLE_VERSION", "XTERM_VERSION", "XTERM_LOCALE", "MLTERM", "TERMINAL_EMULATOR"),
    *("NO_COLOR", "COLORFGBG", "TEXTUAL_COLOR_SYSTEM", "TUI_TAPBACK_EMOJI", "LANG", "LC_ALL", "LC_CTYPE"),
)
"""What decides how a picture may be drawn; a frame made under other values is not shown."""
_INSIDE = (
    *("TMUX", "STY", "NVIM", "ZELLIJ", "KITTY_WINDOW_ID", "WT_SESSION", "ALACRITTY_WINDOW_ID"),
    *("WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR", "SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY", "WINDOWID"),
)
_MARK = "Last seen {time}, opening ..."
"""For a file from before the words were kept with the picture."""
_CLOCKS = 60
"""Seconds that a clock may have been set back."""
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
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


def settings_file(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The settings, found likewise; a frame from before they were changed is not shown."""
    home = environ.get("TUI_TAPBACK_HOME", "").strip()
    if home:
        return os.path.join(os.path.realpath(os.path.expanduser(home)), "settings.toml")
    if platform == "linux":
        given = environ.get("XDG_CONFIG_HOME", "").strip()
        return os.path.join(given or os.path.expanduser("~/.config"), APP_FOLDER, "settings.toml")
    return os.path.join(data_folder(environ, platform), "settings.toml")


def terminal_key(environ: Mapping[str, str]) -> str:
    """What the terminal says it is, on one line."""
    words = [f"{name}={environ[name]}" for name in _TERMINAL if name in environ]
    words += [name for name in _INSIDE if environ.get(name)]
    return " ".join(words).replace("\n", " ")


class Frame:
    """One picture: ``lines`` of text with colours (SGR) and nothing else, as many as ``size`` has rows.

    ``chat`` are the first row of the messages and the one behind their last. The picture may be shown until
    ``until`` (Unix seconds), when the terminal has to be asked about itself anew. ``dark``: its theme follows
    the terminal, which told that its background is dark, or is not; None: it may stand on any. ``words`` are
    what to say over its last row, ``{time}`` in them the time: in the language of the picture, since to find
    out which one would cost what the picture is to save.
    """

    __slots__ = ("at", "chat", "dark", "lines", "session_id", "size", "terminal", "until", "words")

    def __init__(
        self,
        lines: Sequence[str],
        *,
        size: tuple[int, int],
        session_id: str,
        terminal: str,
        at: int,
        until: int,
        chat: tuple[int, int],
        dark: bool | None = None,
        words: str = _MARK,
    ) -> None:
        self.lines = tuple(lines)
        self.size = size  # columns, rows
        self.session_id = session_id
        self.terminal = terminal
        self.at = at  # Unix seconds
        self.until = until
        self.chat = chat
        self.dark = dark
        self.words = words


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
    dark = -1 if frame.dark is None else int(frame.dark)
    numbers = (*frame.size, frame.at, frame.until, *frame.chat, dark)
    head = (_FORMAT, " ".join(map(str, numbers)), frame.terminal, frame.session_id)
    lines = (*frame.lines, frame.words)
    sound = len(frame.lines) == frame.size[1] and all(map(is_plain, lines))
    if not sound or any("\n" in line for line in (*head, *lines)):
        discard(path)
        return
    temporary = f"{path}.{os.getpid()}.tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write("\n".join((*head, *lines)))
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
        marker, numbers, terminal, session_id = lines[:4]
        columns, rows, at, until, first, behind, dark = map(int, numbers.split())
        frame = Frame(
            lines[4 : 4 + rows],
            size=(columns, rows),
            session_id=session_id,
            terminal=terminal,
            at=at,
            until=until,
            chat=(first, behind),
            dark=None if dark < 0 else dark > 0,
            words="".join(lines[4 + rows :]) or _MARK,
        )
    except (OSError, ValueError):
        return None
    sound = (
        marker == _FORMAT
        and len(frame.lines) == rows > 0
        and 0 <= frame.at < LATEST
        and 0 <= first <= behind <= rows
        and len(lines) <= 5 + rows
        and all(map(is_plain, lines[4:]))
    )
    return frame if sound else None


def mark(frame: Frame, clock: Callable[[float], time.struct_time] = time.localtime) -> str:
    """The words over the last row, in as many cells as there are: this is not live yet."""
    words = " " + frame.words.replace("{time}", time.strftime("%Y-%m-%d %H:%M", clock(frame.at)))
    return words[: frame.size[0]].ljust(frame.size[0])


def fitting(
    folder: str, environ: Mapping[str, str], size: tuple[int, int], now: float, settings: str = ""
) -> Frame | None:
    """The frame in ``folder`` for this very terminal at this very size, else None: never another's.

    None also where the file ``settings`` has been changed since, and where the terminal would be asked.
    """
    path = os.path.join(folder, FILE_NAME)
    frame = load(path)
    if frame is None or frame.size != size or frame.terminal != terminal_key(environ):
        return None
    if not frame.at - _CLOCKS <= now < frame.until:
        return None
    try:
        changed = os.stat(settings).st_mtime if settings else 0.0
    except FileNotFoundError:
        changed = 0.0
    except OSError:
        return None
    return frame if changed < frame.at else None


def drawn(frame: Frame) -> str:
    """What to write to the terminal: its other screen, the picture, and the mark over the last row."""
    rows = "".join(f"\x1b[{number};1H{line}\x1b[0m" for number, line in enumerate(frame.lines[:-1], 1))
    if any("\u0900" <= sign < "\u2000" or "\ua800" <= sign < "\uac00" for sign in rows):  # else no import
        from tui_tapback.terminal import marks
        from tui_tapback.terminal.anchoring import anchor

        marks.install()
        rows = anchor(rows)
    return f"{_ENTER}{rows}\x1b[{frame.size[1]}H\x1b[2m{mark(frame)}\x1b[0m"
