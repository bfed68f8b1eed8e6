"""An app out of the parts of the picker: ``python -m tui_tapback.demo.picker_app`` prints an emoji."""

from __future__ import annotations

import os
import sys
import time

from textual import on
from textual.app import App, ComposeResult
from textual.containers import Horizontal

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.recents import Recents
from tui_tapback.emoji.search import Match, search
from tui_tapback.terminal import marks, segments
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import detect_profile
from tui_tapback.widgets import (
    CategoryBar,
    EmojiGrid,
    EmojiPreview,
    EmojiSearch,
    PickerSource,
    ToneSelector,
)


def find(query: str, limit: int) -> list[Match]:
    """The search over English; more languages go into ``locales``."""
    return search(query, limit)


class PickerApp(App[str]):
    """Search and tones above, categories and grid below them, the preview at the foot."""

    CSS = "EmojiSearch { width: 1fr; } ToneSelector { width: 34; } #top { height: 1; }"

    def __init__(self, fitter: EmojiFitter, recents: Recents) -> None:
        super().__init__()
        segments.install()
        marks.install()
        source = PickerSource(find, load_catalogue(), recents.shown, recents.form)
        self.search_line = EmojiSearch(source, fitter)
        self.tones = ToneSelector(source, fitter)
        self.categories = CategoryBar(source, fitter)
        self.grid = EmojiGrid(source, fitter)
        self.preview = EmojiPreview(source, fitter)

    def compose(self) -> ComposeResult:
        """Any other arrangement would do: the parts do not know each other."""
        with Horizontal(id="top"):
            yield self.search_line
            yield self.tones
        yield self.categories
        yield self.grid
        yield self.preview

    def on_mount(self) -> None:
        """Typing goes into the search line."""
        self.search_line.focus()
        self._follow()

    @on(EmojiSearch.Changed)
    def _changed(self, event: EmojiSearch.Changed) -> None:
        self.grid.show(event.query)
        self._follow()

    @on(EmojiSearch.Moved)
    def _moved(self, event: EmojiSearch.Moved) -> None:
        if event.command == "back":
            self.exit()
        self.grid.run(event.command)

    @on(EmojiGrid.Highlighted)
    def _follow(self) -> None:
        self.preview.show(self.grid.state)
        self.categories.show(self.grid.state)

    @on(CategoryBar.Chosen)
    def _category(self, event: CategoryBar.Chosen) -> None:
        self.grid.to_section(event.section)

    @on(ToneSelector.Chosen)
    def _tone(self, event: ToneSelector.Chosen) -> None:
        self.grid.set_tone(event.tone)
        self._follow()

    @on(EmojiGrid.Picked)
    def _picked(self, event: EmojiGrid.Picked) -> None:
        self.exit(event.emoji)


def main() -> None:
    """Run it in the terminal; what was picked goes to standard output."""
    fitter = EmojiFitter(detect_profile(os.environ, "auto"))
    picked = PickerApp(fitter, Recents(time.time)).run()
    if picked:
        sys.stdout.write(f"{picked}\n")


if __name__ == "__main__":
    main()
