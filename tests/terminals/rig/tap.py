"""Runs the chat, or the naive program, in this terminal, taps every border and writes what was found.

Run it in the terminal in question: ``python tests/terminals/rig/tap.py FOLDER [--naive] [--emoji NAME]
[--answered]``. ``FOLDER/taps.json`` then holds, for chat, pill and picker, how many borders were drawn and
which of them did not stand where they were meant to.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from lines import LINES, TABLE
from tapped import Stuck, Tapped

from tui_tapback.testing.home import Home

RIG = Path(__file__).parent
QUIT, NEW_SESSION = "\x11", "\x0e"
REST = 0.6
"""Seconds of quiet before a screen is looked at, and after Esc, which the next key would turn into Alt."""
Phase = Callable[[str], None]


def play_chat(program: Tapped, done: Phase) -> None:
    """A conversation with all classes of emoji, tapbacks on it, the pill and the picker."""
    program.wait(lambda text: "online" in text, "the connection")
    for message in (TABLE[0], "\n".join(LINES), TABLE[1]):
        program.paste(message)
        program.settle()
        program.press("\r")
        for _ in range(2):  # the turn may begin only after a while
            program.settle(0.8)
            program.wait(lambda text: "Esc stop" not in text, "the end of the answer")
    program.press("\x1b")
    program.settle(REST)
    for key in "1k5k4k1k2":  # a tapback on each message, going up
        program.press(key)
        program.settle()
    program.repaint()
    done("chat")
    program.press("j")
    program.settle()
    program.press("r")
    program.settle()
    done("pill")
    program.press("\x1b")
    program.settle(REST)
    program.press(":")
    program.settle()
    program.press("\t\t\t")
    program.settle()
    for down in range(6):  # through rows with all kinds
        program.press("\x1b[B\x1b[B\x1b[B" if down else "\x1b[B\x1b[C")
        program.settle()
    done("picker")
    program.press("\x1b")
    program.settle(REST)
    program.press(NEW_SESSION)
    program.settle()
    done("another session")


def play_naive(program: Tapped, done: Phase) -> None:
    """The same lines in the naive program."""
    program.wait(lambda text: "tapbacks" in text, "the first picture")
    program.settle()
    program.repaint()
    done("chat")
    for key, name in (("r", "pill"), (":", "picker")):
        program.press(key)
        program.settle()
        done(name)


def run(folder: Path, command: list[str], environ: Mapping[str, str], options: argparse.Namespace) -> object:
    told: dict[str, dict[str, object]] = {}
    with Tapped(command, environ, pinned=options.emoji == "colour") as program:

        def done(name: str) -> None:
            program.settle(REST)
            taps, program.taps = program.taps, []
            wrong = [
                (tap.border, [tap.row, tap.column], [row, column], tap.before)
                for tap, row, column in taps
                if (tap.row, tap.column) != (row, column)
            ]
            told[name] = {"taps": len(taps), "misplaced": len(wrong), "examples": wrong[:10]}
            read = folder / f"{name}.read.json" if options.answered else None
            program.frame(folder / f"{name}.meant.json", read)

        (play_naive if options.naive else play_chat)(program, done)
        status = program.leave(QUIT)
    return {"phases": told, "status": status}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--naive", action="store_true", help="the program that fits nothing")
    parser.add_argument("--emoji", default="auto", help="the profile that the chat is ordered to use")
    parser.add_argument("--answered", action="store_true", help="somebody reads the real screen")
    options = parser.parse_args()
    home = Home(options.folder)
    told: object
    try:
        module = [str(RIG / "naive.py")] if options.naive else ["-m", "tui_tapback.cli.main"]
        # The terminal tells who it is by the environment; the home is a private one.
        environ = dict(os.environ) | home.env | {"OPENAI_MODEL": "companion", "TERM": os.environ["TERM"]}
        environ["TUI_TAPBACK_EMOJI"] = options.emoji
        told = run(options.folder, [sys.executable, *module], environ, options)
    except Stuck as error:
        told = {"error": str(error)}
    finally:
        home.close()
    part = options.folder / "taps.part"
    part.write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
    part.rename(options.folder / "taps.json")


if __name__ == "__main__":
    main()
