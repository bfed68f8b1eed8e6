"""The table of reported cases tells which test names which report, and hides none that has no test."""

from __future__ import annotations

import pytest

from tui_tapback.demo.cases import LIST, TABLE, Case, covering, document, load, table

# Ids are put together here, so that this file does not seem to cover anything itself.
ONE, TWO = (f"{'B'}{number}" for number in ("001", "002"))
CASES = (
    Case(ONE, "area", "https://example.org/1", "It [breaks] | badly."),
    Case(TWO, "area", "u", "It <hangs>."),
)


def test_the_table_is_fresh() -> None:
    assert TABLE.read_text("utf-8") == document(), "run: python -m tui_tapback.demo.docs"


def test_the_list_has_each_case_once_and_no_test_names_one_that_is_not_in_it() -> None:
    cases = load()
    ids = [case.id for case in cases]
    assert len(ids) == len(set(ids)) == 173
    assert all(case.symptom and case.url.startswith("https://") for case in cases)
    assert LIST.read_text("utf-8").isprintable() is False  # one case a line
    sources = {
        path.relative_to(LIST.parent).as_posix(): path.read_text("utf-8")
        for path in LIST.parent.rglob("test_*.py")
    }
    assert set(covering(cases, sources)) == set(ids)


@pytest.mark.parametrize(
    "source",
    [
        f"# case {ONE}\ndef test_x(): ...",
        f"# case {ONE}\n@mark\nasync def test_x(): ...",
        f'def test_x():\n    """{ONE}: it broke."""',
        f"def test_x():\n    call()  # {ONE}, {TWO}",
        f'@parametrize(["{ONE}-thumb"])\ndef test_x(): ...',
        f"class Group:\n    # {ONE}\n    def test_x(self): ...",
    ],
)
def test_an_id_belongs_to_the_test_that_it_stands_in_or_above(source: str) -> None:
    assert covering(CASES, {"a/test_a.py": source})[ONE] == ("a/test_a.py::test_x",)


def test_a_name_may_carry_it_and_an_id_outside_of_tests_belongs_to_the_file() -> None:
    small = ONE.lower()
    assert covering(CASES, {"test_a.py": f"def test_{small}_x(): ..."})[ONE] == (
        f"test_a.py::test_{small}_x",
    )
    assert covering(CASES, {"test_a.py": f"ROWS = ['{ONE}']\n\ndef test_x(): ..."})[ONE] == ("test_a.py",)


@pytest.mark.parametrize("text", [f"x{ONE}", f"{ONE}0", f"U+1F44{ONE}", ONE.lower()])
def test_what_only_looks_like_an_id_is_none(text: str) -> None:
    assert covering(CASES, {"test_a.py": f"def test_x():\n    '{text}'"})[ONE] == ()


def test_a_test_that_the_list_names_must_exist() -> None:
    cases = (Case(ONE, "area", "u", "It breaks.", ("test_a.py::test_gone",)),)
    with pytest.raises(ValueError, match="test_gone"):
        covering(cases, {"test_a.py": "def test_x(): ..."})
    assert covering(cases, {"test_a.py": "def test_gone(): ..."})[ONE] == ("test_a.py::test_gone",)


def test_what_nobody_covers_is_listed_as_open_and_signs_stay_what_they_are() -> None:
    text = table(CASES, {ONE: ("test_a.py::test_x",), TWO: ()})
    assert "1 of 2 are covered." in text
    assert f"* {TWO} (area): It \\<hangs>." in text
    assert f"| {TWO} | It \\<hangs>. ([report](u)) | open |" in text
    assert "It \\[breaks] \\| badly." in text
