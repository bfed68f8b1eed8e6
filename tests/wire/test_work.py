"""What a Hermes gateway tells of its agent's work, decoded: lists, helpers, edits, files in rows."""

from __future__ import annotations

from typing import Any

import pytest

from tui_tapback.domain import events as ev
from tui_tapback.domain.errors import MalformedFrame
from tui_tapback.domain.messages import Role
from tui_tapback.domain.work import WorkState
from tui_tapback.wire.attached import said_and_attached
from tui_tapback.wire.events import EventParams, decode_event, row_key
from tui_tapback.wire.rows import WireRow, message_from_wire

DRAWN = "\x1b[38;2;1;2;3ma/x → b/x\x1b[0m\n@@ -1 +1 @@\n\x1b[41m-old\x1b[0m\n\x1b[42m+new\x1b[0m"


def decoded(kind: str, **payload: Any) -> ev.SessionEvent:
    return decode_event(EventParams(kind, "s", payload))


def test_a_list_to_do_keeps_order_states_and_parts() -> None:
    todos = [
        {"id": "1", "content": "Bake", "status": "in_progress"},
        {"id": "2", "content": "Knead\x1b[2J", "status": "completed", "parent": "1"},
        "nonsense",
        {"id": "3", "content": "Eat", "status": "who knows"},
    ]
    event = decoded("todo.updated", todos=todos, revision=4)
    assert isinstance(event, ev.TodosChanged)
    assert [(t.text, t.state, t.depth) for t in event.todos] == [
        ("Bake", WorkState.RUNNING, 0),
        ("Knead␛[2J", WorkState.DONE, 1),
        ("Eat", WorkState.OPEN, 0),
    ]
    assert event.revision == 4


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("completed", WorkState.DONE),
        ("interrupted", WorkState.STOPPED),
        ("error", WorkState.FAILED),
        ("timeout", WorkState.FAILED),
    ],
)
def test_how_a_helper_ended_is_told_by_its_status(status: str, state: WorkState) -> None:
    event = decoded("subagent.complete", goal="Look", subagent_id="sa-1", status=status, summary="Blue.")
    assert isinstance(event, ev.SubagentChanged)
    assert event.subagent.state is state
    assert event.subagent.summary == "Blue."


def test_a_helper_at_work_says_what_with() -> None:
    event = decoded("subagent.tool", goal="Look", task_index=1, tool_name="terminal", tool_preview="ls\n-la")
    assert isinstance(event, ev.SubagentChanged)
    assert (event.tool, event.index, event.subagent.state) == ("terminal ls -la", 1, WorkState.RUNNING)


def test_an_edit_brings_its_difference_without_the_colours_of_somebody_else() -> None:
    event = decoded("tool.complete", tool_id="c", name="patch", inline_diff=DRAWN, result={"success": True})
    assert isinstance(event, ev.ToolFinished)
    assert event.diff == "a/x → b/x\n@@ -1 +1 @@\n-old\n+new"
    bare = decoded("tool.complete", tool_id="c", name="patch", result={"diff": "--- a/x\n+++ b/x"})
    assert isinstance(bare, ev.ToolFinished)
    assert bare.diff == "--- a/x\n+++ b/x"


def test_a_row_of_a_history_has_the_difference_beside_it() -> None:
    beside = {"tool_result_metadata": {"inline_diff": DRAWN}}
    row = WireRow("tool", name="write_file", tool_call_id="c", display_metadata=beside, content="{}")
    tool = message_from_wire(row, row_key).tool
    assert tool is not None
    assert "+new" in tool.diff


@pytest.mark.parametrize(
    "odd", [[], "x", {"tool_result_metadata": 5}, {"tool_result_metadata": {"inline_diff": 3}}]
)
def test_nonsense_beside_a_row_costs_only_itself(odd: Any) -> None:
    row = WireRow("tool", name="patch", display_metadata={"tool_result_metadata": odd}, content=odd)
    assert message_from_wire(row, row_key).tool is not None


def test_a_call_that_sends_helpers_off_names_their_goals_and_no_name_of_a_text() -> None:
    args = {"tasks": [{"goal": "Look"}, {"goal": "Count"}]}
    context = "display.preview.delegate_tasks"
    event = decoded("tool.start", tool_id="c", name="delegate_task", args=args, context=context)
    assert isinstance(event, ev.ToolStarted)
    assert (event.goals, event.context) == (("Look", "Count"), "")
    row = WireRow("tool", name="delegate_task", tool_call_id="c", args=args)
    tool = message_from_wire(row, row_key).tool
    assert tool is not None
    assert [(h.goal, h.state) for h in tool.subagents] == [
        ("Look", WorkState.UNKNOWN),
        ("Count", WorkState.UNKNOWN),
    ]


def test_the_report_of_helpers_is_no_message_of_the_person() -> None:
    told = {"display_text": "Subagent Tasks Completed: Look (1 task)"}
    row = WireRow(
        "user", "[ASYNC …]", row_id=9, display_kind="async_delegation_complete", display_metadata=told
    )
    message = message_from_wire(row, row_key)
    assert (message.role, message.text) == (Role.SYSTEM, "Subagent Tasks Completed: Look (1 task)")


ADDED = "\n\n--- Attached Context ---\n\n📄 @file:attachments/n.txt (3 tokens)\n```\nhello\n```"


@pytest.mark.parametrize(
    ("text", "said", "names"),
    [
        ("plain", "plain", ()),
        (f"look\n@file:attachments/n.txt{ADDED}", "look", ("n.txt",)),
        (f"look\n@file:a/n.txt{ADDED}\n@image:/h/i/up_1.png", "look", ("n.txt", "up_1.png")),
        ("see\n@image:C:\\pics\\cat one.png", "see", ("cat one.png",)),
        ("what is @file:a.txt for", "what is @file:a.txt for", ()),
        ("@image:/x/only.png", "", ("only.png",)),
        ("quoted\n@file:`my notes.txt`", "quoted", ("my notes.txt",)),
    ],
)
def test_what_was_said_is_told_from_the_files(text: str, said: str, names: tuple[str, ...]) -> None:
    assert said_and_attached(text) == (said, names)


def test_a_list_that_is_none_is_a_fault_with_its_name() -> None:
    with pytest.raises(MalformedFrame, match=r"todo\.updated"):
        decoded("todo.updated", todos="no list")


def test_our_own_gateway_adds_nothing_to_what_was_said() -> None:
    text = "see\n@file:a.txt"
    foreign = message_from_wire(WireRow("user", text), row_key)
    ours = message_from_wire(WireRow("user", text, display_metadata={"client_ref": "r1"}), row_key)
    assert (foreign.text, foreign.attached) == ("see", ("a.txt",))
    assert (ours.text, ours.attached) == (text, ())


def test_a_refusal_of_a_foreign_gateway_is_told_on_one_line_and_short() -> None:
    """Hermes says with ``error`` alone why a turn does not begin: nothing else follows."""
    event = decoded("error", message="Not now.\x1b[2J\nThe chat is\tbusy. " + "x" * 900)
    assert isinstance(event, ev.Notice)
    assert event.level == "error" and event.refusal
    assert event.text.startswith("Not now.␛[2J The chat is busy. x")
    assert len(event.text) == 400


@pytest.mark.parametrize("part", ["[", '{"a":'])
def test_a_result_that_is_nested_without_end_changed_nothing(part: str) -> None:
    event = decoded(
        "tool.complete", tool_id="c", name="patch", result='{"diff": "x", "more": ' + part * 100_000
    )
    assert isinstance(event, ev.ToolFinished)
    assert event.diff == ""
