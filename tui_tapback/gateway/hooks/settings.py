"""Reads ``hooks.toml``: which command is run for which events; what cannot be used is left out and said."""

from __future__ import annotations

import fnmatch
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
from msgspec import Meta

from tui_tapback.config.folders import shown
from tui_tapback.domain.text import clean_line

from .events import NAMES

FILE_NAME = "hooks.toml"
LONGEST_SECONDS = 300.0
_MOST = 50
_VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]*$"


class HookSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``[[hook]]``.

    ``on``: names of events, with ``*`` for any part (``reaction:*``). ``command``: program and arguments; a
    path with a slash is looked for in the file's folder, where the command also runs. ``timeout``: seconds.
    ``env``: variables of the gateway that the command gets beside the harmless ones.
    """

    on: Annotated[list[str], Meta(min_length=1)]
    command: Annotated[list[str], Meta(min_length=1)]
    name: str = ""
    timeout: Annotated[float, Meta(gt=0, le=LONGEST_SECONDS)] = 10.0
    env: list[Annotated[str, Meta(pattern=_VARIABLE)]] = []

    @property
    def shown_name(self) -> str:
        """The name for the log."""
        return clean_line(self.name or Path(self.command[0]).name, 60)

    def wants(self, event: str) -> bool:
        """Whether it is run for an event of that name."""
        return any(fnmatch.fnmatchcase(event, pattern) for pattern in self.on)


def load_hooks(path: Path, warn: Callable[[str], None]) -> list[HookSettings]:
    """The hooks of a file, in its order; none where there is no file.

    A file that others may write to is not used at all: whoever writes it runs programs as this user.
    """
    try:
        status = path.stat()
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        warn(f"The hooks in {shown(path)} cannot be read: {clean_line(str(error), 200)}.")
        return []
    if os.name == "posix" and (status.st_mode & 0o022 or status.st_uid not in (os.geteuid(), 0)):
        warn(f"The hooks in {shown(path)} are not used: other users may write to the file. chmod go-w helps.")
        return []
    try:
        entries = tomllib.loads(text).get("hook", [])
    except tomllib.TOMLDecodeError as error:
        warn(f"The hooks in {shown(path)} are not valid TOML: {clean_line(str(error), 200)}.")
        return []
    if not isinstance(entries, list):
        warn(f"The hooks in {shown(path)} must be tables that begin with [[hook]].")
        return []
    listed = cast(list[object], entries)
    if len(listed) > _MOST:
        warn(f"Only the first {_MOST} hooks of {shown(path)} are used.")
    read = (_read(entry, number, path, warn) for number, entry in enumerate(listed[:_MOST], 1))
    return [hook for hook in read if hook is not None]


def _read(entry: object, number: int, path: Path, warn: Callable[[str], None]) -> HookSettings | None:
    try:
        hook = msgspec.convert(entry, HookSettings)
    except msgspec.ValidationError as error:
        named = cast(Mapping[str, Any], entry).get("name") if isinstance(entry, Mapping) else None
        which = f"“{clean_line(named, 60)}”" if isinstance(named, str) else f"number {number}"
        warn(f"The hook {which} in {shown(path)} is left out: {clean_line(str(error), 200)}.")
        return None
    unknown = [pattern for pattern in hook.on if not fnmatch.filter(NAMES, pattern)]
    if unknown:
        known = ", ".join(NAMES)
        warn(
            f"The hook “{hook.shown_name}” in {shown(path)} waits for “{clean_line(unknown[0], 60)}”, "
            f"which never happens. Events are {known}."
        )
    return hook
