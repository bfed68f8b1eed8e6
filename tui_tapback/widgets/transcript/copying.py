"""Copying and following links: what of the selected text, part, message or range is asked for."""

from __future__ import annotations

from typing import Literal

from tui_tapback.domain.messages import Message, Role

from .selecting import SelectingView


class CopyingView(SelectingView):
    """A view that hands out what was written; it knows no clipboard and opens nothing itself."""

    def action_copy(self, kind: Literal["text", "markdown", "code"] = "text") -> None:
        """Ask for text in the clipboard: what is selected of it, else the selected part, message or range."""
        key = self.selected or ""
        if self._span is not None:
            text = self.selected_markdown if kind == "markdown" else self.selected_text
            self.unmark()
        elif kind == "code":
            text = self._code()
        elif self.part is not None:
            text = self.part.source if kind == "markdown" else self.part.bare
        else:
            text = "\n\n".join(self._written(message, kind) for message in self.chosen)
        if text:
            self.post_message(self.CopyRequested(key, text, kind))

    def _written(self, message: Message, kind: str) -> str:
        index = self.sheet.roll.index(message.key)
        if kind == "markdown" or message.role is not Role.ASSISTANT or index is None:
            return message.text
        block = self.sheet.block(index)
        # Of what is too long to be drawn whole, and of what is nothing in markdown: the source.
        return block.prose.text if block.parts else message.text

    def _code(self) -> str:
        """The selected code block, else the first one of the message."""
        if self.part is not None and self.part.kind == "code":
            return self.part.bare
        index = self.sheet.roll.index(self.selected)
        if index is None:
            return ""
        return next((part.bare for part in self.sheet.block(index).parts if part.kind == "code"), "")

    def action_links(self, copy: bool = False) -> None:
        """Ask to go where the selected message (or part of it) leads, or for its address in the clipboard."""
        index = self.sheet.roll.index(self.selected)
        if index is None:
            return
        block, part = self.sheet.block(index), self.sheet.looks.part
        links = block.prose.links
        if part is not None:
            rows = block.rows_of(part)
            links = tuple(
                link
                for link in links
                if any(at in rows for at, _, _ in block.cells_of(link.start, link.stop))
            )
        addresses = tuple(dict.fromkeys(link.href for link in links))
        if not addresses:
            return
        key = block.message.key
        if copy:
            self.post_message(self.CopyRequested(key, "\n".join(addresses), "link"))
        else:
            self.post_message(self.LinkRequested(key, addresses))
