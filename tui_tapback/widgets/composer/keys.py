"""The keys of the composer and the commands they stand for, from the action table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tui_tapback.actions.action import Group
from tui_tapback.actions.table import commands

EDITOR_KEYS: Final[Mapping[str, str]] = MappingProxyType(commands(Group.EDITING))
"""Keys to commands. They are taken in ``on_key``, not as bindings: a binding is looked up only after the
key has bubbled to the app, by when the next letter may already have been typed."""

COMPOSER_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **EDITOR_KEYS,
        **commands(Group.COMPOSER),
        "shift+\r": "newline",  # how xterm's modifyOtherKeys arrives here
        "alt+\r": "newline",
        "escape": "escape",
    }
)
"""The editor's keys and the composer's own, to commands."""
