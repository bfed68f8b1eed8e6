"""The settings file as it is first made: what each setting means, and its default, all commented out."""

from __future__ import annotations

from textwrap import wrap

from tui_tapback.words import _, mark

from .reference import Row, rows
from .settings import Settings

WIDTH = 96

HEAD = mark("""\
# The settings of tui_tapback. A line that begins with # does not count: it shows the default. Take the
# mark away and change the value, or let the program do it: F10 in the chat, or "tui-tapback config set".
# What you write here is kept, comments too, and counts as soon as the file is saved; where something has
# to be started again, that is said here.
""")

_WAIT = {
    "restart": mark("Counts from the next start."),
    "gateway": mark("Counts when the gateway starts again."),
}


def template() -> str:
    """A valid settings file that sets nothing."""
    lines = [_(HEAD)]
    table = ""
    for row in rows(Settings):
        name, _dot, key = row.key.rpartition(".")
        if name != table:
            table = name
            lines.append(f"# [{table}]" if "NAME" in table else f"[{table}]")
        lines += _explained(row)
        lines += [f"# {key} = {row.default}", ""]
    return "\n".join(lines)


def _explained(row: Row) -> list[str]:
    words = [
        _(row.meaning),
        _("Value: {expected}.").format(expected=row.expected),
        _(_WAIT.get(row.extra.get("needs", ""), "")),
    ]
    return [f"# {line}" for line in wrap(" ".join(filter(None, words)), WIDTH)]
