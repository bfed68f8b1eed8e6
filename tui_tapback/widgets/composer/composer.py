"""The field in which messages are written: sending, history, completion, and the ways out of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from textual import on
from textual.message import Message

from tui_tapback.widgets.composer.commands import SlashCommand
from tui_tapback.widgets.composer.completion import Completer, Completion
from tui_tapback.widgets.composer.keys import COMPOSER_KEYS
from tui_tapback.widgets.composer.popup import CompletionList
from tui_tapback.widgets.composer.recalling import RecallingEditor
from tui_tapback.widgets.editing import EditState
from tui_tapback.widgets.fitter import Fitter
from tui_tapback.widgets.found import Searcher
from tui_tapback.words import _, mark


def _as_it_is(emoji: str) -> str:
    return emoji


class Composer(RecallingEditor):
    """Enter sends, ↑ and ↓ at the edges walk the history, ``:na`` completes an emoji, ``/`` a command.

    Enter takes the text out at once, so that what is typed next is the next message; the app answers each
    ``Submitted`` with ``accept()`` or with ``refuse()``, which puts the text back so that it is not lost.
    ``search`` and ``resolve`` are those of the emoji layer; ``name_of`` gives an
    emoji's name, ``tone`` its preferred tone.
    """

    class Submitted(Message):
        """Enter was pressed on ``text``, which is not blank; it is not in the composer any more."""

        def __init__(self, composer: Composer, text: str) -> None:
            super().__init__()
            self.composer = composer
            self.text = text

        @property
        def control(self) -> Composer:
            """The composer of the text."""
            return self.composer

    class TranscriptRequested(Message):
        """Alt+↑: the person wants to go up to the messages."""

    class EscapePressed(Message):
        """Escape, and nothing of the composer's own was open; the app decides what it closes."""

    class EditorRequested(Message):
        """Ctrl+G: the person wants to write in an editor of their own."""

    class PillRequested(Message):
        """The person wants to tap back on the agent's last message."""

    def __init__(
        self,
        fitter: Fitter,
        search: Searcher,
        resolve: Callable[[str], str | None],
        *,
        name_of: Callable[[str], str],
        tone: Callable[[str], str] = _as_it_is,
        history: Iterable[str] = (),
        placeholder: str = mark("Message"),
        keys: Mapping[str, str] = COMPOSER_KEYS,
        id: str | None = None,  # noqa: A002  (Textual's own name for it)
    ) -> None:
        super().__init__(fitter, history, placeholder=_(placeholder), keys=keys, id=id)
        self._completer = Completer(search, resolve, tone=tone, name_of=name_of)
        self._offer_start = -1
        self._declined = -1
        self._on_the_way: deque[EditState] = deque()

    @property
    def selected_text(self) -> str:
        """What is selected, for the app's copying."""
        return self.state.selected

    def offer_commands(self, commands: Iterable[SlashCommand]) -> None:
        """Complete these commands of the gateway as well."""
        self._completer.further = tuple(commands)

    @property
    def completing(self) -> bool:
        """Whether the list of completions is open."""
        return self._list.highlighted is not None

    def accept(self) -> None:
        """The text of the oldest unanswered ``Submitted`` was taken: remember it."""
        if self._on_the_way:
            self._history.add(self._pasted.unfold(self._on_the_way.popleft().text))

    def refuse(self) -> None:
        """It was not taken: put it back, before what was typed since."""
        if not self._on_the_way:
            return
        refused, since = self._on_the_way.popleft(), self.text
        self.apply(EditState.at_end(f"{refused.text}\n{since}") if since else refused)
        self._list.hide()

    def clear(self) -> None:
        """Throw away what is typed; undo brings it back."""
        self._history.rest()
        self.apply(EditState())

    def apply(self, state: EditState, *, typing: bool = False) -> None:
        """As in the editor; whatever moves the caret or the text also decides about the list."""
        if state.text != self.text:
            self._history.rest()
        super().apply(state, typing=typing)
        if typing:
            self._replace_name()
        self._update_list(typing=typing)

    def _replace_name(self) -> None:
        before = self.text[: self.state.caret]
        if before.endswith(":") and (found := self._completer.replacement(before)):
            start, emoji = found
            super().apply(self.state.replace(start, self.state.caret, emoji))

    def _update_list(self, *, typing: bool) -> None:
        state = self.state
        if self.looking:
            self.offer_history()
            return
        offer = self._completer.offer(state.text[: state.caret]) if state.anchor == state.caret else None
        open_already = self.completing and offer is not None and offer.start == self._offer_start
        if offer is None or offer.start == self._declined or not (typing or open_already):
            self._list.hide()
            if offer is None:
                self._declined = -1
            return
        self._offer_start = offer.start
        self._list.offer(offer.items, self.on_screen(offer.start), self.region, self.screen.size)

    def on_blur(self) -> None:
        """What floats belongs to the focus."""
        self.stop_looking(None)
        self._list.hide()

    def on_resize(self) -> None:
        """What floats would be in the wrong place now."""
        super().on_resize()
        self._list.hide()

    @on(CompletionList.Taken)
    def _take_clicked(self, event: CompletionList.Taken) -> None:
        event.stop()
        self._take(event.completion)
        self.focus()

    def _take(self, completion: Completion) -> None:
        if self.looking:
            self.stop_looking(completion.insert)
            return
        start = self._offer_start
        self._list.hide()
        before = self.text[:start]
        # In a tapback written as text the emoji itself stands where its name would.
        super().apply(self.state.replace(len(before), self.state.caret, completion.insert))

    def run_command(self, command: str) -> bool:
        """The composer's commands, then the editor's."""
        match command:
            case "submit":
                self._submit()
            case "newline":
                self.apply(self.state.insert("\n"))
            case "transcript":
                self.post_message(self.TranscriptRequested())
            case "pill":
                self.post_message(self.PillRequested())
            case "escape":
                self._escape()
            case "complete":
                return self._complete()
            case "history":
                self.look_back()
            case "external_editor":
                self.post_message(self.EditorRequested())
            case _:
                return super().run_command(command)
        return True

    def _complete(self) -> bool:
        if (item := self._list.highlighted) is None:
            return False  # Tab goes where Tab goes
        if self.looking:
            self.stop_looking(item.insert)
            return True
        self._take(item)
        return True

    def _submit(self) -> None:
        if self.looking:
            item = self._list.highlighted
            self.stop_looking(item.insert if item is not None else None)
        elif (item := self._list.highlighted) is not None and item.insert.rstrip() != self.text.rstrip():
            self._take(item)  # a command that stands there in full is sent: its blank would be all that comes
        elif self.text.strip():
            self._on_the_way.append(self.state)
            self.post_message(self.Submitted(self, self._pasted.unfold(self.text)))
            self.apply(EditState())
            self._undo.clear()
            self._list.hide()

    def _escape(self) -> None:
        if self.looking:
            self.stop_looking(None)
        elif self.completing:
            self._declined = self._offer_start
            self._list.hide()
        else:
            self.post_message(self.EscapePressed())

    def vertical(self, step: int, *, select: bool = False) -> None:
        """In the list if it is open; at the edge of the text the history; else one row."""
        if self.completing and not select:
            self._list.move(step)
            return
        layout = self.laid_out()
        _, y = layout.caret(self.state.caret)
        at_edge = y == 0 if step < 0 else y == len(layout.rows) - 1
        if at_edge and not select:
            text = self._history.older(self.text) if step < 0 else self._history.newer()
            if text is not None:
                super().apply(EditState.at_end(text))
                self._list.hide()
                return
        super().vertical(step, select=select)
