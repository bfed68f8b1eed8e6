"""Care of the data file: older schemas, copies before a migration, backup, damage, repair."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from tui_tapback.domain.errors import StoreDamaged, StoreError, StoreLocked, StoreTooNew
from tui_tapback.gateway.store.migrations import MIGRATIONS
from tui_tapback.gateway.store.records import NewMessage, SessionRecord
from tui_tapback.gateway.store.repair import back_up, repair
from tui_tapback.gateway.store.search import Filters
from tui_tapback.gateway.store.store import Store

SCHEMAS = sorted((Path(__file__).parent / "schemas").glob("schema-*.sql"))
PLANS, OTHER = "20270115_080000_000001", "20270115_080000_000002"


def _old(path: Path, schema: Path) -> None:
    raw = sqlite3.connect(path)
    raw.executescript(schema.read_text("utf-8"))
    raw.close()


def _filled(path: Path, count: int) -> None:
    store = Store(path)
    with store.transaction():
        for session_id in (PLANS, OTHER):
            store.sessions.insert(SessionRecord(session_id, "Plans", "", "", "[]", 1.0, 1.0))
        for number in range(count):
            session_id = (PLANS, OTHER)[number % 2]
            store.messages.insert(
                NewMessage(session_id=session_id, role="user", text=f"message {number} " * 40, at=1.0)
            )
    store.close()


def _leaves(path: Path, table: str) -> list[int]:
    """Some pages in the middle of a table."""
    raw = sqlite3.connect(path)
    query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'"
    pages = [row[0] for row in raw.execute(query, (table,))]
    raw.close()
    return pages[len(pages) // 3 : len(pages) // 2]


def _overwrite(path: Path, pages: list[int]) -> None:
    for page in pages:
        with path.open("r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(b"\xa5" * 4096)


def _damage(path: Path, table: str) -> None:
    _overwrite(path, _leaves(path, table))


def test_every_older_schema_has_an_example() -> None:
    assert [schema.stem for schema in SCHEMAS] == [f"schema-{n}" for n in range(1, len(MIGRATIONS))]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.stem)
def test_a_file_of_an_older_schema_comes_up_to_date_and_is_kept_as_it_was(
    tmp_path: Path, schema: Path
) -> None:
    path = tmp_path / "state.db"
    _old(path, schema)
    before = sqlite3.connect(path)
    dump = list(before.iterdump())
    before.close()
    store = Store(path)
    store.check()
    assert [row.text for row in store.messages.all(PLANS)] == [
        "Where shall we go? 世界",
        "To the **sea**.",
        "and back",
    ]
    assert [row.text for row in store.messages.all(OTHER)] == ["waits"]
    assert store.messages.context(PLANS)[0] == '{"role":"user","content":"Where shall we go? 世界"}'
    assert store.operations.find("prompt", PLANS, "r1", 101.0) == {"status": "streaming", "user_row_id": 1}
    assert [(row.message_count, row.reactions) for row in store.sessions.recent(5)] == [(3, 2), (1, 0)]
    assert [hit.row_id for hit in store.search.candidates(["世界"], Filters())] == [1]
    assert [hit.row_id for hit in store.search.candidates([], Filters(emoji="👍"))] == [2]
    store.close()
    kept = tmp_path / f"state.db.{schema.stem}.bak"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    copy = sqlite3.connect(kept)
    assert list(copy.iterdump()) == dump
    copy.close()
    Store(path).close()
    assert len(list(tmp_path.glob("*.bak"))) == 1


@pytest.mark.parametrize("size", [500, 40_000], ids=["small", "too large to be read at every opening"])
def test_a_damaged_file_is_not_migrated(tmp_path: Path, size: int) -> None:
    path = tmp_path / "state.db"
    _old(path, SCHEMAS[0])
    raw = sqlite3.connect(path)
    for n in range(300):
        raw.execute(
            "INSERT INTO messages(session_id, position, role, text, created_at) VALUES(?, ?, 'user', ?, 1)",
            (PLANS, 10 + n, "x" * size),
        )
    raw.commit()
    raw.close()
    _damage(path, "messages")
    content = path.read_bytes()
    with pytest.raises(StoreDamaged, match="damaged") as caught:
        Store(path)
    assert "sessions repair" in caught.value.hint
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA user_version").fetchone() == (1,)
    raw.close()
    assert path.read_bytes()[4096:] == content[4096:]  # the first page counts the openings
    assert not list(tmp_path.glob("*.bak"))


def test_damage_that_shows_itself_later_ends_all_writing(tmp_path: Path) -> None:
    """In a file that is too large to be read whole at every opening."""
    path = tmp_path / "state.db"
    store = Store(path)
    with store.transaction():
        store.sessions.insert(SessionRecord(PLANS, "Plans", "", "", "[]", 1.0, 1.0))
        for _ in range(300):
            new = NewMessage(session_id=PLANS, role="tool", text="x" * 30_000, at=1.0)
            store.messages.insert(new)
    store.close()
    _damage(path, "messages")
    store = Store(path)
    with pytest.raises(StoreDamaged):
        store.messages.all(PLANS)
    with pytest.raises(StoreDamaged, match="nothing more is written"), store.transaction():
        pytest.fail("the transaction has begun")
    store.close()


def test_a_backup_is_a_whole_file_of_its_own(tmp_path: Path) -> None:
    path, target = tmp_path / "state.db", tmp_path / "copy.db"
    _filled(path, 20)
    back_up(path, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    store = Store(target)
    assert store.messages.count(PLANS) == 10
    store.back_up(tmp_path / "live.db")  # also while it is in use
    store.close()
    Store(tmp_path / "live.db").check()
    with pytest.raises(StoreError, match="no data file"):
        back_up(tmp_path / "none.db", target)
    with pytest.raises(StoreError):
        back_up(path, tmp_path / "no" / "such" / "folder.db")


def test_care_needs_the_file_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    _filled(path, 2)
    store = Store(path)
    for care in (lambda: back_up(path, tmp_path / "copy.db"), lambda: repair(path, "now")):
        with pytest.raises(StoreLocked):
            care()
    assert store.messages.count(PLANS) == 1
    store.close()


def test_repair_of_a_sound_file_makes_what_is_derived_anew(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    _filled(path, 20)
    raw = sqlite3.connect(path)
    raw.execute("UPDATE session_counts SET said = 99")
    raw.execute("DELETE FROM messages_fts_data WHERE id > 100")
    raw.commit()
    raw.close()
    result = repair(path, "now")
    assert (result.messages, result.lost, result.damaged_file) == (20, 0, None)
    store = Store(path)
    assert store.messages.count(PLANS) == 10
    assert len([*store.search.candidates(["message 1"], Filters())]) == 11
    store.close()


@pytest.mark.parametrize(
    "table", ["messages", "sessions", "messages_in_order", "operations", "messages_fts_data"]
)
def test_repair_rescues_what_can_be_read_and_keeps_the_damaged_file(tmp_path: Path, table: str) -> None:
    path = tmp_path / "state.db"
    _filled(path, 400)
    if table == "sessions":
        raw = sqlite3.connect(path)
        raw.execute("DELETE FROM sessions WHERE id = ?", (OTHER,))  # without its rows: no foreign keys here
        raw.commit()
        raw.close()
        with path.open("r+b") as file:  # and something else that makes the file unsound
            file.seek(0, 2)
            file.write(b"\xa5" * 4096)
    else:
        raw = sqlite3.connect(path)
        for n in range(400):
            raw.execute("INSERT INTO operations VALUES('prompt', ?, ?, '{}', 1)", (PLANS, f"op {n} " * 20))
        raw.commit()
        raw.close()
        _damage(path, table)
    content = path.read_bytes()
    result = repair(path, "now")
    if result.damaged_file is not None:
        assert result.damaged_file.read_bytes() == content
    assert result.messages + result.lost >= 400
    assert result.messages >= (200 if table == "messages" else 400)
    store = Store(path)
    store.check()
    rows = [row for session_id in (PLANS, OTHER) for row in store.messages.all(session_id)]
    assert len(rows) == result.messages
    assert all(row.text.startswith(f"message {row.row_id - 1} ") for row in rows)
    store.close()
    assert (
        sorted(file.name for file in tmp_path.iterdir() if "rescue" in file.name or "repaired" in file.name)
        == []
    )


@pytest.mark.parametrize("content", [b"this is no database at all" * 400, b"\x00" * 8192])
def test_repair_of_what_was_never_a_database_changes_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(content)
    with pytest.raises(StoreDamaged):
        repair(path, "now")
    assert path.read_bytes() == content
    assert {file.name for file in tmp_path.iterdir()} == {"state.db", "state.db.lock"}


def _spoil(path: Path, row_id: int, metadata: str) -> None:
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("UPDATE messages SET display_metadata = ? WHERE row_id = ?", (metadata, row_id))
    raw.close()


@pytest.mark.parametrize("metadata", ["{", "[]", "", '"x"'])
@pytest.mark.parametrize("broken", [False, True])
def test_repair_keeps_the_words_of_a_row_whose_metadata_cannot_be_read(
    tmp_path: Path, metadata: str, broken: bool
) -> None:
    """In a file that is sound otherwise, and in one that is not."""
    path = tmp_path / "state.db"
    _filled(path, 300)
    _spoil(path, 1, metadata)
    if broken:
        _damage(path, "messages")
    found = repair(path, "1")
    assert found.damaged_file is not None
    assert found.damaged_file.exists()
    assert (found.lost > 1) is broken
    store = Store(path)
    assert store.messages.fetch(1).text.startswith("message 0")
    assert store.messages.fetch(1).metadata == {}
    assert store.messages.all(PLANS)
    store.close()
    assert repair(path, "2").damaged_file is None


def test_messages_whose_session_is_lost_come_back_in_one(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    store = Store(path)
    ids = [f"20270115_080000_{number:06x}" for number in range(200)]
    with store.transaction():
        for session_id in ids:
            store.sessions.insert(SessionRecord(session_id, "t", "", "prompt " * 20, "[]", 1.0, 1.0))
            store.messages.insert(NewMessage(session_id=session_id, role="user", text="kept", at=7.0))
    store.close()
    _damage(path, "sessions")
    assert repair(path, "1").messages == len(ids)
    store = Store(path)
    listed = store.sessions.recent(1000)
    assert {row.session.id for row in listed} == set(ids)
    assert {row.session.title for row in listed} == {"t", "Rescued chat"}
    store.close()


def test_a_link_to_the_file_is_the_file(tmp_path: Path) -> None:
    """Its lock, its log, and the copies of it lie where the file lies."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").mkdir()
    path, link = tmp_path / "disk" / "state.db", tmp_path / "data" / "state.db"
    link.symlink_to(path)
    _filled(link, 100)
    store = Store(link)
    with pytest.raises(StoreLocked):
        Store(path)
    with pytest.raises(StoreLocked):
        repair(path, "1")
    assert (tmp_path / "disk" / "state.db-wal").exists()
    store.close()
    _damage(path, "messages")
    found = repair(link, "2")
    assert found.damaged_file == tmp_path / "disk" / "state.db.damaged-2"
    assert 0 < found.messages < 100
    assert link.is_symlink()
    Store(link).close()
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["state.db"]


def test_repair_leaves_a_file_of_a_newer_version_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    _filled(path, 2)
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(StoreTooNew):
        repair(path, "now")
