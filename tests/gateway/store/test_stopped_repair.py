"""A repair that is killed at any step: nothing is lost, and the next start or repair completes it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tui_tapback.gateway.store.records import NewMessage, SessionRecord
from tui_tapback.gateway.store.repair import back_up, repair
from tui_tapback.gateway.store.store import Store

CHAT = "20270115_080000_000001"
ROWS = 60
STOP = """
import itertools, os, shutil, sys
from pathlib import Path
from tui_tapback.gateway.store.repair import repair

STEPS = {"os.rename", "os.link", "os.remove", "os.chmod", "open", "sqlite3.connect"}
left, folder = -1, Path(sys.argv[1])

def stop(event, arguments):
    global left
    if event in STEPS and left >= 0 and str(folder) in str(arguments[0]):
        left -= 1
        if left < 0:
            os._exit(9)  # nothing is written, closed or cleaned up any more

sys.addaudithook(stop)
for step in itertools.count():
    shutil.copytree(folder / "template", folder / f"step-{step}")
    child = os.fork()
    if child == 0:
        left = step
        repair(folder / f"step-{step}" / "state.db", "now")
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        break
print(step)
"""
"""Repairs a file again and again, and ends each repair one step later than the one before."""


def _damaged(folder: Path) -> Path:
    """A file with a page that cannot be read and newer messages in its log, as a crash leaves them."""
    path, living = folder / "state.db", folder / "living"
    living.mkdir()
    store = Store(living / "state.db")
    with store.transaction():
        store.sessions.insert(SessionRecord(CHAT, "Plans", "", "", "[]", 1.0, 1.0))
        for n in range(ROWS // 2):
            store.messages.insert(NewMessage(session_id=CHAT, role="user", text=f"{n} " * 300, at=1.0))
    store.close()
    with sqlite3.connect(living / "state.db") as raw:
        (page,) = raw.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'messages_in_order'"
        ).fetchone()
    raw.close()
    # An index of which a page is gone: the rows can all be read.
    with (living / "state.db").open("r+b") as file:
        file.seek((page - 1) * 4096 + 8)
        file.write(b"\xa5" * 64)
    raw = sqlite3.connect(living / "state.db", isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA wal_autocheckpoint = 0")
    raw.execute("UPDATE sessions SET title = 'Newer, and only in the log'")
    shutil.copyfile(living / "state.db", path)
    shutil.copyfile(living / "state.db-wal", folder / "state.db-wal")
    raw.close()
    shutil.rmtree(living)
    return path


def _stopped(folder: Path) -> int:
    """Repair what is in ``template``, killed at each step in a folder of its own; the number of steps."""
    command = [sys.executable, "-c", STOP, str(folder)]
    ran = subprocess.run(command, check=True, timeout=60, stdout=subprocess.PIPE, text=True)
    return int(ran.stdout)


def _whole(path: Path, original: dict[str, bytes]) -> bool:
    """Whether the damaged file and its log stand somewhere as they were."""
    bases = [path, *path.parent.glob("state.db.damaged-now")]
    return any(
        base.exists()
        and base.read_bytes() == original[""]
        and base.with_name(base.name + "-wal").exists()
        and base.with_name(base.name + "-wal").read_bytes() == original["-wal"]
        for base in bases
    )


def _all_there(path: Path) -> None:
    store = Store(path)
    try:
        store.check()
        assert [row.row_id for row in store.messages.all(CHAT)] == list(range(1, ROWS // 2 + 1))
        session = store.sessions.get(CHAT)
        assert session is not None
        assert session.title == "Newer, and only in the log"
    finally:
        store.close()


@pytest.mark.slow
def test_a_repair_that_is_killed_at_any_step_loses_nothing(tmp_path: Path) -> None:
    template = tmp_path / "template"
    template.mkdir()
    damaged = _damaged(template)
    original = {suffix: (template / f"state.db{suffix}").read_bytes() for suffix in ("", "-wal")}
    assert damaged.exists()
    steps, exchanged = _stopped(tmp_path), 0
    for step in range(steps + 1):
        folder = tmp_path / f"step-{step}"
        path = folder / "state.db"
        assert path.exists()  # a gateway that starts now must not begin an empty file
        assert _whole(path, original)
        if (folder / "state.db.repaired").exists() and (folder / "state.db.damaged-now").exists():
            exchanged += 1
            # The repair was done already: whoever comes next finds it done.
            if step % 2:
                _all_there(path)
            else:
                back_up(path, folder / "copy.db")
                _all_there(folder / "copy.db")
        again = repair(path, "later")
        assert (again.messages, again.lost) == (ROWS // 2, 0)
        _all_there(path)
        kept = {"state.db", "state.db.lock", "copy.db", "copy.db.lock"}
        left = {file.name for file in folder.iterdir()} - kept
        assert all(name.startswith("state.db.damaged-") for name in left)
    assert steps >= 10
    assert exchanged >= 2


def test_a_file_that_was_put_back_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = _damaged(tmp_path)
    good = repair(path, "first")
    assert good.damaged_file is not None
    backup = tmp_path / "backup.db"
    back_up(path, backup)
    # As a repair leaves it that is killed before the exchange; then the person puts a copy back.
    shutil.copyfile(path, tmp_path / "state.db.repaired")
    backup.replace(path)
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE sessions SET title = 'Put back by hand'")
    raw.close()
    store = Store(path)
    session = store.sessions.get(CHAT)
    store.close()
    assert session is not None
    assert session.title == "Put back by hand"
    assert repair(path, "again").damaged_file is None
