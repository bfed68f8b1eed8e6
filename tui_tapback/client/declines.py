"""What a gateway asks of a desktop program and this one declines, in words for the person."""

from __future__ import annotations

from typing import Final

from tui_tapback.words import _, mark

_WORDS: Final = {
    "terminal": mark("The gateway wanted to read a terminal of its desktop program."),
    "preview": mark("The gateway wanted to use the web preview of its desktop program."),
    "window": mark("The gateway wanted to look at a window of its desktop program."),
    "tour": mark("The gateway wanted to show a tour of its desktop program."),
    "theme": mark("The gateway wanted to change the colours of its desktop program."),
    "setup_beat": mark("The gateway wanted to go on with the set-up of its desktop program."),
    "display": mark("The gateway wanted to install a display for its desktop program."),
    "vault": mark("The gateway wanted to use the password store of its desktop program."),
}


def desktop_thing(method: str) -> str:
    """The sentences for a request of that name: what was wanted, and that it was declined."""
    known = _WORDS.get(method.partition(".")[0])
    wanted = _(known) if known else _("The gateway asked for something that this program does not know.")
    return (
        f"{wanted} {_('That is not there in a terminal, so it was declined; the agent goes on without it.')}"
    )
