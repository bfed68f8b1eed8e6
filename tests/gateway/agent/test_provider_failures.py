"""What the real provider says when a real HTTP server refuses, breaks off, keeps silent or sends garbage."""

from __future__ import annotations

import socket
import traceback

import pytest

from tui_tapback.config.secret import Secret
from tui_tapback.domain.errors import (
    ModelError,
    ModelFailed,
    ModelGarbled,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from tui_tapback.gateway.agent.endpoint import Endpoint
from tui_tapback.gateway.agent.openai_provider import OpenAIProvider, Patience
from tui_tapback.testing.model_server import (
    Answer,
    HangUp,
    ModelServer,
    Raw,
    Refusal,
    Script,
    Silence,
)
from tui_tapback.testing.providers import (
    ONE_TRY,
    TEST_KEY,
    THREE_TRIES,
    collect,
    provider_at,
)


async def failure(
    url: str, *, key: str = TEST_KEY, model: str = "m1", patience: Patience = ONE_TRY
) -> ModelError:
    """The error of one request; whatever it is, the key is nowhere in it."""
    async with provider_at(url, key=key, model=model, patience=patience) as provider:
        with pytest.raises(ModelError) as caught:
            await collect(provider)
    error = caught.value
    words = error.sentence()
    assert words[0].isupper() or words[0] == "“"
    assert words.endswith(".")
    assert "\n" not in words
    assert not key or key not in words + repr(error) + "".join(traceback.format_exception(error))
    return error


def event(data: str) -> bytes:
    return f"data: {data}\n\n".encode()


HELLO = event('{"choices": [{"index": 0, "delta": {"content": "hel"}}]}')
# --- what goes wrong ------------------------------------------------------------------------------

REFUSALS = [
    (Refusal(401, f"Incorrect API key provided: {TEST_KEY}"), ModelRefused, "refused the API key"),
    (Refusal(403, f"Region not supported for {TEST_KEY}"), ModelRefused, "does not permit this: “Region"),
    (
        Refusal(404, "The model m1 does not exist", "model_not_found"),
        ModelRefused,
        "does not know the model “m1”",
    ),
    (Refusal(404, body=b"<html>not found</html>"), ModelRefused, "There is no chat endpoint"),
    (Refusal(402, "Insufficient credits"), ModelRefused, "quota of the API key is used up"),
    (Refusal(429, "You exceeded your current quota", "insufficient_quota"), ModelRefused, "quota"),
    (
        Refusal(429, "Rate limit reached"),
        ModelRefused,
        "takes no more requests for now: “Rate limit reached”",
    ),
    (Refusal(400, "registry/gemma does not support tools"), ModelRefused, "“m1” cannot call tools"),
    (Refusal(400, "maximum context length is 8192"), ModelRefused, "too long for the model “m1”"),
    (Refusal(400, "temperature is odd\x1b[2J"), ModelRefused, "refused the request (status 400): “temp"),
    (Refusal(413, body=b"too large"), ModelRefused, "(status 413): “too large”"),
    (Refusal(422, body=b'{"detail": "no such field"}'), ModelRefused, "“no such field”"),
    (Refusal(500, "CUDA out of memory"), ModelFailed, "failed (status 500): “CUDA out of memory”"),
    (
        Refusal(502, body=b"<!DOCTYPE html><html><body>Bad gateway</body></html>"),
        ModelFailed,
        "(status 502).",
    ),
    (Refusal(503, body=b'{"error": "loading model"}'), ModelFailed, "(status 503): “loading model”"),
    (Refusal(503, body=b"\xff\xfe\x00"), ModelFailed, "(status 503)"),
    (Refusal(529, "overloaded"), ModelFailed, "(status 529)"),
    (Refusal(304, body=b""), ModelGarbled, "status 304"),
]


@pytest.mark.parametrize(("script", "kind", "part"), REFUSALS)
async def test_a_refusal_becomes_a_sentence(
    server: ModelServer, script: Refusal, kind: type[ModelError], part: str
) -> None:
    server.script(script)
    error = await failure(server.base_url)
    assert type(error) is kind
    assert part in str(error)
    assert error.hint
    assert "\x1b" not in error.sentence()


async def test_a_missing_key_is_told_from_a_wrong_one(server: ModelServer) -> None:
    server.script(Refusal(401, "no key"))
    assert "wants an API key, and there is none" in str(await failure(server.base_url, key=""))


@pytest.mark.parametrize("echo", [TEST_KEY, "sk-proj-****wxyz", "Bearer abc.def-ghi"])
async def test_a_key_that_the_server_quotes_is_not_passed_on(server: ModelServer, echo: str) -> None:
    server.script(Refusal(400, f"bad key {echo} given"))
    words = (await failure(server.base_url)).sentence()
    assert "bad key …" in words
    assert echo not in words


async def test_a_key_of_any_form_is_not_passed_on_from_within_a_stream_either(server: ModelServer) -> None:
    key = "plainword42"
    server.script(Raw(HELLO + event(f'{{"error": {{"message": "worker got {key} and died"}}}}')))
    error = await failure(server.base_url, key=key)
    assert "worker got … and died" in str(error)


@pytest.mark.parametrize("key", ["with blank", "new\nline", "ünicode", "nul\0"])
async def test_a_key_that_cannot_be_sent_is_refused_before_anything_is(server: ModelServer, key: str) -> None:
    assert isinstance(await failure(server.base_url, key=key), ModelRefused)
    assert server.requests == ()


GARBAGE: list[tuple[Script, str]] = [
    (Raw(b"<html><body>Welcome</body></html>", "text/html"), "sent no answer of a model (text/html)"),
    (Raw(b"", "text/event-stream"), "sent no answer of a model"),
    (Raw(b"\x00\xff\x80" * 500, "application/octet-stream"), "sent"),
    (Raw(b"{}", "application/json"), "sent no answer of a model (application/json)"),
    (Raw(event("[DONE]")), "sent no answer of a model"),
    (Raw(event("{not json")), "cannot be read"),
    (Raw(HELLO + event("{not json")), "cannot be read"),
    (Raw(b"data: \xff\xfe\n\n"), "cannot be read"),
    (Raw(event("[" * 100_000)), "cannot be read"),
    (Raw(event("[1, 2]")), "cannot be read"),
    (Raw(event('"text"')), "cannot be read"),
    (Raw(event("null")), "cannot be read"),
    (Raw(event('{"choices": "none"}')), "cannot be read"),
    (Raw(event('{"choices": [7]}')), "cannot be read"),
    (Raw(event('{"choices": [{"delta": []}]}')), "cannot be read"),
    (Raw(event('{"choices": [{"delta": {"content": 7}}]}')), "cannot be read"),
    (Raw(event('{"choices": [{"delta": {"tool_calls": {"a": 1}}}]}')), "cannot be read"),
    (Raw(event('{"choices": [{"delta": {"tool_calls": [{"index": "x"}]}}]}')), "cannot be read"),
    (Raw(HELLO), "ended its answer in the middle"),
    (Raw(HELLO + event("[DONE]")), "ended its answer in the middle"),
    (Answer(text=["half"], finish=None), "ended its answer in the middle"),
    (Answer(text=["half"], cut=True), "broke the connection in the middle of its answer"),
    (HangUp(), "closed the connection unanswered"),
    (Answer(text=["half"], finish="length"), "limit of length"),
]


@pytest.mark.parametrize(("script", "part"), GARBAGE)
async def test_garbage_and_broken_answers_are_told_as_such(
    server: ModelServer, script: Script, part: str
) -> None:
    server.script(script)
    error = await failure(server.base_url)
    assert isinstance(error, ModelGarbled)
    assert part in str(error)
    assert error.hint


async def test_an_error_in_the_stream_is_a_failure_of_the_server(server: ModelServer) -> None:
    server.script(Raw(HELLO + event('{"error": {"message": "worker died", "type": "server_error"}}')))
    error = await failure(server.base_url)
    assert isinstance(error, ModelFailed)
    assert "broke off with an error: “worker died”" in str(error)


async def test_a_content_filter_is_a_refusal(server: ModelServer) -> None:
    server.script(Answer(text=["half"], finish="content_filter"))
    assert isinstance(await failure(server.base_url), ModelRefused)


async def test_silence_before_and_within_the_answer_is_bounded(server: ModelServer) -> None:
    server.script(Silence(), Answer(text=["half"], stall=True))
    short = Patience(connect=10.0, silence=0.3, pauses=(0.1, 0.1))
    before = await failure(server.base_url, patience=short)
    within = await failure(server.base_url, patience=short)
    assert isinstance(before, ModelTimeout)
    assert "kept silent for 0.3 seconds" in str(before)
    assert isinstance(within, ModelTimeout)
    assert "stopped in the middle" in str(within)
    assert len(server.chats) == 2  # a silent server is not asked again


@pytest.mark.slow
async def test_a_slow_stream_is_no_silence(server: ModelServer) -> None:
    server.script(Answer(text=["a"] * 12, delay=0.2))
    async with provider_at(server.base_url, patience=Patience(silence=1.5, pauses=())) as provider:
        assert len(await collect(provider)) == 12


async def test_nobody_at_the_address() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
        error = await failure(f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
    assert isinstance(error, ModelUnreachable)
    assert "No model server answers at http://127.0.0.1" in str(error)
    assert "OPENAI_BASE_URL" in error.hint


@pytest.mark.parametrize(
    "url",
    ["localhost:11434", "ftp://host/v1", "http://", "", "http://host:port/v1", "http://[::1", "\x1b[2J"],
)
async def test_an_address_that_is_none(url: str) -> None:
    error = await failure(url)
    assert isinstance(error, ModelUnreachable)
    assert "is not an address of a model server" in str(error)
    assert "\x1b" not in str(error)


async def test_tls_to_a_server_without_it_is_no_secure_connection(server: ModelServer) -> None:
    error = await failure(server.base_url.replace("http:", "https:"))
    assert isinstance(error, ModelUnreachable)
    assert "no secure connection" in str(error)


async def test_a_password_in_the_address_is_not_shown(server: ModelServer) -> None:
    server.script(Refusal(500))
    error = await failure(server.base_url.replace("127.0.0.1", "bob:hunter2@127.0.0.1"))
    assert "hunter2" not in error.sentence()


async def test_an_endpoint_without_models_for_chat() -> None:
    with ModelServer(models=["bge-m3"]) as server:
        error = await failure(server.base_url, model="")
        assert isinstance(error, ModelRefused)
        assert "offers no model" in str(error)


@pytest.mark.parametrize(
    "answer",
    [
        Raw(b"<html>", "text/html"),
        *(Raw(body, "application/json") for body in (b'{"data": 7}', b"{}", b"[1]", b'{"data": [null, 3]}')),
        Refusal(401),
        HangUp(),
    ],
)
async def test_a_list_of_models_that_is_none_is_an_error_too(answer: Script) -> None:
    with ModelServer(models_answer=answer) as server:
        await failure(server.base_url, model="")


@pytest.mark.parametrize(
    ("script", "count"),
    [
        (Refusal(500), 3),
        (Refusal(400), 1),
        (Refusal(401), 1),
        (Refusal(429, code="insufficient_quota"), 1),
        (Refusal(429, headers={"Retry-After": "60"}), 1),
        (Refusal(503, headers={"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}), 1),
        (Answer(text=["half"], cut=True), 1),
    ],
)
async def test_tries_are_bounded_and_only_made_where_they_can_help(script: Script, count: int) -> None:
    with ModelServer(otherwise=lambda _request: script) as server:
        await failure(server.base_url, patience=THREE_TRIES)
        assert len(server.chats) == count


def test_the_key_is_in_no_repr() -> None:
    endpoint = Endpoint("http://h/v1", Secret(TEST_KEY), "m")
    assert TEST_KEY not in repr(endpoint) + repr(OpenAIProvider(endpoint)) + str(endpoint)
