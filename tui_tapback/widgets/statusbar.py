"""One line that says how the connection stands, which model answers, which chat this is, and a few keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import Enum
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.text import clean_line, isolated
from tui_tapback.domain.values import value
from tui_tapback.terminal.graphemes import crop
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.host import filtered
from tui_tapback.words import _, plural


class Link(Enum):
    """How the connection to the gateway stands."""

    ONLINE = "online"
    CONNECTING = "connecting"
    RECONNECTING = "reconnecting"
    OFFLINE = "offline"
    REFUSED = "refused"


_DOTS: Final = {
    Link.ONLINE: "●",
    Link.CONNECTING: "◌",
    Link.RECONNECTING: "◌",
    Link.OFFLINE: "○",
    Link.REFUSED: "○",
}
_ASCII_DOTS: Final = {
    Link.ONLINE: "*",
    Link.CONNECTING: "~",
    Link.RECONNECTING: "~",
    Link.OFFLINE: "x",
    Link.REFUSED: "x",
}
_TITLE_LEAST: Final = 8


@value
class StatusLine:
    """What the status bar shows. ``retry_in`` are seconds until the next attempt, None if unknown.

    ``waiting`` counts what will be sent when the connection is back, ``tapbacks`` those of the agent that
    nobody has seen; ``activity`` (``"thinking"``) is said
    instead of "online"; ``facts`` are short words shown where there is room (tokens, the
    draft's length); ``hints`` are pairs of a key and what it does, the most useful first;
    ``now`` is the key that tries at once.
    """

    link: Link = Link.CONNECTING
    retry_in: float | None = None
    waiting: int = 0
    tapbacks: int = 0
    activity: str = ""
    model: str = ""
    facts: Sequence[str] = ()
    title: str = ""
    hints: Sequence[tuple[str, str]] = field(default=())
    now: str = "F5"

    def words(self) -> str:
        """The connection in words."""
        waiting = ""
        if self.waiting:
            text = plural(" · {count} waiting", " · {count} waiting", self.waiting)
            waiting = text.format(count=self.waiting)
        if self.tapbacks:
            text = plural(" · {count} new tapback", " · {count} new tapbacks", self.tapbacks)
            waiting += text.format(count=self.tapbacks)
        match self.link:
            case Link.ONLINE:
                return (clean_line(self.activity, 40) or _("online")) + waiting
            case Link.CONNECTING:
                return _("connecting…") + waiting
            case Link.RECONNECTING if self.retry_in is None:
                return _("reconnecting…") + waiting
            case Link.RECONNECTING:
                text = _("reconnecting in {seconds} s · {key} now")
                return text.format(seconds=max(0, round(self.retry_in or 0)), key=self.now) + waiting
            case Link.OFFLINE if self.retry_in is not None:
                text = _("offline, trying in {seconds} s · {key} now")
                return text.format(seconds=max(0, round(self.retry_in)), key=self.now) + waiting
            case Link.OFFLINE:
                return _("offline") + waiting
            case Link.REFUSED:
                return _("refused") + waiting


@value
class Part:
    """A stretch of the line with the name of its style."""

    text: str
    style: str = ""


def arrange(status: StatusLine, width: int, fitter: Fitter, *, ascii_only: bool = False) -> list[Part]:
    """The line in exactly ``width`` cells: the connection first, then model, title and keys as they fit.

    What does not fit goes in this order: keys from the last but not the first, the facts, the model, the end
    of the title, the first key, the words.
    """

    def clean(text: str) -> str:
        return fitter.fit_text(clean_line(text))

    dot = (_ASCII_DOTS if ascii_only else _DOTS)[status.link]
    words = status.words().replace("…", "...").replace("·", "-") if ascii_only else status.words()
    left = [Part(" "), Part(dot, status.link.value), Part(" "), Part(clean(words), status.link.value)]
    room = width - _cells(left) - 1
    model, title = clean(status.model), clean(status.title)
    gap = " - " if ascii_only else " · "
    ellipsis = "..." if ascii_only else "…"
    wanted = cell_len(title) + 3 if title else 0
    least = min(wanted, _TITLE_LEAST + 3)
    first = _cells(_hint(*map(clean, status.hints[0]))) if status.hints else 0
    kept = first if room >= first + least else 0
    if model and room >= cell_len(model) + 3 + least + kept:
        left += [Part(gap, "dim"), Part(model, "dim")]
        room -= cell_len(model) + 3
    if title and room >= least:
        title = crop(title, room - kept - 3, ellipsis=ellipsis)
        left += [Part(gap, "dim"), Part(isolated(title), "title")]
        room -= cell_len(title) + 3
    for fact in map(clean, status.facts):
        if room - kept >= cell_len(fact) + 3:
            left += [Part(gap, "dim"), Part(fact, "dim")]
            room -= cell_len(fact) + 3
    right: list[Part] = []
    for key, what in status.hints:
        hint = _hint(clean(key), clean(what))
        if _cells(right) + _cells(hint) > room:
            break
        right += hint
    used = _cells(left) + _cells(right)
    if used > width:
        return [Part(crop("".join(part.text for part in left), width, ellipsis=ellipsis), status.link.value)]
    tail = 1 if right and used < width else 0
    return [*left, Part(" " * (width - used - tail)), *right, Part(" " * tail)]


def _hint(key: str, what: str) -> list[Part]:
    return [Part("  "), Part(key, "key"), Part(" "), Part(what, "dim")]


def _cells(parts: Sequence[Part]) -> int:
    return sum(cell_len(part.text) for part in parts)


class StatusBar(Widget):
    """Draws a :class:`StatusLine`; ``show`` replaces it. Nothing in it is ever read as markup."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "status-bar--online",
        "status-bar--connecting",
        "status-bar--reconnecting",
        "status-bar--offline",
        "status-bar--refused",
        "status-bar--title",
        "status-bar--key",
        "status-bar--dim",
    }
    DEFAULT_CSS = """
    StatusBar { height: 1; background: $surface; color: $foreground; }
    StatusBar > .status-bar--online { color: $success; }
    StatusBar > .status-bar--connecting { color: $warning; }
    StatusBar > .status-bar--reconnecting { color: $warning; }
    StatusBar > .status-bar--offline { color: $error; text-style: bold; }
    StatusBar > .status-bar--refused { color: $error; text-style: bold; }
    StatusBar > .status-bar--title { color: $foreground; }
    StatusBar > .status-bar--key { color: $accent; text-style: bold; }
    StatusBar > .status-bar--dim { color: $text-muted; }
    """

    class HintClicked(Message):
        """A click on the ``number``-th of the keys at the right."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class WordsClicked(Message):
        """A click on the words about the connection and what is new."""

    def __init__(
        self,
        fitter: Fitter,
        *,
        ascii_only: bool = False,
        id: str | None = None,  # noqa: A002  (Textual's own name for it)
    ) -> None:
        self._styles: dict[str, Style] = {}
        super().__init__(id=id)
        self._fitter = fitter
        self._ascii_only = ascii_only
        self._status = StatusLine()

    @property
    def status(self) -> StatusLine:
        """What is shown."""
        return self._status

    def show(self, status: StatusLine) -> None:
        """Show another state; repaints only if it is another one."""
        if status != self._status:
            self._status = status
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """What is told there can be had there."""
        event.stop()
        x, keys = 0, 0
        for part in arrange(self._status, self.size.width, self._fitter, ascii_only=self._ascii_only):
            keys += part.style == "key"
            x += cell_len(part.text)
            if event.x >= x:
                continue
            if keys and part.style in ("key", "dim"):
                self.post_message(self.HintClicked(keys - 1))
            elif part.style == self._status.link.value:
                self.post_message(self.WordsClicked())
            return

    def render_lines(self, crop: Region) -> list[Strip]:
        """The one line, drawn without the styles cache."""
        width, base = self.size.width, self.rich_style
        segments = [
            Segment(part.text, self._part(part.style) if part.style else base)
            for part in arrange(self._status, width, self._fitter, ascii_only=self._ascii_only)
        ]
        line = Strip(segments).adjust_cell_length(width, base)
        blank = Strip.blank(width, base)
        lines = [(line if y == 0 else blank).crop(crop.x, crop.right) for y in range(crop.y, crop.bottom)]
        return filtered(self, lines)

    def _part(self, name: str) -> Style:
        style = self._styles.get(name)
        if style is None:
            style = self._styles[name] = self.get_component_rich_style(f"status-bar--{name}")
        return style

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        super().notify_style_update()
        self._styles.clear()
