"""The gateway process: its arguments, its log, its hold on the data folder, its life and its end."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None, *, foreground: bool = True) -> int:
    """Run a gateway until it is told to end; returns the exit status (see ``entry``).

    ``foreground``: started by a person, who is shown the address; it then never leaves for want of clients
    unless ``--idle-exit`` says so.
    """
    from .entry import run

    return run(argv, foreground=foreground)
