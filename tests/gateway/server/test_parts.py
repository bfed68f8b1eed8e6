"""The server's small parts by themselves: the table, the queue, the bucket, who is there, who may come in."""

from __future__ import annotations

import asyncio
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.config.secret import Secret
from tui_tapback.gateway.server.access import Access
from tui_tapback.gateway.server.answers import result_frame
from tui_tapback.gateway.server.handlers import HANDLERS, WRITES
from tui_tapback.gateway.server.outbox import Outbox
from tui_tapback.gateway.server.presence import Presence
from tui_tapback.gateway.server.rate import Bucket
from tui_tapback.wire.methods import METHODS, Inflight, Interrupted, Reacted, Snapshot, Submitted
from tui_tapback.wire.rows import WireReaction, WireRow


def test_every_method_of_the_table_has_a_handler_of_its_types() -> None:
    assert set(HANDLERS) == set(METHODS)
    assert set(METHODS) > WRITES
    for name, handler in HANDLERS.items():
        hints = get_type_hints(handler)
        assert hints["p"] is METHODS[name].params, name
        if name != "session.most_recent":
            assert hints["return"] is METHODS[name].result, name


def test_answers_hold_what_a_hermes_client_reads() -> None:
    assert result_frame(1, Interrupted()) == b'{"jsonrpc":"2.0","id":1,"result":{"status":"interrupted"}}'
    assert result_frame(1, Submitted("queued")) == b'{"jsonrpc":"2.0","id":1,"result":{"status":"queued"}}'
    assert result_frame("a", Reacted(4, [WireReaction("👍", "user", 1.5)], 7)) == (
        '{"jsonrpc":"2.0","id":"a","result":{"row_id":4,'
        '"reactions":[{"emoji":"👍","author":"user","at":1.5}],"seq":7}}'.encode()
    )
    snapshot = Snapshot("s", messages=[WireRow("user", "x", 1.0, 3)], inflight=Inflight(assistant="a"))
    assert (
        b'"messages":[{"role":"user","text":"x","timestamp":1.0,"row_id":3}],"info":{},"running":false,'
        b'"status":"idle","inflight":{"assistant":"a","streaming":false,"reactions":[]}'
    ) in result_frame(1, snapshot)


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("event"), st.integers(1, 60)),
            st.tuples(st.just("answer"), st.integers(1, 200)),
            st.tuples(st.just("next"), st.just(0)),
        )
    )
)
def test_the_queue_keeps_order_and_bounds_events(steps: list[tuple[str, int]]) -> None:
    async def play() -> None:
        box, model = Outbox(100), list[tuple[bytes, bool]]()
        for number, (step, size) in enumerate(steps):
            frame = (f"{number:03d}" * 70)[:size].encode()
            events = sum(len(kept) for kept, is_event in model if is_event)
            if step == "event":
                fits = events + size <= 100
                assert box.put_event(frame) is fits
                if fits:
                    model.append((frame, True))
            elif step == "answer":
                box.put_answer(frame)
                model.append((frame, False))
            elif model:
                assert await box.next() == model.pop(0)[0]
            assert box.waiting == sum(len(kept) for kept, _ in model)
            calm = asyncio.ensure_future(box.calm())
            await asyncio.sleep(0)
            assert calm.done() == (box.waiting <= 50)
            calm.cancel()
        box.close()
        for frame, _ in model:
            assert await box.next() == frame
        assert await box.next() is None

    asyncio.run(play())


@given(
    st.lists(st.tuples(st.floats(-1, 10), st.integers(1, 20))),
    st.floats(0.5, 50),
    st.integers(1, 30),
)
def test_a_client_never_gets_more_than_burst_and_rate(
    steps: list[tuple[float, int]], rate: float, burst: int
) -> None:
    now = [0.0]
    bucket = Bucket(rate, burst, lambda: now[0])
    taken, highest = 0, 0.0
    for wait, attempts in steps:
        now[0] += wait
        highest += max(0.0, wait)
        for _ in range(attempts):
            pause = bucket.take()
            assert 0.0 <= pause <= 1.0 / rate + 1e-9
            taken += pause == 0.0
        assert taken <= burst + highest * rate + 1e-6


def test_a_pause_earns_no_more_than_one_burst() -> None:
    now = [0.0]
    bucket = Bucket(10.0, 5, lambda: now[0])
    for pause in (0.0, 3600.0, -7200.0, 3600.0):  # a clock that goes backwards takes nothing away
        now[0] += pause
        assert [bucket.take() == 0.0 for _ in range(6)] == [pause >= 0.0] * 5 + [False]


async def test_absence_counts_from_the_last_one_who_left() -> None:
    presence = Presence()
    presence.came()
    waiting = asyncio.create_task(presence.gone_for(0.05))
    presence.left()
    presence.came()
    await asyncio.sleep(0.1)
    assert not waiting.done()
    presence.left()
    async with asyncio.timeout(5):
        await waiting


TOKEN = Access(Secret("right"))


@pytest.mark.parametrize(
    ("target", "headers", "status"),
    [
        ("/api/ws?token=right", {}, None),
        ("/?token=right", {}, None),
        ("/api/ws", {"Authorization": "Bearer right"}, None),
        ("/api/ws", {"X-Hermes-Session-Token": "right"}, None),
        ("/api/ws?token=right", {"Origin": "http://127.0.0.1:9", "Host": "127.0.0.1:9"}, None),
        ("/api/ws?token=right", {"Origin": "file://"}, None),
        ("/api/ws", {"Sec-WebSocket-Protocol": "hermes-gateway-v1, hermes-gateway-ticket.right"}, None),
        (
            "/api/ws",
            {"Sec-WebSocket-Protocol": "hermes-gateway-ticket.wrong, hermes-gateway-ticket.right"},
            403,
        ),
        ("/api/ws", {"Sec-WebSocket-Protocol": "right"}, 403),
        ("/api/ws?token=right", {"Origin": "http://[::1]:9", "Host": "[::1]:9"}, None),
        ("/api/ws?token=right", {"Origin": "http://LOCALHOST:9", "Host": "localhost:9"}, None),
        # A name of somebody else's that leads to this machine (DNS rebinding).
        ("/api/ws?token=right", {"Origin": "http://evil.example:9", "Host": "evil.example:9"}, 403),
        ("/api/ws", {}, 403),
        ("/api/ws?token=", {}, 403),
        ("/api/ws?token=wrong", {}, 403),
        ("/api/ws?token=wrong&token=right", {}, 403),
        ("/api/ws?token=right%00", {}, 403),
        ("/api/ws?token=ri%ff", {}, 403),
        ("/api/ws?token=\udcff", {}, 403),
        ("/api/ws", {"Authorization": "Bearer \udcff"}, 403),
        ("/api/ws?ticket=right", {}, 403),
        ("/api/ws", {"Authorization": "Basic right"}, 403),
        ("/api/ws?token=right", {"Origin": "http://evil", "Host": "127.0.0.1:9"}, 403),
        ("/api/ws?token=right", {"Origin": "null", "Host": "127.0.0.1:9"}, 403),
        ("/api/ws?token=right", {"Origin": "http://[", "Host": "127.0.0.1:9"}, 403),
        ("/other?token=right", {}, 404),
        ("//[/api/ws", {}, 404),
    ],
)
def test_who_may_come_in_over_tcp(target: str, headers: dict[str, str], status: int | None) -> None:
    assert TOKEN.refusal(target, headers) == status


def test_beyond_loopback_a_page_is_our_own_under_any_name() -> None:
    access = Access(Secret("right"), loopback=False)
    page = {"Origin": "https://chat.example", "Host": "chat.example"}
    assert access.refusal("/?token=right", page) is None
    assert access.refusal("/?token=right", page | {"Origin": "https://evil.example"}) == 403


def test_a_unix_socket_needs_no_token() -> None:
    assert Access().refusal("/api/ws", {}) is None
    assert Access().refusal("/elsewhere", {}) == 404
