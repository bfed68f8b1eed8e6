"""Finds the adapters of a gateway: entry points of packages, and the loopback where it is asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from tui_tapback.domain.text import clean_line

from .adapter import Adapter
from .loopback import LoopbackAdapter

_log = logging.getLogger(__name__)
GROUP = "tui_tapback.adapters"
"""The group of entry points: functions without arguments that return an adapter."""
LOOPBACK_VARIABLE = "TUI_TAPBACK_LOOPBACK"
"""Set to ``1`` it connects the loopback adapter."""


def find_adapters(
    environ: Mapping[str, str], warn: Callable[[str], None], points: Iterable[EntryPoint] | None = None
) -> list[Adapter]:
    """The adapters that can be made; one that cannot is told to ``warn`` and left out."""
    found: list[Adapter] = [LoopbackAdapter()] if environ.get(LOOPBACK_VARIABLE) == "1" else []
    for point in entry_points(group=GROUP) if points is None else points:
        try:
            found.append(cast(Callable[[], Adapter], point.load())())
        except Exception as error:  # noqa: BLE001 - a foreign package must not keep us from starting
            _log.debug("An adapter cannot be made.", exc_info=True)
            warn(f"The adapter {clean_line(point.name, 60)} is left out: {clean_line(repr(error), 200)}.")
    return found
