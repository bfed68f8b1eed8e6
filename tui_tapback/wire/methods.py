"""THE method table: every request this program sends or answers, with its parameters, result and meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from .rows import WireReaction, WireRow

PROTOCOL = 1
"""Version of our own additions, announced in ``gateway.capabilities`` under ``tapback.protocol``."""


class Params(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Base of parameters: strict, an unknown one is refused with its name."""


class Result(msgspec.Struct, omit_defaults=True):
    """Base of results: forgiving, unknown fields are ignored."""


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


class SessionParams(Params):
    """``session_id``: the runtime id (on our gateway the same as the stored id)."""

    session_id: str


class CreateParams(Params):
    """A new session. ``source`` "desktop" gives a Hermes agent its reacting tool."""

    source: str | None = None
    cols: int | None = None
    cwd: str | None = None
    title: str | None = None


class ResumeParams(Params):
    """``session_id``: the stored id."""

    session_id: str
    source: str | None = None
    cols: int | None = None
    omit_messages: bool = False


class Inflight(Result):
    """A running turn as a late client finds it. ``row_id`` and ``reactions`` (ours) belong to the answer that
    is being written, which ``messages`` leaves out."""

    user: str | None = None
    assistant: str | None = None
    streaming: bool = False
    row_id: int | None = None
    reactions: list[WireReaction] = []


class Snapshot(Result):
    """A session as resume, create and activate answer it. ``seq`` (ours) is the last event number that the
    snapshot includes."""

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

    @property
    def stored_id(self) -> str:
        """The durable id."""
        return self.stored_session_id or self.session_key or self.session_id


class ListParams(Params):
    """How many sessions, newest activity first."""

    limit: int | None = None


class SessionRow(Result):
    """One line of the session list. Times are Unix seconds; ``message_count`` leaves out tool rows (on our
    gateway)."""

    id: str
    title: str | None = None
    preview: str | None = None
    started_at: float = 0.0
    last_active: float = 0.0
    message_count: int = 0
    source: str | None = None


class SessionList(Result):
    """Sessions, newest activity first."""

    sessions: list[SessionRow] = []


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


class TitleParams(Params):
    """Read the title, or set it when given."""

    session_id: str
    title: str | None = None


class Title(Result):
    """The title now."""

    title: str = ""


class SubmitParams(Params):
    """A message of the user. ``client_ref`` (ours, only for gateways with ``tapback``) makes a repetition
    harmless and comes back in the ``tapback.row`` event."""

    session_id: str
    text: str
    queued: bool | None = None
    client_ref: str | None = None


class Submitted(Result):
    """``status``: streaming, queued or redirected. ``user_row_id`` is missing when queued on Hermes."""

    status: str
    user_row_id: int | None = None


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
    """Our absolute call. ``emoji`` None removes. ``op_id`` makes a repetition harmless for 24 hours.
    ``expected`` is the emoji last seen in the slot (None for empty). Where the slot holds neither it nor what
    is asked for, nothing changes and the answer is error 4803 with the present list; where it holds already
    what is asked for, that is no error, whatever was expected."""

    session_id: str
    row_id: int
    emoji: str | None
    op_id: str
    part: str | None = None
    expected: str | msgspec.UnsetType | None = msgspec.UNSET


class Reacted(Result):
    """The full list after the call. ``seq`` (ours): number of the event that carries it, None when nothing
    changed."""

    row_id: int
    reactions: list[WireReaction] = []
    seq: int | None = None


class PendingNotes(Result):
    """Lines about the user's reactions that will ride on the next message."""

    lines: list[str] = []


class ConfigGetParams(Params):
    """``key``: "full" or a setting's name."""

    key: str


class ConfigSetParams(Params):
    """One setting."""

    key: str
    value: Any


class ConfigValue(Result):
    """A setting and its value; ``config`` holds all settings where they were asked for with ``full``."""

    key: str = ""
    value: Any = None
    config: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """One row of the table; ``origin`` "hermes" exists on both gateways, "tapback" on ours only."""

    name: str
    params: type[Params]
    result: type[Result]
    doc: str
    origin: Literal["hermes", "tapback"] = "hermes"


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
        Method("session.list", ListParams, SessionList, "Stored sessions, newest activity first."),
        Method("session.most_recent", NoParams, MostRecent, "The session to continue."),
        Method("session.title", TitleParams, Title, "Read or set the title."),
        Method("session.delete", SessionParams, Ok, "Delete a stored session."),
        Method(
            "session.close", SessionParams, Ok, "Detach this connection (on Hermes: end the live session)."
        ),
        Method("session.events.since", EventsSinceParams, EventsSince, "Replay events after a number."),
        Method("session.interrupt", SessionParams, Interrupted, "Stop the running turn."),
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
        Method("config.get", ConfigGetParams, ConfigValue, "Read settings of the gateway."),
        Method("config.set", ConfigSetParams, ConfigValue, "Change a setting of the gateway."),
    )
}
