"""Actions on the messages of the transcript, each with the command that the transcript runs."""

from __future__ import annotations

from typing import Final

from tui_tapback.emoji.quick import QUICK_REACTIONS

from .action import Action, Group

BIG_KEYS: Final = (
    ("exclamation_mark",),
    ("at", "quotation_mark"),
    ("number_sign", "section_sign", "pound_sign"),
    ("dollar_sign",),
    ("percent_sign",),
    ("circumflex_accent", "ampersand"),
)
"""What Shift and a digit give on the usual keyboards (American, British, German, Spanish)."""

_BIG_TOLD = (
    "React with a big animation: what Shift and the digit give on American, British, German and Spanish "
    "keyboards"
)
_BASIC: Final = frozenset({"next_message", "previous_message", "open_pill", "open_picker"}) | {
    "take_back",
    "who",
    "search",
    "message_menu",
}
_AT_ONCE = "React at once; the same key again takes it back"


def _row(action_id: str, keys: str, command: str, title: str) -> Action:
    split, basic = tuple(keys.split(",")), action_id in _BASIC
    return Action(action_id, split, title, Group.TRANSCRIPT, command=command, basic=basic)


def _asked(action_id: str, keys: str, command: str, title: str, slash: str = "") -> Action:
    """A wish that the screen carries out, also from the palette."""
    split = tuple(keys.split(","))
    basic = action_id in _BASIC
    return Action(
        action_id,
        split,
        title,
        Group.TRANSCRIPT,
        slash=slash,
        palette=True,
        command=command,
        basic=basic,
    )


def _quick(number: int) -> Action:
    """A quick reaction, with no emoji named: a setting may choose others."""
    return Action(
        f"react_{number}",
        (str(number),),
        f"Quick reaction {number}",
        Group.TRANSCRIPT,
        command=f"quick({number})",
        family=_AT_ONCE,
        basic=True,
    )


def _big(number: int, keys: tuple[str, ...]) -> Action:
    return Action(
        f"react_big_{number}",
        keys,
        f"Quick reaction {number} with a big animation",
        Group.TRANSCRIPT,
        command=f"ask('big', {number})",
        family=_BIG_TOLD,
    )


TRANSCRIPT: Final[tuple[Action, ...]] = (
    _row("next_message", "j,down", "step(1)", "Next message"),
    _row("previous_message", "k,up", "step(-1)", "Previous message"),
    _row("first_message", "g,home", "edge(False)", "First message"),
    _row("last_message", "G,end", "edge(True)", "Last message"),
    _row("page_up", "pageup", "page(-1.0)", "Page up"),
    _row("page_down", "pagedown", "page(1.0)", "Page down"),
    _row("half_page_up", "ctrl+u", "page(-0.5)", "Half a page up"),
    _row("half_page_down", "ctrl+d", "page(0.5)", "Half a page down"),
    *(_quick(number) for number in range(1, len(QUICK_REACTIONS) + 1)),
    _row("open_pill", "r,t,plus", "pill", "Open the tapback pill"),
    _row("open_picker", "colon", "picker", "Choose from all emoji"),
    _row("take_back", "0,minus,backspace", "unreact", "Take back my reaction"),
    _asked("repeat", "full_stop", "ask('repeat')", "Repeat my last tapback here"),
    _asked("echo", "equals_sign", "ask('echo')", "Echo the agent's tapback"),
    _asked("undo_tapback", "u", "ask('undo')", "Undo my last tapback"),
    _asked("redo_tapback", "U", "ask('redo')", "Redo it"),
    _asked("who", "w", "ask('who')", "Who reacted and when, and what the agent will see", "/who"),
    _asked("lens", "f", "ask('lens')", "Show only messages with certain tapbacks", "/filter"),
    _asked("message_menu", "m", "ask('menu')", "All that can be done with the message"),
    *(_big(number, keys) for number, keys in enumerate(BIG_KEYS, 1)),
    _row("previous_prompt", "left_curly_bracket", "jump('prompt', -1)", "Previous prompt of mine"),
    _row("next_prompt", "right_curly_bracket", "jump('prompt', 1)", "Next prompt of mine"),
    _row("previous_reacted", "left_square_bracket", "jump('reacted', -1)", "Previous reacted message"),
    _row("next_reacted", "right_square_bracket", "jump('reacted', 1)", "Next reacted message"),
    _asked("next_unread", "apostrophe", "unread", "Next tapback that came out of sight"),
    _row("extend_down", "shift+down", "extend(1)", "Select a range downward"),
    _row("extend_up", "shift+up", "extend(-1)", "Select a range upward"),
    _row("next_part", "tab", "part(1)", "Next part of the message; reactions and copies are for it"),
    _row("previous_part", "shift+tab", "part(-1)", "Previous part of the message"),
    _row("fold", "space", "fold", "Unfold or fold: thoughts, tool calls, long messages"),
    _row("search", "slash", "search", "Search in what is loaded"),
    _row("hit_up", "n", "hit(-1)", "Next hit upward"),
    _row("hit_down", "N", "hit(1)", "Next hit downward"),
    _asked(
        "edit_message",
        "e",
        "turn('edit')",
        "Edit my message and send it anew; what came after it goes",
        "/edit",
    ),
    _asked("ask_again", "A", "turn('again')", "Ask again for this answer", "/retry"),
    _asked("rewind_here", "R", "turn('rewind')", "Rewind to before this message"),
    _asked("branch_here", "B", "turn('branch')", "Branch: go on in a copy that ends here", "/branch NAME"),
    _asked(
        "quote_message", "greater_than_sign", "turn('quote')", "Quote the message or part in the composer"
    ),
    _asked("remove_waiting", "x,delete", "turn('discard')", "Remove a message that waits"),
    _row("select_text", "v", "mark", "Select text with arrows or h j k l, w b, 0 $"),
    _row("copy", "y", "copy", "Copy the selection or the message as text"),
    _row("copy_markdown", "Y", "copy('markdown')", "Copy it as Markdown"),
    _row("copy_code", "c", "copy('code')", "Copy a code block alone"),
    _row("open_link", "o", "links", "Open a link of the message"),
    _row("copy_links", "O", "links(True)", "Copy the links of the message"),
    _row("activate", "enter", "activate", "Try again what failed or was refused, else all that can be done"),
    _row("write", "escape,i", "composer", "Back to writing"),
)
"""In the order in which help shows them."""
