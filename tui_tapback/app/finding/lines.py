"""How sessions and finds read on their lines, and the line of links at the foot of their screens."""

from __future__ import annotations

from collections.abc import Iterable

from rich.style import Style
from rich.text import Text

from tui_tapback.client.library import Hit
from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.text import clean_line, clean_text, isolated
from tui_tapback.export.bare import bare
from tui_tapback.words import _, mark, plural

_AGES = (
    (604_800, mark("{count} w")),
    (86_400, mark("{count} d")),
    (3_600, mark("{count} h")),
    (60, mark("{count} min")),
)


def ago(seconds: float) -> str:
    """A rough age: ``now``, ``5 min``, ``3 h``, ``2 d``, ``6 w``."""
    for size, told in _AGES:
        if seconds >= size:
            return _(told).format(count=int(seconds // size))
    return _("now")


def messages(number: int) -> str:
    """``1 message``, ``3 messages``."""
    return plural("{count:,} message", "{count:,} messages", number).format(count=number)


def tapbacks(number: int) -> str:
    """``1 tapback``, ``3 tapbacks``."""
    return plural("{count:,} tapback", "{count:,} tapbacks", number).format(count=number)


def session_line(
    summary: SessionSummary, now: float, *, current: bool, news: bool = False, waits: str = ""
) -> Text:
    """Two lines of plain text for one session: title, what ``waits`` there, facts, then its preview."""
    facts = [ago(now - summary.last_active), messages(summary.message_count)]
    if summary.reactions:
        facts.append(tapbacks(summary.reactions))
    if summary.branch_of is not None:
        parent = clean_line(summary.branch_of, 40) or _("Untitled")
        facts.append(_("branch of {title}").format(title=parent))
    preview = clean_line(bare(summary.preview), 120) or _("no messages yet")
    return Text.assemble(
        ("● " if current else "• " if news or waits else "  ", "bold"),
        (title_of(summary), "bold"),
        (f"  {waits}" if waits else _("  new") if news else "", "bold"),
        (f"  {' · '.join(facts)}", "dim"),
        ("\n  " + preview, "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )


def title_of(summary: SessionSummary) -> str:
    """The title on one clean line."""
    return isolated(clean_line(summary.title, 80)) or _("Untitled")


def hit_line(hit: Hit, now: float, *, here: bool) -> Text:
    """Two lines: session and age, then who said what, with the finds marked."""
    title = _("this session") if here else isolated(clean_line(hit.session_title, 80)) or _("Untitled")
    name = _("You") if hit.role == "user" else _("Agent")
    words = Text(no_wrap=True, overflow="ellipsis")
    words.append(title, "bold")
    words.append(f"  {ago(now - hit.at)}\n  {name}: ", "dim")
    place = 0
    for start, end in sorted(hit.spans):
        if start < place or end > len(hit.snippet) or end <= start:
            continue  # a gateway that counts otherwise
        words.append(_piece(hit.snippet[place:start]))
        words.append(_piece(hit.snippet[start:end]), "bold underline")
        place = end
    words.append(_piece(hit.snippet[place:]))
    return words


def _piece(text: str) -> str:
    """Harmless and on one line, with the blanks at its ends."""
    return clean_text(text[:400]).replace("\n", " ")


def links(acts: Iterable[tuple[str, str, str]]) -> Text:
    """``n new  t name …`` from key, word and action of the screen; a click on one does the same."""
    line = Text(no_wrap=True, overflow="ellipsis")
    for key, word, action in acts:
        line.append(f"{key} {word}".strip(), Style.from_meta({"@click": f"screen.{action}"}))
        line.append("  ")
    return line
