"""What stands at the foot of a window: the keys in use, a word for each, and a click that does the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.text import Text
from textual.widget import Widget

from tui_tapback.actions.contexts import Context
from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.table import action
from tui_tapback.app.keyed import keymap_of, place_of
from tui_tapback.words import _

Act = tuple[str, str]
"""The id of an action, or those of several with commas between, and a marked word for what it does."""
Piece = tuple[str, str, str]
"""A key for people, the word for what it does, and the action of the screen that a click runs."""
WHOLE: Final = 1_000
"""Cells of a line that is not to be broken."""
_GAP: Final = " · "


def pieces(acts: Iterable[Act], keymap: Keymap, context: Context) -> list[Piece]:
    """The keys of these actions as they are now in that place; one without a key is there for the mouse."""
    found: list[Piece] = []
    for ids, word in acts:
        *before, last = ids.split(",")
        found += [(key, "", _run(each)) for each in before if (key := keymap.first_in(context, each))]
        found.append((keymap.first_in(context, last), _(word) if word else "", _run(last)))
    return found


def gives_up(keymap: Keymap) -> Piece:
    """The way out where something is typed or asked."""
    return keymap.first("escape"), _("gives up"), "leave"


def shortened(found: Iterable[Piece]) -> list[Piece]:
    """The same for little room: what Enter and Esc do is known."""
    known = ("choose", "leave")
    return [(key, "" if key and run in known else word, run) for key, word, run in found]


def _run(action_id: str) -> str:
    return action(action_id).command or action_id


def lines_of(found: Iterable[Piece], room: int) -> list[Text]:
    """As many lines of at most ``room`` cells as are needed, at least one; none breaks within a piece."""
    lines, line, before = list[Text](), Text(), ""
    for key, word, run in found:
        piece = Text(f"{key} {word}".strip())
        if run:
            piece.on(click=f"screen.{run}")
        gap = " " if run == before.replace("(1)", "(-1)") else _GAP  # J K move
        before = run
        if line and line.cell_len + len(gap) + piece.cell_len > room:
            lines.append(line)
            line = Text()
        line.append(gap if line else "").append_text(piece)
    return [*lines, line]


def foot_of(widget: Widget, acts: Iterable[Act], room: int = WHOLE) -> Text:
    """The foot of a mounted window."""
    return Text("\n").join(lines_of(pieces(acts, keymap_of(widget), place_of(widget)), room))
