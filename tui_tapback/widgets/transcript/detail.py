"""What belongs to the row of a tool: what an edit changed, and the helpers it sent off; lines, no strips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from rich.style import Style

from tui_tapback.domain.diffs import Diff, DiffLine, Mark, read_diff
from tui_tapback.domain.messages import Message, ToolActivity
from tui_tapback.domain.text import clean_line, clean_text
from tui_tapback.domain.work import Subagent, WorkState
from tui_tapback.terminal.graphemes import crop
from tui_tapback.words import _, mark, plural

from ..fitter import Fitter
from ..markdown import Line, Run, wrap_runs
from .folding import UNFOLDED_MOST, unfolded_rows
from .palette import Palette

HELPERS_SHOWN: Final = 6
"""Helpers that are shown while the row is folded."""
_ENOUGH: Final = UNFOLDED_MOST + 1
SIGNS: Final = {
    WorkState.OPEN: "○",
    WorkState.RUNNING: "●",
    WorkState.DONE: "✓",
    WorkState.FAILED: "✗",
    WorkState.STOPPED: "■",
    WorkState.UNKNOWN: "◦",
}
STATES: Final = {
    WorkState.OPEN: mark("waits"),
    WorkState.RUNNING: mark("works"),
    WorkState.DONE: mark("done"),
    WorkState.FAILED: mark("failed"),
    WorkState.STOPPED: mark("stopped"),
    WorkState.UNKNOWN: mark("over"),
}


@lru_cache(maxsize=64)
def diff_of(text: str) -> Diff:
    """The difference, read once: a row is painted often."""
    return read_diff(clean_text(text))


def changes(tool: ToolActivity) -> str:
    """``3 files, +12 -4`` for an edit, ``2 helpers`` where some were sent off, else nothing."""
    if tool.diff:
        diff = diff_of(tool.diff)
        files = plural("{count} file", "{count} files", diff.files).format(count=diff.files)
        return f"{files}, +{diff.added} -{diff.removed}" if diff.added or diff.removed else files
    if tool.subagents:
        count = len(tool.subagents)
        return plural("{count} helper", "{count} helpers", count).format(count=count)
    return ""


def has_more(tool: ToolActivity) -> bool:
    """Whether unfolding the row shows anything."""
    told = any(helper.tools or helper.summary for helper in tool.subagents)
    return bool(tool.result.strip() or tool.diff or told or len(tool.subagents) > HELPERS_SHOWN)


def rows_at_least(tool: ToolActivity | None) -> int:
    """Rows that are shown below the first one while it is folded."""
    return min(len(tool.subagents), HELPERS_SHOWN + 1) if tool is not None else 0


def tool_line(message: Message, fitter: Fitter, width: int, *, unfolded: bool) -> str:
    """The row of a tool: its name, what for, what it did, whether there is more, whether it runs."""
    tool = message.tool
    name = clean_line(tool.name if tool else message.kind, 60) or "tool"
    text = fitter.fit_text(f"{name} {_context(message)}".rstrip())
    running = " …" if tool is not None and tool.running else ""
    told = changes(tool) if tool is not None else ""
    hint = f"  {told}" if told else ""
    if tool is not None and has_more(tool) and not unfolded:
        hint += " ▸"
    room = max(4, width - len(running) - len(hint))
    return f"{fitter.fit('⚙️')}{crop(text, room, ellipsis='…')}{hint}{running}"


def _context(message: Message) -> str:
    return clean_line(message.tool.context if message.tool is not None else message.text, 400)


def below(message: Message, palette: Palette, fitter: Fitter, width: int, *, unfolded: bool) -> list[Line]:
    """The lines under the row of a tool, at most ``width`` cells each."""
    tool, context = message.tool, _context(message)
    if tool is None:
        return unfolded_rows(context, palette.muted, fitter, width) if unfolded else []
    lines = list(_helpers(tool.subagents, palette, fitter, width, unfolded=unfolded))
    if not unfolded:
        return lines
    if tool.diff:
        return lines + _diff(diff_of(tool.diff).lines, palette, fitter, width)
    if tool.subagents and not tool.result.strip():
        return lines
    return lines + unfolded_rows(f"{context}\n{tool.result}", palette.muted, fitter, width)


def _helpers(
    helpers: Sequence[Subagent], palette: Palette, fitter: Fitter, width: int, *, unfolded: bool
) -> Iterator[Line]:
    shown = helpers if unfolded else helpers[:HELPERS_SHOWN]
    for place, helper in enumerate(shown):
        last = place == len(helpers) - 1
        lead = "  " * helper.depth
        style = palette.error if helper.state is WorkState.FAILED else palette.muted
        branch: Run = (f"{lead}{'└' if last else '├'} ", palette.muted)
        told = " · ".join(_told(helper))
        room = max(4, width - len(branch[0]) - len(told) - 5)
        goal = crop(fitter.fit_text(clean_line(helper.goal, 300)), room, ellipsis="…")
        line = crop(f"{SIGNS[helper.state]} {goal} · {told}", width - len(branch[0]), ellipsis="…")
        yield Line([branch, (line, style)])
        if unfolded:
            inside: Run = (f"{lead}{' ' if last else '│'}   ", palette.muted)
            words = "\n".join(filter(None, (*helper.tools, helper.summary)))
            if words:
                for row in unfolded_rows(words, palette.muted, fitter, max(8, width - len(inside[0]))):
                    yield row.after(inside)
    if rest := len(helpers) - len(shown):
        told = _("… {count} more").format(count=rest)
        yield Line([(f"└ {told}", palette.muted)])


def _told(helper: Subagent) -> Iterator[str]:
    yield _(STATES[helper.state])
    if helper.tool_count:
        count = helper.tool_count
        yield plural("{count} tool", "{count} tools", count).format(count=count)
    if helper.seconds is not None:
        yield f"{helper.seconds:.0f} s" if helper.seconds >= 10 else f"{helper.seconds:.1f} s"


def _diff(lines: Sequence[DiffLine], palette: Palette, fitter: Fitter, width: int) -> list[Line]:
    """Added and removed lines have their sign in front, so that nothing is lost without colours."""
    rows: list[Line] = []
    for line in lines:
        sign, style = _look(line.mark, palette)
        text = fitter.fit_text(line.text.expandtabs(4))
        wrapped = wrap_runs([(text, style)], max(4, width - len(sign)), hard=True) or [Line([])]
        for number, row in enumerate(wrapped):
            rows.append(row.after((sign if not number else " " * len(sign), style)))
        if len(rows) > _ENOUGH:
            told = _("… the rest of this change is not shown here.")
            return [*rows[:UNFOLDED_MOST], Line([(told, palette.muted)])]
    return rows


def _look(what: Mark, palette: Palette) -> tuple[str, Style]:
    match what:
        case Mark.ADDED:
            return "+ ", palette.markdown.string
        case Mark.REMOVED:
            return "- ", palette.error
        case Mark.SAME:
            return "  ", palette.text
        case Mark.FILE:
            return "", palette.markdown.heading
        case Mark.PLACE | Mark.NOTE:
            return "", palette.muted


def attached_lines(message: Message, palette: Palette, fitter: Fitter, width: int) -> list[Line]:
    """A line for each file that went with a message."""
    return [
        Line([(crop(f"▪ {fitter.fit_text(clean_line(name, 80))}", width, ellipsis="…"), palette.muted)])
        for name in message.attached
    ]
