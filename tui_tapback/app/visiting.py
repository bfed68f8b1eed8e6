"""Several gateways in one program: one chat is on screen, the others live on behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import methodcaller

from textual import on
from textual.app import App

from tui_tapback.client.state import ClientState
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line

from .connections import Connections, Gateway
from .drawing import Drawable
from .keyboard import KeyedApp
from .ports import ChatSession
from .screens.chat import ChatScreen
from .screens.connection import ConnectionPart
from .screens.connections import ConnectionsScreen


def install(app: App[None], screen: ChatScreen, name: str) -> None:
    """An installed screen lives on while another one is on top. (Textual's method is typed in part only.)"""
    methodcaller("install_screen", screen, name)(app)


class VisitingApp(KeyedApp):
    """An app that goes from gateway to gateway; what it holds is set by the one that is built on it."""

    chat: ChatSession
    connections: Connections
    _chat_screen: ChatScreen
    _open_chats: dict[str, ChatScreen]
    _clock: Callable[[], float]
    _drawable: Drawable

    @property
    def open_chats(self) -> Mapping[str, ClientState]:
        """The states of the chats that were opened in this run, by the name of their gateway."""
        return {name: screen.chat.state for name, screen in self._open_chats.items()}

    @property
    def connection(self) -> str:
        """The name of the gateway whose chat is on screen."""
        return next(name for name, screen in self._open_chats.items() if screen is self._chat_screen)

    def connect_to(self, name: str) -> None:
        """Bring the chat with another gateway to the front; what was opened stays connected.

        Raises TapbackError where there is no way to it.
        """
        if name not in self._open_chats:
            chat, belongings = self.connections.open(name)
            screen = ChatScreen(chat, self.preferences, clock=self._clock, belongings=belongings)
            install(self, screen, f"chat-{len(self._open_chats)}")
            self._open_chats[name] = screen
            self.follow_title(screen)
            for each, opened in self._open_chats.items():
                opened.gateway_name = Gateway(each, "").shown
        self._chat_screen.leaving()
        self._chat_screen = self._open_chats[name]
        self.chat = self._chat_screen.chat
        methodcaller("switch_screen", self._chat_screen)(self)
        self.set_window_title(self._chat_screen.title)

    @on(ConnectionPart.OthersWanted)
    def _others_wanted(self, event: ConnectionPart.OthersWanted) -> None:
        event.stop()
        if event.name is not None:
            self._go_to(event.name)
            return
        others = ConnectionsScreen(
            self.connections,
            self.connection,
            lambda: self.open_chats,
            lambda name: self._open_chats[name].chat.reconnect_now(),
            log_in=event.log_in,
        )
        self.push_screen(others, self._go_to)

    def _go_to(self, name: str | None) -> None:
        if name is None or name == self.connection:
            return
        try:
            self.connect_to(name)
        except TapbackError as error:
            self._chat_screen.refuse(error)

    def follow_title(self, screen: ChatScreen) -> None:
        """The window is called as the chat that is on screen."""

        def changed(title: str | None) -> None:
            if screen is self._chat_screen:
                self.set_window_title(title)

        self.watch(screen, "title", changed)

    def set_window_title(self, title: str | None) -> None:
        """Set the title of the terminal's window; nothing in it can be a control sequence."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(f"\x1b]2;{self._drawable.line(clean_line(title or '', 120))}\x07")
