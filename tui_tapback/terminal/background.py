"""What a terminal tells of its background, sifted out of the keys, as dark or light; imports nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

QUESTION = "\x1b]11;?\x1b\\"
"""Asks for the colour (OSC 11); who does not know it says nothing."""
FOLLOWED = 2031
"""The private mode in which a terminal tells when it turns dark or light."""

_COLOUR = "\x1b]11;"
_SCHEME = "\x1b[?997;"
_MODE = f"\x1b[?{FOLLOWED};"
PASTE, PASTED = "\x1b[200~", "\x1b[201~"
"""Around what is pasted."""
_LONGEST = 512
"""Signs after which a colour without an end is given up."""
_HEX = frozenset("0123456789abcdefABCDEF")
_EVEN = 0.179
"""The relative luminance on which black and white have the same contrast (WCAG 2.2)."""


def answers_colour(environ: Mapping[str, str]) -> bool:
    """Whether the question does no harm: a terminal answers it or passes over it in silence.

    Not so on the Linux console and its kind, in a browser, and in screen, which has none to give.
    """
    term = environ.get("TERM", "")
    if term in ("", "dumb", "linux") or term.startswith("vt"):
        return False
    if environ.get("TEXTUAL_SERVE") or "web_driver" in environ.get("TEXTUAL_DRIVER", ""):
        return False
    return not environ.get("STY") and (bool(environ.get("TMUX")) or not term.startswith("screen"))


def colour_of(told: str) -> tuple[float, float, float] | None:
    """Red, green and blue from 0 to 1 of ``rgb:R/G/B``, ``rgba:R/G/B/A`` (1 to 4 digits each) or ``#RGB``
    (as many digits for each); None for anything else."""
    kind, found, rest = told.strip().partition(":")
    if found and kind.lower() in ("rgb", "rgba"):
        parts = rest.split("/")
        if len(parts) != len(kind):
            return None
    elif told.startswith("#") and len(told) in (4, 7, 10, 13):
        each = len(told) // 3
        parts = [told[start : start + each] for start in range(1, len(told), each)]
    else:
        return None
    if not all(1 <= len(part) <= 4 and _HEX.issuperset(part) for part in parts):
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in parts[:3])
    return red, green, blue


def is_dark(colour: tuple[float, float, float]) -> bool:
    """Whether white is easier to read on it than black."""
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] < _EVEN


def named(colour: tuple[float, float, float]) -> str:
    """``#rrggbb``."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


class Sieve:
    """Takes what comes from a terminal, one piece after the other, and keeps back what is told of the
    background; ``dark`` and ``colour`` (None where only dark or light was told) are the last that was.
    ``tells``: it has said that it can be made to tell when it turns (mode 2031).

    A paste goes through as it is. An answer that breaks off or makes no sense goes nowhere.
    """

    def __init__(self) -> None:
        self.dark: bool | None = None
        self.colour: tuple[float, float, float] | None = None
        self.tells = False
        self._open = ""
        self._pasting = False

    @property
    def held(self) -> bool:
        """Whether signs are kept back of which more must come to tell what they are."""
        return bool(self._open)

    @property
    def certain(self) -> bool:
        """Whether what is kept back is the beginning of an answer, and no key."""
        return self._open.startswith(_COLOUR)

    def feed(self, text: str) -> str:
        """``text`` and what was held before it, without answers."""
        passed: list[str] = []
        position = 0
        while position < len(text):
            if not self._open:
                begin = text.find("\x1b", position)
                begin = len(text) if begin < 0 else begin
                passed.append(text[position:begin])
                self._open = text[begin : begin + 1]
                position = begin + 1
            elif self._open[-1] == "\x1b" and text[position] == "\x1b":
                passed.append(self.give_up())
                self._open = "\x1b"
                position += 1
            else:
                self._open += text[position]
                position += 1
                passed.append(self._judged())
        return "".join(passed)

    def typed(self) -> str:
        """What is held, as no more of it will come in this way; of an answer that has begun the rest is
        waited for."""
        return "" if self.certain else self.give_up()

    def give_up(self) -> str:
        """No more is waited for: what is held, which was typed, unless it is certain."""
        held, certain = self._open, self.certain
        self._open = ""
        return "" if certain else held

    def _judged(self) -> str:
        """What of the signs held can go, now that there is one more."""
        held = self._open
        begins = (PASTED,) if self._pasting else (_COLOUR, _SCHEME, _MODE, PASTE)
        if any(begin.startswith(held) and begin != held for begin in begins):
            return ""
        if self._pasting:
            self._pasting = held != PASTED
            return self._restarted(held)
        if held.startswith(_COLOUR):
            return self._colour_judged(held)
        if held.startswith(_SCHEME):
            return self._scheme_judged(held)
        if held.startswith(_MODE):
            return self._mode_judged(held)
        self._pasting = held == PASTE
        return self._restarted(held)

    def _restarted(self, held: str) -> str:
        """Pass ``held`` on, but for an Esc at its end, which may begin something."""
        self._open = "\x1b" if held[-1] == "\x1b" else ""
        return held[: len(held) - len(self._open)]

    def _colour_judged(self, held: str) -> str:
        if held.endswith(("\x07", "\x1b\\")):
            self._open = ""
            colour = colour_of(held[len(_COLOUR) :].rstrip("\x07\\\x1b"))
            if colour is not None:
                self.colour, self.dark = colour, is_dark(colour)
            return ""
        last = held[-1]
        if held[-2] == "\x1b":  # broken off by another sequence
            self._open = ""
            return self.feed(held[-2:])
        if (ord(last) < 32 and last != "\x1b") or len(held) > _LONGEST:  # broken off by a key
            self._open = ""
            return last if ord(last) < 32 else ""
        return ""

    def _scheme_judged(self, held: str) -> str:
        told, last = held[len(_SCHEME) :], held[-1]
        if (last.isdecimal() or last == ";") and len(told) < 8:
            return ""
        if last != "n":
            return self._restarted(held)
        self._open = ""
        if told in ("1n", "2n"):
            self.dark, self.colour = told == "1n", None
        return ""

    def _mode_judged(self, held: str) -> str:
        told, answers = held[len(_MODE) :], [f"{state}$y" for state in range(5)]
        if told not in answers:
            return "" if any(answer.startswith(told) for answer in answers) else self._restarted(held)
        self._open = ""
        self.tells = told in ("1$y", "2$y")  # in the other states there is nothing to set
        return ""
