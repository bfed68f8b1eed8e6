"""Asks this terminal, as the chat does at its start, and prints what it answered and how long that took.

Run it in the terminal in question: ``python benchmarks/probe.py [--json FILE] [--repeat N]``.
"""

from __future__ import annotations

import argparse
import os
import statistics
from dataclasses import asdict
from pathlib import Path

from measuring import tell

from tui_tapback.terminal.choice import choose_profile, reason_not_to_ask
from tui_tapback.terminal.driver import Answer, Inquiry
from tui_tapback.terminal.probe import measured_profile


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the result there")
    parser.add_argument("--repeat", type=int, default=11)
    options = parser.parse_args()
    answers: list[Answer] = []
    for _ in range(options.repeat):
        with Inquiry(deadline=2.0) as inquiry:
            answers.append(inquiry.answer(2.0))
    times = sorted(answer.seconds * 1000 for answer in answers)
    result = answers[-1].result
    profile = measured_profile(result)
    told = {
        "outcome": [answer.result.outcome for answer in answers],
        "mode2027": result.mode2027,
        "ms": {"median": round(statistics.median(times), 1), "worst": round(times[-1], 1)},
        "not_asked_because": reason_not_to_ask(os.environ),
        "profile": asdict(profile) if profile else None,
        "chosen": choose_profile(os.environ, probed=result).profile.name,
        "cells": result.by_class(),
    }
    tell(told, options.json)


if __name__ == "__main__":
    main()
