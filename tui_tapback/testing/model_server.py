"""A real HTTP server that speaks the OpenAI chat protocol from a script, misbehaviour included."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; the arguments are streamed in bits of ``bit`` characters."""

    name: str
    arguments: str
    call_id: str = "call_scripted"
    bit: int = 7


@dataclass(frozen=True, slots=True)
class Answer:
    """A streamed answer.

    ``delay`` is the seconds before each chunk. ``finish`` None leaves the finish reason out (a stream that
    ends too early); ``cut`` breaks the connection after the pieces, ``stall`` keeps silent there until the
    server closes. ``done`` False leaves the final ``[DONE]`` out, which some servers do.
    """

    text: Sequence[str] = ()
    reasoning: Sequence[str] = ()
    calls: Sequence[Call] = ()
    finish: str | None = "stop"
    delay: float = 0.0
    cut: bool = False
    stall: bool = False
    done: bool = True

    def chunks(self, model: str) -> Iterable[dict[str, Any]]:
        """The chunk objects of the stream."""
        yield _chunk(model, {"role": "assistant", "content": ""})
        for piece in self.reasoning:
            yield _chunk(model, {"reasoning_content": piece})
        for piece in self.text:
            yield _chunk(model, {"content": piece})
        for index, call in enumerate(self.calls):
            head = {"index": index, "id": call.call_id, "type": "function"}
            yield _chunk(model, {"tool_calls": [head | {"function": {"name": call.name, "arguments": ""}}]})
            for start in range(0, len(call.arguments), call.bit):
                bit = {"arguments": call.arguments[start : start + call.bit]}
                yield _chunk(model, {"tool_calls": [{"index": index, "function": bit}]})
        if self.finish is not None and not (self.cut or self.stall):
            yield _chunk(model, {}, "tool_calls" if self.calls else self.finish)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP error with the body that OpenAI's servers send, or a body of its own."""

    status: int
    message: str = "scripted refusal"
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Raw:
    """Any bytes with status 200."""

    body: bytes
    content_type: str = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Silence:
    """Takes the request and never answers."""


@dataclass(frozen=True, slots=True)
class HangUp:
    """Takes the request and closes the connection without a word."""


Script = Answer | Refusal | Raw | Silence | HangUp


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came in; ``body`` is the exact bytes."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        """The body, decoded."""
        return json.loads(self.body)


def _chunk(model: str, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
        "choices": [choice],
    }


def said(text: str, **options: Any) -> Answer:
    """An answer that streams ``text`` word by word."""
    words = text.split(" ")
    return Answer([word if place == 0 else f" {word}" for place, word in enumerate(words)], **options)


def _used_up(_request: Received) -> Script:
    return said("The script of this model is used up.")


class ModelServer:
    """Serves on a loopback port in a thread of its own, from ``with`` to the end of the block.

    Answers are taken from the script in order; when it is used up, ``otherwise`` answers (it is given the
    request). Everything received is in ``requests``, for chat requests only in ``chats``.
    """

    def __init__(
        self,
        *script: Script,
        models: Sequence[str] = ("scripted-model",),
        otherwise: Callable[[Received], Script] | None = None,
        models_answer: Script | None = None,
        port: int = 0,
    ) -> None:
        self._script = list(script)
        self._otherwise = otherwise or _used_up
        self._models = tuple(models)
        self._models_answer = models_answer
        self._received: list[Received] = []
        self._lock = threading.Condition()
        self.closing = threading.Event()
        self._http = _Http(self, port)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="model-server")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        """The loopback port."""
        return int(self._http.server_address[1])

    @property
    def base_url(self) -> str:
        """What goes into ``OPENAI_BASE_URL``."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def requests(self) -> tuple[Received, ...]:
        """Everything received so far."""
        with self._lock:
            return tuple(self._received)

    @property
    def chats(self) -> tuple[Received, ...]:
        """The chat requests received so far."""
        return tuple(request for request in self.requests if request.path.endswith("/chat/completions"))

    def script(self, *answers: Script) -> None:
        """Add answers to the script."""
        with self._lock:
            self._script.extend(answers)

    def wait_for_chats(self, count: int, timeout: float = 10.0) -> bool:
        """Block until ``count`` chat requests have come in; False when ``timeout`` seconds went by."""
        with self._lock:
            return self._lock.wait_for(lambda: self._count_chats() >= count, timeout)

    def _count_chats(self) -> int:
        return sum(request.path.endswith("/chat/completions") for request in self._received)

    def answer_for(self, request: Received) -> Script | None:
        """Record ``request`` and take its answer; None stands for the list of models."""
        with self._lock:
            self._received.append(request)
            self._lock.notify_all()
            if request.path.endswith("/models"):
                return self._models_answer
            if not request.path.endswith("/chat/completions"):
                return Refusal(404, "there is nothing at this path")
            if self._script:
                return self._script.pop(0)
        return self._otherwise(request)

    def model_list(self) -> dict[str, Any]:
        """The body of ``/v1/models``."""
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "script"} for name in self._models]
        return {"object": "list", "data": data}


class _Http(ThreadingHTTPServer):
    # Threads are joined at the end, so that nothing outlives the block in a test.
    daemon_threads = False
    block_on_close = True
    request_queue_size = 64

    def __init__(self, owner: ModelServer, port: int) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away in mid-answer are part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http  # pyright: ignore[reportIncompatibleVariableOverride]  # the base class types it too widely
    timeout = _PATIENCE

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class names it so
        """Say nothing."""

    def do_GET(self) -> None:
        """List the models."""
        self._serve(b"")

    def do_POST(self) -> None:
        """Answer a chat request."""
        self._serve(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def _serve(self, body: bytes) -> None:
        # One request a connection: an idle one kept alive would hold its thread at the end.
        self.close_connection = True
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Received(self.command, self.path, headers, body)
        owner = self.server.owner
        match owner.answer_for(request):
            case None:
                self._whole(200, json.dumps(owner.model_list()).encode(), "application/json")
            case Answer() as answer:
                self._stream(answer, request)
            case Refusal(status, message, code, extra, own):
                error = {
                    "error": {"message": message, "type": "scripted", "param": None, "code": code or None}
                }
                sent = json.dumps(error).encode() if own is None else own
                kind = "application/json" if own is None else "text/html"
                self._whole(status, sent, kind, extra)
            case Raw(content, kind):
                self._whole(200, content, kind)
            case Silence():
                owner.closing.wait(_PATIENCE)
            case HangUp():
                self.connection.shutdown(socket.SHUT_RDWR)

    def _whole(self, status: int, body: bytes, kind: str, extra: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Connection": "close",
        }.items():
            self.send_header(name, value)
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, answer: Answer, request: Received) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        model = str(request.json().get("model", "")) if request.body else ""
        for chunk in answer.chunks(model):
            if answer.delay and self.server.owner.closing.wait(answer.delay):
                return
            self._event(json.dumps(chunk, ensure_ascii=False))
        if answer.stall:
            self.server.owner.closing.wait(_PATIENCE)
        elif answer.cut:
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            if answer.done:
                self._event("[DONE]")
            self.wfile.write(b"0\r\n\r\n")

    def _event(self, data: str) -> None:
        payload = f"data: {data}\n\n".encode()
        self.wfile.write(f"{len(payload):x}\r\n".encode() + payload + b"\r\n")
        self.wfile.flush()
