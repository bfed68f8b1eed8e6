"""The keys of the picker, from the action table; everything else that is printable is search."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tui_tapback.actions.action import Group
from tui_tapback.actions.table import commands
from tui_tapback.actions.tapping import PICKER_QUERY

PICKER_KEYS: Final[Mapping[str, str]] = MappingProxyType({**commands(Group.PICKER), **PICKER_QUERY})
"""Keys to commands: moves of :meth:`PickerState.moved`, steps of the query, and the picker's own."""

MOVES: Final = frozenset(
    {"up", "down", "left", "right", "line_start", "line_end", "page_up", "page_down", "first", "last"}
)
