"""The local end of a login through a browser, against whoever knocks there."""

from __future__ import annotations

import asyncio
import hashlib
from base64 import urlsafe_b64encode
from collections.abc import AsyncGenerator
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tui_tapback.client.account import Account, Way
from tui_tapback.client.browser import seen_browser
from tui_tapback.client.browser_login import BrowserLogin
from tui_tapback.domain.errors import GatewayRefused, GatewayUnreachable, IncompatibleGateway, InvalidInput
from tui_tapback.testing.gated import Answered, Gated


async def nobody() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    raise AssertionError("nobody connects")


@pytest.fixture
async def gate() -> AsyncGenerator[Gated]:
    async with Gated(nobody, username="ada", password="x") as gate:
        gate.instead["/auth/native/token"] = Answered(200, b'{"access_token": "t", "refresh_token": "r"}')
        yield gate


def login_at(gate: Gated) -> BrowserLogin:
    return BrowserLogin(Account(gate.url), Way("sso"))


def asked(login: BrowserLogin) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(login.address).query).items()}


async def knock(login: BrowserLogin, raw: bytes) -> bytes:
    port = urlsplit(asked(login)["redirect_uri"]).port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(raw)
    try:
        return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()


async def come_back(login: BrowserLogin, query: str, path: str = "/callback") -> bytes:
    return await knock(login, f"GET {path}?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())


async def test_the_answer_becomes_tokens_and_the_address_holds_no_secret(gate: Gated) -> None:
    async with login_at(gate) as login:
        query = asked(login)
        assert query["code_challenge_method"] == "S256"
        assert len(query["state"]) >= 32
        page = await come_back(login, f"code=c0de&state={query['state']}")
        assert b"200 OK" in page
        assert b"no-store" in page
        assert b"no-referrer" in page
        assert b"c0de" not in page
        assert (await login.tokens(5)).access_token == "t"
        verifier = login._verifier  # pyright: ignore[reportPrivateUsage]
        assert verifier not in login.address
        digest = hashlib.sha256(verifier.encode()).digest()
        assert query["code_challenge"] == urlsafe_b64encode(digest).rstrip(b"=").decode()
    async with login_at(gate) as one, login_at(gate) as other:
        assert asked(one)["state"] != asked(other)["state"]


@pytest.mark.parametrize(
    "query",
    [
        "code=evil",
        "code=evil&state=wrong",
        "code=evil&state=",
        "code=evil&state={state}x",
        "code=evil&state={state}&state={state}",
        "code=evil&code=two&state={state}",
        "code=&state={state}",
        "state={state}",
        "error=access_denied&state=wrong",
    ],
)
async def test_what_is_not_the_answer_is_passed_over_and_the_true_one_still_counts(
    gate: Gated, query: str
) -> None:
    async with login_at(gate) as login:
        state = asked(login)["state"]
        assert b"400 Bad Request" in await come_back(login, query.format(state=state))
        for path in ("/other", "//[::1", "/callback/"):
            assert b"404 Not Found" in await come_back(login, f"code=c&state={state}", path)
        assert b"200 OK" in await come_back(login, f"code=true&state={state}")
        assert await login.tokens(5)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n\r\n",
        b"POST /callback HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01" + b"x" * 99,
        b"A" * 40_000,
        b"GET /callback?" + b"&".join([b"a=1"] * 99) + b" HTTP/1.1\r\n\r\n",
    ],
)
async def test_noise_at_the_port_ends_nothing(gate: Gated, raw: bytes) -> None:
    async with login_at(gate) as login:
        port = urlsplit(asked(login)["redirect_uri"]).port
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(raw)
        writer.close()
        assert b"200 OK" in await come_back(login, f"code=true&state={asked(login)['state']}")
        assert await login.tokens(5)


async def test_a_denial_is_a_sentence_whatever_it_holds(gate: Gated) -> None:
    async with login_at(gate) as login:
        words = quote("no\x1b[31m\n[b]<script>" + "x" * 900)
        page = await come_back(login, f"error=x&error_description={words}&state={asked(login)['state']}")
        assert b"script" not in page
        with pytest.raises(GatewayRefused, match="denied: no") as caught:
            await login.tokens(5)
        assert "\x1b" not in str(caught.value)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (Answered(400), GatewayRefused, "did not accept the code"),
        (Answered(503), GatewayUnreachable, "no login just now"),
        (Answered(200, b'{"access_token": 3}'), IncompatibleGateway, "does not know"),
        (Answered(200, b"{}"), IncompatibleGateway, "does not know"),
        (Answered(302, headers={"Location": "http://evil.example"}), IncompatibleGateway, "does not know"),
    ],
)
async def test_a_gateway_that_does_not_take_the_code(
    gate: Gated, answer: Answered, error: type[Exception], words: str
) -> None:
    gate.instead["/auth/native/token"] = answer
    async with login_at(gate) as login:
        await come_back(login, f"code=c0de&state={asked(login)['state']}")
        with pytest.raises(error, match=words) as caught:
            await login.tokens(5)
        assert "c0de" not in str(caught.value)


async def test_nobody_coming_back_ends_in_time_and_giving_up_frees_the_port(gate: Gated) -> None:
    async with login_at(gate) as login:
        port = urlsplit(asked(login)["redirect_uri"]).port
        with pytest.raises(GatewayUnreachable, match="Nobody came back"):
            await login.tokens(0.05)
        waiting = asyncio.create_task(login.tokens())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_a_pasted_address_counts_whole_or_as_its_end(gate: Gated) -> None:
    for form in ("http://127.0.0.1:9/callback?{}", "code: ?{}", "{}", "  http://127.0.0.1:9/callback?{}\n"):
        async with login_at(gate) as login:
            state = asked(login)["state"]
            for wrong in ("", "   ", "c0de", "http://[::1", f"http://127.0.0.1/callback?state={state}"):
                with pytest.raises(InvalidInput, match="not the address"):
                    login.paste(wrong)
            if form.startswith("code"):
                continue
            login.paste(form.format(f"code=c0de&state={state}"))
            assert await login.tokens(5)


def test_a_browser_is_opened_only_where_the_person_sees_it() -> None:
    assert seen_browser({"DISPLAY": ":0"}, "linux") is not None
    assert seen_browser({"WAYLAND_DISPLAY": "w"}, "linux") is not None
    assert seen_browser({}, "darwin") is not None
    assert seen_browser({}, "linux") is None
    assert seen_browser({"DISPLAY": ":0", "SSH_CONNECTION": "1"}, "linux") is None
    assert seen_browser({"SSH_TTY": "/dev/pts/1"}, "darwin") is None
    assert seen_browser({"BROWSER": "/usr/bin/w3m", "DISPLAY": ":0"}, "linux") is None
    assert seen_browser({"BROWSER": "/opt/code/helper.sh", "SSH_TTY": "x"}, "linux") is not None
