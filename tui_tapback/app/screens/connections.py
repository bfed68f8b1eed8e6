"""The list of gateways: how each link stands and why, going there, logging in, and changing the list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.table import action
from tui_tapback.app.actions import bindings, closing
from tui_tapback.app.connections import HERE, Connections, Gateway
from tui_tapback.app.keyed import keymap_of
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _, mark, plural

from .confirm import ConfirmScreen
from .foot import foot_of

EVERY = 0.5
"""Seconds between two looks at the links."""

_PHASES = {
    Phase.CONNECTING: mark("connecting…"),
    Phase.ONLINE: mark("online"),
    Phase.RECONNECTING: mark("reconnecting…"),
    Phase.OFFLINE: mark("offline"),
    Phase.REFUSED: mark("refused"),
    Phase.CLOSED: mark("closed"),
}
_ACTS = (
    ("list_choose", mark("go there")),
    ("connection_log_in", mark("log in")),
    ("connection_log_out", mark("log out")),
    ("connection_try", mark("try now")),
    ("connection_add", mark("add")),
    ("connection_edit", mark("edit")),
    ("connection_remove", mark("remove")),
    ("list_close", mark("closes")),
)


def standing(state: ClientState | None) -> str:
    """How a link stands, in a few words; None: not opened in this run."""
    if state is None:
        return _("not connected")
    words = _(_PHASES[state.connection.phase])
    busy = _(", the agent works") if state.running else ""
    asked = _(", asks something") if state.questions else ""
    waiting = _(", {count} waiting").format(count=state.waiting) if state.waiting else ""
    return words + busy + asked + waiting


def explained(gateway: Gateway, state: ClientState | None, keymap: Keymap) -> str:
    """What is behind that, and what one can do, in sentences."""
    log_in, again, edit = map(keymap.way, ("connection_log_in", "connection_try", "connection_edit"))
    if state is None:
        return _("Not opened yet. {key} goes there.").format(key=keymap.way("list_choose"))
    detail = clean_line(state.connection.detail, 400)
    waiting = (
        plural(
            "{count} thing you sent waits and goes out by itself.",
            "{count} things you sent wait and go out by themselves.",
            state.waiting,
        ).format(count=state.waiting)
        if state.waiting
        else ""
    )
    match state.connection.phase:
        case Phase.ONLINE:
            told = _("The link is up.")
        case Phase.REFUSED if state.connection.wants_login:
            told = _("{key} does that here, {again} tries again.").format(key=log_in, again=again)
            told = f"{detail} {told}"
        case Phase.REFUSED:
            told = f"{detail} {_('Nothing is tried by itself; {key} tries again.').format(key=again)}"
            changes = _("{key} changes the connection.").format(key=edit)
            told += f" {changes}" if gateway.named else ""
        case Phase.OFFLINE | Phase.RECONNECTING:
            told = f"{detail} {_('It is tried again by itself; {key} tries now.').format(key=again)}"
        case Phase.CONNECTING | Phase.CLOSED:
            told = detail
    return f"{told} {waiting}".strip()


class ConnectionsScreen(ModalScreen[str | None]):
    """Dismisses with the name that was chosen. ``states`` gives the opened ones by name, at any time;
    ``try_now`` has an opened one connect at once."""

    DEFAULT_CSS = """
    ConnectionsScreen { align: center middle; background: $background 60%; }
    ConnectionsScreen > Vertical {
        width: 90%; max-width: 84; height: auto; max-height: 95%;
        background: $surface; border: round $border; border-title-color: $accent; padding: 0 1;
    }
    ConnectionsScreen OptionList, ConnectionsScreen OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: auto; min-height: 2; max-height: 14; scrollbar-size-vertical: 1;
    }
    ConnectionsScreen #told { height: auto; max-height: 5; margin-top: 1; color: $text; }
    ConnectionsScreen #keys { height: auto; color: $foreground 60%; }
    ConnectionsScreen:nocolor #told { text-style: bold; }
    ConnectionsScreen.-low #told { margin-top: 0; max-height: 2; }
    ConnectionsScreen.-low OptionList { max-height: 4; }
    """
    place_in = Context.CONNECTIONS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+c", "leave", show=False),
        closing("connections"),
        Binding("j", "cursor(1)", show=False),
        Binding("k", "cursor(-1)", show=False),
        *bindings(Group.CONNECTIONS),
        Binding(",".join(action("reconnect").keys), "try_now", show=False),
    ]

    def __init__(
        self,
        connections: Connections,
        current: str,
        states: Callable[[], Mapping[str, ClientState]],
        try_now: Callable[[str], object],
        *,
        log_in: bool = False,
    ) -> None:
        super().__init__()
        self._connections = connections
        self._gateways = connections.known
        self._current = current
        self._states = states
        self._try_now = try_now
        self._at_once = log_in
        self._news = self._news_of = ""

    def compose(self) -> ComposeResult:
        """The list, what is to be said of the one under the cursor, and the keys."""
        with Vertical() as frame:
            frame.border_title = _("Connections")
            yield OptionList(markup=False)
            yield Static(id="told", markup=False)
            yield Static(foot_of(self, _ACTS), id="keys", markup=False)

    def on_mount(self) -> None:
        """The one on screen has the cursor; links change while one looks."""
        self._fill(self._current)
        self.set_interval(EVERY, self._look)
        if self._at_once:
            self.call_after_refresh(self.action_log_in)

    def on_resize(self) -> None:
        """On a low screen the sentences are short."""
        self.set_class(self.size.height < 20, "-low")
        self.call_after_refresh(self._tell_keys)

    def _tell_keys(self) -> None:
        keys = self.query_one("#keys", Static)
        keys.update(foot_of(self, _ACTS, keys.size.width))

    def _fill(self, name: str) -> None:
        self._gateways = self._connections.known
        listing = self.query_one(OptionList)
        listing.clear_options()
        listing.add_options(Option(self._line(gateway)) for gateway in self._gateways)
        names = [gateway.name for gateway in self._gateways]
        listing.highlighted = names.index(name) if name in names else 0
        self._look()

    @property
    def _chosen(self) -> Gateway:
        return self._gateways[self.query_one(OptionList).highlighted or 0]

    def _look(self) -> None:
        listing = self.query_one(OptionList)
        for place, gateway in enumerate(self._gateways):
            listing.replace_option_prompt_at_index(place, self._line(gateway))
        state = self._states().get(self._chosen.name)
        told = self._news or explained(self._chosen, state, keymap_of(self))
        self.query_one("#told", Static).update(Text(told))

    def _line(self, gateway: Gateway) -> Text:
        here = "● " if gateway.name == self._current else "  "
        line = Text(here, no_wrap=True, overflow="ellipsis")
        line.append(clean_line(gateway.shown, 60), style="bold")
        line.append(f"  {standing(self._states().get(gateway.name))}")
        return (
            line.append(f"\n  {clean_line(gateway.address, 120)}", style="dim") if gateway.address else line
        )

    def _tell(self, news: str) -> None:
        self._news, self._news_of = news, self._chosen.name
        self._look()

    def action_cursor(self, step: int) -> None:
        """Move with j and k as well."""
        listing = self.query_one(OptionList)
        if step > 0:
            listing.action_cursor_down()
        else:
            listing.action_cursor_up()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another one: what was said of the last one goes."""
        event.stop()
        if self._chosen.name != self._news_of:
            self._tell("")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click."""
        event.stop()
        self.dismiss(self._gateways[event.option_index].name)

    def action_choose(self) -> None:
        """Go to the one under the cursor."""
        self.dismiss(self._chosen.name)

    def action_leave(self) -> None:
        """Back to the chat."""
        self.dismiss(None)

    def action_try_now(self) -> None:
        """Do not wait for the next attempt."""
        if self._chosen.name in self._states():
            self._try_now(self._chosen.name)
            self._tell("")
        else:
            self.dismiss(self._chosen.name)

    @work(exclusive=True, group="asking")
    async def action_log_in(self) -> None:
        """Ask for name and password, or go through a browser; then go there."""
        from .login import LoginScreen

        name = self._chosen.name
        try:
            sign_in = self._connections.sign_in(name)
        except TapbackError as error:
            self._tell(error.sentence())
            return
        if await app_of(self).push_screen_wait(LoginScreen(sign_in, self._connections.browser)):
            if name in self._states():
                self._try_now(name)
            self.dismiss(name)

    @work(exclusive=True, group="asking")
    async def action_log_out(self) -> None:
        """Forget the login."""
        try:
            sign_in = self._connections.sign_in(self._chosen.name)
            done = await sign_in.log_out()
        except TapbackError as error:
            self._tell(error.sentence())
            return
        told = _("Logged out at {place}.") if done else _("Nobody was logged in at {place}.")
        self._tell(told.format(place=clean_line(sign_in.place, 80)))

    @work(exclusive=True, group="asking")
    async def action_add(self) -> None:
        """A new connection for the settings."""
        await self._ask_for(None)

    @work(exclusive=True, group="asking")
    async def action_edit(self) -> None:
        """Change the one under the cursor."""
        if self._chosen.named:
            await self._ask_for(self._chosen.name)
        elif self._chosen.name == HERE:
            self._tell(_("The gateway of this machine needs no settings."))
        else:
            told = _("This address is in no settings yet; {key} adds a connection with a name.")
            self._tell(told.format(key=keymap_of(self).way("connection_add")))

    def _use(self, name: str) -> None:
        """Its chat is open: what was saved counts from the next attempt on, now where there is no link."""
        self._fill(name)
        if self._states()[name].connection.phase is Phase.ONLINE:
            self._tell(_("Saved. The link that stands stays; what is new counts from the next one on."))
        else:
            self._try_now(name)
            self._tell("")

    async def _ask_for(self, name: str | None) -> None:
        from .connection_form import ConnectionForm

        entry = self._connections.entry(name) if name is not None else None
        saved = await app_of(self).push_screen_wait(ConnectionForm(self._connections.save, name, entry))
        if saved is not None and saved in self._states():
            self._use(saved)
            return
        if saved is not None:
            self._fill(saved)
            told = _("Saved. {key} goes there.")
            self._tell(told.format(key=keymap_of(self).way("list_choose")))

    @work(exclusive=True, group="asking")
    async def action_remove(self) -> None:
        """Take the one under the cursor out of the settings."""
        name = self._chosen.name
        if not self._chosen.named:
            self._tell(_("Only connections of the settings can be removed."))
            return
        question = _("Remove {name} from the settings, and forget its login?").format(
            name=clean_line(name, 60)
        )
        if not await app_of(self).push_screen_wait(ConfirmScreen(_("Connections"), question, _("remove"))):
            return
        try:
            self._connections.remove(name)
        except TapbackError as error:
            self._tell(error.sentence())
            return
        self._fill(self._current)
        self._tell(_("Removed."))
