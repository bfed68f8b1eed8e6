"""Finds the hooks of a gateway: commands of ``hooks.toml``, and entry points of installed packages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from tui_tapback.domain.text import clean_line

from .command import Outcome, run_command, scrubbed
from .events import NAMES, HookEvent
from .origin import HookProcesses
from .runner import Hook
from .settings import FILE_NAME, HookSettings, load_hooks

GROUP = "tui_tapback.hooks"
"""Group of entry points: functions of one argument, the event as a dictionary. ``tui_tapback.hooks.reaction``
and the like hold those that want the events of one kind only."""
_KINDS = tuple(dict.fromkeys(name.partition(":")[0] for name in NAMES))
_GROUPS = {GROUP: "*"} | {f"{GROUP}.{kind}": f"{kind}:*" for kind in _KINDS}


@dataclass(frozen=True, slots=True)
class CommandHook:
    """Implements ``Hook`` by a process for each event."""

    settings: HookSettings
    folder: Path
    environ: Mapping[str, str]
    processes: HookProcesses

    @property
    def name(self) -> str:
        """For the log."""
        return self.settings.shown_name

    def wants(self, event: str) -> bool:
        """Whether it is run for an event of that name."""
        return self.settings.wants(event)

    async def run(self, event: HookEvent) -> Outcome:
        """Run the command."""
        return await run_command(
            self.settings.command,
            event,
            folder=self.folder,
            environ=scrubbed(self.environ, self.settings.env, self.name),
            seconds=self.settings.timeout,
            began=self.processes.began,
        )


def find_hooks(
    folder: Path, environ: Mapping[str, str], processes: HookProcesses, warn: Callable[[str], None]
) -> list[Hook]:
    """The commands of ``folder``'s hooks.toml in its order, then the entry points by name."""
    commands = load_hooks(folder / FILE_NAME, warn)
    packages = [
        from_entry_point(point, events)
        for group, events in _GROUPS.items()
        for point in sorted(entry_points(group=group), key=lambda point: point.name)
    ]
    place = folder if folder.is_dir() else Path.home()
    return [CommandHook(settings, place, environ, processes) for settings in (*commands, *packages)]


def from_entry_point(point: EntryPoint, events: str) -> HookSettings:
    """A package's hook runs in a Python process of its own: it may block or crash and hurts nobody."""
    return HookSettings(
        name=clean_line(point.name, 60),
        on=[events],
        command=[sys.executable, "-m", "tui_tapback.gateway.hooks.child", point.value],
    )
