"""Links that will not be: each says what is wrong and what to do, stops trying, and tries again when told."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from operator import methodcaller
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.asyncio.server import ServerConnection, serve

from tui_tapback.client.account import Account, Tokens
from tui_tapback.client.login import InMemory, LoginConnector
from tui_tapback.client.ports import Connector
from tui_tapback.client.state import Phase
from tui_tapback.client.transport import url_connector
from tui_tapback.testing.client import running_client, until, wait_for

TOKEN = "CANARY-token-51c2"
QUIET = 0.15
"""Seconds in which the policy of tests would try dozens of times."""

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Counted:
    """A listener that counts who comes."""

    def __init__(self) -> None:
        self.came = 0
        self.port = 0


@asynccontextmanager
async def listening(talk: Talk, tls: ssl.SSLContext | None = None) -> AsyncGenerator[Counted]:
    """A TCP listener; what it counts are connections, also those whose TLS fails."""
    counted = Counted()

    async def outer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        counted.came += 1
        try:
            if tls is not None:
                await writer.start_tls(tls)
            await talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # it would not have us, which is the point
        finally:
            writer.close()

    server = await asyncio.start_server(outer, "127.0.0.1", 0)
    async with server:
        counted.port = server.sockets[0].getsockname()[1]
        yield counted


async def refused_until_told(connect: Connector, counted: Counted, *words: str) -> str:
    """The sentence of a link that is refused; it was tried once, and once more when told to."""
    async with running_client(connect) as client:
        state = await until(client, lambda s: s.connection.phase is Phase.REFUSED)
        for word in words:
            assert word in state.connection.detail, state.connection.detail
        assert state.connection.retry_at is None
        assert TOKEN not in repr(state)
        came = counted.came
        await asyncio.sleep(QUIET)
        assert counted.came == came
        client.reconnect_now()
        await wait_for(lambda: counted.came > came)
        await until(client, lambda s: s.connection.phase is Phase.REFUSED)
        return state.connection.detail


def answering(raw: bytes) -> Talk:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(raw)
        await writer.drain()

    return talk


def http(status: str, body: str = "<html>A web site</html>", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", body]
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("login", [False, True], ids=["plain", "with login"])
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (http("200 OK"), ("no chat gateway", "Check the address")),
        (http("404 Not Found"), ("no chat gateway", "Check the address and its path")),
        (http("400 Bad Request"), ("no chat gateway", "Check the address")),
        (http("426 Upgrade Required"), ("no chat gateway", "Check the address")),
        (http("302 Found", "", "Location: https://www.example/login"), ("leads elsewhere", "address")),
        (http("302 Found", "", "Location: /api/ws"), ("leads elsewhere", "address")),
        (http("301 Moved", "", "Location: http://[::1"), ("leads elsewhere", "address")),
        (http("302 Found", ""), ("leads elsewhere", "address")),
        (http("403 Forbidden"), ("refused the connection", "Check the token")),
        (http("401 Unauthorized"), ("refused the connection", "Check the token")),
        (b"SSH-2.0-OpenSSH_9.6\r\n", ("does not speak", "Check the address")),
        (b"HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", ("does not speak", "Check")),
    ],
)
async def test_what_is_no_gateway_or_will_not_have_us(
    raw: bytes, words: tuple[str, ...], login: bool
) -> None:
    async with listening(answering(raw)) as counted:
        url = f"ws://127.0.0.1:{counted.port}"
        connect = url_connector(url, TOKEN)
        if login:
            connect = LoginConnector(Account(url), url, InMemory(), token=TOKEN)
        await refused_until_told(connect, counted, *words)


@pytest.mark.parametrize("login", [False, True], ids=["plain", "with login"])
async def test_a_refusal_without_a_token_says_where_to_give_one(login: bool) -> None:
    async with listening(answering(http("403 Forbidden"))) as counted:
        url = f"ws://127.0.0.1:{counted.port}"
        connect = LoginConnector(Account(url), url, InMemory()) if login else url_connector(url)
        told = await refused_until_told(connect, counted, "No token was given", "TUI_TAPBACK_TOKEN")
        assert "Check the token" not in told


@pytest.mark.parametrize("status", ["429 Too Many", "500 Oops", "502 Bad Gateway", "503 Later", "524 Late"])
async def test_a_gateway_that_is_busy_is_tried_again(status: str) -> None:
    async with listening(answering(http(status))) as counted:
        async with running_client(url_connector(f"ws://127.0.0.1:{counted.port}")) as client:
            state = await until(client, lambda s: s.connection.phase is Phase.OFFLINE)
            assert "takes nobody just now" in state.connection.detail
            assert state.connection.retry_at is not None or state.connection.attempt
        assert counted.came >= 5


async def test_a_redirect_is_never_followed_with_the_token() -> None:
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))

    async with listening(listen) as elsewhere:
        where = f"Location: http://127.0.0.1:{elsewhere.port}/api/ws?token={TOKEN}"
        async with listening(answering(http("307 Temporary Redirect", "", where))) as counted:
            connect = url_connector(f"ws://127.0.0.1:{counted.port}", TOKEN)
            await refused_until_told(connect, counted, "leads elsewhere")
    assert not heard


async def hello(connection: ServerConnection, version: int) -> None:
    """The greeting of a gateway of ours that speaks another version."""
    await connection.send(
        '{"jsonrpc":"2.0","method":"event","params":{"type":"gateway.ready","session_id":"",'
        '"payload":{"replay_epoch":"e"}}}'
    )
    async for frame in connection:
        number = str(frame).partition('"id":')[2].partition(",")[0].strip(' }"')
        result = '{"server_requests":[]}'
        if "gateway.capabilities" in str(frame):
            result = f'{{"tapback":{{"protocol":{version},"max_message_chars":9}}}}'
        await connection.send(f'{{"jsonrpc":"2.0","id":{number},"result":{result}}}')


@pytest.mark.parametrize(("version", "which"), [(0, "Update the gateway"), (999, "Update the program")])
async def test_another_version_says_which_side_is_to_be_updated(version: int, which: str) -> None:
    counted = Counted()

    async def greet(connection: ServerConnection) -> None:
        counted.came += 1
        await hello(connection, version)

    async with serve(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        connect = url_connector(f"ws://127.0.0.1:{port}", TOKEN)
        await refused_until_told(connect, counted, f"version {version} of the protocol", which)


# --- certificates --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    methodcaller("configure_trust", context)(authority)  # trustme types it in part only
    return context


def serving(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    methodcaller("configure_cert", context)(certificate)
    return context


def self_signed(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "both.pem"
    file.write_bytes(pem + made.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    raise AssertionError("it was trusted")


@pytest.mark.parametrize("login", [False, True], ids=["plain", "with login"])
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("expired", ("has expired", "renew it")),
        ("not yet", ("is not valid yet", "clock")),
        ("self-signed", ("nobody that this machine knows", "SSL_CERT_FILE")),
        ("unknown authority", ("this machine", "SSL_CERT_FILE")),
        ("another host", ("belongs to another host", "Check the host")),
    ],
)
async def test_a_certificate_that_does_not_hold_is_refused_with_its_reason(
    authority: trustme.CA, tmp_path: Path, kind: str, words: tuple[str, ...], login: bool
) -> None:
    day, now = timedelta(days=1), datetime.now(UTC)
    match kind:
        case "expired":
            tls = serving(authority.issue_cert("localhost", not_before=now - 9 * day, not_after=now - day))
        case "not yet":
            tls = serving(authority.issue_cert("localhost", not_before=now + day, not_after=now + 9 * day))
        case "self-signed":
            tls = self_signed(tmp_path)
        case "unknown authority":
            tls = serving(trustme.CA().issue_cert("localhost"))
        case _:
            tls = serving(authority.issue_cert("other.example"))
    async with listening(never, tls) as counted:
        url = f"wss://localhost:{counted.port}"
        connect = url_connector(url, TOKEN, tls=trusting(authority))
        if login:
            trust = trusting(authority)
            connect = LoginConnector(Account(url, tls=trust), url, InMemory(), token=TOKEN, tls=trust)
        await refused_until_told(connect, counted, *words)


async def test_a_kept_login_is_not_shown_to_a_host_whose_certificate_does_not_hold(
    authority: trustme.CA,
) -> None:
    async with listening(never, serving(trustme.CA().issue_cert("localhost"))) as counted:
        url, trust, keeper = f"wss://localhost:{counted.port}", trusting(authority), InMemory()
        account = Account(url, tls=trust)
        keeper.save(account.base, "", Tokens(TOKEN, TOKEN))
        connect = LoginConnector(account, url, keeper, tls=trust)
        await refused_until_told(connect, counted, "this machine", "SSL_CERT_FILE")
        assert keeper.load(account.base, "") is not None


async def test_encryption_where_there_is_none_and_none_where_there_is(authority: trustme.CA) -> None:
    async def speak_first(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(http("400 Bad Request"))
        await writer.drain()

    async with listening(speak_first) as counted:
        connect = url_connector(f"wss://localhost:{counted.port}", TOKEN, tls=trusting(authority))
        await refused_until_told(connect, counted, "could not be made", "ws:// or wss://")
    tls = serving(authority.issue_cert("localhost"))
    async with (
        listening(never, tls) as counted,
        running_client(url_connector(f"ws://localhost:{counted.port}", TOKEN)) as client,
    ):
        state = await until(client, lambda s: bool(s.connection.attempt))
        assert TOKEN not in state.connection.detail
        assert state.connection.detail.endswith(".")


async def test_a_good_certificate_lets_us_in(authority: trustme.CA) -> None:
    tls = serving(authority.issue_cert("localhost"))

    async def greet(connection: ServerConnection) -> None:
        await hello(connection, 1)

    async with serve(greet, "localhost", 0, ssl=tls) as server:
        port = server.sockets[0].getsockname()[1]
        transport = await url_connector(f"wss://localhost:{port}", TOKEN, tls=trusting(authority))()
        assert "gateway.ready" in await transport.receive()
        await transport.close()
