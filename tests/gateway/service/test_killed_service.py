"""``kill -9`` of a busy service: what it acknowledged is there, and the model's past has not changed."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import ScriptedAgent

BUSY = """
import asyncio, itertools, json, sys
from pathlib import Path
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import Call, Say, ScriptedAgent

class Telling(list):
    def append(self, request):
        super().append(request)
        tell("request", list(request.messages))

def tell(*facts):
    print(json.dumps(facts), flush=True)

async def main():
    agent = ScriptedAgent()
    agent.requests = Telling()
    service = GatewayService(Store(Path(sys.argv[1])), agent)
    recent = service.most_recent().session_id
    session = service.resume(recent or service.create_session(title="t").session_id).session_id
    for n in itertools.count():
        answer = Say(*(f"{n} " for _ in range(20)))
        agent.expect(Say("let ", "me ", "see"), Call("look", "{}", "seen"), answer)
        ref = f"{sys.argv[2]}-{n}"
        answer = await service.submit(session, f"prompt {ref}", ref)
        tell("row", answer.user_row_id, f"prompt {ref}")
        reacted = service.set_reaction(session, answer.user_row_id, "\\u2764\\ufe0f", op_id=ref)
        tell("reaction", reacted.row_id)
        while service.resume(session, omit_messages=True).running:
            await asyncio.sleep(0)

asyncio.run(main())
"""


def run_and_kill(path: Path, out: Path, cycle: int, dice: random.Random) -> list[Any]:
    with out.open("wb") as sink:
        busy = subprocess.Popen([sys.executable, "-c", BUSY, str(path), str(cycle)], stdout=sink)
        deadline = time.monotonic() + 30
        while out.read_bytes().count(b"\n") < 12 and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(dice.uniform(0.0, 0.1))  # where in its work it is hit shall be left to chance
        busy.send_signal(signal.SIGKILL)
        assert busy.wait(10) == -signal.SIGKILL
    lines = out.read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
async def test_nothing_acknowledged_is_lost_and_no_byte_of_the_past_changes(tmp_path: Path) -> None:
    path, dice = tmp_path / "state.db", random.Random(11)
    texts: dict[int, str] = {}
    reacted: set[int] = set()
    sent: list[str] = []
    for cycle in range(6):
        told = run_and_kill(path, tmp_path / f"told-{cycle}", cycle, dice)
        assert len(told) >= 12
        for entry in told:
            match entry:
                case ["row", int(row_id), str(text)]:
                    texts[row_id] = text
                case ["reaction", int(row_id)]:
                    reacted.add(row_id)
                case ["request", [*messages]]:
                    assert messages[: len(sent)] == sent
                    sent = messages
                case _:
                    pytest.fail(f"the service told something else: {entry}")
        store = Store(path)
        store.check()
        service = GatewayService(store, ScriptedAgent())
        session_id = service.most_recent().session_id
        assert session_id is not None
        rows = {row.row_id: row for row in service.resume(session_id).messages}
        assert {row_id: rows[row_id].text for row_id in texts} == texts
        assert all((rows[row_id].display_metadata or {}).get("reactions") for row_id in reacted)
        users = [row.text for row in rows.values() if row.role == "user"]
        assert len(set(users)) == len(users)
        await service.close()
