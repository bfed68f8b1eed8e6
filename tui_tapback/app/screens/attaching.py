"""Images and files for the next message: named with @, dropped on the terminal, or asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.binding import BindingType

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.working.lines import shown_file
from tui_tapback.app.working.paths import named_files, pasted_files
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.working import AttachedFiles
from tui_tapback.words import _, mark

from .face import ChatFace
from .panel import Panel


class FilesPanel(Panel[None]):
    """The files that go out next; one is added by its path, and one taken out."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Group.FILES)]
    place_in = Context.FILES

    def __init__(self, chat: ChatSession) -> None:
        acts = (("file_add", mark("adds")), ("file_remove", mark("removes")), ("list_close", mark("closes")))
        asks = _("path of an image or a file")
        super().__init__(_("Files for the next message"), acts, asks=asks, most=4_000)
        self._chat = chat
        self._trouble = ""

    def on_mount(self) -> None:
        """Where there is none yet a path can be typed at once."""
        if not self._chat.state.attachments:
            self.call_later(self.begin_typing)  # the list takes the focus first

    def lay_out(self) -> None:
        """A line for each file."""
        shown = [shown_file(each) for each in self._chat.state.attachments]
        words = "" if shown else _("No file goes with the next message yet.")
        lines = [Text(each.label).append(f"  {each.detail}", "dim") for each in shown]
        self.lay(words, lines, self._trouble)

    def action_add(self) -> None:
        """Type a path."""
        self.begin_typing()

    def typed(self, text: str, place: int) -> None:
        """Let that file go with it."""
        del place
        try:
            self._chat.attaching.add(text.strip().strip("'\""))
        except TapbackError as error:
            self._trouble = clean_line(error.sentence(), 300)
        else:
            self._trouble = ""

    def action_remove(self) -> None:
        """Let the one under the cursor not."""
        files = self._chat.state.attachments
        if self.place is not None and self.place < len(files):
            self._chat.attaching.remove(files[self.place].path)
            self.lay_out()


class AttachingPart(ChatFace):
    """A file that is meant is looked at before anything is sent; where it cannot go out nothing is."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._told_of_files = False

    def on_mount(self) -> None:
        """What is dropped on the terminal arrives as a paste."""
        self.query_one(Composer).paste_taken = self.take_pasted

    def show_state(self, state: ClientState) -> None:
        """The chips of the files."""
        super().show_state(state)
        self.query_one(AttachedFiles).show(tuple(shown_file(each) for each in state.attachments))

    @property
    def takes_files(self) -> bool:
        """Whether the gateway takes files at this moment."""
        state = self.chat.state
        return state.connection.phase is Phase.ONLINE and Ability.ATTACH in state.abilities

    def say(self, text: str) -> None:
        """Send a message with the files that it names. Raises TapbackError; then nothing is sent."""
        named = named_files(text, Path())
        if self.takes_files:
            present = {each.path for each in self.chat.state.attachments}
            for path in named:
                if str(path.absolute()) not in present:
                    self.chat.attaching.add(path)
        self.chat.send(text)
        if named and not self.takes_files and not self._told_of_files:
            self._told_of_files = True
            self.tell(f"{lack_of(Ability.ATTACH)} {_('Only the name was sent.')}", "warning")

    def take_pasted(self, piece: str) -> bool:
        """Attach the files that a paste names; False where it is text, or where they cannot go out."""
        paths = pasted_files(piece) if self.takes_files else []
        return bool(paths) and all(self.attach_path(path) for path in paths)

    def attach(self, words: str) -> None:
        """The file at that path, or the list of those that go out next."""
        if Ability.ATTACH not in self.chat.state.abilities:
            self.tell(lack_of(Ability.ATTACH), "warning")
        elif path := words.strip().strip("'\""):
            self.attach_path(Path(path.removeprefix("@")))
        else:
            app_of(self).push_screen(FilesPanel(self.chat))

    def attach_path(self, path: Path) -> bool:
        """Let that file go with the next message, and say so; False where it cannot, which is said too."""
        try:
            attachment = self.chat.attaching.add(path)
        except TapbackError as error:
            self.refuse(error)
            return False
        shown = shown_file(attachment)
        self.tell(
            _("{name} ({detail}) goes with the next message.").format(name=shown.label, detail=shown.detail)
        )
        return True

    def action_attach(self) -> None:
        """The list of files."""
        self.attach("")

    @on(AttachedFiles.RemoveWanted)
    def _remove_wanted(self, event: AttachedFiles.RemoveWanted) -> None:
        event.stop()
        self.chat.attaching.remove(event.file_id)
        self.show_state(self.chat.state)
