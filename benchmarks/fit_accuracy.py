"""Prints every emoji sequence through the fit in this terminal and counts those that are not two cells.

The cursor is asked for after each (CSI 6n): after all spellings through the profile that the chat would
choose here and through the safe one, after the fully qualified sequences as they are, the naive way, and
after lines of pieces put together at random, as nobody but an attacker writes them.
Run it in the terminal in question:
``python benchmarks/fit_accuracy.py [--json FILE]``.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import select
import termios
import time
import tty
from collections.abc import Sequence
from pathlib import Path

import emoji
from measuring import tell
from rich.cells import cell_len

from tui_tapback.domain.text import clean_line
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.choice import choose_profile, reason_not_to_ask
from tui_tapback.terminal.driver import Inquiry, own_terminal
from tui_tapback.terminal.probe import ENTER, LEAVE, measuring
from tui_tapback.terminal.profile import SAFE

CHUNK = 50
PATIENCE = 20.0
EVERY = sorted(emoji.EMOJI_DATA)
RGI = [each for each in EVERY if emoji.EMOJI_DATA[each]["status"] == emoji.STATUS["fully_qualified"]]
PIECES = "👩🏽\u200d\ufe0f\ufe0e\u20e3❤‼🇩🇪1#a日e\u0301🔥🏴\U000e0067\U000e007f☝🏳⚧ \u2060\u200b\ufeff\u3164│é"
ROUGH = ["".join(random.Random(seed).choices(PIECES, k=1 + seed % 12)) for seed in range(2000)]


def measured(texts: Sequence[str]) -> list[int]:
    """Cells by which each text moves the cursor; RuntimeError where the terminal does not answer."""
    terminal = os.open(own_terminal(), os.O_RDWR | os.O_NOCTTY)
    before = termios.tcgetattr(terminal)
    widths: list[int] = []
    try:
        tty.setraw(terminal)
        os.write(terminal, ENTER)
        for first in range(0, len(texts), CHUNK):
            chunk = texts[first : first + CHUNK]
            os.write(terminal, measuring(chunk))
            answer, deadline = b"", time.monotonic() + PATIENCE
            while len(columns := re.findall(rb"\x1b\[2;(\d+)R", answer)) < len(chunk):
                if not select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))[0]:
                    raise RuntimeError("the terminal does not answer")
                answer += os.read(terminal, 65_536)
            widths += [int(column) - 1 for column in columns]
    finally:
        os.write(terminal, LEAVE)
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
        os.close(terminal)
    return widths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the result there")
    options = parser.parse_args()
    probed = None
    if reason_not_to_ask(os.environ) is None:
        with Inquiry(deadline=5.0) as inquiry:
            probed = inquiry.answer(5.0).result
    choice = choose_profile(os.environ, probed=probed)
    told: dict[str, object] = {
        "sequences": len(RGI),
        "spellings": len(EVERY),
        "profile": choice.profile.name,
        "why": choice.why,
        "naive_wrong": sum(width != cell_len(each) for each, width in zip(RGI, measured(RGI), strict=True)),
    }
    for name, profile in (("fit", choice.profile), ("safe", SAFE)):
        texts = list(map(EmojiFitter(profile).fit, EVERY))
        widths = measured(texts)
        wrong = [
            (each, text, width) for each, text, width in zip(EVERY, texts, widths, strict=True) if width != 2
        ]
        told |= {
            f"{name}_as_they_are": sum(EmojiFitter(profile).fit(each) == each for each in RGI),
            f"{name}_wrong": len(wrong),
            f"{name}_wrong_in_rich": sum(cell_len(text) != 2 for text in texts),
            f"{name}_examples": wrong[:8],
        }
    lines = [EmojiFitter(choice.profile).fit_text(clean_line(each)) for each in ROUGH]
    torn = [
        (each, line, width)
        for each, line, width in zip(ROUGH, lines, measured(lines), strict=True)
        if width != cell_len(line)
    ]
    told |= {"lines": len(lines), "lines_wrong": len(torn), "lines_examples": torn[:8]}
    tell(told, options.json)


if __name__ == "__main__":
    main()
