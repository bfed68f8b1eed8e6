"""Coverage-guided bytes through the decoder and the method table alone: millions of inputs in minutes.

    pip install "tui-tapback[bench]"   # atheris is optional, and not there for every CPython
    python benchmarks/gateway_atheris_decoder.py [-runs=10000000] [-max_len=600] [folder with a corpus]

Bytes become a frame (``wire.frames``), the frame goes through the door (``server.reception``), and the
dispatcher decodes its parameters by the method table. Handlers only hand back what was decoded, so nothing is
stored and nothing waits. The decoder itself is compiled, so its branches cannot be followed: instead each
outcome of each method (taken, and which fields stood in it; or refused, with which code) is a branch of a
little function made here, for libFuzzer to find.

Half of the inputs are whole frames; of the others the first byte chooses a method and the rest are its
parameters. Each request must get one sound answer, and parameters that were taken must read the same when
they are written and read again. A failure prints the input and is kept as ``crash-…``.
``gateway_atheris.py`` goes the whole way to the store, a hundred times slower.
"""

from __future__ import annotations

import contextlib
import logging
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import atheris
import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
with atheris.instrument_imports(include=["tui_tapback.wire", "tui_tapback.gateway.server"]):
    from tui_tapback.gateway.server.context import Context
    from tui_tapback.gateway.server.dispatcher import Dispatcher
    from tui_tapback.gateway.server.rate import Bucket
    from tui_tapback.gateway.server.reception import receive
    from tui_tapback.wire.errors import Code
    from tui_tapback.wire.frames import Frame, decode
    from tui_tapback.wire.methods import METHODS

from gateway_fuzz import Corpus, Unsound, check

from tui_tapback.domain.errors import MalformedFrame

NAMES = tuple(sorted(METHODS))
HEAD = {name: f'{{"jsonrpc":"2.0","id":7,"method":"{name}","params":' for name in NAMES}
_ENCODER = msgspec.json.Encoder()


class Answer(msgspec.Struct):
    """An answer of which only the result matters."""

    result: msgspec.Raw = msgspec.Raw(b"")


def watchers() -> dict[str, Callable[[int, Any], None]]:
    """For each method a function whose branches are what can come of a request."""
    found: dict[str, Callable[[int, Any], None]] = {}
    codes = sorted({int(code) for code in Code})
    for name, method in METHODS.items():
        lines = ["def watch(code, params):", "    seen = 0"]
        for code in codes:
            lines += [f"    if code == {code}:", "        seen += 1"]
        lines += ["    if params is None:", "        return"]
        for number, field in enumerate(msgspec.structs.fields(method.params)):
            lines += [f"    if params.{field.encode_name} != defaults[{number}]:", "        seen += 1"]
        defaults = [field.default for field in msgspec.structs.fields(method.params)]
        space: dict[str, Any] = {"defaults": defaults}
        exec("\n".join(lines), space)  # one body for each method, for each its own branches
        found[name] = atheris.instrument_func(space["watch"])
    return found


class Table:
    """The door and the dispatcher, over handlers that hand their parameters back."""

    def __init__(self) -> None:
        self._params: Any = None
        self._watchers = watchers()
        self._dispatcher = Dispatcher(dict.fromkeys(NAMES, self._hand_back))
        self._bucket = Bucket(1e12, 10**15, time.monotonic)
        # No handler looks at it.
        self._context = cast("Context", None)

    async def _hand_back(self, context: Context, params: Any) -> Any:
        del context
        self._params = params
        return params

    def one(self, data: bytes) -> None:
        """Carry out one input. Raises Unsound, and whatever the decoder lets through."""
        try:
            self._try(data)
        except BaseException:
            print(f"input: {data!r}", file=sys.stderr)
            raise

    def _try(self, data: bytes) -> None:
        if data and data[0] & 1:
            text = HEAD[NAMES[(data[0] >> 1) % len(NAMES)]] + data[1:].decode("utf-8", "replace") + "}"
        else:
            text = data[1:].decode("utf-8", "replace")
            with contextlib.suppress(MalformedFrame):
                decode(data[1:])  # the bytes themselves, whatever they are in
        received = receive(text)
        if isinstance(received, bytes):
            check(received, None)
        elif received.method is not None:
            self._params = None
            answer = self._answered(received)
            code = check(answer, received)
            if received.method in self._watchers:
                self._watchers[received.method](code, self._params)
            if code == 0 and self._params is not None:
                self._same(answer, type(self._params))
        elif not received.is_response:
            raise Unsound("a frame that is neither request nor answer came through the door")

    def _answered(self, frame: Frame) -> bytes:
        """Run the dispatcher without a loop: nothing in it waits."""
        running = self._dispatcher.answer(self._context, self._bucket, frame)
        try:
            running.send(None)
        except StopIteration as ended:
            return ended.value
        raise Unsound("the dispatcher waited")

    def _same(self, answer: bytes, kind: type[Any]) -> None:
        again = msgspec.json.decode(msgspec.json.decode(answer, type=Answer).result, type=kind)
        if _ENCODER.encode(again) != _ENCODER.encode(self._params):
            raise Unsound(f"parameters read as {self._params!r} and then as {again!r}")


def seeds(folder: Path) -> None:
    """Sound requests, whole and as parameters alone, and the words of the wire for libFuzzer's dictionary."""
    corpus = Corpus(random.Random(1), ["20270101_000000_abcdef"], [1, 2, 3])
    inputs = folder / "corpus"
    inputs.mkdir()
    for number, name in enumerate(NAMES):
        for turn in range(4):
            frame = corpus.request(name)
            whole, params = _ENCODER.encode(frame), _ENCODER.encode(frame["params"])
            (inputs / f"{name}-{turn}-frame").write_bytes(b"\x00" + whole)
            (inputs / f"{name}-{turn}-params").write_bytes(bytes([number << 1 | 1]) + params)
    fields = {field for method in METHODS.values() for field in method.params.__struct_fields__}
    words = {*NAMES, *fields, "jsonrpc", "id", "method", "params", "result", "error", "code", "message"}
    lines = [f'"\\"{word}\\""' for word in sorted(words)] + ['"null"', '"true"', '"1e999"', '"\\\\ud83d"']
    (folder / "words").write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="atheris-") as name:
        seeds(Path(name))
        arguments = [sys.argv[0], f"-dict={name}/words", *sys.argv[1:], f"{name}/corpus"]
        atheris.Setup(arguments, Table().one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
