"""Names and words that run from right to left stay by themselves among words of ours."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tui_tapback.app.finding.lines import hit_line, session_line
from tui_tapback.client.library import Hit
from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.text import clean_text, isolated
from tui_tapback.emoji.sentence import AGENT, sentence
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.widgets.statusbar import Link, StatusLine, arrange
from tui_tapback.words import use

HEBREW, ARABIC = "שלום 7 (עולם)", "مرحبا بالعالم 12!"
FOREIGN = pytest.mark.parametrize("name", [HEBREW, ARABIC])


@FOREIGN
def test_only_such_words_are_isolated_and_no_cell_is_taken(name: str) -> None:
    assert isolated(name) == f"\u2068{name}\u2069"
    assert cell_len(isolated(name)) == cell_len(name)
    assert isolated("hello, привет, 你好 👍") == "hello, привет, 你好 👍"
    assert clean_text(isolated(name)) == name


@FOREIGN
def test_a_sentence_about_them_keeps_its_quotation_marks_outside(name: str) -> None:
    assert sentence(AGENT, "👍", name) == f"Agent liked “\u2068{name}\u2069”"
    use("de")
    assert sentence(AGENT, "👍", name) == f"Agent mag „\u2068{name}\u2069“"


@FOREIGN
@pytest.mark.parametrize("width", [20, 40, 80])
def test_the_status_bar_keeps_its_width_and_closes_what_it_opens(name: str, width: int) -> None:
    line = StatusLine(link=Link.ONLINE, title=f"{name} {name} {name}", hints=(("F1", "help"),))
    text = "".join(part.text for part in arrange(line, width, EmojiFitter(SAFE)))
    assert cell_len(text) == width
    assert text.count("\u2068") == text.count("\u2069") <= 1


@FOREIGN
def test_lists_of_sessions_and_finds_isolate_their_titles(name: str) -> None:
    listed = session_line(SessionSummary("s", name, name, 0.0, 3), 60.0, current=True).plain
    assert f"● \u2068{name}\u2069" in listed
    found = hit_line(Hit("s", name, 1, "user", name, ((0, 2),), 0.0), 60.0, here=False).plain
    assert found.startswith(f"\u2068{name}\u2069  1 min")
