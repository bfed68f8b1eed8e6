"""Mutated frames through decoder, dispatcher, service and store: each gets one sound answer, none crashes.

    python benchmarks/gateway_fuzz.py --inputs 10000000 [--seed 1] [--json FILE]

No sockets: the sans-IO door (``server.reception``) and the dispatcher are driven directly, over a real
service on a real data file, which is thrown away and begun anew every 50,000 inputs. A failure prints the
seed, the number and the input, and ends the run with status 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.server.context import Context, Facts
from tui_tapback.gateway.server.dispatcher import Dispatcher
from tui_tapback.gateway.server.rate import Bucket
from tui_tapback.gateway.server.reception import receive
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import ScriptedAgent
from tui_tapback.wire.errors import Code
from tui_tapback.wire.frames import Frame
from tui_tapback.wire.methods import METHODS

ROUND = 50_000
CODES = {int(code) for code in Code} - {Code.INTERNAL, Code.STORAGE, Code.DISK, Code.RATE_LIMITED}
"""What may be answered here: no fault of ours, nothing that a sound file never says."""
NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2.5, 1e308, -(2**63), 2**63, 10**40, "", " ", "4",
    "\x00", "\x1b]52;c;QQ==\x07",
    "\u202e👍", "👍🏽", "👍👍", "❤", "\ud83d", "' OR 1=1 --", "%", '"', "世界", "a" * 5000, [], [1], {},
    {"a": {}}, [[[[[]]]]], "NaN", "agent", "user", "assistant",
)  # fmt: skip
BYTES = tuple('{}[]",:\\/0123456789.eE+-truefalsnil \t\n\x00\x7f\x1b\u00e9\u4e16\U0001f44d\ufeff\u2028')

Mutate = Callable[[random.Random, str], str]


class Silent:
    """A connection that is told, and keeps nothing."""

    def deliver(self, params: dict[str, Any]) -> None:
        msgspec.json.encode(params)

    def ask(self, frame: dict[str, Any]) -> None:
        msgspec.json.encode(frame)


class Corpus:
    """Sound requests for every method, with ids that exist; and what can be made of them."""

    def __init__(self, dice: random.Random, sessions: list[str], rows: list[int]) -> None:
        self._dice = dice
        self._sessions = sessions
        self._rows = rows
        self._methods = sorted(METHODS)
        self._encoder = msgspec.json.Encoder()
        self.texts = [self._text(self.request(name)) for name in self._methods for _ in range(12)]

    def _text(self, frame: Any) -> str:
        try:
            return self._encoder.encode(frame).decode()
        except UnicodeEncodeError:  # a lone surrogate: as the escape that JSON has for it
            return json.dumps(frame)

    def _value(self, field: str) -> Any:
        dice = self._dice
        if "session" in field:
            return dice.choice(self._sessions)
        if "row_id" in field:
            return dice.choice(self._rows)
        match field:
            case "emoji" | "expected" | "reacted_with":
                return dice.choice(["👍", "❤️", "😂", None])
            case "limit" | "count" | "last_seen":
                return dice.randint(0, 50)
            case "archived" | "omit_messages" | "withheld" | "queued":
                return dice.random() < 0.5
            case "key":
                return dice.choice(["full", "reactions", "display.message_reactions"])
            case "text" | "query" | "title":
                return dice.choice(["hello", "ok", "fuzz 世界", '"two words"', "o"])
            case _:
                return dice.choice(["a", "b", str(dice.randrange(50)), 1, True])

    def request(self, name: str) -> dict[str, Any]:
        fields = METHODS[name].params.__struct_fields__
        needed = {field.name for field in msgspec.structs.fields(METHODS[name].params) if field.required}
        chosen = [field for field in fields if field in needed or self._dice.random() < 0.3]
        params = {field: self._value(field) for field in chosen}
        return {"jsonrpc": "2.0", "id": self._dice.randrange(1000), "method": name, "params": params}

    def broken(self) -> str:
        """A request with one to three things wrong inside its structure."""
        dice = self._dice
        frame = self.request(dice.choice(self._methods))
        for _ in range(dice.randint(1, 3)):
            params = frame.get("params")
            where = params if isinstance(params, dict) and params and dice.random() < 0.8 else frame
            key = dice.choice(list(where) or ["x"])
            match dice.randrange(4):
                case 0:
                    where.pop(key, None)
                case 1:
                    where[dice.choice(["x", "id", "emoji", "row_id", "params", "method", "result"])] = (
                        dice.choice(NASTY)
                    )
                case 2:
                    where[key] = [where.get(key)]
                case _:
                    where[key] = dice.choice(NASTY)
        return self._text(frame)

    def mangled(self) -> str:
        """The text of a request with characters changed, lost, doubled, or spliced with another's."""
        dice = self._dice
        text = dice.choice(self.texts)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text) + 1)
            end = min(len(text), at + dice.randint(1, 12))
            match dice.randrange(5):
                case 0:
                    text = text[:at] + dice.choice(BYTES) + text[at + 1 :]
                case 1:
                    text = text[:at] + text[end:]
                case 2:
                    text = text[:end] + text[at:end] * dice.randint(1, 3) + text[end:]
                case 3:
                    other = dice.choice(self.texts)
                    text = text[:at] + other[dice.randrange(len(other)) :]
                case _:
                    text = text[:at] + dice.choice(BYTES) * dice.randint(1, 40) + text[at:]
        return text

    def next(self) -> str:
        roll = self._dice.random()
        if roll < 0.70:
            return self.mangled()
        if roll < 0.97:
            return self.broken()
        return self._text(self.request(self._dice.choice(self._methods)))


class Unsound(Exception):
    """An answer that is none."""


def check(answer: bytes, frame: Frame | None) -> int:
    """The code of the answer (0: a result). Raises Unsound."""
    body = msgspec.json.decode(answer)
    wanted = None if frame is None else frame.id
    if frame is not None and body.get("id") != wanted:
        raise Unsound(f"answers {body.get('id')!r} instead of {wanted!r}")
    if ("result" in body) == ("error" in body):
        raise Unsound("has not exactly one of result and error")
    if "result" in body:
        return 0
    error = body["error"]
    if error["code"] not in CODES:
        raise Unsound(f"code {error['code']}")
    if not error["message"] or clean_line(error["message"]) != error["message"]:
        raise Unsound("the message is no clean line")
    return error["code"]


async def play(dice: random.Random, count: int, seen: Counter[int], folder: Path, started: int) -> None:
    """One round on a fresh data file."""
    service = GatewayService(Store(folder / "fuzz.db"), ScriptedAgent())
    sink = Silent()
    context = Context(service, Facts("fuzz"), sink)
    dispatcher, bucket = Dispatcher(), Bucket(1e9, 1_000_000_000, time.monotonic)
    sessions = [service.create_session("fuzz", f"session {n}").session_id for n in range(3)]
    rows: list[int] = []
    for session_id in sessions:
        row_id = (await service.submit(session_id, "hello there 世界")).user_row_id
        rows += [row_id or 1, (row_id or 1) + 1]
    corpus = Corpus(dice, [*sessions, "20270101_000000_abcdef", "x"], [*rows, 0, 10**6])
    for number in range(count):
        text = corpus.next()
        try:
            received = receive(text)
            if isinstance(received, bytes):
                code = check(received, None)
            elif received.method is None:
                service.questions.answered(sink, received.id, received.result)
                code = 1
            else:
                async with asyncio.timeout(30):
                    code = check(await dispatcher.answer(context, bucket, received), received)
        except BaseException as error:
            print(f"input {started + number}: {error!r}\n{text!r}", file=sys.stderr)
            raise
        seen[code] += 1
    await service.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    seen: Counter[int] = Counter()
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # a disk would only slow it down
    begun, done = time.monotonic(), 0
    while done < options.inputs:
        count = min(ROUND, options.inputs - done)
        dice = random.Random(f"{options.seed}-{done}")
        with tempfile.TemporaryDirectory(prefix="fuzz-", dir=memory) as name:
            asyncio.run(play(dice, count, seen, Path(name), done))
        done += count
        seconds = time.monotonic() - begun
        print(f"{done:,} inputs, {done / seconds:,.0f} a second", file=sys.stderr, flush=True)
        if options.json is not None:
            figures = {
                "inputs": done, "seconds": round(seconds, 1), "seed": options.seed,
                "answers by code (0: result, 1: answered question)": dict(sorted(seen.items())),
            }  # fmt: skip
            options.json.write_text(
                msgspec.json.format(msgspec.json.encode(figures)).decode() + "\n", "utf-8"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
