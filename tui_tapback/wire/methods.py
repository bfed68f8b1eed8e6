"""THE method table: every request this program sends or answers, with its parameters, result and meaning."""

from __future__ import annotations

from typing import Any

import msgspec

from .base import Method, Params, Result, SessionParams
from .conversation import (
    BranchParams,
    Compressed,
    CompressParams,
    PendingNotes,
    SessionUsage,
    Steered,
    SteerParams,
    SubmitParams,
    Submitted,
    Undone,
    UndoParams,
    WithholdParams,
)
from .library import LIBRARY_METHODS
from .questions import QUESTION_METHODS
from .rows import WirePart, WireReaction, WireRow

PROTOCOL = 1
"""Version of our own additions, announced in ``gateway.capabilities`` under ``tapback.protocol``."""


class NoParams(Params):
    """No parameters."""


class Ok(Result):
    """``{ok: true}``."""

    ok: bool = True


class Pong(Result):
    """``{pong: true}``."""

    pong: bool = True


class ClientCapabilitiesParams(Params):
    """What this client can answer."""

    server_requests: bool = False


class ClientCapabilities(Result):
    """Names of the questions the gateway may ask."""

    server_requests: list[str] = []


class Tapback(Result):
    """Our additions; absent on a Hermes gateway."""

    protocol: int = PROTOCOL
    version: str = ""
    max_message_chars: int = 0
    companion: bool = False


class GatewayCapabilities(Result):
    """``tapback`` is None on a Hermes gateway."""

    per_session_exclusive_submit: bool = False
    tapback: Tapback | None = None


class CreateParams(Params):
    """A new session. ``source`` "desktop" gives a Hermes agent its reacting tool."""

    source: str | None = None
    cols: int | None = None
    cwd: str | None = None
    title: str | None = None


class ResumeParams(Params):
    """``session_id``: the stored id. ``limit`` (ours) gives only the newest rows, whatever ``omit_messages``
    says; the rest comes with ``session.page``."""

    session_id: str
    source: str | None = None
    cols: int | None = None
    omit_messages: bool = False
    limit: int | None = None


class Inflight(Result):
    """A running turn as a late client finds it. ``row_id`` and ``reactions`` (ours) belong to the answer that
    is being written, which ``messages`` leaves out."""

    user: str | None = None
    display_kind: str | None = None
    assistant: str | None = None
    streaming: bool = False
    row_id: int | None = None
    reactions: list[WireReaction] = []


class Snapshot(Result):
    """A session as resume, create and activate answer it. ``seq`` (ours) is the last event number that the
    snapshot includes; ``has_older`` and ``total`` (ours) as in ``session.page``, ``parent_session_id`` and
    ``parent_title`` (ours) as in ``session.list``."""

    session_id: str
    stored_session_id: str | None = None
    session_key: str | None = None
    message_count: int = 0
    messages: list[WireRow] = []
    info: dict[str, Any] = {}
    running: bool = False
    status: str = "idle"
    inflight: Inflight | None = None
    seq: int | None = None
    open_requests: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    has_older: bool = False
    total: int | None = None
    todo_state: Any = None
    parent_session_id: str | None = None
    parent_title: str | None = None

    @property
    def stored_id(self) -> str:
        """The durable id."""
        return self.stored_session_id or self.session_key or self.session_id


class Branched(Snapshot):
    """The new session, and the stored id of the one it came from."""

    title: str = ""
    parent: str = ""


class MostRecent(Result):
    """The session to continue; ``session_id`` is None when there is none."""

    session_id: str | None = None
    title: str | None = None


class History(Result):
    """Rows in order."""

    messages: list[WireRow] = []
    count: int = 0


class EventsSinceParams(Params):
    """``last_seen``: the last event number the client has."""

    session_id: str
    last_seen: int


class EventsSince(Result):
    """``events`` are ``params`` objects of event frames; ``truncated``: the ring has lost some, refetch."""

    events: list[dict[str, Any]] = []
    latest_seq: int = 0
    truncated: bool = False
    count: int = 0
    epoch: str | None = None
    open_requests: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])


class TitleParams(Params):
    """Read the title, or set it when given."""

    session_id: str
    title: str | None = None


class Title(Result):
    """The title now."""

    title: str = ""


class Interrupted(Result):
    """``{status: "interrupted"}``, also when idle."""

    status: str = "interrupted"


class ReactParams(Params):
    """The toggling call of Hermes. Our client uses it towards Hermes only."""

    session_id: str
    row_id: int | None = None
    newest_role: str | None = None
    emoji: str | msgspec.UnsetType | None = msgspec.UNSET
    author: str | None = None


class ReactionSetParams(Params):
    """Our absolute call. ``emoji`` None removes. ``op_id`` makes a repetition harmless for 24 hours; one that
    asks for something else (row, part or emoji) under the same id is refused with error 4806.
    ``part`` says which part of the message is meant (its anchor alone is enough to remove); without it the
    whole message is.
    ``expected`` is the emoji last seen in the slot (None for empty). Where the slot holds neither it nor what
    is asked for, nothing changes and the answer is error 4803 with the present list; where it holds already
    what is asked for, that is no error, whatever was expected."""

    session_id: str
    row_id: int
    emoji: str | None
    op_id: str
    part: WirePart | str | None = None
    expected: str | msgspec.UnsetType | None = msgspec.UNSET


class Reacted(Result):
    """The full list after the call. ``seq`` (ours): number of the event that carries it, None when nothing
    changed."""

    row_id: int
    reactions: list[WireReaction] = []
    seq: int | None = None


class ConfigGetParams(Params):
    """``key``: "full" or a setting's name."""

    key: str


class ConfigSetParams(Params):
    """One setting; on Hermes ``session_id`` sets it for one session only (its model), and
    ``confirm_expensive_model`` says that the person agreed to what that costs."""

    key: str
    value: Any
    session_id: str | None = None
    confirm_expensive_model: bool = False


class ConfigValue(Result):
    """A setting and its value; ``config`` holds all settings where they were asked for with ``full``.

    ``warning`` (Hermes) is for the person; with ``confirm_required`` nothing was changed yet, and
    ``confirm_message`` says what the person has to agree to.
    """

    key: str = ""
    value: Any = None
    config: dict[str, Any] | None = None
    warning: str | None = None
    confirm_required: bool | None = None
    confirm_message: str | None = None


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("gateway.capabilities", NoParams, GatewayCapabilities, "What this gateway can do."),
        Method(
            "client.capabilities",
            ClientCapabilitiesParams,
            ClientCapabilities,
            "What this client can answer.",
        ),
        Method("gateway.ping", NoParams, Ok, "Heartbeat, answered even while a handler blocks."),
        Method("ping", NoParams, Pong, "A ping through the dispatcher."),
        Method("session.create", CreateParams, Snapshot, "Make a session and attach to it."),
        Method("session.resume", ResumeParams, Snapshot, "Open a stored session and attach to it."),
        Method("session.history", SessionParams, History, "All rows of a session."),
        Method("session.most_recent", NoParams, MostRecent, "The session to continue."),
        Method("session.title", TitleParams, Title, "Read or set the title."),
        Method(
            "session.close", SessionParams, Ok, "Detach this connection (on Hermes: end the live session)."
        ),
        Method("session.events.since", EventsSinceParams, EventsSince, "Replay events after a number."),
        Method("session.interrupt", SessionParams, Interrupted, "Stop the running turn."),
        Method("session.steer", SteerParams, Steered, "Add words to the running turn, after its next tool."),
        Method("session.redirect", SteerParams, Steered, "Cut the answer short; it goes on from new words."),
        Method("session.undo", UndoParams, Undone, "Take the last turn back."),
        Method("session.branch", BranchParams, Branched, "Copy the beginning of a session into a new one."),
        Method("session.compress", CompressParams, Compressed, "Sum the old part up for the model."),
        Method("session.usage", SessionParams, SessionUsage, "Tokens used, as the model's server counts."),
        Method("prompt.submit", SubmitParams, Submitted, "Send a message of the user and start a turn."),
        Method("message.react", ReactParams, Reacted, "Toggle a reaction (the Hermes call)."),
        Method(
            "reaction.set",
            ReactionSetParams,
            Reacted,
            "Set or remove the user's reaction, absolutely.",
            "tapback",
        ),
        Method(
            "reactions.pending", SessionParams, PendingNotes, "What the model will be told next.", "tapback"
        ),
        Method(
            "reactions.withhold",
            WithholdParams,
            PendingNotes,
            "Keep a line from the model until the reaction changes again.",
            "tapback",
        ),
        Method("config.get", ConfigGetParams, ConfigValue, "Read settings of the gateway."),
        Method("config.set", ConfigSetParams, ConfigValue, "Change a setting of the gateway."),
        *LIBRARY_METHODS,
        *QUESTION_METHODS,
    )
}
