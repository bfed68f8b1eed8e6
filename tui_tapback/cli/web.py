"""``tui-tapback web``: the same screen in a browser, one program for each tab, behind a token."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import socket
import sys
from collections.abc import Mapping
from typing import Final

import aiohttp_jinja2
from aiohttp import web
from textual_serve.server import Server

from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.variables import WEB_TOKEN_VARIABLE as TOKEN_VARIABLE
from tui_tapback.words import _

from .output import say
from .web_gate import Gate, token_for

_FAR_FONT: Final = re.compile(r"<link[^>]*googleapis[^>]*>")
"""The page asks nobody but us for anything."""
_FONT: Final = (
    '<style>@font-face{font-family:"Roboto Mono";src:'
    'url("/static/fonts/RobotoMono-VariableFont_wght.ttf")}</style>'
)
_FOCUS: Final = """<script>
addEventListener("DOMContentLoaded", () => {
  const waiting = new MutationObserver(() => {
    const keys = document.querySelector(".xterm-helper-textarea");
    if (keys && document.body.classList.contains("-first-byte")) {
      waiting.disconnect();
      keys.focus();
    }
  });
  waiting.observe(document.body, { attributes: true, childList: true, subtree: true });
});
</script>"""
"""Who opens the page can type at once: the terminal takes the keys with its first screen, not by a click."""


class ChatServer(Server):
    """Textual's server with a gate in front and a page that loads nothing from elsewhere."""

    _gate: Gate
    _address: str

    @classmethod
    def behind(cls, gate: Gate, command: str, address: str) -> ChatServer:
        """A server that runs ``command`` for each tab and tells ``address`` at its start."""
        server = cls(command, title="tui_tapback")
        server._gate, server._address = gate, address
        return server

    async def make_app(self) -> web.Application:
        """The application to run."""
        app = await self._make_app()
        app.middlewares.append(self._gate.middleware())
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Tell where the chat is."""
        del app
        say(
            _("The chat is at {address}\nKeep this address to yourself. Ctrl+C ends the service.").format(
                address=self._address
            )
        )

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page, with addresses relative to where it was asked for."""
        secure = request.scheme == "https" or request.headers.get("X-Forwarded-Proto") == "https"
        context = {
            "font_size": 16,
            "app_websocket_url": f"{'wss' if secure else 'ws'}://{request.host}/ws",
            "config": {"static": {"url": "/static/"}},
            "application": {"name": self.title},
        }
        page = aiohttp_jinja2.render_string("app_index.html", request, context)
        title = f"<title>{self.title}</title>"
        return web.Response(
            text=_FAR_FONT.sub(title + _FONT + _FOCUS, page, count=1), content_type="text/html"
        )


def chat_command(options: argparse.Namespace) -> str:
    """The shell command that runs a chat for one tab."""
    words = [sys.executable, "-m", "tui_tapback.cli.main"]
    for name in ("connect", "session", "theme"):
        if value := getattr(options, name, None):
            words += [f"--{name}", value]
    if options.emoji_profile:
        words += ["--emoji", options.emoji_profile]
    return shlex.join(words)


def bind(host: str, port: int) -> socket.socket:
    """A listening address. Raises SettingsError where it cannot be had."""
    sock: socket.socket | None = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
    except (OSError, OverflowError) as error:
        if sock is not None:
            sock.close()
        raise SettingsError(
            _("The service cannot listen on {host}, port {port}: {reason}.").format(
                host=clean_line(host, 60), port=port, reason=getattr(error, "strerror", None) or error
            ),
            hint=_("Choose another --port."),
        ) from error
    return sock


def serve_web(options: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> int:
    """Serve until Ctrl+C. Raises SettingsError for an address that cannot be used or is not protected."""
    token = token_for(options.host, environ)
    os.environ.pop(TOKEN_VARIABLE, None)  # the chats, their gateway and its tools need not know it
    sock = bind(options.host, options.port)
    port = sock.getsockname()[1]
    host = f"[{options.host}]" if ":" in options.host else options.host
    # Cookies know no ports: each service has a name of its own.
    gate = Gate(token, name=str(port))
    server = ChatServer.behind(gate, chat_command(options), f"http://{host}:{port}/?token={token}")
    web.run_app(server.make_app(), sock=sock, print=None)
    return 0
