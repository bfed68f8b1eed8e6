"""Opening the data file: fresh, held by another, not writable, damaged, from another version, full."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tui_tapback.domain.errors import (
    DiskFull,
    StoreDamaged,
    StoreError,
    StoreLocked,
    StoreTooNew,
)
from tui_tapback.gateway.store.database import Database
from tui_tapback.gateway.store.messages import SAID
from tui_tapback.gateway.store.migrations import MIGRATIONS, migrate
from tui_tapback.gateway.store.records import NewMessage, SessionRecord
from tui_tapback.gateway.store.store import Store

SESSION = SessionRecord("20270115_080000_000001", "", "", "", "[]", 1.0, 1.0)


def filled(path: Path) -> None:
    store = Store(path)
    with store.transaction():
        store.sessions.insert(SESSION)
        store.messages.insert(NewMessage(session_id=SESSION.id, role="user", text="hello", at=1.0))
    store.close()


def test_a_fresh_file_is_the_persons_own_and_durable(tmp_path: Path) -> None:
    path = tmp_path / "data" / "state.db"
    store = Store(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    store.check()
    store.close()
    store.close()
    with sqlite3.connect(path) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    raw.close()


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.db")
    found = [database.row(f"PRAGMA {name}") for name in ("synchronous", "journal_mode", "locking_mode")]
    assert [tuple(row or ()) for row in found] == [(2,), ("wal",), ("exclusive",)]  # 2: FULL
    database.close()


def test_a_second_owner_is_refused_and_the_first_is_not_disturbed(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    filled(path)
    store = Store(path)
    with pytest.raises(StoreLocked, match="Another program is using") as caught:
        Store(path)
    assert caught.value.hint
    script = (
        "import sys; from pathlib import Path\n"
        "from tui_tapback.gateway.store.store import Store\n"
        "from tui_tapback.domain.errors import StoreLocked\n"
        "try: Store(Path(sys.argv[1]))\n"
        "except StoreLocked: sys.exit(7)\n"
    )
    other = subprocess.run([sys.executable, "-c", script, str(path)], check=False, timeout=30)
    assert other.returncode == 7
    assert store.messages.count(SESSION.id) == 1
    store.close()
    Store(path).close()


def test_a_program_that_does_not_know_our_lock_is_kept_out_too(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    filled(path)
    store = Store(path)
    raw = sqlite3.connect(path, timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        raw.execute("INSERT INTO settings VALUES('a', 'b')")
    raw.close()
    store.close()


def test_a_file_that_another_program_writes_is_locked(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    filled(path)
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("INSERT INTO settings VALUES('a', 'b')")
    with pytest.raises(StoreLocked):
        Store(path)
    raw.execute("ROLLBACK")
    raw.close()
    Store(path).close()


def _as_nobody(path: Path, code: str) -> int:
    """Run ``code`` without the powers of root, to which permissions mean nothing."""
    drop = "import os\nif os.getuid() == 0: os.setgid(65534); os.setuid(65534)\n"
    return subprocess.run(
        [sys.executable, "-c", "import tui_tapback.gateway.store.store\n" + drop + code, str(path)],
        check=False,
        timeout=30,
    ).returncode


OPEN_READ_ONLY = """
import sys
from pathlib import Path
from tui_tapback.domain.errors import StoreReadOnly
from tui_tapback.gateway.store.store import Store
try:
    Store(Path(sys.argv[1]))
except StoreReadOnly as error:
    sys.exit(7 if "cannot be" in str(error) and error.hint else 8)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="permissions work otherwise there")
@pytest.mark.parametrize("existing", [True, False])
def test_a_folder_that_cannot_be_written(existing: bool) -> None:
    # Below /tmp itself: pytest's own folders are closed to others.
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp())
    try:
        path = folder / "state.db"
        if existing:
            filled(path)
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        assert _as_nobody(path, OPEN_READ_ONLY) == 7
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    "content", [b"this is no database at all" * 100, b"\x00" * 4096, b"SQLite format 3\x00" * 300]
)
def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match="not a sound database") as caught:
        Store(path)
    assert caught.value.hint
    assert path.read_bytes() == content


def test_damage_inside_is_found_at_the_opening_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    store = Store(path)
    with store.transaction():
        store.sessions.insert(SESSION)
        for n in range(500):
            store.messages.insert(NewMessage(session_id=SESSION.id, role="user", text=f"{n} " * 50, at=1.0))
    store.close()
    with path.open("r+b") as file:
        file.seek(4096 * 12)
        file.write(os.urandom(4096 * 6))
    content = path.read_bytes()
    with pytest.raises(StoreDamaged) as caught:
        Store(path)
    assert "sessions repair" in caught.value.hint
    assert path.read_bytes() == content


def test_metadata_that_is_no_json_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    filled(path)
    raw = sqlite3.connect(path)
    raw.execute("UPDATE messages SET display_metadata = '{oops'")
    raw.commit()
    raw.close()
    store = Store(path)
    with pytest.raises(StoreDamaged, match="metadata of row 1"):
        store.messages.all(SESSION.id)
    store.close()


def test_a_file_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    filled(path)
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(StoreTooNew, match="schema 99") as caught:
        Store(path)
    assert "Update the program" in caught.value.hint
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA user_version").fetchone() == (99,)
    raw.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    filled(path)
    raw = sqlite3.connect(path, isolation_level=None)

    def second(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE messages ADD COLUMN mood TEXT")
        connection.execute("CREATE TABLE sessions(a)")

    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        migrate(raw, str(path), (*MIGRATIONS, second))
    assert raw.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert "mood" not in str(raw.execute("SELECT sql FROM sqlite_master").fetchall())

    def better(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE messages ADD COLUMN mood TEXT")

    migrate(raw, str(path), (*MIGRATIONS, better))
    assert raw.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
    assert raw.execute("SELECT text, mood FROM messages").fetchall() == [("hello", None)]
    raw.close()


def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    old = sqlite3.connect(path, isolation_level=None)
    migrate(old, str(path), MIGRATIONS[:1])
    old.execute("INSERT INTO sessions VALUES('20270115_080000_000001', 't', '', '', '[]', 1.0, 1.0, NULL)")
    old.close()
    store = Store(path)
    assert [summary.session.title for summary in store.sessions.recent(5)] == ["t"]
    store.check()
    store.close()


def test_no_query_of_every_day_reads_more_rows_than_it_needs(tmp_path: Path) -> None:
    """The list of sessions and the newest message find what they want in an index, without sorting."""
    path = tmp_path / "state.db"
    filled(path)
    raw = sqlite3.connect(path)
    said = f"FROM messages WHERE session_id = 's' AND {SAID}"

    def plan(query: str) -> str:
        return " ".join(row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {query}"))

    for query in (f"SELECT count(*) {said}", f"SELECT text {said} ORDER BY position DESC LIMIT 1"):
        assert plan(query) == "SEARCH messages USING INDEX messages_said (session_id=?)"
    for condition in ("role = 'user' AND text != '' AND position IS NOT NULL", "sent IS NOT NULL"):
        query = f"SELECT sent FROM messages WHERE session_id = 's' AND active = 1 AND {condition}"
        assert "TEMP B-TREE" not in plan(f"{query} ORDER BY position DESC")
    raw.close()


def test_a_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", page_limit=40)
    with store.transaction():
        store.sessions.insert(SESSION)
    with pytest.raises(DiskFull, match="no space left"), store.transaction():
        store.messages.insert(NewMessage(session_id=SESSION.id, role="user", text="small", at=1.0))
        store.messages.insert(NewMessage(session_id=SESSION.id, role="user", text="x" * 400_000, at=1.0))
    assert store.messages.count(SESSION.id) == 0
    store.check()
    with store.transaction():
        store.messages.insert(NewMessage(session_id=SESSION.id, role="user", text="small", at=1.0))
    assert store.messages.count(SESSION.id) == 1
    store.close()


def test_operations_that_are_too_old_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    store = Store(path)
    with store.transaction():
        store.sessions.insert(SESSION)
        for number in range(3):
            store.operations.remember("reaction", SESSION.id, f"op-{number}", {}, 1.0)
        store.operations.remember("prompt", SESSION.id, "ref", {}, 1.0)
    with store.transaction():
        store.operations.remember("reaction", SESSION.id, "later", {}, 2.0 + 24 * 3600)
    store.close()
    raw = sqlite3.connect(path)
    assert sorted(raw.execute("SELECT kind, op_id FROM operations")) == [
        ("prompt", "ref"),
        ("reaction", "later"),
    ]
    raw.close()


def test_a_deleted_session_leaves_nothing_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    filled(path)
    store = Store(path)
    with store.transaction():
        store.operations.remember("prompt", SESSION.id, "ref", {}, 1.0)
        store.sessions.delete(SESSION.id)
    store.close()
    raw = sqlite3.connect(path)
    for table in ("sessions", "messages", "operations"):
        assert raw.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    raw.close()


def test_transactions_do_not_nest_and_roll_back_on_any_error(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db")
    with pytest.raises(RuntimeError, match="already open"), store.transaction():
        store.sessions.insert(SESSION)
        with store.transaction():
            pass
    assert store.sessions.get(SESSION.id) is None
    store.close()
    with pytest.raises(StoreError), store.transaction():
        pass


def test_what_the_model_was_sent_is_written_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db")
    with store.transaction():
        store.sessions.insert(SESSION)
        row = store.messages.insert(NewMessage(session_id=SESSION.id, role="user", text="a", at=1.0))
        store.messages.seal(row.row_id, "{}")
    with pytest.raises(AssertionError, match="sent already"), store.transaction():
        store.messages.seal(row.row_id, "{}")
    store.close()
