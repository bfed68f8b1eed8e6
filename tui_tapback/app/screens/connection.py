"""The chat screen's link: trying it now, and the way to other gateways."""

from __future__ import annotations

from textual.message import Message

from .face import ChatFace


class ConnectionPart(ChatFace):
    """What is told of the link stands in ``app.notes``; here is what one can do about it."""

    class OthersWanted(Message):
        """The person wants to see the gateways, or with a ``name`` to go to one."""

        def __init__(self, name: str | None = None) -> None:
            super().__init__()
            self.name = name

    def action_connections(self) -> None:
        """The list of gateways."""
        self.post_message(self.OthersWanted())

    def action_reconnect(self) -> None:
        """Try the connection at once."""
        self.chat.reconnect_now()
