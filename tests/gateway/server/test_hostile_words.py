"""Words that mean no good and old data that is not sound: cleaned on the way in, harmless where shown."""

from __future__ import annotations

import json
import re
from typing import Any, cast

from tui_tapback.testing.agents import Call, Say, Think, Wait
from tui_tapback.testing.gateway import RunningServer

HOSTILE = (
    "a\x1b]52;c;QQ==\x07b\x1b]0;pwned\x07c\x1b[2Jd\x1b[6ne\x1bP1\x1b\\f\x9b2Jg\x9d52;c;QQ==\x9ch\x1bci\x01\x16\x7fj"
    "\u202ek\u2066l\x1b]8;;http://a\x07m\rn"
)
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def _texts(value: Any) -> list[str]:
    """Every text in a JSON document, keys included."""
    if isinstance(value, str):
        return [value]
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = [part for pair in cast("dict[str, Any]", value).items() for part in pair]
    elif isinstance(value, list):
        parts = cast("list[Any]", value)
    return [text for part in parts for text in _texts(part)]


async def test_nothing_that_a_client_is_told_drives_a_terminal(running: RunningServer) -> None:
    """Cases B170, B171, B173, B174, B177: whoever wrote it, the person, the model, a tool or a peer."""
    client = await running.client()
    session_id = (await client.call("session.create", title=f"T{HOSTILE}"))["session_id"]
    running.bench.agent.expect(
        Think(HOSTILE),
        Say(HOSTILE),
        Call(f"look{HOSTILE}", "{}", HOSTILE, context=HOSTILE),
        Say(f"x{HOSTILE}"),
    )
    await client.call("prompt.submit", session_id=session_id, text=f"hello {HOSTILE}")
    await running.bench.quiet(session_id)
    await client.call("session.title", session_id=session_id, title=f"S{HOSTILE}")
    await client.call("session.history", session_id=session_id)
    await client.call("session.page", session_id=session_id)
    await client.call("session.list")
    await client.call("messages.search", query="hello")
    await client.request("messages.search", query="x", author=HOSTILE)
    await client.request("session.resume", session_id=HOSTILE)
    await client.request(f"no{HOSTILE}")
    await client.request("reaction.set", session_id=session_id, row_id=1, emoji=HOSTILE, op_id=HOSTILE)
    shown = [
        frame
        for frame in client.frames
        if frame.get("params", {}).get("type") not in ("message.delta", "reasoning.delta", "tool.start")
    ]
    for frame in shown:
        for text in _texts(frame):
            assert not CONTROL.search(text), (frame, text)


async def test_old_data_with_an_emoji_that_is_none_is_listed_and_can_be_mended(
    running: RunningServer,
) -> None:
    """Case B179."""
    client = await running.client()
    session_id = (await client.call("session.create"))["session_id"]
    row_id = (await client.call("prompt.submit", session_id=session_id, text="hello"))["user_row_id"]
    await running.bench.quiet(session_id)
    old = [{"emoji": "\x1b[2J", "author": "user", "at": 1.0}, {"emoji": {"a": 1}, "author": "x"}, 5, None]
    with running.bench.store.transaction():
        running.bench.store.messages.set_metadata(row_id, {"reactions": old})
    for method in ("session.history", "session.resume", "session.page"):
        rows = (await client.call(method, session_id=session_id))["messages"]
        assert not [text for text in _texts(rows) if CONTROL.search(text)]
    assert (await client.call("session.list"))["sessions"]
    target = {"session_id": session_id, "row_id": row_id}
    mended = await client.call("reaction.set", **target, emoji="👍", op_id="1")
    assert [entry["emoji"] for entry in mended["reactions"]] == ["👍"]


async def test_a_turn_is_over_after_its_last_word_and_not_before(running: RunningServer) -> None:
    """Case B047: completion is told when the work ends; notes are taken with the turn that carries them."""
    client = await running.client()
    session_id = (await client.call("session.create"))["session_id"]
    gate = Wait()
    running.bench.agent.expect(Say("one "), gate, Say("two"))
    row_id = (await client.call("prompt.submit", session_id=session_id, text="go"))["user_row_id"]
    await gate.reached.wait()
    await client.call("reaction.set", session_id=session_id, row_id=row_id, emoji="👍", op_id="1")
    assert len((await client.call("reactions.pending", session_id=session_id))["lines"]) == 1
    assert not [event for event in client.events if event["type"] == "message.complete"]
    gate.event.set()
    await client.event("message.complete")
    assert len((await client.call("reactions.pending", session_id=session_id))["lines"]) == 1
    kinds = [event["type"] for event in client.events]
    last = len(kinds) - 1 - kinds[::-1].index("message.delta")
    assert kinds.index("message.complete") > last


async def test_a_reaction_to_an_unfinished_answer_stays_on_its_row(running: RunningServer) -> None:
    """Case B060: the row has its id from the start, and no list ever replaces it."""
    client = await running.client()
    session_id = (await client.call("session.create"))["session_id"]
    gate = Wait()
    running.bench.agent.expect(Say("half "), gate, Say("whole"))
    await client.call("prompt.submit", session_id=session_id, text="go")
    await gate.reached.wait()
    live = (await client.event("message.start"))["payload"]["row_id"]
    await client.call("session.history", session_id=session_id)
    reacted = await client.call("reaction.set", session_id=session_id, row_id=live, emoji="❤️", op_id="1")
    assert reacted["row_id"] == live
    gate.event.set()
    ended = await client.event("message.complete")
    assert ended["payload"]["persisted_turn"]["final_assistant_row_id"] == live
    row = (await client.call("session.history", session_id=session_id))["messages"][-1]
    assert (row["row_id"], row["text"]) == (live, "half whole")
    assert row["display_metadata"]["reactions"][0]["emoji"] == "❤️"
    assert json.loads(running.bench.store.messages.context(session_id)[-1])["content"] == "half whole"
