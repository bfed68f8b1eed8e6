"""``tui-tapback login`` and ``logout``: at a gateway that asks who is there."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from tui_tapback.client.browser import seen_browser
from tui_tapback.domain.errors import InvalidInput, SettingsError
from tui_tapback.words import _

from .gateways import named, sign_in_at
from .output import complain, say

if TYPE_CHECKING:
    from tui_tapback.client.account import Way
    from tui_tapback.client.browser_login import BrowserLogin
    from tui_tapback.client.signing import SignIn

    from .compose import Program


def run_login(program: Program, options: argparse.Namespace) -> int:
    """``login GATEWAY`` or ``logout GATEWAY``. Raises TapbackError."""
    target = options.gateway or getattr(options, "connect", None)
    if not target:
        raise InvalidInput(
            _("At which gateway?"), hint=_("Name a connection of the settings, or give an address.")
        )
    sign_in = sign_in_at(named(target, program.connections()), program.logins)
    if options.command == "logout":
        return asyncio.run(_log_out(sign_in))
    return asyncio.run(_log_in(program, options, sign_in))


async def _log_out(sign_in: SignIn) -> int:
    done = await sign_in.log_out()
    told = _("Logged out at {place}.") if done else _("Nobody was logged in at {place}.")
    say(told.format(place=sign_in.place))
    return 0


async def _log_in(program: Program, options: argparse.Namespace, sign_in: SignIn) -> int:
    way = _chosen(await sign_in.ways(), options.way)
    if way.supports_password and not options.browser:
        username = sign_in.username or options.user or _asked(_("Name: "))
        password = _unseen(_("Password (it is not shown): "))
        await sign_in.with_password(way, username, password)
    else:
        await _in_browser(sign_in, way, seen_browser(program.environ), options.timeout)
    say(_("Logged in at {place}. The login is kept until tui-tapback logout.").format(place=sign_in.place))
    return 0


def _chosen(ways: tuple[Way, ...], wanted: str | None) -> Way:
    names = ", ".join(way.name for way in ways)
    if wanted is not None:
        for way in ways:
            if way.name == wanted:
                return way
        raise InvalidInput(_("There is no such way to log in; there are: {names}.").format(names=names))
    if len(ways) == 1:
        return ways[0]
    if not sys.stdin.isatty():
        raise InvalidInput(
            _("There are several ways to log in: {names}.").format(names=names),
            hint=_("Choose one with --with NAME."),
        )
    for number, way in enumerate(ways, 1):
        say(f"{number}  {way.shown}")
    answer = _asked(_("Which way? "))
    if not answer.isdecimal() or not 1 <= int(answer) <= len(ways):
        raise InvalidInput(_("That is none of the numbers."))
    return ways[int(answer) - 1]


def _asked(question: str) -> str:
    if not sys.stdin.isatty():
        raise SettingsError(
            _("There is nobody to ask for the name."),
            hint=_("Give it with --user, or as username of the connection."),
        )
    say(question, end="", stream=sys.stderr)
    return sys.stdin.readline().strip()


def _unseen(question: str) -> str:
    """From the terminal without an echo, else the first line of standard input; never from the arguments."""
    text = getpass.getpass(question) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    if not text:
        raise InvalidInput(_("No password was given."))
    return text


async def _in_browser(
    sign_in: SignIn, way: Way, browser: Callable[[str], bool] | None, patience: float
) -> None:
    async with sign_in.browser(way) as login:
        opened = browser is not None and await asyncio.to_thread(browser, login.address)
        if opened:
            say(_("A browser was opened. Should it show nothing, open this address:"))
        else:
            say(_("Open this address in a browser, on this machine or on another one:"))
        say(f"\n{login.address}\n")
        if sys.stdin.isatty():
            say(_("On another machine the browser ends at an address that it cannot open."))
            say(_("Paste that address here and press Enter. Ctrl+C gives up."))
            _take_pasted(login)
        await sign_in.finish(login, patience)


def _take_pasted(login: BrowserLogin) -> None:
    """Hand on what is pasted while the browser is waited for."""
    loop = asyncio.get_running_loop()

    def take(line: str) -> None:
        try:
            login.paste(line)
        except InvalidInput as error:
            complain(error)

    def read() -> None:
        # A thread of its own: reading a terminal cannot be given up, and this one ends with the program.
        while line := os.read(sys.stdin.fileno(), 16_384).decode(errors="replace"):
            if loop.is_closed():
                return
            if line.strip():
                loop.call_soon_threadsafe(take, line)

    threading.Thread(target=read, name="pasted", daemon=True).start()
