"""What is remembered of tapbacks: shared by two programs, private, healed, and never lost to a full disk."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tui_tapback.app.tapbacks.away import horizon
from tui_tapback.client import tapback_memory as memory
from tui_tapback.client.tapback_memory import GLOBAL, KeptLens, Pin, TapbackMemory
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet


def test_what_another_program_has_saved_is_taken_over(tmp_path: Path) -> None:
    file = tmp_path / "tapbacks.json"
    one, other = TapbackMemory(file), TapbackMemory(file)
    theirs, mine = Pin("s", 1, "theirs"), Pin("s", 2, "mine")
    other.change(memory.pinned(theirs))
    assert other.save() == ""
    one.change(memory.pinned(mine))
    one.refresh()
    assert one.now.pins == (theirs, mine)
    assert one.save() == ""
    other.refresh()
    assert other.now.pins == (theirs, mine)
    bare = TapbackMemory()
    bare.change(memory.pinned(mine))
    bare.refresh()
    assert bare.now.pins == (mine,)


def test_two_programs_lose_nothing_of_each_other(tmp_path: Path) -> None:
    file = tmp_path / "tapbacks.json"
    one, other = TapbackMemory(file), TapbackMemory(file)
    for _ in range(3):
        one.change(memory.counted(Author.USER, "👍", 5.0))
        other.change(memory.counted(Author.USER, "👍", 6.0))
    one.change(memory.lens_kept(KeptLens("one")))
    other.change(memory.lens_kept(KeptLens("other")))
    one.change(memory.quick_chosen(GLOBAL, ("❤️",)))
    other.change(memory.quick_chosen("s", ("👍",)))
    assert one.save() == other.save() == ""
    kept = TapbackMemory(file).now
    assert kept.given == {"👍": 6}
    assert kept.counted_from == 5.0
    assert [lens.name for lens in kept.lenses] == ["one", "other"]
    assert kept.quick == {GLOBAL: ("❤️",), "s": ("👍",)}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b'{"seen": 3}', b"[]"])
def test_a_damaged_file_is_begun_anew(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "tapbacks.json"
    file.write_bytes(damage)
    kept = TapbackMemory(file)
    assert kept.now == memory.Kept()
    kept.change(memory.muted(True))
    assert kept.save() == ""
    assert TapbackMemory(file).now.muted


def test_what_could_not_be_saved_is_told_and_tried_again(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.write_text("a file where the folder should be")
    kept = TapbackMemory(folder / "tapbacks.json")
    kept.change(memory.muted(True))
    assert "could not be saved" in kept.save()
    folder.unlink()
    assert kept.save() == ""
    assert TapbackMemory(folder / "tapbacks.json").now.muted


def test_the_last_look_never_goes_back_and_old_sessions_are_forgotten() -> None:
    kept = TapbackMemory()
    kept.change(memory.looked("s", 10.0, 7))
    kept.change(memory.looked("s", 5.0, 3))
    kept.change(memory.looked("t", 1.0))
    assert kept.now.seen == {"s": 10.0, "t": 1.0}
    assert kept.now.rows == {"s": 7}
    for number in range(memory.SESSIONS):
        kept.change(memory.looked(f"s{number}", 20.0 + number))
    assert "s" not in kept.now.seen and "s" not in kept.now.rows
    assert len(kept.now.seen) == memory.SESSIONS


def test_pins_and_lenses_are_replaced_not_doubled() -> None:
    kept = TapbackMemory()
    kept.change(memory.pinned(Pin("s", 1, "a")))
    kept.change(memory.pinned(Pin("s", 2, "b")))
    kept.change(memory.pinned(Pin("s", 1, "c")))
    assert [pin.quote for pin in kept.now.pins] == ["b", "c"]
    kept.change(memory.unpinned(Pin("s", 2)))
    assert [pin.row_id for pin in kept.now.pins] == [1]
    kept.change(memory.lens_kept(KeptLens("x", "👍")))
    kept.change(memory.lens_kept(KeptLens("x", "❓")))
    assert [lens.emoji for lens in kept.now.lenses] == ["❓"]
    kept.change(memory.lens_forgotten("x"))
    assert kept.now.lenses == ()


def test_the_horizon_stands_before_the_oldest_tapback_not_seen() -> None:
    def message(key: str, at: float, *given: float) -> Message:
        reactions = ReactionSet.of([Reaction("👍", Author.AGENT, when, f"p{when}") for when in given])
        return Message(key=key, role=Role.USER, text="x", at=at, reactions=reactions)

    rows = [message("a", 1.0, 50.0), message("b", 2.0, 70.0), message("c", 60.0)]
    assert horizon(rows, ()) == 70.0
    assert 49.0 < horizon(rows, ("a",)) < 50.0
    assert 50.0 < horizon(rows, ("b",)) < 70.0
    assert horizon([message("c", 60.0)], ()) == 60.0
    assert horizon([], ()) == 0.0
