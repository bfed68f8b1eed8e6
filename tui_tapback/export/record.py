"""What an export is made of, and the words in which it tells of tapbacks and times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author, Reaction
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.sentence import AGENT, YOU, sentence
from tui_tapback.words import _

from .bare import bare, bare_line

QUOTE = 60
"""Characters of a message that a sentence about its tapback quotes."""

NAMES = {Author.USER: YOU, Author.AGENT: AGENT}


@dataclass(frozen=True, slots=True)
class Record:
    """One conversation to write down. ``zone`` is the time zone of its times (None: the machine's)."""

    messages: tuple[Message, ...]
    title: str = ""
    session_id: str = ""
    zone: tzinfo | None = None

    @property
    def heading(self) -> str:
        """The title on one clean line."""
        return clean_line(self.title, 120) or _("Untitled")

    @property
    def said(self) -> tuple[Message, ...]:
        """The bubbles: what either side said, without tool rows and notices."""
        return tuple(message for message in self.messages if message.reactable)

    def moment(self, message: Message) -> datetime:
        """When the message was said."""
        return datetime.fromtimestamp(message.at, self.zone).astimezone(self.zone)

    def day(self, message: Message) -> str:
        """``2026-11-30``."""
        return self.moment(message).strftime("%Y-%m-%d")

    def clock(self, message: Message) -> str:
        """``20:15``."""
        return self.moment(message).strftime("%H:%M")


def who(message: Message) -> str:
    """``You`` or ``Agent``."""
    return _(NAMES[Author.USER if message.role is Role.USER else Author.AGENT])


def emoji_of(reaction: Reaction) -> str:
    """The emoji, or what a foreign gateway gave for one, harmless and short."""
    return clean_line(reaction.emoji, 20)


def reaction_sentence(message: Message, reaction: Reaction) -> str:
    """``Agent loved “see you at 8”``; a tapback on a part quotes that part."""
    on_part = reaction.part is not None and reaction.quote
    quote = clean_line(bare(reaction.quote), QUOTE) if on_part else bare_line(message, QUOTE)
    return sentence(NAMES[reaction.author], emoji_of(reaction), quote)


def told(message: Message) -> tuple[str, ...]:
    """One sentence for each tapback on ``message``, oldest first."""
    return tuple(reaction_sentence(message, reaction) for reaction in message.reactions)


def part_of(reaction: Reaction) -> str:
    """The beginning of the part that a tapback is on, empty for the whole message."""
    return clean_line(reaction.quote, QUOTE) if reaction.part is not None else ""


def state_of(message: Message) -> str:
    """What has to be said of a message that is not simply there; empty for one that is."""
    match message.status:
        case Status.INTERRUPTED:
            return _("interrupted")
        case Status.FAILED:
            if not message.error:
                return _("failed")
            return _("failed: {reason}").format(reason=clean_line(message.error, 200))
        case Status.WAITING | Status.SENDING:
            return _("not delivered")
        case Status.STREAMING:
            return _("being written")
        case Status.STORED:
            return ""
