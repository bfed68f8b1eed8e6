"""The headless client: link, mirror of what is confirmed, overlay of what is wished, one façade."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .embedded import EmbeddedGateway
    from .login import PasswordLogin
    from .outbox import Outbox
    from .reconnect import ReconnectPolicy
    from .session import ChatClient
    from .state import ClientState, ConnectionState, Notice, Phase, SessionSummary
    from .transport import unix_connector, url_connector

__all__ = [
    "ChatClient",
    "ClientState",
    "ConnectionState",
    "EmbeddedGateway",
    "Notice",
    "Outbox",
    "PasswordLogin",
    "Phase",
    "ReconnectPolicy",
    "SessionSummary",
    "unix_connector",
    "url_connector",
]

_ROOMS: Final = MappingProxyType(
    {
        "ChatClient": "session",
        "EmbeddedGateway": "embedded",
        "Outbox": "outbox",
        "PasswordLogin": "login",
        "ReconnectPolicy": "reconnect",
        "unix_connector": "transport",
        "url_connector": "transport",
    }
)


def __getattr__(name: str) -> object:
    """Import a name when it is first asked for: a module of the client should not cost all of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS.get(name, 'state')}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
