"""``tui-tapback sessions repair`` and ``sessions backup``: care of the data file, without a gateway."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping, Sequence

from tui_tapback.config.paths import Paths
from tui_tapback.domain.errors import StoreLocked

from .output import say
from .parser import add_care

_LEAVE = (
    "A gateway is using the data. Close all chats; it leaves by itself a while later, or end it with kill."
)


def main(argv: Sequence[str], environ: Mapping[str, str] = os.environ) -> int:
    """Run ``repair`` or ``backup [FILE]``; returns the exit status. Raises StoreError, SettingsError."""
    options = _parser().parse_args(argv)
    database = Paths.from_environ(environ).database
    stamp = time.strftime("%Y%m%d-%H%M%S")
    from tui_tapback.gateway.store.repair import back_up, repair

    try:
        if options.command == "backup":
            target = options.file or database.with_name(f"{database.name}.{stamp}.bak")
            back_up(database, target)
            say(f"The sessions were copied to {target}.")
            return 0
        result = repair(database, stamp)
    except StoreLocked as error:
        raise StoreLocked(str(error), hint=_LEAVE) from error
    if result.damaged_file is None:
        say(f"The data file is sound: {result.messages:,} messages. Its index was made anew.")
        return 0
    say(f"{result.messages:,} messages were rescued; {result.lost:,} rows could not be read.")
    say(f"The damaged file is kept as {result.damaged_file}.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tui-tapback sessions", description="Care of the data file.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="repair|backup")
    add_care(lambda name, told: commands.add_parser(name, help=told))
    return parser
