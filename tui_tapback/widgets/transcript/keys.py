"""The keys of the transcript and of its pill, from the action table, as the widgets take them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from textual.binding import Binding

from tui_tapback.actions.action import Group
from tui_tapback.actions.table import commands, in_group

TRANSCRIPT_COMMANDS: Final[Mapping[str, str]] = MappingProxyType(commands(Group.TRANSCRIPT))
"""Keys to Textual actions of the transcript."""

PillCommand = Literal["left", "right", "choose", "remove", "picker", "close"]
_NAMED: Final[Mapping[str, PillCommand]] = {name: name for name in get_args(PillCommand)}
PILL_COMMANDS: Final[Mapping[str, PillCommand]] = MappingProxyType(
    {key: _NAMED[command] for key, command in commands(Group.PILL).items() if command in _NAMED}
)
PILL_NUMBERS: Final = tuple("123456789")
"""The keys of slots, of which a pill need not have as many."""


def bindings() -> list[Binding]:
    """Textual bindings of the table; not shown in a footer, since the app lists them in its help."""
    return [
        Binding(",".join(item.keys), item.command, item.title, show=False)
        for item in in_group(Group.TRANSCRIPT)
    ]
