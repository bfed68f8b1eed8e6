"""The rule of a listener, by each thing that a request may say: path, token, origin."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from tui_tapback.config.secret import Secret
from tui_tapback.gateway.server.access import Access

TOKEN = "canary-token-8d1f"
GUARDED = Access(Secret(TOKEN))
BEARER = {"Authorization": f"Bearer {TOKEN}", "Host": "127.0.0.1:4000"}
REFUSED = HTTPStatus.FORBIDDEN

WRONG = (
    "",
    TOKEN[:-1],
    TOKEN[:1],
    TOKEN[1:],
    TOKEN + "x",
    TOKEN.upper(),
    f"{TOKEN} x",
    f"x,{TOKEN}",
    "\udcff",
)


@pytest.mark.parametrize("wrong", WRONG)
def test_nothing_but_the_whole_token_opens(wrong: str) -> None:
    for headers in (
        {"Authorization": f"Bearer {wrong}"},
        {"Authorization": wrong},
        {"X-Hermes-Session-Token": wrong},
        {"Sec-WebSocket-Protocol": f"hermes-gateway-ticket.{wrong}"},
    ):
        assert GUARDED.refusal("/api/ws", headers) is REFUSED
    assert GUARDED.refusal(f"/api/ws?token={wrong}", {}) is REFUSED


def test_the_token_opens_from_each_place_and_only_the_first_of_each_counts() -> None:
    assert GUARDED.refusal("/api/ws", {"Authorization": f"bearer  {TOKEN}"}) is None
    assert GUARDED.refusal("/api/ws", {"X-Hermes-Session-Token": TOKEN}) is None
    offered = f"hermes-gateway-v1, hermes-gateway-ticket.{TOKEN}"
    assert GUARDED.refusal("/", {"Sec-WebSocket-Protocol": offered}) is None
    assert GUARDED.refusal(f"/api/ws?a=b&token={TOKEN}", {}) is None
    assert GUARDED.refusal(f"/api/ws?token=x&token={TOKEN}", {}) is REFUSED
    twice = f"hermes-gateway-ticket.x, hermes-gateway-ticket.{TOKEN}"
    assert GUARDED.refusal("/", {"Sec-WebSocket-Protocol": twice}) is REFUSED


@pytest.mark.parametrize("path", ["", "/api", "/api/ws/", "//api/ws", "/api/ws/../x", "/api%2Fws", "/API/WS"])
def test_any_other_path_is_not_there(path: str) -> None:
    assert GUARDED.refusal(path, BEARER) is HTTPStatus.NOT_FOUND


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://127.0.0.1:4001",  # another program of this machine
        "http://127.0.0.1",
        "http://127.0.0.1:4000.evil.example",
        "http://127.0.0.1:4000@evil.example",
        "http://evil.example@127.0.0.1:4000",
        "ws://127.0.0.1:4000",
        "file:///etc/passwd",
        "chrome-extension://127.0.0.1:4000",
        "http://127.0.0.1:4000/",
        "http://localhost:4000",
    ],
)
def test_a_page_of_another_origin_is_refused_with_the_right_token(origin: str) -> None:
    assert GUARDED.refusal("/api/ws", BEARER | {"Origin": origin}) is REFUSED


@pytest.mark.parametrize("origin", ["file://", "http://127.0.0.1:4000", "https://127.0.0.1:4000"])
def test_no_page_and_our_own_are_welcome_but_need_the_token(origin: str) -> None:
    assert GUARDED.refusal("/api/ws", BEARER) is None
    assert GUARDED.refusal("/api/ws", BEARER | {"Origin": origin}) is None
    assert GUARDED.refusal("/api/ws", {"Host": BEARER["Host"], "Origin": origin}) is REFUSED


@pytest.mark.parametrize(
    ("host", "loopback", "welcome"),
    [
        ("evil.example:4000", True, False),  # a foreign name that leads to this machine
        ("localhost.evil.example", True, False),
        ("127.0.0.1.evil.example:4000", True, False),
        ("[::1].evil.example", True, False),
        ("localhost:4000", True, True),
        ("LOCALHOST", True, True),
        ("[::1]:4000", True, True),
        ("chat.example:4000", False, True),
    ],
)
def test_a_page_from_this_machine_was_loaded_by_one_of_its_names(
    host: str, loopback: bool, welcome: bool
) -> None:
    access = Access(Secret(TOKEN), loopback=loopback)
    headers = BEARER | {"Host": host, "Origin": f"http://{host}"}
    assert (access.refusal("/api/ws", headers) is None) == welcome
