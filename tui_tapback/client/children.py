"""The helpers of an agent in the transcript: each in the row of the call that sent it off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from tui_tapback.domain import events as ev
from tui_tapback.domain.messages import Message, ToolActivity
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.work import Subagent, WorkState
from tui_tapback.wire.rows import HELPERS_DONE, WireRow
from tui_tapback.wire.work import DELEGATING

from .transcript import Transcript

LINES_KEPT: Final = 30
"""Lines about what a helper does that are kept."""
HELPERS_MOST: Final = 64
_ENDED: Final = frozenset({WorkState.DONE, WorkState.FAILED, WorkState.STOPPED})
_REPORT: Final = re.compile(r"^--- \S+ TASK \d+/\d+: (?P<goal>.*) \(status=(?P<status>\w+)", re.MULTILINE)


def changed(transcript: Transcript, event: ev.SubagentChanged) -> None:
    """Put the news of a helper into its row; where there is no such row it is shown elsewhere only."""
    rows = [m for m in reversed(transcript.messages) if m.tool is not None and m.tool.name == DELEGATING]
    found = _found(rows, event.subagent)
    if found is None or found[0].tool is None:
        return
    message, place = found
    helpers = list(found[0].tool.subagents)
    if place < len(helpers):
        helpers[place] = merged(helpers[place], event)
    elif len(helpers) < HELPERS_MOST:
        helpers.append(merged(Subagent(event.subagent.goal), event))
    transcript.put(replace(message, tool=replace(found[0].tool, subagents=tuple(helpers))))


def _found(rows: Sequence[Message], news: Subagent) -> tuple[Message, int] | None:
    """The row of the helper and its place in it: by its id, else by a goal that nobody has taken yet, else
    behind the others of its call, else behind those of the newest call."""
    places = [(row, at, helper) for row in rows if row.tool for at, helper in enumerate(row.tool.subagents)]
    for row, at, helper in places:
        if news.id and helper.id == news.id:
            return row, at
    for row, at, helper in places:
        if not helper.id and helper.goal == news.goal and helper.state not in _ENDED:
            return row, at
    for row, at, helper in places:
        if not news.id and helper.goal == news.goal:
            return row, at
    same = (row for row, _, helper in places if news.delegation and helper.delegation == news.delegation)
    row = next(same, rows[0] if rows else None)
    return (row, len(row.tool.subagents)) if row is not None and row.tool is not None else None


def merged(present: Subagent, event: ev.SubagentChanged) -> Subagent:
    """A helper after the news; what has ended does not begin again."""
    news = event.subagent
    state = present.state if present.state in _ENDED and news.state not in _ENDED else news.state
    tools = (*present.tools, event.tool)[-LINES_KEPT:] if event.tool else present.tools
    return Subagent(
        goal=news.goal or present.goal,
        state=state,
        id=news.id or present.id,
        delegation=news.delegation or present.delegation,
        depth=news.depth or present.depth,
        tools=tools,
        tool_count=max(present.tool_count, news.tool_count, len(tools)),
        summary=news.summary or present.summary,
        seconds=present.seconds if news.seconds is None else news.seconds,
    )


def kept(tool: ToolActivity, present: ToolActivity) -> ToolActivity:
    """A row of a history with what its events told: the history knows of helpers only their goals."""
    if [helper.goal for helper in tool.subagents] == [helper.goal for helper in present.subagents]:
        return replace(tool, subagents=present.subagents)
    return (
        tool if len(tool.subagents) > len(present.subagents) else replace(tool, subagents=present.subagents)
    )


def settled(messages: Iterable[Message], rows: Sequence[WireRow]) -> list[Message]:
    """The messages of a history, their helpers with the end that a later row reports of them."""
    ends: dict[str, list[WorkState]] = {}
    for row in rows:
        if row.display_kind == HELPERS_DONE:
            for found in _REPORT.finditer(row.text or ""):
                state = WorkState.DONE if found["status"] == "completed" else WorkState.FAILED
                ends.setdefault(clean_line(found["goal"], 300), []).append(state)
    return [_settled(message, ends) for message in messages] if ends else list(messages)


def _settled(message: Message, ends: dict[str, list[WorkState]]) -> Message:
    tool = message.tool
    if tool is None or not tool.subagents:
        return message
    helpers = tuple(
        replace(helper, state=ends[helper.goal].pop(0)) if ends.get(helper.goal) else helper
        for helper in tool.subagents
    )
    known = tuple(
        now if was.state is WorkState.UNKNOWN else was
        for was, now in zip(tool.subagents, helpers, strict=True)
    )
    return replace(message, tool=replace(tool, subagents=known))
