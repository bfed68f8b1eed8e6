"""Requests that only a Hermes gateway answers: here its slash commands, beside them its agent's work."""

from __future__ import annotations

from .base import Method, Params, Result
from .foreign_work import WORK_METHODS


class CatalogParams(Params):
    """A live session, for its skills; may be left out."""

    session_id: str | None = None


class Catalog(Result):
    """``pairs`` are ``[name, help]`` with the slash, ``canon`` maps aliases to names."""

    pairs: list[list[str]] = []
    canon: dict[str, str] = {}


class CompleteParams(Params):
    """What was typed, from the slash on."""

    text: str
    session_id: str | None = None


class Completion(Result):
    """One proposal: ``text`` to put in, ``meta`` says what it is."""

    text: str
    display: str = ""
    meta: str = ""


class Completions(Result):
    """``replace_from``: the column from which the proposal replaces what was typed."""

    items: list[Completion] = []
    replace_from: int | None = None


class RunParams(Params):
    """``command`` with its arguments, without the slash."""

    session_id: str
    command: str


class Ran(Result):
    """What it printed, or (``type``) what the client shall do: ``send`` or ``prefill`` the ``message``."""

    output: str | None = None
    type: str | None = None
    message: str | None = None
    notice: str | None = None
    warning: str | None = None


class DispatchParams(Params):
    """``name`` without the slash."""

    name: str
    session_id: str
    arg: str | None = None


FOREIGN: dict[str, Method] = {
    method.name: method
    for method in (
        Method("commands.catalog", CatalogParams, Catalog, "The slash commands of this gateway."),
        Method("complete.slash", CompleteParams, Completions, "What a slash command could become."),
        Method("slash.exec", RunParams, Ran, "Run a slash command."),
        Method("command.dispatch", DispatchParams, Ran, "Run a command that tells the client what to do."),
        *WORK_METHODS,
    )
}
"""Beside the method table, which our gateway answers whole."""
