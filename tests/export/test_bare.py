"""Quoting a message in a sentence: its words, never the marks of its Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.text import clean_line
from tui_tapback.export.bare import MOST, bare, bare_line


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Hello** there", "Hello there"),
        ("## Plan\n\n1. *first*\n2. `second`", "Plan first second"),
        ("Try [this](https://example.org) ~~or that~~", "Try this or that"),
        ("> so they say\n\nand ![a cat](cat.png)", "so they say and a cat"),
        ("```python\nx = 2 * 3\n```", "x = 2 * 3"),
        ("| a | b |\n| --- | --- |\n| 1 | 2 |", "a b 1 2"),
        ("2 * 3 * 4 = 24", "2 * 3 * 4 = 24"),
        ("snake_case_name", "snake_case_name"),
        ("**unfinished", "**unfinished"),
        ("line one\nline two", "line one line two"),
        ("<b>no tag</b> &amp; more", "<b>no tag</b> & more"),
        ("***", "***"),
        ("", ""),
    ],
)
def test_an_answer_is_quoted_without_its_marks(written: str, said: str) -> None:
    assert bare(written) == said
    assert bare_line(Message(key="a", role=Role.ASSISTANT, text=written, at=0.0)) == said


def test_what_a_person_typed_is_quoted_as_it_is_shown() -> None:
    typed = Message(key="u", role=Role.USER, text="**really**  now", at=0.0)
    assert bare_line(typed) == "**really** now"
    assert bare_line(typed, 6) == "**rea…"


@given(st.text(max_size=400))
def test_it_is_one_harmless_line_and_says_something_where_something_was_written(text: str) -> None:
    said = bare(text)
    assert "\n" not in said
    assert "\x1b" not in said
    assert said or not clean_line(text)


def test_a_very_long_answer_is_looked_at_in_its_beginning_only() -> None:
    assert len(bare("**word** " * MOST)) <= MOST
