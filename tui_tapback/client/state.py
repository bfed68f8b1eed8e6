"""What a screen needs to know of the conversation and the link, as values."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Literal

from tui_tapback.domain.messages import Message
from tui_tapback.domain.values import record, value
from tui_tapback.domain.work import Attachment, Task, Todo

from .abilities import Ability
from .gateway_settings import UNKNOWN_SETTINGS, GatewaySettings
from .open_questions import Question


class Phase(StrEnum):
    """How the link to the gateway stands."""

    CONNECTING = "connecting"  # the first attempt
    ONLINE = "online"
    RECONNECTING = "reconnecting"  # the link was lost, the next attempt is near
    OFFLINE = "offline"  # several attempts failed; still trying, rarely
    REFUSED = "refused"  # the gateway will not have us; no attempt without a new order
    CLOSED = "closed"


@value
class ConnectionState:
    """The link. ``detail`` is a sentence, ``retry_at`` Unix seconds of the next attempt (None: none is due),
    ``attempt`` how many attempts have failed in a row, ``gateway`` "embedded", "hermes", "tapback" or ""
    while it is not known yet. ``wants_login``: it was refused because nobody is logged in there."""

    phase: Phase
    detail: str = ""
    attempt: int = 0
    retry_at: float | None = None
    gateway: str = ""
    wants_login: bool = False


@value
class Elsewhere:
    """A chat that is not on screen and in which ``questions`` are open, or turns have been ``answered``."""

    session_id: str
    title: str = ""
    questions: int = 0
    answered: int = 0


@value
class ClientState:
    """Everything on one screen.

    ``messages`` are the confirmed rows with the person's intents painted over them; a message that did not
    change is the same object as before. ``waiting`` counts messages and reactions that are not delivered yet,
    ``overdue`` those of them that are older than a moment, and so worth a word also while online.
    ``loading`` is True while the open session has not been read. ``agent_reacts`` is None while unknown.
    ``max_message_chars`` 0 means that the gateway named no limit. ``abilities`` are what this gateway can,
    ``questions`` what it asks, oldest first. ``has_older`` and ``has_newer`` say whether the chat goes on
    beyond ``messages``, ``total`` how many messages it has (None: they are all here). ``reactions_offered``:
    tapbacks are off at the gateway and can be switched on. ``context_used`` of ``context_max`` tokens
    (0: unknown). ``shared``: the gateway's settings, which any client may change.
    ``todos`` is the agent's list, ``tasks`` what goes on behind the chat, those that run first;
    ``work_wanted`` grows when something may have begun there. ``attachments`` go with the next message.
    ``elsewhere`` says in which other chats something waits.
    ``affections`` grows when the user was warm to the agent, ``pending_changes`` when what the model will be
    told may have changed otherwise than by a reaction.
    ``branch_of``: the title of the chat that this one is a branch of ("": it has none; None: of none).
    """

    connection: ConnectionState
    session_id: str | None = None
    title: str = ""
    model: str = ""
    running: bool = False
    messages: tuple[Message, ...] = ()
    waiting: int = 0
    overdue: int = 0
    loading: bool = False
    agent_reacts: bool | None = None
    max_message_chars: int = 0
    abilities: frozenset[Ability] = frozenset()
    questions: tuple[Question, ...] = ()
    has_older: bool = False
    has_newer: bool = False
    total: int | None = None
    reactions_offered: bool = False
    shared: GatewaySettings = UNKNOWN_SETTINGS
    context_used: int = 0
    context_max: int = 0
    todos: tuple[Todo, ...] = ()
    tasks: tuple[Task, ...] = ()
    work_wanted: int = 0
    attachments: tuple[Attachment, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    affections: int = 0
    pending_changes: int = 0
    branch_of: str | None = None


@value
class SessionSummary:
    """One line of the session list. ``last_active`` is Unix seconds; ``branch_of`` as in ``ClientState``.

    ``asks``: the agent waits there for the person. ``last_row`` is its newest message, where that is told.
    """

    id: str
    title: str
    preview: str = ""
    last_active: float = 0.0
    message_count: int = 0
    archived: bool = False
    reactions: int = 0
    branch_of: str | None = None
    asks: bool = False
    last_row: int | None = None


@value
class Notice:
    """Something the person should know once; ``key`` names the message it is about, if any."""

    text: str
    level: Literal["info", "warning", "error"] = "info"
    key: str | None = None


@record
class Counters:
    """What was seen and set aside, for diagnosis. Numbers only ever grow."""

    unknown_events: dict[str, int] = field(default_factory=dict[str, int])
    malformed_frames: int = 0
    bad_items: int = 0
    stray_answers: int = 0
    declined_questions: int = 0
    duplicate_events: int = 0
    gaps: int = 0
    connects: int = 0
