"""A plain Textual program with the same lines between borders, a pill over them and a grid: unfitted."""

from __future__ import annotations

import signal
from typing import ClassVar

from lines import LINES, TABLE
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

QUICK = "❤️ 👍 👎 😂 ‼️ ❓"
GRID = "❤️ 👍 👎 😂 ‼️ ❓ ☺️ ☠️ ✈️ 👨‍👩‍👧‍👦\n🇺🇸 🏳️‍🌈 🐻‍❄️ 👩🏽‍💻 🫠 🧑🏿‍❤️‍💋‍🧑🏻 1️⃣ ☝🏽 🅰️ 👍🏽"


class Naive(App[None]):
    CSS = """
    Screen { layers: base over; }
    .bubble { width: 60; height: auto; border: round white; padding: 0 1; }
    #pill { layer: over; offset: 14 3; width: 24; height: 3; border: round yellow; padding: 0 1; }
    #grid { layer: over; offset: 60 4; width: 36; height: 4; border: round green; padding: 0 1; }
    .hidden { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("r", "show('pill')"),
        ("colon", "show('grid')"),
        ("ctrl+q", "quit"),
    ]

    def compose(self) -> ComposeResult:
        for text in ("\n".join(LINES), *TABLE):
            yield Static(text, classes="bubble", markup=False)
        yield Static(QUICK, id="pill", classes="hidden", markup=False)
        yield Static(GRID, id="grid", classes="hidden", markup=False)

    def action_show(self, name: str) -> None:
        self.query_one(f"#{name}").remove_class("hidden")


if __name__ == "__main__":
    signal.alarm(300)  # Textual reads on for ever where a rig that was cut off has taken its terminal away
    Naive().run()
