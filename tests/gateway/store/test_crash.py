"""``kill -9`` in the middle of writing: what was acknowledged is there, once, and the file is sound."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tui_tapback.gateway.store.store import Store

WRITER = """
import json, sys
from pathlib import Path
from tui_tapback.gateway.store.records import NewMessage, SessionRecord
from tui_tapback.gateway.store.store import Store

store = Store(Path(sys.argv[1]))
session = "20270115_080000_000001"
if store.sessions.get(session) is None:
    with store.transaction():
        store.sessions.insert(SessionRecord(session, "", "", "", "[]", 1.0, 1.0))
number = 0
while True:
    number += 1
    text = f"{sys.argv[2]}-{number} " + "x" * (number * 37 % 3000)
    with store.transaction():
        row = store.messages.insert(NewMessage(session_id=session, role="user", text=text, at=1.0))
        store.messages.seal(row.row_id, json.dumps({"role": "user", "content": text}))
    print(json.dumps(["row", row.row_id, text]), flush=True)
    reactions = [{"emoji": "\\u2764\\ufe0f", "author": "user", "at": 1.0}]
    with store.transaction():
        store.messages.set_metadata(row.row_id, {"reactions": reactions})
        store.operations.remember("reaction", session, text[:20], {"row_id": row.row_id}, float(number))
    print(json.dumps(["reaction", row.row_id]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_killed_in_mid_write_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    dice = random.Random(7)
    texts: dict[int, str] = {}
    reacted: set[int] = set()
    for cycle in range(12):
        out = tmp_path / f"acknowledged-{cycle}"
        with out.open("wb") as sink:
            writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(cycle)], stdout=sink)
            deadline = time.monotonic() + 20
            while out.read_bytes().count(b"\n") < 8 and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(dice.uniform(0.0, 0.2))  # where in the writing it is hit shall be left to chance
            writer.send_signal(signal.SIGKILL)
            assert writer.wait(10) == -signal.SIGKILL
        acknowledged = [json.loads(line) for line in out.read_text().splitlines() if line.endswith("]")]
        texts |= {entry[1]: entry[2] for entry in acknowledged if entry[0] == "row"}
        reacted |= {entry[1] for entry in acknowledged if entry[0] == "reaction"}
        store = Store(path)
        store.check()
        rows = store.messages.all("20270115_080000_000001")
        assert len({row.text for row in rows}) == len(rows)
        found = {row.row_id: row for row in rows}
        assert {row_id: found[row_id].text for row_id in texts} == texts
        assert all("reactions" in found[row_id].metadata for row_id in reacted)
        assert all(json.loads(row.sent or "")["content"] == row.text for row in rows)
        store.close()
        assert len(acknowledged) >= 8
