"""Coverage-guided frames through decoder, dispatcher, service and store: each gets one sound answer.

    pip install "tui-tapback[bench]"   # atheris is optional, and not there for every CPython
    python benchmarks/gateway_atheris.py [-runs=2000000] [-max_len=2000] [folder with a corpus]

The same door and the same checks as ``gateway_fuzz.py``, but the inputs are libFuzzer's, which follows the
branches of our code (wire and gateway are instrumented). Half of the inputs are texts as they come, the
others a sound request with one field replaced. A failure prints the input and is kept as ``crash-…``.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
with atheris.instrument_imports(include=["tui_tapback.wire", "tui_tapback.gateway"]):
    from tui_tapback.gateway.server.context import Context, Facts
    from tui_tapback.gateway.server.dispatcher import Dispatcher
    from tui_tapback.gateway.server.rate import Bucket
    from tui_tapback.gateway.server.reception import receive
    from tui_tapback.gateway.service.service import GatewayService
    from tui_tapback.gateway.store.store import Store
    from tui_tapback.wire.methods import METHODS

from gateway_fuzz import Corpus, Silent, check

from tui_tapback.testing.agents import ScriptedAgent

ROUND = 20_000
"""Inputs after which the data file is begun anew."""


class Door:
    """One service behind the door, thrown away after a while."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._left = 0
        self._service: GatewayService | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        """Let go of the service and its file."""
        if self._service is not None:
            self._loop.run_until_complete(self._service.close())
        if self._folder is not None:
            self._folder.cleanup()

    async def _open(self, folder: Path) -> None:
        self._service = GatewayService(Store(folder / "fuzz.db"), ScriptedAgent())
        sessions = [self._service.create_session("fuzz", f"s{n}").session_id for n in range(2)]
        rows = [(await self._service.submit(one, "hello 世界")).user_row_id or 1 for one in sessions]
        self._sink = Silent()
        self._context = Context(self._service, Facts("fuzz"), self._sink)
        self._dispatcher = Dispatcher()
        self._bucket = Bucket(1e9, 1_000_000_000, time.monotonic)
        self._corpus = Corpus(random.Random(1), sessions, [*rows, 0])

    def _renew(self) -> None:
        self.close()
        memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self._folder = tempfile.TemporaryDirectory(prefix="atheris-", dir=memory)
        self._loop.run_until_complete(self._open(Path(self._folder.name)))
        self._left = ROUND

    def _text(self, provider: Any) -> str:
        if provider.ConsumeBool():
            return provider.ConsumeUnicode(sys.maxsize)
        frame = self._corpus.request(provider.PickValueInList(sorted(METHODS)))
        params = frame["params"]
        if params:
            field = provider.PickValueInList(sorted(params))
            raw = provider.ConsumeUnicodeNoSurrogates(sys.maxsize)
            try:
                params[field] = json.loads(raw)
            except (ValueError, RecursionError):
                params[field] = raw
        return json.dumps(frame)

    def one(self, data: bytes) -> None:
        """Carry out one input. Raises Unsound, and whatever the gateway lets through."""
        if self._left == 0:
            self._renew()
        self._left -= 1
        text = self._text(atheris.FuzzedDataProvider(data))
        try:
            self._try(text)
        except BaseException:
            print(f"input: {text!r}", file=sys.stderr)
            raise

    def _try(self, text: str) -> None:
        received = receive(text)
        if isinstance(received, bytes):
            check(received, None)
        elif received.method is None:
            assert self._service is not None
            self._service.questions.answered(self._sink, received.id, received.result)
        else:
            answer = self._dispatcher.answer(self._context, self._bucket, received)
            check(self._loop.run_until_complete(asyncio.wait_for(answer, 30)), received)


def main() -> None:
    logging.disable(logging.CRITICAL)
    door = Door()
    atheris.Setup(sys.argv, door.one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
