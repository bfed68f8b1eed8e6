"""The keys of the transcript and of its pill, declared once for bindings, help and README alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from textual.binding import Binding

from tui_tapback.emoji.quick import QUICK_REACTIONS


@dataclass(frozen=True, slots=True)
class KeyRow:
    """Some keys (Textual's names, comma separated), the action they run, and what a person is told."""

    keys: str
    action: str
    description: str
    shown: str = ""


BIG_KEYS: Final = (
    "exclamation_mark",
    "at,quotation_mark",
    "number_sign,section_sign,pound_sign",
    "dollar_sign",
    "percent_sign",
    "circumflex_accent,ampersand",
)
"""What Shift and a digit give on the usual keyboards (American, British, German, Spanish)."""

TRANSCRIPT_KEYS: Final = (
    KeyRow("j,down", "step(1)", "Next message", "j ↓"),
    KeyRow("k,up", "step(-1)", "Previous message", "k ↑"),
    KeyRow("g,home", "edge(False)", "First message", "g Home"),
    KeyRow("G,end", "edge(True)", "Last message", "G End"),
    KeyRow("pageup", "page(-1.0)", "Page up", "PgUp"),
    KeyRow("pagedown", "page(1.0)", "Page down", "PgDn"),
    KeyRow("ctrl+u", "page(-0.5)", "Half a page up", "^U"),
    KeyRow("ctrl+d", "page(0.5)", "Half a page down", "^D"),
    *(
        KeyRow(str(number), f"quick({number})", f"React with quick reaction {number}; again takes it back")
        for number in range(1, len(QUICK_REACTIONS) + 1)
    ),
    KeyRow("r,t,plus", "pill", "Open the tapback pill", "r t +"),
    KeyRow("colon", "picker", "Choose from all emoji", ":"),
    KeyRow("0,minus,backspace", "unreact", "Take back my reaction", "0 - ⌫"),
    KeyRow("full_stop", "ask('repeat')", "Repeat my last tapback here", "."),
    KeyRow("equals_sign", "ask('echo')", "Echo the agent's tapback", "="),
    KeyRow("u", "ask('undo')", "Undo my last tapback", "u"),
    KeyRow("U", "ask('redo')", "Redo it", "U"),
    KeyRow("w", "ask('who')", "Who reacted and when, and what the agent will see", "w"),
    KeyRow("f", "ask('lens')", "Show only messages with certain tapbacks", "f"),
    KeyRow("m", "ask('menu')", "All that can be done with the message", "m"),
    *(
        KeyRow(keys, f"ask('big', {number})", f"React with quick reaction {number}, with a big animation")
        for number, keys in enumerate(BIG_KEYS, 1)
    ),
    KeyRow("left_curly_bracket", "jump('prompt', -1)", "Previous prompt of mine", "{"),
    KeyRow("right_curly_bracket", "jump('prompt', 1)", "Next prompt of mine", "}"),
    KeyRow("left_square_bracket", "jump('reacted', -1)", "Previous reacted message", "["),
    KeyRow("right_square_bracket", "jump('reacted', 1)", "Next reacted message", "]"),
    KeyRow("apostrophe", "unread", "Next tapback that came out of sight", "'"),
    KeyRow("shift+down", "extend(1)", "Select a range downward", "⇧↓"),
    KeyRow("shift+up", "extend(-1)", "Select a range upward", "⇧↑"),
    KeyRow("tab", "part(1)", "Next part of the message; reactions and copies are for it", "Tab"),
    KeyRow("shift+tab", "part(-1)", "Previous part of the message", "⇧Tab"),
    KeyRow("space", "fold", "Unfold or fold: thoughts, tool calls, long messages", "Space"),
    KeyRow("slash", "search", "Search in what is loaded", "/"),
    KeyRow("n", "hit(-1)", "Next hit upward", "n"),
    KeyRow("N", "hit(1)", "Next hit downward", "N"),
    KeyRow("e", "turn('edit')", "Edit my message and send it anew; what came after it goes", "e"),
    KeyRow("A", "turn('again')", "Ask again for this answer", "A"),
    KeyRow("R", "turn('rewind')", "Rewind to before this message", "R"),
    KeyRow("B", "turn('branch')", "Branch: go on in a copy that ends here", "B"),
    KeyRow("greater_than_sign", "turn('quote')", "Quote the message or part in the composer", ">"),
    KeyRow("x,delete", "turn('discard')", "Remove a message that waits", "x"),
    KeyRow("v", "mark", "Select text with arrows or h j k l, w b, 0 $", "v"),
    KeyRow("y", "copy", "Copy the selection or the message as text", "y"),
    KeyRow("Y", "copy('markdown')", "Copy it as Markdown", "Y"),
    KeyRow("c", "copy('code')", "Copy a code block alone", "c"),
    KeyRow("o", "links", "Open a link of the message", "o"),
    KeyRow("O", "links(True)", "Copy the links of the message", "O"),
    KeyRow("enter", "activate", "Try again what failed or was refused, else open the pill", "Enter"),
    KeyRow("escape,i", "composer", "Back to writing", "Esc i"),
)

ACTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {key: row.action for row in TRANSCRIPT_KEYS for key in row.keys.split(",")}
)

PillCommand = Literal["left", "right", "choose", "remove", "picker", "close"]
PILL_KEYS: Final[tuple[tuple[str, PillCommand, str], ...]] = (
    ("left,h", "left", "Slot to the left"),
    ("right,l", "right", "Slot to the right"),
    ("enter,space", "choose", "Set it; again takes it back"),
    ("backspace,delete,minus,0", "remove", "Take back my reaction"),
    ("plus,colon,tab,down", "picker", "Choose from all emoji"),
    ("escape", "close", "Close"),
)
PILL_COMMANDS: Final[Mapping[str, PillCommand]] = MappingProxyType(
    {key: command for keys, command, _ in PILL_KEYS for key in keys.split(",")}
)
PILL_NUMBERS: Final = tuple("123456789")
"""The keys of slots, of which a pill need not have as many."""


def bindings(rows: tuple[KeyRow, ...] = TRANSCRIPT_KEYS) -> list[Binding]:
    """Textual bindings of the table; not shown in a footer, since the app lists them in its help."""
    return [
        Binding(row.keys, row.action, row.description, show=False, key_display=row.shown or None)
        for row in rows
    ]
