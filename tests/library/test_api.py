"""What other people's programs may rely on is written down, and a change that breaks them is seen."""

from __future__ import annotations

import pytest

from tui_tapback.demo.api import PUBLIC, TRANSCRIPT, Entry, broken, present, recorded


def test_no_promised_name_and_no_parameter_has_vanished() -> None:
    assert not broken(recorded(), present()), (
        "This breaks other people's programs: it needs a new major version and a line in CHANGELOG.md. "
        "Then write the record anew: python -m tui_tapback.demo.api"
    )


def test_every_public_name_is_in_the_record() -> None:
    names = {entry.name for entry in recorded()}
    offered = {entry.name for entry in present()}
    tops = {
        name
        for name in offered
        if any(name.startswith(f"{one}.") and "." not in name[len(one) + 1 :] for one in PUBLIC)
    }
    assert tops <= names, "write the record anew: python -m tui_tapback.demo.api"
    assert {f"tui_tapback.widgets.Transcript.{name}" for name in TRANSCRIPT} <= names


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("a.f(x, y=)", "", "a.f is gone"),
        ("a.f(x, y=)", "a.f", "can no longer be called"),
        ("a.f(x, y=)", "a.f(x)", "no parameter y"),
        ("a.f(x, y=)", "a.f(x, y)", "demands its parameter y"),
        ("a.f(x, y=)", "a.f(x, y=, z)", "demands a new parameter z"),
        ("a.f(x, y=)", "a.f(y=, x)", "another order"),
        ("a.f(x, y=)", "a.f(x, *, y=)", "by name only"),
        ("a.f(x, y=)", "a.f(z=, x=, y=)", "another order"),
        ("a.f(*, y=)", "a.f(*, z=)", "no parameter y"),
        ("a.C.member", "a.C()", "a.C.member is gone"),
        ("a.f(*rest)", "a.f()", "no parameter \\*rest"),
    ],
)
def test_what_breaks_a_program_is_told(before: str, after: str, fault: str) -> None:
    faults = broken([Entry.read(before)], [Entry.read(after)] if after else [])
    assert any(fault.replace("\\", "") in one for one in faults), faults


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a.f(x, y=)", "a.f(x, y=, z=)"),
        ("a.f(x, y=)", "a.f(x=, y=)"),
        ("a.f(x, *, y=)", "a.f(x, y=)"),
        ("a.f(x)", "a.f(x, *, y=)"),
        ("a.f()", "a.f(*rest, **more)"),
        ("a.C.member", "a.C.member"),
        ("a.C.member", "a.C.member()"),
    ],
)
def test_what_breaks_none_is_let_pass(before: str, after: str) -> None:
    assert not broken([Entry.read(before)], [Entry.read(after), Entry("a.new")])


def test_a_line_reads_as_it_was_written() -> None:
    for entry in present():
        assert Entry.read(entry.line()) == entry
