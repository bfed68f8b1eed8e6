"""What is ordered where nothing stands behind the name of the program: what the parser says, at no cost."""

from __future__ import annotations

from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from argparse import Namespace

NOTHING: Final = MappingProxyType(
    {
        "new": False,
        "local": False,
        "plain": False,
        "theme": None,
        "emoji_profile": None,
        "mouse": True,
        "command": None,
    }
)
"""To build the parser of all commands takes a fiftieth of the start; a test compares it with this."""


def nothing_ordered() -> Namespace:
    """The options of ``tui-tapback`` alone."""
    return cast("Namespace", SimpleNamespace(**NOTHING))
