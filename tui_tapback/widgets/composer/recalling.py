"""An editor that remembers: what was sent before can be walked and searched, large pastes are folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from textual import events
from textual.app import ComposeResult

from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.composer.completion import Completion
from tui_tapback.widgets.composer.editor import Editor
from tui_tapback.widgets.composer.history import PromptHistory
from tui_tapback.widgets.composer.pasted import Pasted
from tui_tapback.widgets.composer.popup import CompletionList
from tui_tapback.widgets.editing import EditState
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.incoming import clean_paste
from tui_tapback.words import _

FOUND: Final = 8
"""Messages of the history that are offered at once."""


def _is_text(piece: str) -> bool:
    """Whether a paste is no text: it always is, where nobody says otherwise."""
    del piece
    return False


class RecallingEditor(Editor):
    """While the history is searched the text is the query, and the draft waits beside it.

    ``paste_taken`` may take a paste for itself, such as the path of a file that was dropped.
    """

    def __init__(
        self,
        fitter: Fitter,
        history: Iterable[str],
        *,
        placeholder: str,
        keys: Mapping[str, str],
        id: str | None = None,  # noqa: A002  (Textual's own name for it)
    ) -> None:
        super().__init__(fitter, placeholder=placeholder, keys=keys, id=id)
        self._history = PromptHistory(history)
        self._list = CompletionList(fitter)
        self._pasted = Pasted()
        self._looking: EditState | None = None
        self._everything: Sequence[str] = ()
        self._usual = placeholder
        self.paste_taken: Callable[[str], bool] = _is_text

    def compose(self) -> ComposeResult:
        """The list of completions floats over the screen."""
        yield self._list

    @property
    def history(self) -> tuple[str, ...]:
        """What was sent from here, oldest first."""
        return self._history.entries

    def remember(self, texts: Iterable[str], everything: Sequence[str] = ()) -> None:
        """Walk ``texts`` with ↑ and ↓ from now on, oldest first, and what is sent after them.

        ``everything`` is what Ctrl+R searches beside them.
        """
        self._history = PromptHistory(texts)
        self._everything = everything

    @property
    def draft(self) -> str:
        """What is being written, large pastes unfolded, whatever the composer shows just now."""
        return self._pasted.unfold(self.text if self._looking is None else self._looking.text)

    @property
    def looking(self) -> bool:
        """Whether the history is being searched."""
        return self._looking is not None

    def offer_history(self) -> None:
        """What was sent before and says all the words that are typed, the latest first."""
        words = self.text.casefold().split()
        sent = dict.fromkeys(reversed([*self._everything, *self._history.entries]))
        found = (text for text in sent if all(word in text.casefold() for word in words))
        items = tuple(Completion(text, clean_line(text, 60)) for text in islice(found, FOUND))
        self._offer_start = 0
        if items:
            self._list.offer(items, self.on_screen(0), self.region, self.screen.size)
        else:
            self._list.hide()

    def look_back(self) -> None:
        """Search what was sent before; again goes to the next one."""
        if self._looking is not None:
            self._list.move(1)
            return
        self._looking = self.state
        self._usual, self.placeholder = (
            self.placeholder,
            _("Search what you sent · Enter takes it, Esc leaves it"),
        )
        self.apply(EditState())
        self.offer_history()

    def stop_looking(self, taken: str | None) -> None:
        """End the search with what was taken, or with None go back to the draft."""
        if self._looking is None:
            return
        draft, self._looking = self._looking, None
        self.placeholder = self._usual
        self._list.hide()
        Editor.apply(self, EditState.at_end(taken) if taken is not None else draft)

    def on_paste(self, event: events.Paste) -> None:
        """A large piece is folded; pasted once more it is unfolded."""
        event.stop()
        event.prevent_default()  # the editor's own way with it
        if self._looking is None and self.paste_taken(event.text):
            return
        piece = clean_paste(event.text)
        if self._looking is not None:
            self.apply(self.state.insert(clean_line(piece, 200)), typing=True)
        elif marker := self._pasted.marker_in(self.text, piece):
            start = self.text.index(marker)
            self.apply(self.state.replace(start, start + len(marker), piece))
        else:
            self.apply(self.state.insert(self._pasted.fold(piece)))
