"""Stored sessions over the wire: list, search, pages, put away, deleted with a way back."""

from __future__ import annotations

from typing import Any

import pytest

from tui_tapback.domain.errors import RpcError
from tui_tapback.gateway.service.archive import UNDO_SECONDS
from tui_tapback.testing.agents import Call, Say, Wait
from tui_tapback.testing.gateway import RawClient, RunningServer


async def _session(
    running: RunningServer, client: RawClient, *texts: str, title: str = ""
) -> tuple[str, list[int]]:
    session_id = (await client.call("session.create", **({"title": title} if title else {})))["session_id"]
    rows: list[int] = []
    for text in texts:
        sent = await client.call("prompt.submit", session_id=session_id, text=text)
        rows.append(sent["user_row_id"])
        await running.bench.quiet(session_id)
    return session_id, rows


async def _code(client: RawClient, method: str, **params: Any) -> int:
    with pytest.raises(RpcError) as caught:
        await client.call(method, **params)
    assert str(caught.value).isprintable()
    return caught.value.code


async def test_a_hit_names_its_place_and_what_was_found(running: RunningServer) -> None:
    client = await running.client()
    first, rows = await _session(running, client, "Where is the harbour?", "Nowhere.", title="Sea")
    second, _ = await _session(running, client, "A HARBOUR again\nand more")
    found = await client.call("messages.search", query="harbour")
    assert [(hit["session_id"], hit["snippet"]) for hit in found["hits"]] == [
        (second, "A HARBOUR again and more"),
        (first, "Where is the harbour?"),
    ]
    for hit in found["hits"]:
        (start, end) = hit["spans"][0]
        assert hit["snippet"][start:end].lower() == "harbour"
    assert found["hits"][1] | {"at": 0.0} == {
        "session_id": first, "session_title": "Sea", "row_id": rows[0], "role": "user",
        "snippet": "Where is the harbour?", "spans": [[13, 20]], "at": 0.0,
    }  # fmt: skip
    assert found["more"] is False
    inside = await client.call("messages.search", query="where", session_id=first)
    assert [hit["row_id"] for hit in inside["hits"]] == rows[::-1]
    agents = await client.call("messages.search", query="ok", author="agent", session_id=first)
    assert [hit["role"] for hit in agents["hits"]] == ["assistant", "assistant"]


async def test_hits_come_in_pieces(running: RunningServer) -> None:
    client = await running.client()
    _, rows = await _session(running, client, *(f"word {n}" for n in range(5)))
    seen: list[int] = []
    before: dict[str, int] = {}
    while True:
        found = await client.call("messages.search", query="word", limit=2, **before)
        seen += [hit["row_id"] for hit in found["hits"]]
        assert len(found["hits"]) == (2 if found["more"] else 1)
        if not found["more"]:
            break
        before = {"before_row_id": seen[-1]}
    assert seen == rows[::-1]


async def test_messages_are_found_by_their_tapback(running: RunningServer) -> None:
    client = await running.client()
    session_id, rows = await _session(running, client, "one", "two", "three")
    for row_id, emoji in ((rows[0], "👍🏽"), (rows[1], "❤️")):
        await client.call(
            "reaction.set", session_id=session_id, row_id=row_id, emoji=emoji, op_id=f"{row_id}"
        )
    for emoji, expected in (
        ("👍", [rows[0]]),
        ("👍🏽", [rows[0]]),
        ("👍🏿", []),
        ("❤", [rows[1]]),
        ("😂", []),
    ):
        found = await client.call("messages.search", emoji=emoji)
        assert [hit["row_id"] for hit in found["hits"]] == expected
    assert (await client.call("messages.search", emoji="👍", query="two"))["hits"] == []
    listed = await client.call("session.list", reacted_with="❤️")
    assert [(row["id"], row["reactions"]) for row in listed["sessions"]] == [(session_id, 2)]
    assert (await client.call("session.list", reacted_with="😂"))["sessions"] == []
    await client.call("reaction.set", session_id=session_id, row_id=rows[1], emoji=None, op_id="off")
    assert (await client.call("messages.search", emoji="❤️"))["hits"] == []


async def test_what_cannot_be_searched_is_told(running: RunningServer) -> None:
    client = await running.client()
    assert await _code(client, "messages.search", query="") == 4002
    assert await _code(client, "messages.search", query='"" " ') == 4002
    assert await _code(client, "messages.search", query="x" * 201) == 4002
    assert await _code(client, "messages.search", query="x", author="tool") == 4002
    assert await _code(client, "messages.search", emoji="abc") == 4024
    assert await _code(client, "messages.search", query="x", session_id="nonsense") == 4007
    assert await _code(client, "messages.search", query="x", before_row_id=True) == -32602
    for row_id in (-1, 0, 10**40, -(10**40)):
        await client.call("messages.search", query="x", before_row_id=row_id)


async def test_sessions_are_found_by_title_and_by_what_was_said(running: RunningServer) -> None:
    client = await running.client()
    titled, _ = await _session(running, client, "nothing special", title="Grüne Äpfel")
    said, _ = await _session(running, client, "we spoke of ÄPFEL here")
    listed = await client.call("session.list", query="äpfel")
    assert {row["id"] for row in listed["sessions"]} == {titled, said}
    assert [row["id"] for row in (await client.call("session.list", query="grüne"))["sessions"]] == [titled]
    row = listed["sessions"][0]
    assert (row["message_count"], row["archived"], row["reactions"]) == (2, False, 0)
    assert (
        row["last_row_id"]
        == (await client.call("session.page", session_id=said, limit=1))["messages"][0]["row_id"]
    )


async def test_a_session_that_was_put_away_is_in_a_list_of_its_own(running: RunningServer) -> None:
    client, other = await running.client(), await running.client()
    session_id, _ = await _session(running, client, "hello")
    answer = await client.call("session.archive", session_id=session_id, archived=True)
    assert answer == {"session_id": session_id, "archived": True}
    await other.event("sessions.changed")
    assert (await client.call("session.list"))["sessions"] == []
    assert [row["archived"] for row in (await client.call("session.list", archived=True))["sessions"]] == [
        True
    ]
    assert (await client.call("messages.search", query="hello"))["hits"]  # away, not gone
    assert (await client.call("session.resume", session_id=session_id))["messages"]
    await client.call("session.archive", session_id=session_id, archived=False)
    assert (await client.call("session.list"))["sessions"]
    assert (await client.call("session.list", archived=True))["sessions"] == []


async def test_a_deleted_session_is_nowhere_and_can_be_brought_back_for_a_while(
    running: RunningServer,
) -> None:
    client, other = await running.client(), await running.client()
    session_id, rows = await _session(running, client, "precious words")
    await other.call("session.resume", session_id=session_id)
    await client.call("reaction.set", session_id=session_id, row_id=rows[0], emoji="❤️", op_id="1")
    numbers = (await client.call("session.resume", session_id=session_id, limit=0))["seq"]
    deleted = await client.call("session.delete", session_id=session_id)
    assert deleted == {"ok": True, "undo_seconds": UNDO_SECONDS}
    for method in ("session.resume", "session.history", "session.delete", "session.page"):
        assert await _code(client, method, session_id=session_id) == 4007
    assert (await client.call("messages.search", query="precious"))["hits"] == []
    assert (await client.call("messages.search", emoji="❤️"))["hits"] == []
    assert (await client.call("session.list", query="precious"))["sessions"] == []
    assert (
        await _code(client, "reaction.set", session_id=session_id, row_id=rows[0], emoji="👍", op_id="2")
        == 4007
    )
    restored = await client.call("session.restore", session_id=session_id)
    assert restored["session_id"] == session_id
    snapshot = await client.call("session.resume", session_id=session_id)
    assert snapshot["messages"][0]["display_metadata"]["reactions"][0]["emoji"] == "❤️"
    assert snapshot["seq"] >= numbers  # the numbers of its events go on
    assert (await client.call("session.restore", session_id=session_id))["session_id"] == session_id
    await client.call("session.delete", session_id=session_id)
    running.bench.clock.now += UNDO_SECONDS + 1
    # Late is late, also before anything has been removed: what is shown as gone may go at any moment.
    assert await _code(client, "session.restore", session_id=session_id) == 4007
    for _ in range(3):
        running.bench.service.archive.purge()
    assert await _code(client, "session.restore", session_id=session_id) == 4007


async def test_a_session_is_not_deleted_under_an_answer(running: RunningServer) -> None:
    client = await running.client()
    session_id, _ = await _session(running, client, "one")
    running.bench.agent.expect(Say("half"), Wait())
    await client.call("prompt.submit", session_id=session_id, text="two")
    await client.event("message.delta", lambda payload: payload["text"] == "half")
    assert await _code(client, "session.delete", session_id=session_id) == 4009
    assert (await client.call("session.history", session_id=session_id))["count"] > 0
    await client.call("session.interrupt", session_id=session_id)
    assert (await client.call("session.delete", session_id=session_id))["ok"]


async def test_who_heard_a_deleted_session_hears_it_again_only_after_opening_it(
    running: RunningServer,
) -> None:
    """What was missed meanwhile would be a gap in the numbers."""
    client, other = await running.client(), await running.client()
    session_id, rows = await _session(running, client, "one")
    await other.call("session.resume", session_id=session_id)
    await client.call("session.delete", session_id=session_id)
    await client.call("session.restore", session_id=session_id)
    target = {"session_id": session_id, "row_id": rows[0]}
    await client.call("reaction.set", **target, emoji="👍", op_id="1")
    await other.call("ping")
    assert not [event for event in other.events if event["type"] == "message.reaction"]
    await other.call("session.resume", session_id=session_id)
    await client.call("reaction.set", **target, emoji="👎", op_id="2")
    await other.event("message.reaction")


async def test_a_long_session_is_removed_a_little_at_a_time(running: RunningServer) -> None:
    client = await running.client()
    session_id, _ = await _session(running, client, *(f"m {n}" for n in range(160)))
    kept, _ = await _session(running, client, "kept")
    await client.call("session.delete", session_id=session_id)
    running.bench.service.archive.purge()
    assert (await client.call("session.restore", session_id=session_id))["session_id"] == session_id
    await client.call("session.delete", session_id=session_id)
    running.bench.clock.now += UNDO_SECONDS + 1
    running.bench.service.archive.purge()
    # A part of it is gone by now: half a chat never comes back, wherever the clock is set to.
    assert await _code(client, "session.restore", session_id=session_id) == 4007
    running.bench.clock.now -= UNDO_SECONDS
    assert await _code(client, "session.restore", session_id=session_id) == 4007
    running.bench.clock.now += UNDO_SECONDS
    running.bench.service.archive.purge()
    assert running.bench.store.sessions.deleted(session_id, 0.0) is None
    running.bench.store.check()
    assert len((await client.call("session.history", session_id=kept))["messages"]) == 2


async def test_resume_with_a_limit_gives_the_end_and_pages_give_the_rest(running: RunningServer) -> None:
    client = await running.client()
    for _ in range(3):
        running.bench.agent.expect(Say("let me see"), Call("look", "{}", "seen"), Say("done"))
    session_id, _ = await _session(running, client, *(f"m {n}" for n in range(6)))
    whole = (await client.call("session.history", session_id=session_id))["messages"]
    for omit in (False, True):
        snapshot = await client.call("session.resume", session_id=session_id, limit=2, omit_messages=omit)
        assert snapshot["messages"] == whole[-2:]
        assert snapshot["has_older"] is True
        assert (
            snapshot["total"]
            == snapshot["message_count"]
            == len([row for row in whole if row["role"] != "tool"])
        )
    rows = snapshot["messages"]
    while True:
        page = await client.call(
            "session.page", session_id=session_id, limit=2, before_row_id=rows[0]["row_id"]
        )
        rows = page["messages"] + rows
        assert page["has_newer"] is True
        if not page["has_older"]:
            break
    assert rows == whole
    around = await client.call(
        "session.page", session_id=session_id, limit=3, around_row_id=whole[0]["row_id"]
    )
    assert around["messages"][0] == whole[0]
    assert (around["has_older"], around["has_newer"]) == (False, True)


async def test_pages_that_cannot_be(running: RunningServer) -> None:
    client = await running.client()
    session_id, rows = await _session(running, client, "one")
    other, _ = await _session(running, client, "two")
    assert await _code(client, "session.page", session_id=other, before_row_id=rows[0]) == 4040
    assert await _code(client, "session.page", session_id=session_id, before_row_id=10**40) == 4040
    assert (
        await _code(
            client, "session.page", session_id=session_id, before_row_id=rows[0], after_row_id=rows[0]
        )
        == 4002
    )
    for wrong in (True, "4", 2.5):
        assert await _code(client, "session.page", session_id=session_id, around_row_id=wrong) == -32602
    for limit in (-5, 0, 10**9):
        page = await client.call("session.page", session_id=session_id, limit=limit)
        assert len(page["messages"]) == (2 if limit > 0 else 1)
