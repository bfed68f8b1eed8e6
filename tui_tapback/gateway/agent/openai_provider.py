"""The provider for OpenAI-compatible endpoints: the only file that knows the SDK, loaded when first used."""

from __future__ import annotations

import asyncio
import json
import math
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tui_tapback.domain.errors import ModelError
from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.service.ports import ModelRequest

from .chunks import Chunk, read_chunk
from .endpoint import Endpoint
from .failures import Failures
from .model_names import chat_model
from .provider import Piece

if TYPE_CHECKING:
    import httpx2
    import openai
    from openai.types.chat import ChatCompletionChunk

NO_KEY = "no-key"
"""Sent to servers that want none: the SDK insists on a word."""
_UNFINISHED = ("length", "content_filter")
_LONGEST_RETRY_AFTER = 8.0


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: ``connect`` for a connection, ``silence`` between two bytes, ``pauses`` before each new try.

    Tries are repeated only for a server that is busy or failing, and only before the first byte.
    """

    connect: float = 5.0
    silence: float = 180.0
    pauses: tuple[float, ...] = (0.5, 2.0)


class OpenAIProvider:
    """Streams answers of one endpoint. The key is in no error, repr or log of ours."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        patience: Patience = Patience(),  # frozen
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._patience = patience
        self._sleep = sleep
        self._failures = Failures(endpoint)
        self._model = endpoint.model
        self._client: openai.AsyncOpenAI | None = None
        self._opening = asyncio.Lock()
        self._counts = True

    @property
    def model(self) -> str:
        """The model's name, clean; until the endpoint was asked for one, where it stands."""
        return clean_line(self._model, 80) or f"model at {self._endpoint.shown.partition('://')[2]}"

    async def close(self) -> None:
        """Close the connections."""
        async with self._opening:
            client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Answer ``request``; see ``Provider.stream``. Raises ModelError."""
        client = await self._open()
        model = self._model or await self._first_model(client)
        answer = await self._begin(client, model, request)
        async with answer:
            begun, reason = False, ""
            while (chunk := await self._next(answer, begun=begun)) is not None:
                begun = True
                reason = chunk.finish_reason or reason
                for piece in chunk.pieces():
                    yield piece
            if not begun:
                raise self._failures.no_answer(answer.response.headers.get("content-type", ""))
        if not reason:
            raise self._failures.unfinished()
        if reason in _UNFINISHED:
            raise self._failures.cut_short(reason)

    async def _open(self) -> openai.AsyncOpenAI:
        self._endpoint.check()
        key = self._endpoint.key.reveal()
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise self._failures.unsendable_key()
        async with self._opening:
            if self._client is None:
                # Half a second of imports, and then the certificates: not on the event loop.
                self._client = await asyncio.to_thread(self._make_client, key)
            return self._client

    def _make_client(self, key: str) -> openai.AsyncOpenAI:
        import openai

        patience = self._patience
        return openai.AsyncOpenAI(
            base_url=self._endpoint.base_url,
            api_key=key or NO_KEY,
            timeout=openai.Timeout(patience.silence, connect=patience.connect),
            max_retries=0,  # the SDK would repeat time-outs too, and so triple the silence
            http_client=self._local_http() if self._endpoint.plain_loopback else None,
        )

    def _local_http(self) -> httpx2.AsyncClient:
        """For this machine: no proxy of the environment, which cannot know what listens here, and no
        certificates, whose loading takes a tenth of a second. An empty trust store still trusts nobody."""
        import openai

        return openai.DefaultAsyncHttpxClient(
            trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), follow_redirects=False
        )

    async def _first_model(self, client: openai.AsyncOpenAI) -> str:
        import openai

        try:
            page = await client.models.list()
            names = [str(getattr(entry, "id", "")) for entry in page.data or ()]
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            raise self._explained(error, begun=False) from None
        self._model = chat_model(names)
        if not self._model:
            raise self._failures.no_models()
        return self._model

    async def _begin(
        self, client: openai.AsyncOpenAI, model: str, request: ModelRequest
    ) -> openai.AsyncStream[ChatCompletionChunk]:
        import openai

        messages = [json.loads(message) for message in request.messages]
        tools: list[Any] = json.loads(request.tools) if request.tools.strip() else []
        pauses = iter(self._patience.pauses)
        while True:
            try:
                return await client.chat.completions.create(
                    model=model,
                    messages=cast(Any, messages),
                    tools=cast(Any, tools) if tools else openai.omit,
                    stream=True,
                    # Behind the messages and the tools, which a server may know from before.
                    extra_body={"stream_options": {"include_usage": True}} if self._counts else None,
                )
            except openai.OpenAIError as error:
                if self._counts and _knows_no_counting(error):
                    self._counts = False
                    continue
                pause = next(pauses, None)
                if pause is None or not _worth_another_try(error):
                    raise self._explained(error, begun=False) from None
                asked = _retry_after(error)
                if asked > _LONGEST_RETRY_AFTER:
                    raise self._explained(error, begun=False) from None
                await self._sleep(max(pause, asked))

    async def _next(self, answer: openai.AsyncStream[ChatCompletionChunk], *, begun: bool) -> Chunk | None:
        import openai

        try:
            # The SDK does not check what it builds: a chunk may be anything that JSON can say.
            chunk = cast(object, await anext(answer))
            plain = chunk.to_dict(warnings=False) if isinstance(chunk, openai.BaseModel) else chunk
            return read_chunk(plain)
        except StopAsyncIteration:
            return None
        except msgspec.ValidationError as error:
            raise self._failures.unreadable(str(error)) from None
        except (openai.OpenAIError, ValueError, RecursionError, TypeError, AttributeError) as error:
            raise self._explained(error, begun=begun) from None

    def _explained(self, error: Exception, *, begun: bool) -> ModelError:
        """The SDK's error in our words. Its own text is not passed on: it may hold the key."""
        import openai

        failures = self._failures
        match error:
            case openai.APIStatusError():
                message, code = _server_words(error.body)
                return failures.refused(error.status_code, message, code, self._model)
            case openai.APITimeoutError() if _caused_by(error, "ConnectTimeout"):
                return failures.unreachable()
            case openai.APITimeoutError():
                return failures.silent(self._patience.silence, begun=begun)
            case openai.APIConnectionError() if _caused_by(error, "SSLError", "SSLCertVerificationError"):
                return failures.untrusted()
            case openai.APIConnectionError() if _caused_by(error, "ConnectError"):
                return failures.unreachable()
            case openai.APIConnectionError():
                return failures.dropped(begun=begun)
            case openai.APIError() if error.body is not None:
                return failures.broken_off(_server_words(error.body)[0])
            case _:
                return failures.unreadable()


def _worth_another_try(error: Exception) -> bool:
    """Whether the server may answer in a moment: it is busy, or failed, or hung up on us."""
    import openai

    if isinstance(error, openai.APIStatusError):
        message, code = _server_words(error.body)
        busy = error.status_code == 429 and "quota" not in f"{message} {code}".lower()
        return busy or error.status_code == 408 or error.status_code >= 500
    silent = isinstance(error, openai.APITimeoutError)
    hung_up = isinstance(error, openai.APIConnectionError) and not _caused_by(error, "ConnectError")
    return hung_up and not silent


def _knows_no_counting(error: Exception) -> bool:
    """Whether the server refuses to be asked for its count of tokens, as old ones do."""
    import openai

    if not isinstance(error, openai.APIStatusError) or error.status_code not in (400, 422):
        return False
    return "stream_options" in json.dumps(error.body, default=str)


def _retry_after(error: Exception) -> float:
    """Seconds that the server asks for, 0 for none; a date counts as too long."""
    import openai

    if not isinstance(error, openai.APIStatusError):
        return 0.0
    asked = error.response.headers.get("retry-after", "").strip()
    try:
        seconds = float(asked or 0)
    except ValueError:
        return math.inf
    return seconds if seconds >= 0 else 0.0


def _server_words(body: object) -> tuple[str, str]:
    """Message and code of an error body: OpenAI's object, a bare text, or the ``detail`` of others."""
    if isinstance(body, str):
        return body, ""
    if not isinstance(body, dict):
        return "", ""
    given = cast(dict[str, object], body)
    message = next((given[name] for name in ("message", "detail", "error") if given.get(name)), "")
    code = given.get("code") or given.get("type") or ""
    return str(message), str(code)


def _caused_by(error: BaseException, *names: str) -> bool:
    """Whether an exception of one of these classes stands behind ``error``."""
    cause: BaseException | None = error
    for _ in range(8):
        if cause is None:
            return False
        if type(cause).__name__ in names:
            return True
        cause = cause.__cause__ or cause.__context__
    return False
