"""What to ask a terminal about the width of emoji, and what its answers say: pure, without a terminal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

from tui_tapback.domain.values import value
from tui_tapback.terminal.background import FOLLOWED, QUESTION, Sieve
from tui_tapback.terminal.profile import ASCII_ONLY, TEXT, WidthProfile
from tui_tapback.terminal.replies import Attributes, CursorAt, ModeIs, ReplyParser

Outcome = Literal["answered", "partial", "garbled", "silent"]
ModeState = Literal["set", "reset", "unknown", "silent"]
GRAPHEMES: Final = 2027
"""The private mode in which a terminal promises to count grapheme clusters; never believed alone."""

_LADDER: Final[Mapping[int, str]] = {
    9: "🤣", 10: "🤩", 11: "🥰", 12: "🥱", 13: "🥲", 14: "🫠", 15: "🫨", 16: "\U0001fae9", 17: "\U0001faea",
}  # fmt: skip
PROBES: Final[Mapping[str, tuple[str, ...]]] = {
    "symbols": ("│", "❤", "‼", "☀", "▯"),  # one cell, or nothing but ASCII is safe
    "wide": ("😀", "👍", "❓", "⭐", "✅"),
    **{f"unicode {version}": (char,) for version, char in _LADDER.items()},
    "vs16": ("❤️", "‼️", "☀️", "✈️", "⚠️", "🅰️", "🌶️", "™️"),
    "wide vs16": ("㊗️", "🈂️", "〰️"),
    "keycaps": ("1️⃣", "#️⃣", "*️⃣"),
    "tones": ("👍🏽", "🙏🏻", "🤙🏾", "🧑🏿"),
    "joined": (
        *("👨‍👩‍👧‍👦", "👩‍💻", "👩‍👦"),
        *("🏳️‍🌈", "❤️‍🔥", "🏃‍♀️", "👩‍❤️‍👨", "👁️‍🗨️"),
        *("👩🏽‍💻", "🤦🏽‍♂️", "👩🏽‍🤝‍👨🏻", "🧑🏻‍🤝‍🧑🏿"),
    ),
    "flags": ("🇺🇸", "🇯🇵", "🇪🇺", "🇨🇶"),
    "tag flags": (
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    ),
}
SEQUENCES: Final = tuple(sequence for members in PROBES.values() for sequence in members)
EDITION: Final = hashlib.sha256("\n".join((*SEQUENCES, str(FOLLOWED))).encode()).hexdigest()[:12]
"""Changes with the probes, so that answers to other ones are not taken for answers to these."""

ROW: Final = 2
"""The row in which is probed: an answer about the first row is what xterm sends for F3 with Ctrl or Alt."""
ENTER: Final = b"\x1b[?1049h\x1b[?25l\x1b[2;1H\x1b[8m"
"""The alternate screen, no cursor, and what is written concealed."""
LEAVE: Final = b"\x1b[0m\x1b[2;1H\x1b[2K\x1b[?25h\x1b[?1049l"


def measuring(sequences: Iterable[str]) -> bytes:
    """What makes a terminal tell the width of each of ``sequences``, each written over the one before."""
    return "".join(f"\r\x1b[K{sequence}\x1b[6n" for sequence in sequences).encode()


def request() -> bytes:
    """Everything that is written, between ``ENTER`` and ``LEAVE``.

    The last question, the fence, asks for the cursor once more, in an empty row. DA1, the usual fence, is
    not used: an answer that is late would reach Textual 8, which takes that of DA1 for keys and types it
    into the composer, while it knows and drops those about the cursor and about modes.
    """
    modes = b"".join(b"\x1b[?%d$p" % mode for mode in (GRAPHEMES, FOLLOWED))
    return modes + QUESTION.encode() + measuring((*SEQUENCES, ""))


@value
class ProbeResult:
    """What a terminal said. ``widths`` (cells, in the order of SEQUENCES) is empty unless it is complete.

    ``tells``: it can be made to tell when its background turns dark or light (mode 2031).
    """

    outcome: Outcome
    mode2027: ModeState = "silent"
    widths: tuple[int, ...] = ()
    tells: bool = False

    def __post_init__(self) -> None:
        if len(self.widths) != (len(SEQUENCES) if self.outcome == "answered" else 0):
            raise ValueError(f"{len(self.widths)} widths do not go with the outcome {self.outcome!r}")
        if self.outcome not in get_args(Outcome) or self.mode2027 not in get_args(ModeState):
            raise ValueError("no such outcome or state")

    def by_class(self) -> dict[str, dict[str, int]]:
        """Class of probes → sequence → cells; empty unless all was answered."""
        widths = iter(self.widths)
        return {
            name: {member: next(widths) for member in members}
            for name, members in PROBES.items()
            if self.widths
        }


class Conversation:
    """Takes what comes from the terminal after ``request``, or after ``background.QUESTION`` alone where
    ``widths`` is False; ``sieve`` has what it tells of its background."""

    def __init__(self, sieve: Sieve | None = None, *, widths: bool = True) -> None:
        self.sieve = sieve or Sieve()
        self.widths = widths
        self._parser = ReplyParser(ROW)
        self._columns: list[int] = []
        self._mode: ModeState = "silent"
        self._fenced = False

    @property
    def complete(self) -> bool:
        """True once nothing more will come."""
        if not self.widths:
            return self.sieve.dark is not None
        return self._fenced or len(self._columns) > len(SEQUENCES)

    @property
    def unfinished(self) -> bool:
        """Whether the bytes so far end within what may be an answer."""
        return self.sieve.held or self._parser.unfinished

    @property
    def keys(self) -> bytes:
        """What was typed so far."""
        return self._parser.keys

    def close(self) -> bytes:
        """All keys; what is unfinished was typed too, unless it is the beginning of a colour."""
        self._take(self.sieve.typed())
        return self._parser.close()

    def feed(self, data: bytes) -> None:
        """Take bytes; a piece may end anywhere."""
        self._take(self.sieve.feed(data.decode("latin-1")))

    def _take(self, sifted: str) -> None:
        for reply in self._parser.feed(sifted.encode("latin-1")):
            match reply:
                case CursorAt(column=column):
                    self._columns.append(column)
                case ModeIs(mode=mode, state=state):
                    if mode == GRAPHEMES:
                        self._mode = _mode_state(state)
                case Attributes():
                    self._fenced = True

    def result(self) -> ProbeResult:
        """What the answers so far amount to. A lost answer shifts all others, so some are worth none."""
        *columns, fence = self._columns or [0]
        outcome, widths = "answered", tuple(column - 1 for column in columns)
        if not self._columns:
            outcome = "silent"
        elif len(columns) < len(SEQUENCES):
            outcome = "partial"
        elif len(columns) > len(SEQUENCES) or fence != 1 or min(columns) < 1:
            outcome = "garbled"
        widths = widths if outcome == "answered" else ()
        return ProbeResult(outcome, self._mode, widths, self.sieve.tells)


def _mode_state(state: int) -> ModeState:
    if state in (1, 3):
        return "set"
    return "reset" if state in (2, 4) else "unknown"


def pinnable(result: ProbeResult) -> bool:
    """Whether ❤️ and 1️⃣ take one cell in this terminal, all of them, so that a blank makes them two."""
    cells = {name: set(members.values()) for name, members in result.by_class().items()}
    return bool(cells) and cells["vs16"] == cells["keycaps"] == cells["symbols"] == {1}


def measured_profile(result: ProbeResult) -> WidthProfile | None:
    """The profile of a terminal that has answered; ``None`` where it has not.

    A class counts only if every member takes 2 cells. The widths decide, not the state of mode 2027:
    terminals were seen that report the mode and count otherwise, and the reverse.
    """
    cells = {name: set(members.values()) for name, members in result.by_class().items()}
    if not cells:
        return None
    if cells["symbols"] != {1}:
        return ASCII_ONLY

    def two(name: str) -> bool:
        return cells[name] == {2}

    if not (two("wide") and two("unicode 9")):
        return TEXT
    newest = 9
    for version in _LADDER:
        if not two(f"unicode {version}"):
            break
        newest = version
    return WidthProfile(
        "measured",
        unicode=newest,
        vs16=two("vs16"),
        wide_vs16=two("wide vs16"),
        keycaps=two("keycaps"),
        tones=two("tones"),
        joined=two("joined"),
        # Two cells, but of letters cut in halves, where a terminal does not see one flag in them.
        flags=two("flags") and two("tones"),
        tag_flags=two("tag flags"),
    )
