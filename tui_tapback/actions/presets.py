"""The keymaps to choose from: what each changes about the default keys, as a settings file would."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

PresetName = Literal["default", "vim", "emacs", "zulip", "azerty"]

_VIM: Final = {
    # Typing is insert mode, the transcript is normal mode; Esc and i go between them.
    "find": "f6",
    "palette": "ctrl+p,f3,colon",
    "quit": "ctrl+q,Z Z,Z Q",
    "first_message": "g g,home",
    "last_message": "G,end",
    "page_up": "pageup,ctrl+b",
    "page_down": "pagedown,ctrl+f",
    "redo_tapback": "ctrl+r,U",
    "open_picker": "semicolon",
    "open_link": "g x,o",
    "copy": "y y",
    "remove_waiting": "d d,delete",
    "write": "escape,i,a",
    "previous_reacted": "left_square_bracket,left_parenthesis",
    "next_reacted": "right_square_bracket,right_parenthesis",
    "session_delete": "d d,delete",
    "list_first": "g g,home",
    "list_last": "G,end",
    "list_page_down": "pagedown,ctrl+f",
    "list_page_up": "pageup,ctrl+b",
    "pill_picker": "plus,semicolon,tab,down",
    "setting_search": "slash",
}

_EMACS: Final = {
    "palette": "alt+x,f3",
    "find": "ctrl+x ctrl+f",
    "new_session": "ctrl+x n",
    "sessions": "ctrl+o,ctrl+x b",
    "connections": "f2,ctrl+x ctrl+b",
    "escape": "escape,ctrl+g",
    "quit": "ctrl+q,ctrl+x ctrl+c",
    "help": "f1,question_mark,ctrl+x h",
    "external_editor": "ctrl+x ctrl+e",
    "edit_left": "left,ctrl+b",
    "edit_right": "right,ctrl+f",
    "edit_up": "up,ctrl+p",
    "edit_down": "down,ctrl+n",
    "edit_cut": "super+x,alt+w",
    "edit_undo": "ctrl+z,ctrl+underscore,ctrl+x u",
    "next_message": "ctrl+n,j,down",
    "previous_message": "ctrl+p,k,up",
    "first_message": "alt+less_than_sign,g,home",
    "last_message": "alt+greater_than_sign,G,end",
    "page_up": "alt+v,pageup",
    "page_down": "ctrl+v,pagedown",
    "search": "ctrl+s,slash",
    "copy": "alt+w,y",
    "write": "escape,i,ctrl+g",
    "pill_left": "left,h,ctrl+b",
    "pill_right": "right,l,ctrl+f",
    "pill_close": "escape,ctrl+g",
    "picker_up": "up,ctrl+p",
    "picker_down": "down,ctrl+n",
    "picker_left": "left,ctrl+b",
    "picker_right": "right,ctrl+f",
    "picker_close": "escape,ctrl+g",
    "session_close": "escape,q,ctrl+g",
    "session_search": "slash,ctrl+s",
    "list_down": "down,j,ctrl+n",
    "list_up": "up,k,ctrl+p",
    "list_page_down": "pagedown,ctrl+v",
    "list_page_up": "pageup,alt+v",
    "list_first": "home,alt+less_than_sign",
    "list_last": "end,alt+greater_than_sign",
    "list_close": "escape,q,ctrl+g",
    "setting_search": "slash,ctrl+s",
    "keys_find": "slash,ctrl+s",
    "model_narrow": "slash,ctrl+s",
}

_ZULIP: Final = {
    # As zulip-terminal has them: + is a thumb up, : all emoji, = joins, r or Enter answer, > quotes.
    "send": "ctrl+d,alt+enter",
    "newline": "enter,ctrl+j,shift+enter",
    "complete": "ctrl+f,tab",
    "find": "f6",
    "external_editor": "ctrl+o",
    "sessions": "alt+o",
    "edit_delete_right": "delete",
    "edit_up": "up,ctrl+p",
    "edit_down": "down,ctrl+n",
    "palette": "f3,alt+p",
    "new_session": "f8",
    "edit_undo": "ctrl+z,ctrl+underscore",
    "page_up": "pageup,K",
    "page_down": "pagedown,J",
    "last_message": "G,end",
    "react_2": "2,plus",
    "open_pill": "t",
    "open_picker": "colon",
    "write": "escape,r",
    "who": "i,w",
    "next_unread": "n,apostrophe",
    "hit_up": "left_parenthesis",
    "hit_down": "right_parenthesis",
}

_AZERTY: Final = {
    # The upper row gives & é " ' ( - è without Shift and the digits with it: so the former react, and the
    # latter are the big ones. { } [ ] need AltGr there, so they get neighbours that need nothing.
    "react_1": "ampersand",
    "react_2": "é",
    "react_3": "quotation_mark",
    "react_4": "apostrophe",
    "react_5": "left_parenthesis",
    "react_6": "minus",
    "react_big_1": "1",
    "react_big_2": "2",
    "react_big_3": "3",
    "react_big_4": "4",
    "react_big_5": "5",
    "react_big_6": "6",
    "take_back": "à,0,backspace",
    "next_unread": "exclamation_mark",
    "previous_prompt": "comma,left_curly_bracket",
    "next_prompt": "semicolon,right_curly_bracket",
    "previous_reacted": "ù,left_square_bracket",
    "next_reacted": "asterisk,right_square_bracket",
    "pill_1": "ampersand,1",
    "pill_2": "é,2",
    "pill_3": "quotation_mark,3",
    "pill_4": "apostrophe,4",
    "pill_5": "left_parenthesis,5",
    "pill_6": "minus,6",
    "pill_7": "è,7",
    "pill_remove": "backspace,delete,à,0",
}

PRESETS: Final[Mapping[PresetName, Mapping[str, str]]] = MappingProxyType(
    {
        "default": MappingProxyType({}),
        "vim": MappingProxyType(_VIM),
        "emacs": MappingProxyType(_EMACS),
        "zulip": MappingProxyType(_ZULIP),
        "azerty": MappingProxyType(_AZERTY),
    }
)
"""Name → action → keys, written as in ``[keys.map]``; what is not named keeps its default keys."""

TOLD: Final[Mapping[PresetName, str]] = MappingProxyType(
    {
        "default": "digits react, letters act on the message",
        "vim": "gg, G, Ctrl+F, Ctrl+B, yy, dd, gx, : for commands, ZZ leaves; typing is insert mode",
        "emacs": "Ctrl+N, Ctrl+P, Ctrl+V, Alt+V, Ctrl+S, Ctrl+G, Alt+X, Ctrl+X Ctrl+C leaves",
        "zulip": "as zulip-terminal: + thumb up, = joins, r writes, Enter breaks the line, Ctrl+D sends",
        "azerty": "the unshifted row & é \" ' ( - reacts, and what needs AltGr has a neighbour that does not",
    }
)
"""A line on each."""
