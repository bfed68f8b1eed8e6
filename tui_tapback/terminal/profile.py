"""What a terminal draws: the cells of each class of emoji, and the profile to assume when it is not asked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, get_args

from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.values import value
from tui_tapback.words import _

ProfileName = Literal["full", "safe", "text", "ascii", "measured"]
ProfileChoice = Literal["auto", "colour", "full", "safe", "text", "ascii"]
CHOICES: Final[tuple[ProfileChoice, ...]] = get_args(ProfileChoice)
ENVIRONMENT_VARIABLE: Final = "TUI_TAPBACK_EMOJI"


@value
class WidthProfile:
    """Facts about one terminal. A class of emoji is ``True`` only if the terminal gives it exactly 2 cells.

    ``wide``: single emoji such as 👍. ``unicode``: the newest Unicode whose wide emoji take 2 cells.
    ``vs16``: a narrow character with U+FE0F (❤️ ‼️). ``wide_vs16``: a wide one (㊗️). ``keycaps``: 1️⃣.
    ``pinned``: that one cell wide, and a driver that adds the second (``pinning``).
    ``tones``: 👍🏽. ``joined``: 👩‍💻. ``flags``: 🇩🇪. ``tag_flags``: 🏴󠁧󠁢󠁥󠁮󠁧󠁿. ``utf8``: more than ASCII.
    """

    name: ProfileName
    wide: bool = True
    unicode: int = 12
    vs16: bool = False
    wide_vs16: bool = True
    keycaps: bool = False
    tones: bool = False
    joined: bool = False
    flags: bool = False
    tag_flags: bool = False
    utf8: bool = True
    pinned: bool = False


# A terminal that clusters by grapheme and knows today's Unicode (kitty 0.48, foot 1.28).
FULL: Final = WidthProfile(
    "full", unicode=17, vs16=True, keycaps=True, tones=True, joined=True, flags=True, tag_flags=True
)
# What every terminal measured agrees on, also through tmux and screen (which redraw flags a cell off), and
# also where the terminal outside of these has the tables of Unicode 11 (VS Code).
SAFE: Final = WidthProfile("safe")
# UTF-8, but emoji are one cell wide or unwanted: symbols and letters.
TEXT: Final = WidthProfile("text", wide=False)
ASCII_ONLY: Final = WidthProfile("ascii", wide=False, utf8=False)

_BY_NAME: Final[Mapping[str, WidthProfile]] = {p.name: p for p in (FULL, SAFE, TEXT, ASCII_ONLY)}
# Hosts whose tables end at Unicode 11 or 12 and that say who they are: VS Code, Neovim, mlterm.
_OLD_TABLES: Final = ("NVIM", "MLTERM")
_WRITTEN_BY_PYTHON: Final = ("C.UTF-8", "C.utf8", "UTF-8")


def ordered_profile(environ: Mapping[str, str], override: str = "auto") -> tuple[WidthProfile, str] | None:
    """The profile that a person has ordered and where; ``None`` where the choice is left to the program.

    ``override`` (a setting or an option) wins over ``TUI_TAPBACK_EMOJI``; ``"auto"`` and ``""`` leave the
    choice to the next. Raises ``SettingsError`` for an unknown name.
    """
    name, source = _ordered(environ, override)
    return (_BY_NAME[name], source) if name in _BY_NAME else None


def wants_colour(environ: Mapping[str, str], override: str = "auto") -> bool:
    """Whether ``colour`` is ordered: as ``auto``, and ❤️ in colour also where it is one cell wide."""
    return _ordered(environ, override)[0] == "colour"


def _ordered(environ: Mapping[str, str], override: str) -> tuple[str, str]:
    for source, name in (
        (_("the emoji setting"), override),
        (ENVIRONMENT_VARIABLE, environ.get(ENVIRONMENT_VARIABLE)),
    ):
        choice = (name or "auto").strip().lower()
        if choice not in CHOICES:
            raise SettingsError(
                _("{name!r} in {source} is not a way of drawing emoji.").format(name=name, source=source),
                hint=_("Choose one of {names}.").format(names=", ".join(CHOICES)),
            )
        if choice != "auto":
            return choice, source
    return "auto", ""


def detect_profile(environ: Mapping[str, str], override: str = "auto") -> WidthProfile:
    """Choose a profile from what is ordered and the environment, without asking the terminal.

    Raises ``SettingsError`` as ``ordered_profile`` does.
    """
    ordered = ordered_profile(environ, override)
    if ordered is not None:
        return ordered[0]
    if not speaks_utf8(environ):
        return ASCII_ONLY
    term = environ.get("TERM", "")
    if term in ("dumb", "linux") or term.startswith("vt"):
        return ASCII_ONLY
    old = environ.get("TERM_PROGRAM") == "vscode" or any(environ.get(name) for name in _OLD_TABLES)
    return replace(SAFE, unicode=11) if old or in_browser(environ) else SAFE


def in_browser(environ: Mapping[str, str]) -> bool:
    """True where textual-serve sends the screen to a browser (xterm.js with the tables of Unicode 11)."""
    driver = environ.get("TEXTUAL_DRIVER", "")
    return bool(environ.get("TEXTUAL_SERVE")) or "web_driver" in driver


def in_multiplexer(environ: Mapping[str, str]) -> bool:
    """True inside tmux, screen, zellij or Neovim, where answers are their opinion, not the terminal's."""
    return bool(
        environ.get("TMUX")
        or environ.get("STY")
        or environ.get("NVIM")
        or environ.get("ZELLIJ") is not None
        or environ.get("TERM", "").startswith(("tmux", "screen"))
    )


def speaks_utf8(environ: Mapping[str, str]) -> bool:
    """Whether the locale of ``environ`` is a UTF-8 one; nothing set counts as UTF-8 (Windows, macOS).

    Python itself writes LC_CTYPE where the locale is C (PEP 538), which tells nothing of the terminal.
    """
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        value = environ.get(name)
        by_python = name == "LC_CTYPE" and sys.flags.utf8_mode and value in _WRITTEN_BY_PYTHON
        if value and not by_python:
            return "utf-8" in value.lower() or "utf8" in value.lower()
    return True
