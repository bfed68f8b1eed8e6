"""What happens in a session, as a tagged union; the wire converts to and from it."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from tui_tapback.domain.values import value

from .messages import Message
from .reactions import ReactionSet
from .work import Subagent, Todo


@value
class TurnStarted:
    """The agent began to work; ``row_id`` is the row of the answer to come (told by our own gateway only)."""

    row_id: int | None = None


@value
class TextArrived:
    """A piece of the answer."""

    text: str


@value
class ReasoningArrived:
    """A piece of the model's reasoning."""

    text: str


@value
class ToolStarted:
    """A tool call began; ``goals`` are those of the helpers that it sends off."""

    call_id: str
    name: str
    context: str = ""
    goals: tuple[str, ...] = ()


@value
class ToolFinished:
    """A tool call ended; ``result`` is its text, cut, ``diff`` what it changed in files. ``reacted`` holds
    what a reacting tool reported (``(row_id, set)``), the second source for a lost ``ReactionsChanged``.
    ``started``: it left something running behind the chat."""

    call_id: str
    name: str
    result: str = ""
    reacted: tuple[int, ReactionSet] | None = None
    diff: str = ""
    started: bool = False


@value
class TodosChanged:
    """The agent's whole list of things to do; a lower ``revision`` than the last one is old news."""

    todos: tuple[Todo, ...]
    revision: int = 0


@value
class SubagentChanged:
    """News of a helper; ``index`` is its place in the call that sent it off. ``tool`` is one line about what
    it does now, empty where this is no news of that."""

    subagent: Subagent
    index: int = 0
    tool: str = ""


@value
class AsideFinished:
    """What was asked for beside the chat is there; ``question`` where it was a question."""

    task_id: str
    text: str
    question: str = ""


@value
class RowStored:
    """A row came to be or got its final text (only our own gateway tells this).

    ``client_ref`` echoes the reference its sender gave with ``prompt.submit``. ``tells_reactions`` is False
    where the row did not mention reactions at all, which is not the same as having none.
    """

    message: Message
    client_ref: str = ""
    tells_reactions: bool = True


@value
class TurnEnded:
    """The turn is over. ``row_ids`` are the rows it stored, in order."""

    status: Literal["complete", "interrupted", "error"]
    text: str | None = None
    error: str = ""
    row_ids: tuple[int, ...] = ()
    user_row_id: int | None = None
    final_row_id: int | None = None
    reasoning: str = ""


@value
class ReactionsChanged:
    """The full list of reactions of a row, as the gateway has it now. ``complaint`` says why the user's does
    not stand where the message went out to (empty: it does; None: not told)."""

    row_id: int
    reactions: ReactionSet
    complaint: str | None = None


@value
class RowsRemoved:
    """Rows were rewound by an undo or an edit."""

    row_ids: tuple[int, ...]


@value
class HistoryChanged:
    """Rows came or went otherwise than by a turn: fetch them anew from ``from_row_id`` on (None: all).

    ``reason``: undo, edit, branch or compress.
    """

    reason: str
    from_row_id: int | None = None


@value
class PendingChanged:
    """A line for the model is now kept back, or no longer: ask again what is pending."""


@value
class StatusTold:
    """What the gateway is at beside turns: ``kind`` "compacting" while it sums up, then "ready"."""

    kind: str
    text: str = ""


@value
class UsageReported:
    """Tokens: the present context, its limit (0: none), and all that the session has used."""

    context_used: int = 0
    context_max: int = 0
    total: int = 0


@value
class SessionInfo:
    """State of the session as a whole; None where the event did not say."""

    running: bool | None = None
    model: str | None = None
    title: str | None = None
    agent_reacts: bool | None = None


@value
class AffectionShown:
    """The user's words were warm towards the agent (``kind`` "vibe"): a reason for hearts, not a tapback."""

    kind: str = "vibe"


@value
class QuestionWithdrawn:
    """A question of the gateway is no longer open: answered by another client, timed out, interrupted."""

    id: str
    method: str = ""
    reason: str = ""


@value
class Notice:
    """Something the gateway wants the person to know.

    ``refusal``: it says why something could not be done, which may have been a turn that was to begin.
    """

    text: str
    level: Literal["info", "warning", "error"] = "info"
    refusal: bool = False


@value
class SettingChanged:
    """The gateway has another value for a setting that its clients share, such as who may react."""

    key: str
    value: str | int | bool


@value
class SessionsChanged:
    """The list of sessions moved."""


@value
class Unknown:
    """An event this version does not know; counted, never an error."""

    type: str = field(default="")


SessionEvent = (
    TurnStarted
    | TextArrived
    | ReasoningArrived
    | ToolStarted
    | ToolFinished
    | TodosChanged
    | SubagentChanged
    | AsideFinished
    | RowStored
    | TurnEnded
    | ReactionsChanged
    | RowsRemoved
    | HistoryChanged
    | PendingChanged
    | StatusTold
    | UsageReported
    | SessionInfo
    | AffectionShown
    | QuestionWithdrawn
    | Notice
    | SessionsChanged
    | SettingChanged
    | Unknown
)
