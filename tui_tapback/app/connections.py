"""What the app asks of whoever knows the gateways of this person: their names, and a chat with each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from tui_tapback.domain.errors import NotSupported
from tui_tapback.domain.values import value
from tui_tapback.words import _

from .belongings import Belongings
from .ports import ChatSession

if TYPE_CHECKING:  # what logs in is loaded when somebody does
    from tui_tapback.client.signing import SignIn
    from tui_tapback.config.connections import ConnectionSettings

HERE = ""
"""The name of this user's own gateway."""


@value
class Gateway:
    """A gateway by its ``name`` (``HERE``: our own) and ``address``, which holds no secret; ``named``: it
    stands in the settings and can be changed."""

    name: str
    address: str
    named: bool = False

    @property
    def shown(self) -> str:
        """For people; an address that was given may hold a token behind its question mark."""
        return self.name.partition("?")[0] or _("this machine")


class Connections(Protocol):
    """Knows the gateways; the app opens each at most once."""

    @property
    def current(self) -> str:
        """The name of the one with which the program began."""
        ...

    @property
    def known(self) -> tuple[Gateway, ...]:
        """All of them, our own first."""
        ...

    def open(self, name: str) -> tuple[ChatSession, Belongings]:
        """A chat with that gateway that has not begun. Raises TapbackError (a token that is missing …)."""
        ...

    @property
    def browser(self) -> Callable[[str], bool] | None:
        """Opens an address where the person sees it; None where there is no browser to be seen."""
        ...

    def sign_in(self, name: str) -> SignIn:
        """Logging in and out there. Raises TapbackError where there is no login."""
        ...

    def entry(self, name: str) -> ConnectionSettings | None:
        """What the settings say of a named one."""
        ...

    def save(self, name: str, entry: ConnectionSettings, *, instead_of: str | None = None) -> None:
        """Keep a named one in the settings, in the place of another. Raises SettingsError."""
        ...

    def remove(self, name: str) -> None:
        """Take a named one out of the settings. Raises SettingsError."""
        ...


class OnlyOne:
    """The connections of an app that was given one chat."""

    current = HERE
    known: tuple[Gateway, ...] = (Gateway(HERE, ""),)
    browser = None

    def open(self, name: str) -> tuple[ChatSession, Belongings]:
        """There is no other one."""
        raise KeyError(name)

    def sign_in(self, name: str) -> SignIn:
        """There is none."""
        raise NotSupported(_("This gateway needs no login."))

    def entry(self, name: str) -> ConnectionSettings | None:
        """There is none."""

    def save(self, name: str, entry: ConnectionSettings, *, instead_of: str | None = None) -> None:
        """There is no place for it."""
        raise NotSupported(_("Connections cannot be changed here."))

    def remove(self, name: str) -> None:
        """There is none."""
        raise NotSupported(_("Connections cannot be changed here."))
