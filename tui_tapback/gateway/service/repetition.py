"""Requests that come again under one id: answered as before where they ask for the same, else refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tui_tapback.domain.errors import OperationReused
from tui_tapback.gateway.store.operations import Kind
from tui_tapback.gateway.store.store import Store

_ASKED: Final = "asked"
_WORDS: Final[Mapping[Kind, tuple[str, str]]] = {
    "reaction": ("op_id", "reaction"),
    "prompt": ("client_ref", "message"),
}


def answer_before(
    store: Store, kind: Kind, session_id: str, op_id: str, *, asked: Mapping[str, Any], now: float
) -> dict[str, Any] | None:
    """The answer that this request got before; None where the id is new or forgotten.

    Raises OperationReused where something else was ``asked`` for under it.
    """
    answer = store.operations.find(kind, session_id, op_id, now)
    if answer is None:
        return None
    # An answer that an older version has written down does not say what was asked.
    if answer.pop(_ASKED, asked) != asked:
        name, what = _WORDS[kind]
        raise OperationReused(
            f"That {name} belongs to another {what} already; nothing was changed.",
            hint=f"Give every {what} a {name} of its own, and keep it only for sending the same again.",
        )
    return answer


def remember_answer(
    store: Store,
    kind: Kind,
    session_id: str,
    op_id: str,
    answer: Mapping[str, Any],
    *,
    asked: Mapping[str, Any],
    now: float,
) -> None:
    """Keep what a request was answered, inside the transaction that carries it out."""
    store.operations.remember(kind, session_id, op_id, {**answer, _ASKED: dict(asked)}, now)
