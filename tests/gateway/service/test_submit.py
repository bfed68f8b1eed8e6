"""What may be sent, what is refused with which sentence, and that nothing is ever half-stored."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tui_tapback.domain.errors import (
    DiskFull,
    EmptyMessage,
    MessageTooLong,
    OperationReused,
    SessionNotFound,
    StoreError,
)
from tui_tapback.gateway.service.archive import UNDO_SECONDS
from tui_tapback.gateway.service.inputs import MAX_MESSAGE_CHARS, suggested_title
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import Say
from tui_tapback.testing.service import RecordingSink, ServiceBench


@pytest.mark.parametrize("text", ["", "  \n\t", "\u200b", "\u200b \ufeff\u202e", "\r\n"])
async def test_nothing_to_see_is_an_empty_message(bench: ServiceBench, text: str) -> None:
    session_id, sink = bench.new_session()
    with pytest.raises(EmptyMessage, match="empty"):
        await bench.service.submit(session_id, text)
    assert bench.service.history(session_id).count == 0
    assert sink.events == []


async def test_a_megabyte_is_refused_with_a_sentence(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    with pytest.raises(MessageTooLong) as caught:
        await bench.service.submit(session_id, "x" * 1_000_000)
    assert str(caught.value) == "The message has 1,000,000 characters; the limit is 200,000."
    assert caught.value.hint
    assert sink.events == []
    assert (await bench.service.submit(session_id, "x" * MAX_MESSAGE_CHARS)).status == "streaming"
    await bench.quiet(session_id)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a\x1b[31mred\x1b[0m\x00b", "ared␀b"),
        ("a\u202eb\r\nc", "ab\nc"),
        ("[/][red]x[/red] \\[", "[/][red]x[/red] \\["),
        ("half \ud83d", "half \ufffd"),
        (".", "."),
    ],
)
async def test_control_characters_reach_neither_people_nor_the_model(
    bench: ServiceBench, typed: str, stored: str
) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, typed)
    assert bench.service.history(session_id).messages[0].text == stored
    assert bench.last_user_content() == stored


async def test_the_same_reference_again_gets_the_same_answer(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    first = await bench.service.submit(session_id, "hello", "ref")
    again = await bench.service.submit(session_id, "hello", "ref")
    await bench.quiet(session_id)
    await bench.restart()
    later = await bench.service.submit(session_id, "hello", "ref")
    assert first == again == later
    assert bench.service.history(session_id).count == 2
    assert [entry.get("client_ref") for entry in sink.of("tapback.row")] == ["ref", None]
    assert bench.service.history(session_id).messages[0].display_metadata == {"client_ref": "ref"}
    other, _ = bench.new_session()
    assert (await bench.service.submit(other, "hello", "ref")).user_row_id != first.user_row_id
    await bench.quiet(other)


async def test_another_text_under_a_reference_that_was_used_is_refused_not_swallowed(
    bench: ServiceBench,
) -> None:
    session_id, sink = bench.new_session()
    first = await bench.service.submit(session_id, "hello", "ref")
    await bench.quiet(session_id)
    for _ in range(2):
        with pytest.raises(OperationReused, match="client_ref belongs to another message"):
            await bench.service.submit(session_id, "something else", "ref")
        await bench.restart()
    assert bench.service.history(session_id).count == 2
    assert await bench.service.submit(session_id, "hello", "ref") == first
    with bench.store.transaction():  # as an older version has remembered it, without what was asked
        answer = {"status": "streaming", "user_row_id": first.user_row_id}
        bench.store.operations.remember("prompt", session_id, "old", answer, bench.clock.now)
    assert (await bench.service.submit(session_id, "whatever", "old")).user_row_id == first.user_row_id
    assert len(sink.of("tapback.row")) == 2


async def test_the_sender_is_attached_and_all_others_see_the_message(bench: ServiceBench) -> None:
    session_id, other = bench.new_session()
    sender = RecordingSink()
    await bench.service.submit(session_id, "hello", sink=sender)
    await bench.quiet(session_id)
    assert sender.events == other.events
    assert sender.of("tapback.row")[0]["row"]["text"] == "hello"


async def test_an_unknown_session_is_said_to_be_unknown(bench: ServiceBench) -> None:
    with pytest.raises(SessionNotFound, match="no session"):
        await bench.service.submit("20270101_000000_ffffff", "hello")
    with pytest.raises(SessionNotFound):
        bench.service.resume("[red]\x1b")
    assert bench.service.list_sessions().sessions == []


async def test_a_full_disk_is_told_and_nothing_is_half_stored(bench: ServiceBench, tmp_path: Path) -> None:
    store = Store(tmp_path / "small.db", page_limit=90)
    service = GatewayService(store, bench.agent, clock=bench.clock, ids=bench.ids)
    session_id = service.create_session().session_id
    sink = RecordingSink()
    service.attach(session_id, sink)
    await service.submit(session_id, "hello")
    await sink.until(lambda: not service.resume(session_id, omit_messages=True).running)
    before = service.resume(session_id)
    heard = len(sink.events)
    with pytest.raises(DiskFull, match="no space left"):
        await service.submit(session_id, "x" * 190_000, "ref")
    assert service.resume(session_id) == before
    assert len(sink.events) == heard
    store.check()
    row = before.messages[1].row_id
    assert row is not None
    assert service.set_reaction(session_id, row, "👍").changed  # what still fits still works
    await service.close()


async def test_an_answer_that_no_longer_fits_ends_the_turn_with_the_reason(
    bench: ServiceBench, tmp_path: Path
) -> None:
    store = Store(tmp_path / "small.db", page_limit=90)
    service = GatewayService(store, bench.agent, clock=bench.clock, ids=bench.ids)
    session_id = service.create_session().session_id
    sink = RecordingSink()
    service.attach(session_id, sink)
    bench.agent.expect(Say("x" * 190_000))
    await service.submit(session_id, "hello")
    await sink.until(lambda: "message.complete" in sink.types())
    assert "no space left" in sink.of("message.complete")[0]["error"]
    assert not service.resume(session_id).running
    store.check()
    assert service.history(session_id).messages[0].text == "hello"
    await service.close()
    with_space = GatewayService(Store(tmp_path / "small.db"), bench.agent, clock=bench.clock, ids=bench.ids)
    with_space.attach(session_id, sink)
    await with_space.submit(session_id, "short")
    await sink.until(lambda: sink.types().count("message.complete") == 2)
    texts = [row.text for row in with_space.history(session_id).messages]
    assert texts == ["hello", "x" * 190_000, "short", "ok"]
    await with_space.close()


async def test_an_answer_that_could_not_be_stored_at_all_leaves_a_row_that_says_so(
    bench: ServiceBench, tmp_path: Path
) -> None:
    """Whoever watched it hears of that row at once, not only at the next opening."""
    store = Store(tmp_path / "small.db", page_limit=90)
    service = GatewayService(store, bench.agent, clock=bench.clock, ids=bench.ids)
    session_id = service.create_session().session_id
    sink = RecordingSink()
    service.attach(session_id, sink)
    bench.agent.expect(Say("x" * 400_000))
    await service.submit(session_id, "hello")
    await sink.until(lambda: "message.complete" in sink.types() and not service.busy)
    row = sink.of("tapback.row")[-1]["row"]
    assert row == msgspec.to_builtins(service.history(session_id).messages[-1])
    assert (row["display_kind"], row["row_id"]) == ("failed_turn", sink.of("message.start")[0]["row_id"])
    assert "could not store it" in row["display_metadata"]["error"]
    await service.close()


async def test_a_turn_that_stayed_open_for_want_of_space_is_closed_and_told_once_there_is_some(
    bench: ServiceBench, tmp_path: Path
) -> None:
    store = Store(tmp_path / "small.db", page_limit=230)
    service = GatewayService(store, bench.agent, clock=bench.clock, ids=bench.ids)
    bulky, session_id = (service.create_session().session_id for _ in range(2))
    sink = RecordingSink()
    service.attach(session_id, sink)
    service.attach(bulky, sink)
    await service.submit(bulky, "y" * 60_000)
    await sink.until(lambda: "message.complete" in sink.types() and not service.busy)
    bench.agent.expect(Say("x" * 190_000))
    await service.submit(session_id, "hello")
    await sink.until(lambda: "notice" in sink.types() and not service.busy)
    assert "no space left" in sink.of("notice")[0]["text"]
    service.delete_session(bulky)
    bench.clock.now += UNDO_SECONDS + 1
    service.archive.purge()
    heard = len(sink.events)
    await service.submit(session_id, "short")
    rows = [event["payload"]["row"] for event in sink.events[heard:] if event["type"] == "tapback.row"]
    assert [(row["role"], len(row["text"])) for row in rows] == [("assistant", 190_000), ("user", 5)]
    assert rows[0]["display_metadata"]["interrupted"] is True
    await service.close()


async def test_a_closed_store_is_a_store_error_everywhere(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    bench.store.close()
    with pytest.raises(StoreError):
        await bench.service.submit(session_id, "hello")
    with pytest.raises(StoreError):
        bench.service.set_reaction(session_id, 1, "👍")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("hello", "hello"),
        ("\n\n  first line \nsecond", "first line"),
        ("x" * 41, "x" * 40 + "…"),
        ("x" * 40, "x" * 40),
        ("x" * 39 + "👩\u200d👩\u200d👧\u200d👦" + "yz", "x" * 39 + "👩\u200d👩\u200d👧\u200d👦…"),
        ("a\u0301" * 60, "a\u0301" * 40 + "…"),
    ],
)
def test_the_first_words_become_the_title(text: str, title: str) -> None:
    assert suggested_title(text) == title
