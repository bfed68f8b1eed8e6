"""What the app asks of whoever knows the gateways of this person: their names, and a chat with each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .belongings import Belongings
from .ports import ChatSession

HERE = ""
"""The name of this user's own gateway."""


@dataclass(frozen=True, slots=True)
class Gateway:
    """A gateway by its ``name`` (``HERE``: our own) and ``address``, which holds no secret."""

    name: str
    address: str

    @property
    def shown(self) -> str:
        """For people; an address that was given may hold a token behind its question mark."""
        return self.name.partition("?")[0] or "this machine"


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


class OnlyOne:
    """The connections of an app that was given one chat."""

    current = HERE
    known: tuple[Gateway, ...] = (Gateway(HERE, ""),)

    def open(self, name: str) -> tuple[ChatSession, Belongings]:
        """There is no other one."""
        raise KeyError(name)
