"""What a file edit changed, read from whatever a gateway tells of it."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.diffs import Mark, read_diff

HERMES = (
    "display.diff.review_header\na//tmp/a.txt → b//tmp/a.txt\n@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+2½\n three"
)


def test_the_way_hermes_draws_it_is_read() -> None:
    diff = read_diff(HERMES)
    assert (diff.files, diff.added, diff.removed) == (1, 2, 1)
    assert [line.text for line in diff.lines if line.mark is Mark.FILE] == ["/tmp/a.txt"]
    assert "review_header" not in str(diff.lines), "the name of a text is no text"


def test_a_removed_line_that_looks_like_a_heading_is_a_removed_line() -> None:
    diff = read_diff("--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old remark\n+++ new remark\n select 1")
    assert (diff.files, diff.added, diff.removed) == (1, 1, 1)
    assert [line.text for line in diff.lines if line.mark is Mark.REMOVED] == ["-- old remark"]


def test_a_file_that_begins_where_a_hunk_was_cut_short_is_another_file() -> None:
    cut = "--- a/x\n+++ b/x\n@@ -1,90 +1,90 @@\n-one\n+1\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-two\n+2"
    diff = read_diff(cut)
    assert (diff.files, diff.added, diff.removed) == (2, 2, 2)


def test_a_new_and_a_deleted_file_have_their_own_names() -> None:
    made = read_diff("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hi")
    gone = read_diff("--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye")
    assert [line.text for line in (*made.lines, *gone.lines) if line.mark is Mark.FILE] == [
        "new.txt",
        "old.txt",
    ]


LINES = st.lists(st.text("ab-+ @→/", max_size=6), max_size=8)


@given(before=LINES, after=LINES)
def test_every_unified_difference_is_counted_right(before: list[str], after: list[str]) -> None:
    told = list(difflib.unified_diff(before, after, "a/f", "b/f", lineterm=""))
    body = [line for line in told[2:] if not line.startswith("@@")]
    diff = read_diff("\n".join(told))
    added = sum(line.startswith("+") for line in told[2:])
    removed = sum(line.startswith("-") for line in told[2:])
    assert (diff.added, diff.removed) == (added, removed)
    drawn = [line for line in diff.lines if line.mark in (Mark.ADDED, Mark.REMOVED, Mark.SAME)]
    assert [line.mark.value + line.text for line in drawn] == body


@given(st.text())
def test_any_text_at_all_is_read(text: str) -> None:
    diff = read_diff(text)
    assert diff.added >= 0
    assert diff.files >= 0
