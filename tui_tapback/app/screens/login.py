"""Logging in at a gateway: its ways, name and password typed unseen, or a browser and the way back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from rich.text import Text
from textual import on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.keyed import keymap_of
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .foot import WHOLE, gives_up, lines_of

if TYPE_CHECKING:
    from tui_tapback.client.account import Way
    from tui_tapback.client.browser_login import BrowserLogin
    from tui_tapback.client.signing import SignIn


class SecretInput(Input):
    """Shows dots, and lets nothing out: neither by copying nor by cutting."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, password=True, compact=True, id="secret")

    def action_copy(self) -> None:
        """Never."""

    def action_cut(self) -> None:
        """Never."""

    def take(self) -> str:
        """What was typed; the field is empty then."""
        text = self.value
        self.value = ""
        return text


class LoginScreen(ModalScreen[bool]):
    """Dismisses with True once the login is kept. ``browser`` opens an address, None where there is none."""

    DEFAULT_CSS = """
    LoginScreen { align: center middle; background: $background 60%; }
    LoginScreen > Vertical {
        width: 90%; max-width: 84; height: auto; max-height: 100%; overflow-y: auto;
        background: $surface; border: round $border; border-title-color: $accent;
        border-subtitle-color: $foreground 60%; padding: 0 1;
    }
    LoginScreen Static { height: auto; }
    LoginScreen #told { color: $text-warning; }
    LoginScreen #address { margin: 1 0; color: $text-accent; }
    LoginScreen Input, LoginScreen Input:focus { background: $boost; }
    LoginScreen Label { color: $foreground 70%; }
    LoginScreen OptionList, LoginScreen OptionList:focus {
        border: none; background: transparent; background-tint: transparent 0%; padding: 0;
        height: auto; max-height: 8;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("ctrl+c", "leave", show=False, priority=True),
        *bindings(Group.LOGIN),
        # Before the field gets it: what a password manager types behind it belongs to the next field.
        Binding("enter,tab", "to_password", show=False, priority=True),
    ]

    def __init__(self, sign_in: SignIn, browser: Callable[[str], bool] | None) -> None:
        super().__init__()
        self._sign_in = sign_in
        self._browser = browser
        self._ways: tuple[Way, ...] = ()
        self._way: Way | None = None
        self._login: BrowserLogin | None = None

    def compose(self) -> ComposeResult:
        """What is asked comes once the gateway has said how one can log in."""
        with Vertical(id="frame") as frame:
            frame.border_title = _("Log in at {place}").format(place=clean_line(self._sign_in.place, 60))
            frame.border_subtitle = lines_of([gives_up(keymap_of(self))], WHOLE)[0]
            yield Vertical(id="form")
            yield Static(id="told", markup=False)

    def on_mount(self) -> None:
        """Ask the gateway."""
        self.query_one("#form", Vertical).styles.height = "auto"
        self.action_again()

    @work(exclusive=True, group="login")
    async def action_again(self) -> None:
        """Ask how one can log in, also after something went wrong."""
        self._way = None
        await self._form()
        self._tell(_("Asking how one can log in…"))
        try:
            self._ways = await self._sign_in.ways()
        except TapbackError as error:
            self._tell(f"{error.sentence()} {self._again(_('{key} asks again.'))}")
            return
        self._tell("")
        if len(self._ways) == 1:
            self._take(self._ways[0])
            return
        listing = OptionList(*(Option(Text(way.shown)) for way in self._ways), markup=False)
        await self._form(Static(_("How?"), markup=False), listing)
        listing.highlighted = 0
        listing.focus()

    @on(OptionList.OptionSelected)
    def _way_chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._take(self._ways[event.option_index])

    def _take(self, way: Way) -> None:
        self._way = way
        if way.supports_password:
            self._ask_password()
        else:
            self._go_through_browser(way)

    # --- name and password ---------------------------------------------------------------------------------

    @work(exclusive=True, group="login")
    async def _ask_password(self) -> None:
        known = self._sign_in.username
        name = Input(known, compact=True, id="name")
        secret = SecretInput(_("it is not shown"))
        await self._form(Label(_("Name"), markup=False), name, Label(_("Password"), markup=False), secret)
        (secret if known else name).focus()

    def action_to_password(self) -> None:
        """Enter and Tab in the field for the name; elsewhere they do what they always do."""
        if self.focused is None or self.focused.id != "name":
            raise SkipAction
        self.set_focus(self.query_one(SecretInput))

    @on(Input.Submitted, "#secret")
    def _password_typed(self, event: Input.Submitted) -> None:
        event.stop()
        # Once the other field has read all that was typed into it.
        self.query_one("#name", Input).call_later(self._submit)

    def _submit(self) -> None:
        name, secret = self.query_one("#name", Input).value.strip(), self.query_one(SecretInput)
        if not name:
            self._tell(_("A name is needed as well."))
            self.query_one("#name", Input).focus()
        elif self._way is not None and secret.value:
            self._log_in(self._way, name, secret.take())

    @work(exclusive=True, group="login")
    async def _log_in(self, way: Way, name: str, password: str) -> None:
        self._tell(_("Logging in…"))
        try:
            await self._sign_in.with_password(way, name, password)
        except TapbackError as error:
            self._tell(error.sentence())
            return
        self.dismiss(True)

    # --- a browser -----------------------------------------------------------------------------------------

    @work(exclusive=True, group="login")
    async def _go_through_browser(self, way: Way) -> None:
        try:
            async with self._sign_in.browser(way) as self._login:
                opened = self._browser is not None and await asyncio.to_thread(
                    self._browser, self._login.address
                )
                await self._show_address(self._login.address, opened=opened)
                await self._sign_in.finish(self._login)
        except TapbackError as error:
            await self._form()
            self._tell(f"{error.sentence()} {self._again(_('{key} begins again.'))}")
            return
        finally:
            self._login = None
        self.dismiss(True)

    async def _show_address(self, address: str, *, opened: bool) -> None:
        if opened:
            first = _("A browser was opened. Should it show nothing, open this address:")
        else:
            first = _("Open this address in a browser, on this machine or on another one:")
        back = _("On another machine the browser ends at an address that it cannot open: paste that here.")
        copies = _("{key} copies it.").format(key=keymap_of(self).way("login_copy"))
        pasted = Input(placeholder="http://127.0.0.1:…", compact=True, id="pasted")
        await self._form(
            Static(first, markup=False),
            Static(Text(address, Style(link=address), overflow="fold"), id="address", markup=False),
            Static(Text(f"{copies} {back}").on(click="screen.copy_address"), markup=False),
            pasted,
        )
        pasted.focus(scroll_visible=False)
        self.query_one("#frame").anchor()  # on a low screen it lies below, and each layout moves it on

    @on(Input.Submitted, "#pasted")
    def _pasted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._login is None or not event.value.strip():
            return
        try:
            self._login.paste(event.value)
        except TapbackError as error:
            self._tell(error.sentence())
        event.input.value = ""

    def action_copy_address(self) -> None:
        """Put the address into the clipboard of the terminal."""
        if self._login is not None:
            app_of(self).copy_to_clipboard(self._login.address)
            self._tell(_("The address was copied, where the terminal allows that."))

    # --- both ----------------------------------------------------------------------------------------------

    async def _form(self, *widgets: Static | Input | OptionList) -> None:
        form = self.query_one("#form", Vertical)
        await form.remove_children()
        await form.mount_all(widgets)

    @property
    def place_in(self) -> Context:
        """While one types a place of its own, on the list of the ways another."""
        return Context.WAYS if isinstance(self.focused, OptionList) else Context.LOGIN

    def _again(self, words: str) -> str:
        return words.format(key=keymap_of(self).way("login_again"))

    def _tell(self, words: str) -> None:
        self.query_one("#told", Static).update(Text(words))

    def action_leave(self) -> None:
        """Give up; what waits for a browser ends."""
        self.dismiss(False)  # which ends its workers, and with them the wait for a browser
