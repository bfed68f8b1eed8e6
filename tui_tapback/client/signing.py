"""Logging in and out at one gateway, for a screen or a command, and where the login goes."""

from __future__ import annotations

import asyncio
import contextlib

from tui_tapback.domain.errors import GatewayRefused, LinkDown, NotSupported
from tui_tapback.words import _

from .account import Account, Way
from .browser_login import PATIENCE, BrowserLogin
from .login import Keeper
from .own_thread import own_thread


class SignIn:
    """``username`` is the one of the settings, "" where the person is asked or a browser does it."""

    def __init__(self, account: Account, keeper: Keeper, *, username: str = "") -> None:
        self._account = account
        self._keeper = keeper
        self.username = username

    @property
    def place(self) -> str:
        """Where it is, for people."""
        return self._account.place

    async def known(self) -> bool:
        """Whether a login is kept."""
        return await asyncio.to_thread(self._keeper.load, self._account.base, self.username) is not None

    async def ways(self) -> tuple[Way, ...]:
        """How one can log in. Raises NotSupported where there is no login, and what ``Account`` raises."""
        ways = await own_thread(self._account.ways)
        if not ways:
            raise NotSupported(
                _("The gateway at {place} has no login.").format(place=self.place),
                hint=_("It takes a token: token_env or token_file of the connection, or TUI_TAPBACK_TOKEN."),
            )
        return ways

    async def with_password(self, way: Way, username: str, password: str) -> None:
        """Log in by name and password and keep the login. Raises what ``Account`` raises."""
        tokens = await own_thread(self._account.with_password, way, username, password)
        await asyncio.to_thread(self._keeper.save, self._account.base, self.username, tokens)

    def browser(self, way: Way) -> BrowserLogin:
        """A login through a browser; give it to ``finish``."""
        return BrowserLogin(self._account, way)

    async def finish(self, login: BrowserLogin, within: float = PATIENCE) -> None:
        """Wait for the browser and keep the login. Raises what ``BrowserLogin.tokens`` raises."""
        tokens = await login.tokens(within)
        await asyncio.to_thread(self._keeper.save, self._account.base, self.username, tokens)

    async def log_out(self) -> bool:
        """Forget the login here, and there where that can be done; False: none was kept."""
        tokens = await asyncio.to_thread(self._keeper.load, self._account.base, self.username)
        if tokens is None:
            return False
        await asyncio.to_thread(self._keeper.forget, self._account.base, self.username)
        # What is forgotten here opens nothing from here any more, whether or not the gateway can be told.
        with contextlib.suppress(LinkDown, GatewayRefused):
            await own_thread(self._account.log_out, tokens)
        return True
