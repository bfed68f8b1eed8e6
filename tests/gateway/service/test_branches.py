"""A branch: the beginning of a session in a new one, and what its model was told."""

from __future__ import annotations

import json

import pytest

from tui_tapback.domain.errors import InvalidInput, ModelFailed, SessionNotFound
from tui_tapback.testing.agents import Call, Fail, Say
from tui_tapback.testing.service import ServiceBench
from tui_tapback.wire.rows import WirePart

OK = '[The user reacted 👍 to your message: "ok"]'


def reactions(bench: ServiceBench, session_id: str) -> list[list[str]]:
    rows = bench.service.history(session_id).messages
    return [[r["emoji"] for r in (row.display_metadata or {}).get("reactions", ())] for row in rows]


async def test_a_branch_has_the_messages_with_ids_of_its_own_and_their_reactions(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    bench.service.set_reaction(session_id, row, "👍")
    await bench.service.react_as_agent(session_id, "😂")
    branch = bench.service.changes.branch(session_id, "My branch")
    assert (branch.title, branch.parent, branch.message_count) == ("My branch", session_id, 2)
    assert [entry.text for entry in branch.messages] == ["one", "ok"]
    parent_ids = {entry.row_id for entry in bench.service.history(session_id).messages}
    assert not parent_ids & {entry.row_id for entry in branch.messages}
    assert reactions(bench, branch.session_id) == [["😂"], ["👍"]]
    bench.service.set_reaction(branch.session_id, branch.messages[1].row_id or 0, None)
    assert reactions(bench, session_id) == [["😂"], ["👍"]]


async def test_the_requests_of_both_begin_alike(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    branch = bench.service.changes.branch(session_id).session_id
    await bench.say(session_id, "two")
    await bench.say(branch, "another two")
    parent, child = bench.agent.requests[-2:]
    assert parent.messages[:3] == child.messages[:3]
    assert parent.tools == child.tools


async def test_what_a_copied_turn_has_told_is_not_told_again(bench: ServiceBench) -> None:
    """Fault F12 of a Hermes gateway; here it follows from the turns that the branch contains."""
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    bench.service.set_reaction(session_id, row, "👍")
    await bench.say(session_id, "two")
    branch = bench.service.changes.branch(session_id).session_id
    assert bench.service.pending_notes(branch) == []
    await bench.say(branch, "three")
    assert bench.last_user_content() == "three"
    # A change of mind in the branch knows what was told before it.
    copy = bench.service.history(branch).messages[1].row_id or 0
    bench.service.set_reaction(branch, copy, "❤️")
    await bench.say(branch, "four")
    assert bench.last_user_content() == (
        '[The user changed their reaction from 👍 to ❤️ on your message: "ok"]\n\nfour'
    )
    assert bench.service.pending_notes(session_id) == []


async def test_a_branch_that_begins_before_the_telling_turn_is_told_itself(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    bench.service.set_reaction(session_id, row, "👍")
    await bench.say(session_id, "two")
    branch = bench.service.changes.branch(session_id, count=2).session_id
    assert bench.service.pending_notes(branch) == [OK]
    await bench.say(branch, "other two")
    assert bench.last_user_content() == f"{OK}\n\nother two"
    await bench.say(branch, "three")
    assert bench.last_user_content() == "three"


async def test_what_is_kept_back_is_so_in_the_branch_too(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    row = await bench.say(session_id, "one") + 1
    bench.service.set_reaction(session_id, row, "👍")
    bench.service.withholding.withhold(session_id, row, None, True)
    branch = bench.service.changes.branch(session_id).session_id
    await bench.say(branch, "two")
    assert bench.last_user_content() == "two"
    copy = bench.service.history(branch).messages[1].row_id or 0
    bench.service.withholding.withhold(branch, copy, None, False)
    assert bench.service.pending_notes(branch) == [OK]
    assert bench.service.pending_notes(session_id) == []


async def test_it_ends_where_it_is_told_to_but_never_between_a_call_and_its_result(
    bench: ServiceBench,
) -> None:
    session_id, _ = bench.new_session()
    bench.agent.expect(Say("let me see"), Call("look"), Call("look"), Say("there"))
    await bench.say(session_id, "one")
    texts = {
        count: [row.text for row in bench.service.changes.branch(session_id, count=count).messages]
        for count in (1, 2, 3, 99)
    }
    assert texts[1] == ["one"]
    assert texts[2] == ["one", "let me see", None]
    assert texts[3] == texts[99] == ["one", "let me see", None, None, "there"]
    branch = bench.service.changes.branch(session_id, count=2).session_id
    await bench.say(branch, "go on")
    roles = [json.loads(message)["role"] for message in bench.agent.requests[-1].messages]
    assert roles == ["system", "user", "assistant", "tool", "user"]


async def test_a_branch_survives_its_parent_and_a_restart(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    bench.agent.expect(Fail(ModelFailed("The model's server failed.")))
    await bench.say(session_id, "one")
    await bench.say(session_id, "two")
    branch = bench.service.changes.branch(session_id).session_id
    bench.service.delete_session(session_id)
    await bench.restart()
    assert [row.display_kind for row in bench.service.resume(branch).messages] == [
        None,
        "failed_turn",
        None,
        None,
    ]


async def test_titles_are_numbered(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    first = bench.service.changes.branch(session_id)
    second = bench.service.changes.branch(session_id)
    third = bench.service.changes.branch(second.session_id)
    assert [first.title, second.title, third.title] == ["one #2", "one #3", "one #4"]


async def test_the_list_of_sessions_moves_and_the_parent_does_not(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    await bench.say(session_id, "one")
    before = bench.service.resume(session_id).seq
    bench.service.changes.branch(session_id)
    assert bench.service.resume(session_id).seq == before
    assert sink.types()[-1] == "sessions.changed"


async def test_a_prompt_of_the_branch_may_bear_a_reference_of_the_parent(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.service.submit(session_id, "one", "ref-1")
    await bench.quiet(session_id)
    branch = bench.service.changes.branch(session_id)
    assert "client_ref" not in (branch.messages[0].display_metadata or {})
    assert (await bench.service.submit(branch.session_id, "two", "ref-1")).status == "streaming"
    await bench.quiet(branch.session_id)


async def test_what_cannot_be_branched(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    with pytest.raises(InvalidInput, match="nothing to branch"):
        bench.service.changes.branch(session_id)
    await bench.say(session_id, "one")
    for count in (0, -1):
        with pytest.raises(InvalidInput, match="at least one"):
            bench.service.changes.branch(session_id, count=count)
    with pytest.raises(SessionNotFound):
        bench.service.changes.branch("20270115_080000_ffffff")
    assert len(bench.service.list_sessions().sessions) == 1


async def test_the_metadata_of_a_branch_is_that_of_its_parent_without_references(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.service.submit(session_id, "one", "ref-1")
    await bench.quiet(session_id)
    first, answer = bench.service.history(session_id).messages
    bench.service.set_reaction(
        session_id, answer.row_id or 0, "👍🏽", part=WirePart("p:1", 'a "quoted" “bit”')
    )
    await bench.service.submit(session_id, "two", "ref-2")
    await bench.quiet(session_id)
    branch = bench.service.changes.branch(session_id).session_id
    parents, copies = (bench.store.messages.all(one) for one in (session_id, branch))
    ids = {parent.row_id: copy.row_id for parent, copy in zip(parents, copies, strict=True)}
    assert [copy.position for copy in copies] == [parent.position for parent in parents]
    assert copies[0].metadata == {}
    assert copies[1].metadata == parents[1].metadata
    (note,) = parents[2].metadata["notes"]
    assert copies[2].metadata == {"notes": [note | {"row_id": ids[answer.row_id or 0]}]}
    assert first.row_id not in ids.values()


async def test_a_branch_knows_where_it_came_from(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    branch = bench.service.changes.branch(session_id).session_id
    await bench.restart()
    parents = {row.id: row.parent_session_id for row in bench.service.list_sessions().sessions}
    assert parents == {session_id: None, branch: session_id}


async def test_a_branch_tells_the_title_that_its_parent_has_now(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")

    def told() -> tuple[str | None, str | None]:
        rows = {row.id: row for row in bench.service.list_sessions().sessions}
        opened = bench.service.resume(branch.session_id)
        assert opened.parent_title == rows[branch.session_id].parent_title
        assert opened.parent_session_id == rows[branch.session_id].parent_session_id == session_id
        root = rows.get(session_id)
        return (opened.parent_title, None if root is None else root.parent_title)

    bench.service.title(session_id, "Plans")
    branch = bench.service.changes.branch(session_id, "Other plans")
    assert branch.parent_title == "Plans"
    bench.service.title(session_id, "Plans for May")
    assert told() == ("Plans for May", None)
    bench.service.delete_session(session_id)
    assert told()[0] is None
    bench.service.archive.restore(session_id)
    assert told()[0] == "Plans for May"


async def test_what_was_taken_back_is_not_in_a_branch(bench: ServiceBench) -> None:
    session_id, _ = bench.new_session()
    await bench.say(session_id, "one")
    await bench.say(session_id, "two")
    bench.service.changes.undo(session_id)
    await bench.say(session_id, "three")
    branch = bench.service.changes.branch(session_id)
    assert [row.text for row in branch.messages] == ["one", "ok", "three", "ok"]
    # Nor in a branch of the branch, whose rows keep the gap.
    again = bench.service.changes.branch(branch.session_id)
    assert [row.text for row in again.messages] == ["one", "ok", "three", "ok"]
