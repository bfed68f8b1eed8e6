"""The chat screen's link: trying it now, and the way to other gateways."""

from __future__ import annotations

from textual.message import Message

from .face import ChatFace


class ConnectionPart(ChatFace):
    """What is told of the link stands in ``app.notes``; here is what one can do about it."""

    class OthersWanted(Message):
        """The person wants to see the gateways, with a ``name`` to go to one, or to ``log_in`` here."""

        def __init__(self, name: str | None = None, *, log_in: bool = False) -> None:
            super().__init__()
            self.name = name
            self.log_in = log_in

    def action_connections(self) -> None:
        """The list of gateways."""
        self.post_message(self.OthersWanted())

    def action_log_in(self) -> None:
        """Log in at the gateway of this chat."""
        self.post_message(self.OthersWanted(log_in=True))

    def action_reconnect(self) -> None:
        """Try the connection at once."""
        self.chat.reconnect_now()
