"""The compiled methods of dataclasses: as good as fresh ones, and nobody else's file is trusted."""

from __future__ import annotations

import marshal
import sys
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.cli.compiled import CompiledMethods

TEXTS = [f"found = {number} + given" for number in range(30)]


def results(methods: CompiledMethods) -> list[Any]:
    found: list[Any] = []
    for text in TEXTS:
        names: dict[str, Any] = {"given": 100}
        methods.execute(text, names)
        found.append(names["found"])
    return found


def test_kept_code_does_what_fresh_code_does(tmp_path: Path) -> None:
    file = tmp_path / "compiled"
    first = CompiledMethods(str(file))
    assert results(first) == list(range(100, 130))
    first.save()
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]
    version, kept = marshal.loads(file.read_bytes())
    assert (version, sorted(kept)) == (sys.version, sorted(TEXTS))
    again = CompiledMethods(str(file))
    assert results(again) == list(range(100, 130))
    before = file.stat().st_mtime_ns
    again.save()
    assert file.stat().st_mtime_ns == before, "there was nothing new to keep"


@pytest.mark.parametrize("harm", ["readable", "version", "cut"])
def test_a_file_that_is_not_as_expected_is_left_alone(tmp_path: Path, harm: str) -> None:
    file = tmp_path / "compiled"
    lie = {text: marshal.dumps(compile("found = 'a lie'", "x", "exec")) for text in TEXTS}
    data = marshal.dumps((sys.version if harm != "version" else "2.7", lie))
    file.touch(0o600)
    file.write_bytes(data[: len(data) // 2] if harm == "cut" else data)
    file.chmod(0o640 if harm == "readable" else 0o600)
    assert results(CompiledMethods(str(file))) == list(range(100, 130))


def test_where_nothing_can_be_written_all_goes_on(tmp_path: Path) -> None:
    methods = CompiledMethods(str(tmp_path / "no" / "folder"))
    results(methods)
    methods.save()
    assert list(tmp_path.iterdir()) == []
