"""Requests that only a Hermes gateway answers: tasks behind a chat, models, settings shown, files."""

from __future__ import annotations

import msgspec

from .base import Method, Params, Result, SessionParams
from .methods import NoParams


class Process(msgspec.Struct):
    """A command that runs behind the chat; ``session_id`` is its own id."""

    session_id: str
    command: str = ""
    status: str = "running"
    uptime_seconds: float | None = None
    output_preview: str = ""
    output_tail: str | None = None
    exit_code: int | None = None
    completion_reason: str | None = None


class Processes(Result):
    """Those of the session that was asked for."""

    processes: list[Process] = []


class ProcessKillParams(Params):
    """``process_id``: the ``session_id`` of a Process."""

    session_id: str
    process_id: str


class Killed(Result):
    """``status``: killed, already_exited, not_found or error."""

    status: str = ""
    error: str | None = None


class LiveSubagent(msgspec.Struct):
    """A helper that works now; ``started_at`` is Unix seconds."""

    subagent_id: str
    goal: str = ""
    delegation_id: str | None = None
    depth: int | None = None
    status: str | None = None
    started_at: float | None = None
    tool_count: int | None = None
    last_tool: str | None = None


class LiveSubagents(Result):
    """Those that work now."""

    subagents: list[LiveSubagent] = []


class SubagentParams(Params):
    """A helper of a session."""

    session_id: str
    subagent_id: str


class Found(Result):
    """Whether it was there to be stopped."""

    found: bool = False


class AsideParams(Params):
    """What to do, or to answer, beside the chat."""

    session_id: str
    text: str


class Began(Result):
    """The answer comes as an event with this id."""

    task_id: str


class ModelOptionsParams(Params):
    """A live session, for what it uses; may be left out."""

    session_id: str | None = None


class Provider(msgspec.Struct):
    """Whoever serves models; ``slug`` is its name for the gateway."""

    slug: str
    name: str = ""
    models: list[str] = []
    is_current: bool | None = None
    authenticated: bool | None = None
    warning: str | None = None
    unavailable_models: list[str] | None = None


class ModelOptions(Result):
    """``model`` and ``provider`` are the present ones."""

    providers: list[Provider] = []
    model: str = ""
    provider: str = ""


class Section(msgspec.Struct):
    """A part of the settings, ready for people; secrets are masked."""

    title: str = ""
    rows: list[list[str]] = []


class Shown(Result):
    """The settings."""

    sections: list[Section] = []


class ImageBytesParams(Params):
    """An image for the next message."""

    session_id: str
    content_base64: str
    filename: str


class ImageAttached(Result):
    """``path``: where the gateway keeps it."""

    attached: bool = False
    path: str | None = None
    message: str | None = None


class FileParams(Params):
    """A file for the session; ``data_url`` carries its bytes."""

    session_id: str
    data_url: str
    name: str


class FileAttached(Result):
    """``ref_text`` stands for the file in a message."""

    attached: bool = False
    ref_text: str = ""


class DetachParams(Params):
    """An image that waits, by the path at the gateway."""

    session_id: str
    path: str


class Detached(Result):
    """Whether it had waited."""

    detached: bool = False


class LiveSession(msgspec.Struct):
    """``session_key`` is the stored id; ``status``: idle, starting, waiting, working."""

    session_key: str
    status: str = "idle"


class LiveSessions(Result):
    """The sessions that live in the gateway's process."""

    sessions: list[LiveSession] = []


WORK_METHODS = (
    Method("process.list", SessionParams, Processes, "Commands that run behind a session."),
    Method("process.kill", ProcessKillParams, Killed, "End one of them."),
    Method("subagent.list", SessionParams, LiveSubagents, "Helpers of the agent that work now."),
    Method("subagent.interrupt", SubagentParams, Found, "Stop one of them."),
    Method("prompt.background", AsideParams, Began, "Let an agent of its own do something behind the chat."),
    Method("prompt.btw", AsideParams, Began, "Ask something beside the chat."),
    Method("model.options", ModelOptionsParams, ModelOptions, "The models that can be chosen."),
    Method("config.show", NoParams, Shown, "The settings, secrets masked."),
    Method("image.attach_bytes", ImageBytesParams, ImageAttached, "Hand over an image for the next message."),
    Method("image.detach", DetachParams, Detached, "Take such an image back."),
    Method("file.attach", FileParams, FileAttached, "Hand over a file, and learn how to refer to it."),
    Method("session.active_list", NoParams, LiveSessions, "The sessions that live now."),
)
