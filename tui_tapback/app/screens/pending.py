"""Who reacted to a message and when, and the exact lines about tapbacks that the agent will see next."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings, closing
from tui_tapback.app.keyed import keymap_of
from tui_tapback.app.notes import row_of
from tui_tapback.app.tapbacks.who import who
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.state import ClientState
from tui_tapback.client.telling import PendingLine
from tui_tapback.domain.errors import RowNotFound, TapbackError
from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author, toggled
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.sentence import quoted
from tui_tapback.export.bare import bare_line
from tui_tapback.terminal.graphemes import crop
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.words import _, mark

from .foot import Piece
from .panel import Panel
from .tapping import TappingScreen

NONE_DUE = mark("Nothing: the agent knows of all your tapbacks.")
_ACTS: Final = (("told_keep_back", mark("keeps back")), ("list_close", mark("closes")))


class PendingPanel(Panel[None]):
    """Follows the chat while it is open. Digits react to its message, and the lines follow."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Group.TOLD),
        closing("who"),
        *(Binding(str(digit), f"react({digit})", show=False) for digit in range(1, len(QUICK_REACTIONS) + 1)),
    ]
    place_in = Context.TOLD

    def __init__(
        self,
        message: Message,
        state: ClientState,
        *,
        read: Callable[[], Awaitable[Sequence[PendingLine]]],
        withhold: Callable[[PendingLine, bool], Awaitable[None]],
        lines_of: Callable[[Message, Sequence[PendingLine] | None], tuple[str, ...]],
        react: Callable[[int], object],
        fit: Callable[[str], str],
    ) -> None:
        super().__init__(_("Tapbacks"), _ACTS)
        self._message = message
        self._read = read
        self._withhold = withhold
        self._lines_of = lines_of
        self._react = react
        self._fit = fit
        self._pending: Sequence[PendingLine] | None = None
        self._trouble = ""
        self._state = state

    @property
    def key(self) -> str:
        """Which message it is about."""
        return self._message.key

    def on_mount(self) -> None:
        """Ask at once."""
        super().on_mount()
        self.refetch()

    def follow(self, message: Message | None, state: ClientState) -> None:
        """The chat has changed; the lines are read again where tapbacks did. It goes with its message."""
        if message is None:
            self.dismiss(None)
            return
        before, self._state, self._message = self._state, state, message
        self.lay_out()
        if _marks(before) != _marks(state):
            self.refetch()

    def refetch(self) -> None:
        """Read what is due."""
        self.run_worker(self._fetch(), exclusive=True, group="pending")

    async def _fetch(self) -> None:
        try:
            self._pending, self._trouble = await self._read(), ""
        except TapbackError as error:
            self._pending, self._trouble = None, clean_line(error.sentence(), 300)
        self.lay_out()

    def foot(self) -> list[Piece]:
        """With the keys that react, which are those of the transcript."""
        digits = row_of("react_1", keymap_of(self))
        kept, *others = super().foot()
        return [kept, *([(digits, _("react"), "")] if digits else []), *others]

    def lay_out(self) -> None:
        """Words about the message, then the lines."""
        quote = crop(bare_line(self._message), 60, ellipsis="…")
        lines = self._lines_of(self._message, self._pending)
        about = [quoted(quote), *(lines or (_("Nobody has reacted to this message."),)), ""]
        about.append(_("What the agent will see with your next message:"))
        if self._trouble:
            about.append(self._trouble)
        elif self._pending is None:
            about.append(_("Asking the gateway…"))
        elif not self._pending:
            about.append(_(NONE_DUE))
        self.lay(self._fit("\n".join(about)), [self._line(each) for each in self._pending or ()], self._lack)

    def _line(self, line: PendingLine) -> Text:
        text = self._fit(clean_line(line.text, 400))
        if line.withheld:
            return Text.assemble(("[ ] ", "bold"), (text, "dim strike"), (_("  kept back"), "dim"))
        return Text.assemble(("[x] ", "bold"), text)

    @property
    def _lack(self) -> str:
        """What this gateway cannot, said where it matters."""
        state = self._state
        if not self._pending or Ability.WITHHOLD in state.abilities:
            return ""
        retract = (
            "" if Ability.RETRACTIONS in state.abilities else _(" Tapbacks taken back later are not told.")
        )
        return lack_of(Ability.WITHHOLD) + retract

    def chosen(self, place: int) -> None:
        """Keep the line back, or tell it after all."""
        if self._pending and place < len(self._pending):
            line = self._pending[place]
            self.run_worker(self._keep_back(line), group="withholding")

    async def _keep_back(self, line: PendingLine) -> None:
        try:
            await self._withhold(line, not line.withheld)
        except TapbackError as error:
            self._trouble = clean_line(error.sentence(), 300)
            self.lay_out()
            return
        self.refetch()

    def action_switch(self) -> None:
        """Space does what Enter does."""
        if (place := self.place) is not None:
            self.chosen(place)

    def action_react(self, digit: int) -> None:
        """React to the message at once."""
        self._react(digit)


def _marks(state: ClientState) -> object:
    return (
        state.pending_changes,
        state.connection.phase,
        state.running,
        tuple((m.key, m.row_id, m.reactions) for m in state.messages if m.reactions or m.row_id is None),
        len(state.messages),
    )


class PendingPart(TappingScreen):
    """Opens the panel on the selected message and keeps it up to date."""

    _panel: PendingPanel | None = None

    def action_who(self) -> None:
        """Show the panel for the selected message, else for the agent's last one."""
        message = self.message(self.query_one(Transcript).selected or "")
        if message is None or not message.reactable:
            try:
                message = self.reactor.answer()
            except TapbackError as error:
                self.refuse(error)
                return
        key = message.key
        self._panel = PendingPanel(
            message,
            self.chat.state,
            read=self.chat.reactions.pending,
            withhold=self._keep_back,
            lines_of=self._lines_of,
            react=lambda digit: self._react_by_digit(key, digit),
            fit=self.preferences.fitter.fit_text,
        )
        app_of(self).push_screen(self._panel, self._panel_closed)

    def _panel_closed(self, _: None) -> None:
        self._panel = None

    def show_state(self, state: ClientState) -> None:
        """The panel as well."""
        super().show_state(state)
        if self._panel is not None and self._panel.is_mounted:
            self._panel.follow(self.message(self._panel.key), state)

    async def _keep_back(self, line: PendingLine, withheld: bool) -> None:
        if line.key is None:
            raise RowNotFound(_("That message is not loaded here."), hint=_("Scroll up to it first."))
        await self.chat.reactions.withhold(line.key, withheld, part=line.part)

    def _lines_of(self, message: Message, pending: Sequence[PendingLine] | None) -> tuple[str, ...]:
        return who(message, pending, now=self.clock(), zone=self.preferences.zone)

    def _react_by_digit(self, key: str, digit: int) -> None:
        quick, message = self.query_one(Transcript).quick, self.message(key)
        if message is not None and digit <= len(quick):
            self.react(key, toggled(message.reactions.by(Author.USER), quick[digit - 1]))
