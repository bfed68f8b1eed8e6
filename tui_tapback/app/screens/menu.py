"""Everything that can be done with one message, with the keys that do it, for who does not know them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.binding import BindingType

from tui_tapback.actions.action import Action, Group
from tui_tapback.actions.contexts import Context
from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.table import in_group
from tui_tapback.app.actions import closing
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.values import value
from tui_tapback.emoji.sentence import quoted
from tui_tapback.export.bare import bare_line
from tui_tapback.terminal.graphemes import crop
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _, mark

from .panel import Panel
from .verbs import VerbPart

WALKING: Final = (
    *("step", "edge", "page", "jump", "extend", "search", "hit", "composer", "activate", "quick", "unread"),
    *("ask('menu')", "ask('lens')", "ask('undo')", "ask('redo')", "ask('big'"),
)
"""Commands of the transcript that are not about the message itself."""


@value
class Entry:
    """One line: what is told, its keys, and the transcript's command or the screen's action behind it."""

    told: str
    keys: str
    command: str = ""
    action: str = ""


def entries(message: Message, keymap: Keymap, rows: Sequence[Action] | None = None) -> tuple[Entry, ...]:
    """What can be done with ``message``: first to try again what failed, then the rows of the table."""
    again = Entry(_("Try again"), keymap.first("activate"), command="activate")
    found = [again] if message.retriable else []
    found += [
        Entry(_(row.title), keymap.shown(row.id), command=row.command)
        for row in (in_group(Group.TRANSCRIPT) if rows is None else rows)
        if not row.command.startswith(WALKING) and _applies(row.command, message)
    ]
    found.append(Entry(_("Pin this message"), "", action="pin_message"))
    found.append(Entry(_("Save it as a picture to share"), "", action="share"))
    found.append(Entry(_("All commands"), keymap.shown("palette"), action="palette"))
    return tuple(found)


def _applies(command: str, message: Message) -> bool:
    """Whether a command of the transcript can do anything with this very message."""
    reacted = {reaction.author for reaction in message.reactions}
    match command:
        case "pill" | "picker" | "ask('repeat')" | "ask('who')":
            return message.reactable
        case "unreact":
            return Author.USER in reacted
        case "ask('echo')":
            return Author.AGENT in reacted
        case "turn('edit')":
            return message.role is Role.USER
        case "turn('again')":
            return message.role is Role.ASSISTANT
        case "turn('discard')":
            return message.row_id is None and message.status in (Status.WAITING, Status.FAILED)
        case _:
            return True


class MessageMenu(Panel[Entry]):
    """Dismisses with the entry that was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [closing("message_menu")]
    place_in = Context.MENU

    def __init__(self, message: Message, keymap: Keymap, fit: Callable[[str], str]) -> None:
        super().__init__(_("Message"), (("list_choose", mark("does it")), ("list_close", mark("closes"))))
        self._quote = fit(crop(bare_line(message), 60, ellipsis="…"))
        self._entries = entries(message, keymap)

    def lay_out(self) -> None:
        """The beginning of the message, then a line for each."""
        self.lay(quoted(self._quote), [self._line(entry) for entry in self._entries])

    @staticmethod
    def _line(entry: Entry) -> Text:
        line = Text(entry.told, no_wrap=True, overflow="ellipsis")
        return line.append(f"  {entry.keys}", style="bold") if entry.keys else line

    def chosen(self, place: int) -> None:
        """Do it."""
        self.dismiss(self._entries[place])


class MenuPart(VerbPart):
    """Opens the menu on Enter, and carries out what is chosen as if its key had been pressed."""

    def action_message_menu(self) -> None:
        """The menu of the selected message, else of the agent's last one."""
        transcript = self.query_one(Transcript)
        message = self.message(transcript.selected or "")
        try:
            message = message or self.reactor.answer()
        except TapbackError as error:
            self.refuse(error)
            return
        self.set_focus(transcript)
        if transcript.selected != message.key:
            transcript.select(message.key)
        menu = MessageMenu(message, self.preferences.keymap, self.preferences.fitter.fit_text)
        app_of(self).push_screen(menu, self._entry_chosen)

    async def _entry_chosen(self, entry: Entry | None) -> None:
        if entry is None:
            return
        transcript = self.query_one(Transcript)
        self.set_focus(transcript)
        if entry.command:
            await transcript.run_action(entry.command)
        else:
            await self.run_action(entry.action)

    @on(Transcript.MessageActivated)
    def _menu_wanted(self, event: Transcript.MessageActivated) -> None:
        event.stop()
        self.action_message_menu()

    def action_pin_message(self) -> None:
        """Pin the selected message."""
        try:
            self.pin(self.query_one(Transcript).selected or "")
        except TapbackError as error:
            self.refuse(error)
