"""What the person asked for and the gateway has not confirmed yet: reactions and messages, as records."""

from __future__ import annotations

from enum import Enum, auto
from typing import Literal

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.values import record, value
from tui_tapback.domain.work import Attachment

Slot = tuple[str, str | None]
"""The key of a message and the part of it: one wish at a time counts there."""


class Anything(Enum):
    """Stands for "no expectation"."""

    ANYTHING = auto()


ANYTHING: Literal[Anything.ANYTHING] = Anything.ANYTHING
Expected = str | Literal[Anything.ANYTHING] | None
"""The emoji that must still stand in the slot (None: nothing), or no condition."""


class Progress(Enum):
    """How far an intent has come."""

    WAITING = auto()  # not on the wire
    SENT = auto()  # on the wire, no answer
    ACCEPTED = auto()  # answered; the mirror has not caught up yet
    REFUSED = auto()  # answered with no; kept so that it can be tried again


@value
class Cut:
    """A message that is said anew: this row of the user and all behind it goes first.

    ``everything``: nothing would be left; ``deep``: more than one turn falls.
    """

    row_id: int
    everything: bool = False
    deep: bool = False


@record
class ReactionIntent:
    """The user wants ``emoji`` (None: nothing) in ``slot``. ``op_id`` makes a repetition harmless.

    ``row_id`` is the row where it was known, for a message that is out of sight when the wish leaves;
    ``quote`` is how the part begins. ``reached`` is the event number that carries it once accepted;
    ``uncertain`` says that an answer was lost.
    """

    op_id: str
    key: str
    part: str | None
    emoji: str | None
    at: float
    expected: Expected = ANYTHING
    row_id: int | None = None
    quote: str = ""
    progress: Progress = Progress.WAITING
    reached: int | None = None
    uncertain: bool = False
    attempts: int = 0

    @property
    def slot(self) -> Slot:
        """Where the reaction goes."""
        return self.key, self.part


@record
class PromptIntent:
    """The user said ``text``. ``ref`` makes a repetition harmless where the gateway knows references.

    ``cut`` takes rows back first. ``turns`` and ``newest_row`` are what the mirror had when it was sent;
    ``queued`` says that the gateway keeps it behind a turn of its own; ``row_id`` is the row it became.
    ``attachments`` go with it; ``handed`` are those of them, by their path there, that a gateway may hold
    already.
    """

    key: str
    ref: str
    text: str
    at: float
    cut: Cut | None = None
    attachments: tuple[Attachment, ...] = ()
    handed: tuple[str, ...] = ()
    progress: Progress = Progress.WAITING
    turns: int = 0
    newest_row: int = 0
    queued: bool = False
    row_id: int | None = None
    error: str = ""
    uncertain: bool = False
    attempts: int = 0

    @property
    def may_change(self) -> bool:
        """Whether it has certainly not left."""
        return self.progress in (Progress.WAITING, Progress.REFUSED) and not self.uncertain

    @property
    def may_have_begun(self) -> bool:
        """Whether the turn that began after it had left is probably the one that answers it."""
        if self.progress is Progress.WAITING:
            return self.uncertain
        return self.progress is not Progress.REFUSED and not self.queued

    def message(self) -> Message:
        """The bubble as it is shown until the row comes."""
        if self.progress is Progress.REFUSED:
            status = Status.FAILED
        elif self.progress is Progress.WAITING or self.queued:
            status = Status.WAITING
        elif self.row_id is not None:
            status = Status.STORED
        else:
            status = Status.SENDING
        return Message(
            key=self.key,
            role=Role.USER,
            text=self.text,
            at=self.at,
            row_id=self.row_id,
            status=status,
            error=self.error,
            attached=tuple(each.name for each in self.attachments),
        )


Intent = ReactionIntent | PromptIntent
