"""How tasks, models, settings and files read: lines and short facts, pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from tui_tapback.app.finding.lines import ago
from tui_tapback.client.handing import megabytes
from tui_tapback.client.models import ModelChoice, SettingRow
from tui_tapback.client.state import ClientState, Elsewhere
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.work import Attachment, Task
from tui_tapback.widgets.transcript.detail import SIGNS, STATES
from tui_tapback.widgets.working import ShownFile
from tui_tapback.words import _, mark, plural

_KINDS = {
    "subagent": mark("helper"),
    "process": mark("command"),
    "background": mark("task"),
    "question": mark("question aside"),
}


def running(tasks: Iterable[Task]) -> int:
    """How many go on."""
    return sum(task.running for task in tasks)


def task_line(task: Task, now: float) -> Text:
    """Two lines: what it is and how it stands, then the last it said."""
    facts = [_(_KINDS[task.kind]), _(STATES[task.state])]
    if task.since is not None and task.running:
        facts.append(ago(now - task.since))
    last = clean_line(task.detail.rstrip().rsplit("\n", 1)[-1], 200)
    line = Text(no_wrap=True, overflow="ellipsis")
    line.append(f"{SIGNS[task.state]} ", "bold" if task.running else "")
    line.append(clean_line(task.title, 200) or _("something"), "bold" if task.running else "")
    line.append(f"  {' · '.join(facts)}", "dim")
    return line.append(f"\n  {last}", "dim") if last else line


def model_line(choice: ModelChoice) -> Text:
    """The name, whoever serves it, and whether it answers now."""
    line = Text(no_wrap=True, overflow="ellipsis")
    line.append("● " if choice.current else "  ", "bold")
    line.append(choice.name, "bold" if choice.current else "")
    line.append(f"  {choice.provider_title}", "dim")
    if choice.current:
        line.append("  " + _("answers now"), "bold")
    if not choice.usable:
        line.append("  " + _("not set up there"), "dim")
    return line


def setting_lines(rows: Sequence[SettingRow]) -> list[Text]:
    """A line for each, the section in front of the first of it."""
    lines: list[Text] = []
    section = ""
    for row in rows:
        line = Text(overflow="fold")
        if row.section != section:
            section = row.section
            line.append(f"{section}\n", "bold underline")
        lines.append(line.append(f"{row.name}  ", "dim").append(row.value))
    return lines


def shown_file(attachment: Attachment) -> ShownFile:
    """The chip of a file."""
    kind = _("image") if attachment.image else _("file")
    return ShownFile(attachment.path, attachment.name, f"{kind}, {megabytes(attachment.size)}")


def facts(state: ClientState) -> tuple[str, ...]:
    """What the status line says of work and of other chats, the weightiest first."""
    found: list[str] = []
    asked = sum(each.questions for each in state.elsewhere)
    answered = sum(each.answered > 0 for each in state.elsewhere)
    if asked:
        told = plural("{count} question in another chat", "{count} questions in other chats", asked)
        found.append(told.format(count=asked))
    if answered:
        told = plural("{count} other chat answered", "{count} other chats answered", answered)
        found.append(told.format(count=answered))
    if count := running(state.tasks):
        found.append(plural("{count} task runs", "{count} tasks run", count).format(count=count))
    return tuple(found)


def waits(each: Elsewhere) -> str:
    """What waits in another chat, for its line in the list; empty for nothing."""
    if each.questions:
        told = plural("a question waits", "{count} questions wait", each.questions)
        return told.format(count=each.questions)
    return _("answered") if each.answered else ""


def news(before: Sequence[Elsewhere], now: Sequence[Elsewhere]) -> list[str]:
    """What to tell at once: a question that is new in a chat behind, or an answer that has come there."""
    known = {each.session_id: each for each in before}
    told: list[str] = []
    for each in now:
        former = known.get(each.session_id, Elsewhere(each.session_id))
        title = clean_line(each.title, 60) or _("another chat")
        if each.questions > former.questions:
            told.append(_("The agent asks something in “{title}”.").format(title=title))
        elif each.answered > former.answered:
            told.append(_("The answer has come in “{title}”.").format(title=title))
    return told
