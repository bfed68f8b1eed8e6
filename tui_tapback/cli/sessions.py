"""``tui-tapback sessions repair`` and ``sessions backup``: care of the data file, without a gateway."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping, Sequence

from tui_tapback.config.paths import Paths
from tui_tapback.domain.errors import StoreLocked
from tui_tapback.words import _, mark, plural

from .output import say
from .parser import add_care

_LEAVE = mark(
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
            say(_("The sessions were copied to {target}.").format(target=target))
            return 0
        result = repair(database, stamp)
    except StoreLocked as error:
        raise StoreLocked(str(error), hint=_(_LEAVE)) from error
    if result.damaged_file is None:
        say(
            plural(
                "The data file is sound: {count:,} message. Its index was made anew.",
                "The data file is sound: {count:,} messages. Its index was made anew.",
                result.messages,
            ).format(count=result.messages)
        )
        return 0
    rescued = plural("{count:,} message was rescued", "{count:,} messages were rescued", result.messages)
    lost = plural("{count:,} row could not be read", "{count:,} rows could not be read", result.lost)
    say(f"{rescued.format(count=result.messages)}; {lost.format(count=result.lost)}.")
    say(_("The damaged file is kept as {damaged_file}.").format(damaged_file=result.damaged_file))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tui-tapback sessions", description=_("Care of the data file."))
    commands = parser.add_subparsers(dest="command", required=True, metavar="repair|backup")
    add_care(lambda name, told: commands.add_parser(name, help=told))
    return parser
