"""What goes on behind a chat, kept from events, answers and histories, in whatever order these come."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.client.children import changed, settled
from tui_tapback.client.mirror import Mirror
from tui_tapback.client.work_facts import ENDED_KEPT, KEPT_MOST, WorkFacts
from tui_tapback.domain import events as ev
from tui_tapback.domain.work import Subagent, Task, Todo, WorkState
from tui_tapback.wire.rows import WireRow

ENDED = (WorkState.DONE, WorkState.FAILED, WorkState.STOPPED)


def helper(goal: str, state: WorkState, number: str = "", tool: str = "") -> ev.SubagentChanged:
    return ev.SubagentChanged(Subagent(goal, state, number, "d1"), 0, tool)


def mirror_with(*goals: str) -> Mirror:
    names = iter(f"i{n}" for n in range(1000))
    mirror = Mirror(clock=lambda: 1.0, ids=lambda: next(names), foreign=True)
    mirror.apply(ev.TurnStarted())
    mirror.apply(ev.ToolStarted("c1", "delegate_task", goals=goals))
    return mirror


def shown(mirror: Mirror, call: int = 0) -> Sequence[Subagent]:
    tools = [m.tool for m in mirror.messages if m.tool is not None]
    return tools[call].subagents


def test_helpers_with_the_same_goal_are_told_apart_by_their_ids() -> None:
    mirror = mirror_with("Look", "Look")
    mirror.apply(helper("Look", WorkState.RUNNING, "a"))
    mirror.apply(helper("Look", WorkState.RUNNING, "b"))
    mirror.apply(helper("Look", WorkState.DONE, "b"))
    assert [(h.id, h.state) for h in shown(mirror)] == [("a", WorkState.RUNNING), ("b", WorkState.DONE)]


def test_news_of_an_older_call_goes_to_its_row_and_not_to_the_newest() -> None:
    mirror = mirror_with("Look")
    mirror.apply(helper("Look", WorkState.RUNNING, "a"))
    mirror.apply(ev.ToolFinished("c1", "delegate_task"))
    mirror.apply(ev.ToolStarted("c2", "delegate_task", goals=("Count",)))
    mirror.apply(helper("Look", WorkState.DONE, "a", "terminal ls"))
    assert (shown(mirror)[0].state, shown(mirror)[0].tools) == (WorkState.DONE, ("terminal ls",))
    assert shown(mirror, 1)[0].state is WorkState.OPEN


def test_a_gateway_that_hides_what_a_call_was_given_still_shows_its_helpers() -> None:
    mirror = mirror_with()
    mirror.apply(helper("Look", WorkState.RUNNING, "a"))
    assert [h.goal for h in shown(mirror)] == ["Look"]


def test_news_of_a_helper_without_any_call_in_sight_changes_no_message() -> None:
    mirror = Mirror(clock=lambda: 1.0, ids=lambda: "i", foreign=True)
    changed(mirror.transcript, helper("Look", WorkState.RUNNING, "a"))
    assert mirror.messages == ()


def test_a_history_keeps_what_events_told_and_learns_the_rest_from_reports() -> None:
    args = {"tasks": [{"goal": "Look"}, {"goal": "Count"}]}
    report = "--- ✓ TASK 1/2: Look  (status=completed, 1 s) ---\n\n--- ✗ TASK 2/2: Count  (status=error) ---"
    call = WireRow("tool", name="delegate_task", tool_call_id="c1", args=args)
    done = WireRow("user", report, row_id=3, display_kind="async_delegation_complete")
    live = mirror_with("Look", "Count")
    live.apply(helper("Look", WorkState.RUNNING, "a", "terminal ls"))
    live.load([call], running=False)
    assert (shown(live)[0].state, shown(live)[0].tools) == (WorkState.RUNNING, ("terminal ls",))
    cold = Mirror(clock=lambda: 1.0, ids=lambda: "i", foreign=True)
    cold.load([call], running=False)
    assert [h.state for h in shown(cold)] == [WorkState.UNKNOWN, WorkState.UNKNOWN]
    cold.load([call, done], running=False)
    assert [h.state for h in shown(cold)] == [WorkState.DONE, WorkState.FAILED]
    assert settled((), [done]) == []


EVENTS = st.builds(
    helper,
    st.sampled_from(["Look", "Count"]),
    st.sampled_from([WorkState.OPEN, WorkState.RUNNING, *ENDED]),
    st.sampled_from(["", "a", "b"]),
    st.sampled_from(["", "terminal ls"]),
)


@given(st.lists(EVENTS, max_size=40))
def test_what_has_ended_never_begins_again(events: list[ev.SubagentChanged]) -> None:
    mirror, facts = mirror_with("Look", "Count"), WorkFacts()
    over: set[str] = set()
    for event in events:
        mirror.apply(event)
        facts.apply(event)
        if event.subagent.id and event.subagent.state in ENDED:
            over.add(event.subagent.id)
        for each in shown(mirror):
            assert each.id not in over or each.state in ENDED
        for task in facts.tasks:
            assert task.id not in over or not task.running
    places = [task.running for task in facts.tasks]
    assert places == sorted(places, reverse=True), "those that run stand first"
    assert len(shown(mirror)) <= 4


def test_an_older_list_to_do_does_not_replace_a_newer_one() -> None:
    facts = WorkFacts()
    facts.apply(ev.TodosChanged((Todo("new"),), 5))
    facts.apply(ev.TodosChanged((Todo("old"),), 4))
    assert [todo.text for todo in facts.todos] == ["new"]
    facts.restart()
    facts.apply(ev.TodosChanged((Todo("after the restart"),), 1))
    assert [todo.text for todo in facts.todos] == ["after the restart"]


def test_an_answer_aside_that_comes_before_its_question_is_known_is_kept() -> None:
    facts = WorkFacts()
    facts.apply(ev.AsideFinished("t1", "42", "what"))
    facts.aside(Task("question", "t1", "what is it", WorkState.RUNNING))
    (task,) = facts.tasks
    assert (task.title, task.state, task.detail) == ("what is it", WorkState.DONE, "42")


def test_what_the_gateway_no_longer_lists_is_over() -> None:
    facts = WorkFacts()
    facts.apply(helper("Look", WorkState.RUNNING, "a"))
    facts.running([Task("process", "p1", "sleep 9")], ["a"])
    assert [task.running for task in facts.tasks] == [True, True]
    facts.running([], [])
    assert [(task.title, task.state) for task in facts.tasks] == [("Look", WorkState.UNKNOWN)]


def test_a_restart_of_the_gateway_ends_everything_behind_the_chat() -> None:
    facts = WorkFacts()
    facts.apply(helper("Look", WorkState.RUNNING, "a"))
    facts.aside(Task("background", "t1", "tidy up"))
    facts.running([Task("process", "p1", "sleep 9")], ["a"])
    facts.restart()
    assert not any(task.running for task in facts.tasks)


def test_a_gateway_that_tells_of_more_than_anyone_can_list_is_listened_to_in_part() -> None:
    facts = WorkFacts()
    for n in range(2 * KEPT_MOST):
        facts.apply(helper(f"goal {n}", WorkState.RUNNING, str(n)))
        facts.apply(ev.AsideFinished(f"aside {n}", "done", ""))
    facts.running((Task("process", f"p{n}", "sleep") for n in range(100_000)), ())
    assert len(facts.tasks) <= KEPT_MOST + ENDED_KEPT
    facts.apply(helper("the newest", WorkState.RUNNING, "new"))
    assert facts.tasks[0].title == "the newest"


def test_a_report_of_one_endless_line_is_read_at_once() -> None:
    line = "--- x TASK 1/1: Look (status=odd) at it (status=completed)"
    cold = Mirror(clock=lambda: 1.0, ids=lambda: "i", foreign=True)
    goal = "Look (status=odd) at it"
    call = WireRow("tool", name="delegate_task", tool_call_id="c1", args={"tasks": [{"goal": goal}]})
    rows = [
        WireRow("user", text, row_id=n, display_kind="async_delegation_complete")
        for n, text in enumerate(("--- x TASK 1/1: " + " " * 400_000, line), 1)
    ]
    cold.load([call, *rows], running=False)
    assert [h.state for h in shown(cold)] == [WorkState.DONE]
