"""History rows and reactions as they stand on the wire, and their conversion to domain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from tui_tapback.domain.messages import Message, Role, Status, ToolActivity
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.domain.work import Subagent, WorkState
from tui_tapback.emoji.normalise import clean_foreign

from .attached import said_and_attached
from .work import context_of, diff_of, goals_of

HELPERS_DONE = "async_delegation_complete"
"""Kind of the row with which a Hermes gateway hands the work of helpers to its agent."""
TOOL_RESULT_LIMIT = 4000
"""Characters of a tool's result that a client keeps."""


class WirePart(msgspec.Struct):
    """A part of a message: ``anchor`` names it, ``quote`` is how it begins."""

    anchor: str
    quote: str = ""


class WireReaction(msgspec.Struct, omit_defaults=True):
    """``{emoji, author, at, seen?, part?}`` inside ``display_metadata.reactions``.

    Typed loosely on purpose: a foreign gateway stores whatever it was sent.
    """

    emoji: Any
    author: Any = "user"
    at: Any = 0.0
    seen: bool = False
    part: WirePart | str | None = None


class WireRow(msgspec.Struct, omit_defaults=True):
    """One row of ``messages[]`` in resume and history (protocol notes, section 6)."""

    role: str
    text: str | None = None
    timestamp: float = 0.0
    row_id: int | None = None
    display_kind: str | None = None
    display_metadata: dict[str, Any] | None = None
    reasoning: str | None = None
    name: str | None = None
    context: str | None = None
    tool_call_id: str | None = None
    content: Any = None
    args: Any = None


def reactions_to_wire(reactions: ReactionSet) -> list[dict[str, Any]]:
    """The list as the wire and the store hold it, oldest first."""
    return [
        {"emoji": r.emoji, "author": str(r.author), "at": r.at}
        | ({"part": {"anchor": r.part, "quote": r.quote}} if r.part else {})
        for r in reactions
    ]


def reactions_from_wire(raw: object) -> ReactionSet:
    """Read a list from any gateway; unknown authors and unusable emoji are dropped, never an error."""
    try:
        return ReactionSet.of(_usable(msgspec.convert(raw, list[object])))
    except msgspec.ValidationError:
        return ReactionSet()


def _usable(raw: Iterable[object]) -> Iterable[Reaction]:
    for entry in raw:
        try:
            item = msgspec.convert(entry, WireReaction)
            author = Author(item.author or "user")
        except (msgspec.ValidationError, ValueError):
            continue
        emoji = clean_foreign(item.emoji) if isinstance(item.emoji, str) else ""
        at = float(item.at) if isinstance(item.at, int | float) else 0.0
        part = item.part if isinstance(item.part, WirePart) else WirePart(item.part or "")
        if emoji:
            anchor, quote = clean_line(part.anchor, 200), clean_line(part.quote, 400)
            yield Reaction(emoji, author, at, anchor or None, quote=quote)


_ROLES = {str(role): role for role in Role}


def message_from_wire(row: WireRow, key: Callable[[WireRow], str]) -> Message:
    """Turn a history row into a message; ``key`` gives its identity in this process."""
    meta = row.display_metadata or {}
    kind = row.display_kind or ""
    status = Status.STORED
    if meta.get("interrupted"):
        status = Status.INTERRUPTED
    elif kind == "failed_turn":
        status = Status.FAILED
    elif meta.get("_queued_prompt"):
        status = Status.WAITING
    role = _ROLES.get(row.role, Role.SYSTEM)
    text = row.text or ""
    notice = meta.get("display_text") if kind == HELPERS_DONE else None
    if isinstance(notice, str) and notice:
        # What its helpers brought back is told to the model as if the person had said it.
        role, text = Role.SYSTEM, notice
    error = meta.get("error")
    error = error if isinstance(error, str) else ""
    complaint = meta.get("reaction_complaint")
    # The row of a failed turn carries its reason as text too; the agent has said nothing, though.
    text = "" if kind == "failed_turn" and text == error else text
    # Our own gateway, whose rows bear their sender's reference, adds nothing to what was said.
    added = role is Role.USER and "client_ref" not in meta
    text, attached = said_and_attached(text) if added else (text, ())
    return Message(
        key=key(row),
        role=role,
        text=clean_text(text),
        at=row.timestamp,
        row_id=row.row_id,
        reactions=reactions_from_wire(meta.get("reactions")),
        status=status,
        kind=clean_line(kind, 40),
        reasoning=clean_text(row.reasoning or ""),
        tool=_tool(row) if role is Role.TOOL else None,
        error=clean_line(error, 400),
        reaction_note=clean_line(complaint if isinstance(complaint, str) else "", 400),
        attached=attached,
    )


def _tool(row: WireRow) -> ToolActivity:
    content = row.content if isinstance(row.content, str) else ""
    name = clean_line(row.name or "tool", 60)
    return ToolActivity(
        call_id=row.tool_call_id or "",
        name=name,
        context=context_of(row.context),
        result=clean_text(content[:TOOL_RESULT_LIMIT]),
        diff=diff_of(None, row.content, row.display_metadata),
        subagents=tuple(Subagent(goal, WorkState.UNKNOWN) for goal in goals_of(name, row.args)),
    )
