"""Finds the test of each reported case and writes tests/cases.md, with what no test covers yet."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

ROOT: Final = Path(__file__).parents[2]
TESTS: Final = ROOT / "tests"
LIST: Final = TESTS / "cases.json"
TABLE: Final = TESTS / "cases.md"
_ID: Final = re.compile(r"(?<![0-9A-Za-z])(?:B|(?<=test_)b)(\d{3})(?!\d)")
_HEAD: Final = """\
# Reported cases

What people reported of chats, terminals and pickers like this one, and the test that keeps each fault from
coming back. `python -m tui_tapback.demo.docs` writes it from `cases.json` and from the ids that stand in the
tests (`# case B129`, in a docstring, a name or a parameter's id). `cases.json` names the test where the test
does not name the case.
"""


class Case(msgspec.Struct, frozen=True, omit_defaults=True):
    """One report: its id, the area it is about, where it was reported, the fault in a line.

    ``tests`` name further tests that cover it, as ``folder/file.py::test_name`` below tests/.
    """

    id: str
    area: str
    url: str
    symptom: str
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A test's name and its lines, counted from 1, with decorators and the comments right above them."""

    name: str
    first: int
    last: int


def load(path: Path = LIST) -> tuple[Case, ...]:
    """The reports. Raises msgspec.ValidationError for a list of another form."""
    return msgspec.json.decode(path.read_bytes(), type=tuple[Case, ...])


def functions(source: str) -> list[Function]:
    """The tests of one file."""
    lines = source.splitlines()
    found: list[Function] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            while first > 1 and lines[first - 2].lstrip().startswith("#"):
                first -= 1
            found.append(Function(node.name, first, node.end_lineno or node.lineno))
    return found


def named(source: str) -> dict[str, set[str]]:
    """id → the tests of one file that name it; an id outside of any test belongs to the whole file ("")."""
    if not _ID.search(source):
        return {}
    tests = functions(source)
    found: dict[str, set[str]] = {}
    for number, line in enumerate(source.splitlines(), 1):
        for digits in _ID.findall(line):
            names = {test.name for test in tests if test.first <= number <= test.last}
            found.setdefault(f"B{digits}", set()).update(names or {""})
    return found


def covering(cases: Sequence[Case], sources: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """id → its tests, sorted; ``sources`` are the test files, by their paths below tests/.

    Raises ValueError for a test that the list names and that does not exist.
    """
    found: dict[str, set[str]] = {case.id: set() for case in cases}
    for file, source in sources.items():
        for case_id, names in named(source).items():
            found.setdefault(case_id, set()).update(f"{file}::{name}" if name else file for name in names)
    for case in cases:
        for test in case.tests:
            file, _, name = test.partition("::")
            if name not in {one.name for one in functions(sources.get(file, ""))}:
                raise ValueError(f"{LIST.name} names {test} for {case.id}, and there is no such test")
            found[case.id].add(test)
    return {case_id: tuple(sorted(tests)) for case_id, tests in found.items()}


def table(cases: Sequence[Case], covered: Mapping[str, Iterable[str]]) -> str:
    """The whole document: the sum, what is open, then each area."""
    open_cases = [case for case in cases if not tuple(covered[case.id])]
    parts = [_HEAD, f"{len(cases) - len(open_cases)} of {len(cases)} are covered.", "", "## Open", ""]
    parts += [f"* {case.id} ({case.area}): {_words(case)}" for case in open_cases] or ["None."]
    for area in sorted({case.area for case in cases}):
        parts += ["", f"## {area}", "", "| case | reported | tests |", "| --- | --- | --- |"]
        for case in cases:
            if case.area == area:
                tests = "<br>".join(f"`{test}`" for test in covered[case.id]) or "open"
                parts.append(f"| {case.id} | {_words(case)} | {tests} |")
    return "\n".join(parts) + "\n"


def _words(case: Case) -> str:
    symptom = case.symptom.replace("\\", "\\\\").replace("|", "\\|").replace("<", "\\<")
    return f"{symptom.replace('[', chr(92) + '[')} ([report]({case.url}))"


def document() -> str:
    """tests/cases.md as it should be. Raises ValueError as ``covering``."""
    sources = {
        path.relative_to(TESTS).as_posix(): path.read_text("utf-8")
        for path in sorted(TESTS.rglob("test_*.py"))
    }
    cases = load()
    return table(cases, covering(cases, sources))
