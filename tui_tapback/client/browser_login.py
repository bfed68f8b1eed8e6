"""A login through a browser: where it begins, the local port at which it ends, what is checked there."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import hmac
import secrets
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

from tui_tapback.domain.errors import GatewayRefused, GatewayUnreachable, InvalidInput
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _, mark

from .account import Account, CredentialsRefused, Tokens, Way
from .own_thread import own_thread

PATIENCE = 600.0
"""Seconds for the whole of it; the gateway forgets who began after as long."""
_PATH = "/callback"
_HEAD = 16_384
_READ = 10.0
_HEADERS = (
    "Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n"
)
_DONE = mark("You are logged in. You can close this window and go back to the terminal.")
_DENIED = mark("The login was not made. The terminal tells more; you can close this window.")
_FOREIGN = mark("This is not the answer to the login that was begun.")


class BrowserLogin:
    """One attempt, as ``async with``: ``address`` is for the browser, ``tokens`` waits for its way back.

    The browser comes back to a port of loopback. Where it runs on another machine it finds nobody there: then
    the person pastes the address at which it has stopped (``paste``). The code is worth nothing without the
    verifier, which only this object knows; an answer with another ``state`` is passed over.
    """

    def __init__(self, account: Account, way: Way) -> None:
        self._account = account
        self._way = way
        self._state = secrets.token_urlsafe(32)
        self._verifier = secrets.token_urlsafe(64)
        self._came: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.address = ""

    async def __aenter__(self) -> Self:
        try:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_HEAD)
        except OSError as error:
            raise GatewayUnreachable(
                _("No local port could be opened for the answer of the browser.")
            ) from error
        port = self._server.sockets[0].getsockname()[1]
        digest = hashlib.sha256(self._verifier.encode()).digest()
        self.address = self._account.authorize_url(
            self._way,
            challenge=base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            redirect_uri=f"http://127.0.0.1:{port}{_PATH}",
            state=self._state,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
            for writer in tuple(self._open):
                writer.close()
            await self._server.wait_closed()
        if self._came.done() and not self._came.cancelled():
            self._came.exception()
        self._came.cancel()

    async def tokens(self, within: float = PATIENCE) -> Tokens:
        """Wait for the answer and turn its code into tokens.

        Raises GatewayRefused (denied there, or the code was worth nothing), GatewayUnreachable (``within``
        seconds are over, or the gateway is gone), IncompatibleGateway.
        """
        try:
            async with asyncio.timeout(within):
                code = await asyncio.shield(self._came)
        except TimeoutError:
            raise GatewayUnreachable(
                _("Nobody came back from the browser in time."), hint=_("Begin the login again.")
            ) from None
        try:
            return await own_thread(self._account.redeem, code, self._verifier)
        except CredentialsRefused:
            raise GatewayRefused(
                _("The gateway at {place} did not accept the code of the browser.").format(
                    place=self._account.place
                ),
                hint=_("A code is good for two minutes and for one time; begin the login again."),
            ) from None

    def paste(self, text: str) -> None:
        """The whole address at which the browser has stopped. Raises InvalidInput with what is missing."""
        text = text.strip()
        answer = _read(text if "://" in text else f"?{text.removeprefix('?')}")[1]
        if not self._take(answer):
            raise InvalidInput(
                _("That is not the address at which this login ends."),
                hint=_("Copy the whole of it from the browser: it begins with http://127.0.0.1."),
            )

    # --- inside ----------------------------------------------------------------------------------------

    def _take(self, answer: dict[str, list[str]]) -> bool:
        """Whether it belongs to this login; an answer that denies it is one too."""
        state, code = answer.get("state", []), answer.get("code", [])
        if len(state) != 1 or not hmac.compare_digest(state[0].encode(), self._state.encode()):
            return False
        if self._came.done():
            return True
        if "error" in answer:
            why = clean_line((answer.get("error_description") or answer["error"])[0], 120)
            self._came.set_exception(GatewayRefused(_("The login was denied: {reason}.").format(reason=why)))
        elif len(code) == 1 and 0 < len(code[0]) <= 4096:
            self._came.set_result(code[0])
        else:
            return False
        return True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            async with asyncio.timeout(_READ):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self._answer(head))
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # a port scan, or a browser that opens links ahead of need
        finally:
            self._open.discard(writer)
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def _answer(self, head: bytes) -> bytes:
        first = head.split(b"\r\n", 1)[0].decode("ascii", "replace").split(" ")
        path, answer = _read(first[1]) if len(first) == 3 else ("", {})
        if first[0] != "GET" or path != _PATH:
            return _page("404 Not Found", _FOREIGN)
        if not self._take(answer):
            return _page("400 Bad Request", _FOREIGN)
        return _page("200 OK", _DENIED if "error" in answer else _DONE)


def _read(address: str) -> tuple[str, dict[str, list[str]]]:
    """Path and query; nothing of what is no address or asks for too much."""
    try:
        parts = urlsplit(address)
        return parts.path, parse_qs(parts.query, max_num_fields=16)
    except ValueError:
        return "", {}


def _page(status: str, words: str) -> bytes:
    body = f"<!doctype html><meta charset=utf-8><title>tui-tapback</title><p>{_(words)}</p>".encode()
    return f"HTTP/1.1 {status}\r\n{_HEADERS}Content-Length: {len(body)}\r\n\r\n".encode() + body
