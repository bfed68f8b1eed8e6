"""The files that go with the next message: a chip for each, above the composer, with a way to remove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message

from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.terminal.graphemes import crop

from ..fitter import Fitter
from .rows import Row, RowsWidget

REMOVE = " × "


@value
class ShownFile:
    """``id`` tells it from the others, ``label`` is its name, ``detail`` its kind and size."""

    id: str
    label: str
    detail: str = ""


class AttachedFiles(RowsWidget):
    """As many chips in a line as fit; ``RemoveWanted`` where the cross of one is clicked."""

    BLOCK = "attached-files"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "attached-files--chip",
        "attached-files--detail",
        "attached-files--remove",
    }
    DEFAULT_CSS = """
    AttachedFiles { height: 1; display: none; background: $background; color: $foreground; }
    AttachedFiles > .attached-files--chip { background: $primary 25%; color: $foreground; }
    AttachedFiles > .attached-files--detail { background: $primary 25%; color: $foreground 65%; }
    AttachedFiles > .attached-files--remove { background: $primary 25%; color: $accent; text-style: bold; }
    """

    class RemoveWanted(Message):
        """The file with that id shall not go out."""

        def __init__(self, file_id: str) -> None:
            super().__init__()
            self.file_id = file_id

    def __init__(self, fitter: Fitter) -> None:
        super().__init__(fitter)
        self._files: Sequence[ShownFile] = ()
        self._crosses: list[tuple[int, range, str]] = []

    def show(self, files: Sequence[ShownFile]) -> None:
        """Show other files."""
        if files != self._files:
            self._files = files
            self.fit()

    def on_click(self, event: events.Click) -> None:
        """On a cross the file is not wanted any more."""
        event.stop()
        for row, cells, file_id in self._crosses:
            if row == event.y and event.x in cells:
                self.post_message(self.RemoveWanted(file_id))

    def rows(self, width: int) -> list[Row]:
        """The chips, and where their crosses are."""
        self._crosses = []
        rows: list[Row] = []
        used = width
        for file in self._files:
            detail = f" {self.fitter.fit_text(clean_line(file.detail, 40))}" if file.detail else ""
            most = max(4, width - 5 - cell_len(detail))
            label = f" {crop(self.fitter.fit_text(clean_line(file.label, 80)), most, ellipsis='…')}"
            cells = cell_len(label) + cell_len(detail) + cell_len(REMOVE)
            if used + cells + 1 > width:
                rows.append([])
                used = 0
            rows[-1] += [(" ", ""), (label, "chip"), (detail, "detail"), (REMOVE, "remove")]
            used += cells + 1
            self._crosses.append((len(rows) - 1, range(used - cell_len(REMOVE), used), file.id))
        return rows
