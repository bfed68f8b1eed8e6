"""The last screen of a chat as lines of text and colours, kept for the next start, and read again then."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.ansi import AnsiDecoder
from rich.console import Console
from rich.style import Style
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip

from tui_tapback.client.state import ClientState, Phase
from tui_tapback.terminal.last_frame import Frame, discard, save
from tui_tapback.terminal.pinning import pin, unpin
from tui_tapback.words import _

_log = logging.getLogger(__name__)


def confirmed(state: ClientState) -> bool:
    """Whether the gateway stands behind what is shown."""
    return (
        state.connection.phase is Phase.ONLINE
        and not state.loading
        and state.session_id is not None
        and bool(state.messages)
    )


def unread_yet(state: ClientState) -> bool:
    """Whether a picture from before is the best there is to show: the chat is about to be opened."""
    return not state.messages and (
        state.connection.phase is Phase.CONNECTING
        or (state.connection.phase is Phase.ONLINE and state.loading)
    )


class PictureKeeper:
    """Writes ``file`` for a terminal called ``terminal``; ``until`` tells how long it may be shown, ``dark``
    on which background alone (None: on any)."""

    def __init__(
        self, file: Path, terminal: str, until: Callable[[], float], dark: Callable[[], bool | None]
    ) -> None:
        self._file, self._terminal, self._until, self._dark = file, terminal, until, dark

    def keep(self, app: App[Any], session_id: str, chat: Region, *, pinned: bool) -> None:
        """Keep what ``app`` shows; ``chat`` is where the messages are."""
        lines = [_plain(strip, app.console) for strip in _strips(app)]
        frame = Frame(
            [pin(line) for line in lines] if pinned else lines,
            size=(app.size.width, app.size.height),
            session_id=session_id,
            terminal=self._terminal,
            at=int(time.time()),
            until=int(self._until()),
            chat=(chat.y, chat.bottom),
            dark=self._dark(),
            words=_("Last seen {time}, opening ..."),
        )
        try:
            save(str(self._file), frame)
        except OSError as error:
            _log.warning("The last screen cannot be kept: %s", error.strerror or error)

    def forget(self) -> None:
        """Keep nothing: there is no screen that the gateway stands behind."""
        try:
            discard(str(self._file))
        except OSError as error:
            _log.warning("The last screen cannot be forgotten: %s", error.strerror or error)


def _strips(app: App[Any]) -> Sequence[Strip]:
    return app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage] -- there is no public way to the composed lines


def _plain(strip: Strip, console: Console) -> str:
    """The line as the terminal was sent it, without links."""
    colours: list[str] = []
    system = console._color_system  # pyright: ignore[reportPrivateUsage] -- the public one is a name only
    for text, style, control in strip:
        if not control and text:
            plain = style.clear_meta_and_links() if style is not None else Style.null()
            colours.append(plain.render(text, color_system=system, legacy_windows=False))
    return "".join(colours)


def chat_strips(frame: Frame) -> tuple[Strip, ...]:
    """The rows of the messages in a kept frame, for whoever draws them again."""
    width = frame.size[0]
    rows = "\n".join(map(unpin, frame.lines[slice(*frame.chat)]))
    read = AnsiDecoder().decode(rows)
    console = Console(width=width, color_system="truecolor", no_color=False)
    return tuple(Strip(list(text.render(console, end=""))).adjust_cell_length(width) for text in read)
