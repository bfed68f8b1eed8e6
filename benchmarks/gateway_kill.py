"""``kill -9`` of a real gateway under load, many times: nothing acknowledged is lost, nothing there twice.

    python benchmarks/gateway_kill.py --cycles 200 [--seed 1] [--json FILE]

Four clients send messages and set, change and take back reactions as fast as they are answered; at a moment
left to chance the process is killed. After each cycle the data file is opened and read whole: SQLite's own
check, the check of the search index, every acknowledged message with its text and once, every acknowledged
reaction as it was acknowledged last (or as a request wanted it that was open when the process died). The next
process is asked again for the last message of the one before, and must answer with its row. One data file for
all cycles. Ends with status 1 at the first fault.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tui_tapback.domain.errors import LinkDown, RpcError, StoreError
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.gateway import GatewayProcess, RawClient

CLIENTS = 4
EMOJI = ("👍", "❤️", "😂", "‼️", None)


@dataclass
class Ledger:
    """What was acknowledged, and what was asked for and not answered."""

    texts: dict[int, str] = field(default_factory=dict[int, str])
    reactions: dict[int, str | None] = field(default_factory=dict[int, str | None])
    open_reactions: dict[int, str | None] = field(default_factory=dict[int, str | None])
    last: dict[str, Any] = field(default_factory=dict[str, Any])
    counts: Counter[str] = field(default_factory=Counter[str])


async def hammer(client: RawClient, name: str, dice: random.Random, ledger: Ledger) -> None:
    """Send until the gateway dies."""
    try:
        session_id = (await client.call("session.create", title=name))["session_id"]
        mine: list[int] = []
        for number in range(1_000_000):
            if not mine or dice.random() < 0.15:
                ref, text = f"{name}-{number}", f"{name} {number} " + "x" * dice.randrange(2000)
                request = {"session_id": session_id, "text": text, "client_ref": ref}
                row_id = (await client.call("prompt.submit", **request))["user_row_id"]
                ledger.texts[row_id], ledger.last = text, request | {"row": row_id}
                ledger.counts["messages"] += 1
                mine.append(row_id)
            else:
                row_id, emoji = dice.choice(mine), dice.choice(EMOJI)
                ledger.open_reactions[row_id] = emoji
                await client.call(
                    "reaction.set",
                    session_id=session_id,
                    row_id=row_id,
                    emoji=emoji,
                    op_id=f"{name}-{number}",
                )
                ledger.reactions[row_id] = emoji
                del ledger.open_reactions[row_id]
                ledger.counts["reactions"] += 1
    except LinkDown:
        return
    except RpcError as error:
        if error.code != 4804:  # too fast: the load is high enough
            raise


def examine(path: Path, ledger: Ledger) -> None:
    """Compare the file with the ledger. Raises AssertionError and StoreError."""
    store = Store(path)
    store.check()
    store.close()
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("INSERT INTO messages_fts(messages_fts, rank) VALUES('integrity-check', 1)")
    refs: Counter[str] = Counter()
    texts: dict[int, str] = {}
    reactions: dict[int, str | None] = {}
    for row_id, text, metadata in raw.execute(
        "SELECT row_id, text, display_metadata FROM messages WHERE role = 'user'"
    ):
        facts: dict[str, Any] = json.loads(metadata or "{}")
        texts[row_id] = text
        refs[facts.get("client_ref", "")] += 1
        mine = [entry["emoji"] for entry in facts.get("reactions", []) if entry["author"] == "user"]
        assert len(mine) <= 1, f"row {row_id} has two of the user's: {mine}"
        reactions[row_id] = mine[0] if mine else None
    raw.close()
    twice = {ref for ref, number in refs.items() if number > 1}
    assert not twice, f"there twice: {twice}"
    lost = {row_id for row_id, text in ledger.texts.items() if texts.get(row_id) != text}
    assert not lost, f"acknowledged and not there: {lost}"
    for row_id, emoji in ledger.reactions.items():
        wanted = {emoji, ledger.open_reactions.get(row_id, emoji)}
        assert reactions[row_id] in wanted, f"row {row_id} has {reactions[row_id]}, not one of {wanted}"
    for row_id in ledger.open_reactions:  # whatever became of them is the truth from now on
        ledger.reactions[row_id] = reactions.get(row_id)
    ledger.open_reactions.clear()


async def cycle(home: Path, number: int, dice: random.Random, ledger: Ledger) -> None:
    process = GatewayProcess(home, environ={"OPENAI_MODEL": "companion"})
    await process.start()
    try:
        clients = [await process.client() for _ in range(CLIENTS)]
        if ledger.last:
            again = {key: value for key, value in ledger.last.items() if key != "row"}
            assert (await clients[0].call("prompt.submit", **again))["user_row_id"] == ledger.last["row"]
        work = [
            asyncio.create_task(hammer(client, f"c{number}-{n}", random.Random(dice.random()), ledger))
            for n, client in enumerate(clients)
        ]
        goal = sum(ledger.counts.values()) + 20
        async with asyncio.timeout(30):
            while sum(ledger.counts.values()) < goal:
                await asyncio.wait(work, timeout=0.002)
        await asyncio.sleep(dice.uniform(0.0, 0.3))
        await process.kill()
        await asyncio.gather(*work)
    finally:
        await process.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cycles", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    dice, ledger = random.Random(options.seed), Ledger()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kill-") as name:
        home = Path(name)
        for number in range(1, options.cycles + 1):
            try:
                asyncio.run(cycle(home, number, dice, ledger))
                examine(home / "data" / "tapback.db", ledger)
            except (AssertionError, StoreError) as fault:
                print(f"cycle {number}: {fault}", file=sys.stderr)
                return 1
            figures = {
                "cycles": number,
                "seconds": round(time.monotonic() - begun, 1),
                "acknowledged messages": ledger.counts["messages"],
                "acknowledged reactions": ledger.counts["reactions"],
                "file MB": round((home / "data" / "tapback.db").stat().st_size / 1e6, 1),
            }
            print(json.dumps(figures), file=sys.stderr, flush=True)
            if options.json is not None:
                options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
