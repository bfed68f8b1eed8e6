"""Which files are meant by what is typed or pasted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_tapback.app.working.paths import named_files, pasted_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("notes.txt", "my notes.txt", "a.b", "it's.png"):
        (tmp_path / name).write_text("x")
    (tmp_path / "sub").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("look at @notes.txt", ["notes.txt"]),
        ("look at @notes.txt, please", ["notes.txt"]),
        ('and @"my notes.txt" too', ["my notes.txt"]),
        ("@notes.txt @a.b @notes.txt", ["notes.txt", "a.b"]),
        ("mail me@notes.txt", []),
        ("@sub is a folder, @bob a person", []),
        ("@a.b.", ["a.b"]),
    ],
)
def test_files_named_behind_an_at_sign(folder: Path, text: str, names: list[str]) -> None:
    assert [path.name for path in named_files(text, folder)] == names


def test_a_paste_that_is_nothing_but_paths_of_files_is_these_files(folder: Path) -> None:
    notes, spaced, quoted = folder / "notes.txt", folder / "my notes.txt", folder / "it's.png"
    assert pasted_files(f"{notes}\n") == [notes]
    assert pasted_files(str(spaced)) == [spaced], "some terminals quote nothing"
    assert pasted_files(str(spaced).replace(" ", "\\ ")) == [spaced]
    assert pasted_files(f"'{spaced}' {notes}") == [spaced, notes]
    assert pasted_files(f"file://{str(spaced).replace(' ', '%20')}") == [spaced]
    assert pasted_files(str(quoted)) == [quoted]


OTHER = ["", "notes.txt", "/", "see {folder}/notes.txt", "'/open", "file://host/x", "~"]


@pytest.mark.parametrize("piece", OTHER)
def test_any_other_paste_is_text(folder: Path, piece: str) -> None:
    assert pasted_files(piece.format(folder=folder)) == []


@pytest.mark.parametrize("piece", ["/\0", "/" + "x" * 5000, "file://[", "/a\n/b"])
def test_odd_pastes_are_text(piece: str) -> None:
    assert pasted_files(piece) == []
