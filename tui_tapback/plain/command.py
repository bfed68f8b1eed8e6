"""What a typed command is, and the topics under which help reads them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tui_tapback.words import mark


class Topic(StrEnum):
    """A heading of ``/help``; the value is what a person types after it."""

    TAPBACKS = "tapbacks"
    MESSAGES = "messages"
    TALKING = "talking"
    CHATS = "chats"
    PROGRAM = "program"


TITLES: Final = {
    Topic.TAPBACKS: mark("Tapbacks"),
    Topic.MESSAGES: mark("Reading messages"),
    Topic.TALKING: mark("Talking"),
    Topic.CHATS: mark("Chats"),
    Topic.PROGRAM: mark("The program"),
}


@dataclass(frozen=True, slots=True)
class Command:
    """``covers``: the ids of actions that this is the typed form of; ``more`` is read by ``/help NAME``."""

    name: str
    argument: str
    summary: str
    topic: Topic
    aliases: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    more: str = ""
