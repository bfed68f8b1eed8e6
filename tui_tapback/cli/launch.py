"""The console entry: shows the frame of the last time and keeps what is typed, then imports the program.

Until the frame stands on the screen only ``os``, ``sys`` and ``time`` are imported; a test watches that.
"""

from __future__ import annotations

import gc
import os
import sys

from tui_tapback.terminal.replay import Replay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

INTERRUPTED = 130
TOLD_TO_END = 143
"""128 + SIGTERM."""
HUNG_UP = 129


def plain_start(arguments: Sequence[str], environ: Mapping[str, str], *, terminal: tuple[bool, bool]) -> bool:
    """Whether the chat of the last time will open on a terminal, which nothing but the arguments tells."""
    if arguments or not all(terminal) or environ.get("TERM", "") in ("", "dumb"):
        return False
    return not environ.get("TEXTUAL_SERVE") and "web_driver" not in environ.get("TEXTUAL_DRIVER", "")


def main() -> int:
    """Run ``tui-tapback`` with the arguments of the process; returns the exit status."""
    if not plain_start(sys.argv[1:], os.environ, terminal=(os.isatty(0), os.isatty(1))):
        from .main import main as run

        return run()
    # What is imported stays; looking through it again and again is a tenth of the start. The app lets the
    # collector work again once its first frame is drawn.
    gc.disable()
    try:
        with Replay() as replay:
            replay.show(os.environ)
            _leave_in_order()
            from .main import main as run

            return run((), replay)
    except KeyboardInterrupt:
        return INTERRUPTED


def _leave_in_order() -> None:
    """Have who is told to end before there is an app give the terminal back first."""
    import signal

    def leave(number: int, _: object) -> None:
        raise SystemExit(HUNG_UP if number == signal.SIGHUP else TOLD_TO_END)

    if sys.platform != "win32":
        signal.signal(signal.SIGTERM, leave)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
            signal.signal(signal.SIGHUP, leave)


if __name__ == "__main__":
    sys.exit(main())
