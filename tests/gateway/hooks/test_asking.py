"""Hooks that ask: their question reaches the people of the chat, and the answer reaches the hook."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tui_tapback.gateway.hooks.command import Outcome, Question, run_command
from tui_tapback.gateway.hooks.events import HookEvent
from tui_tapback.gateway.hooks.found import CommandHook, from_entry_point
from tui_tapback.gateway.hooks.origin import HookProcesses
from tui_tapback.gateway.hooks.runner import MOST_ASKED, Hooks
from tui_tapback.testing.client import wait_for
from tui_tapback.testing.gateway import GatewayProcess
from tui_tapback.testing.hooks import KeepingHook, reaction
from tui_tapback.testing.respondent import AskedClient

EVENT = HookEvent("reaction:added", "s1", 5.0, {"row_id": 4, "emoji": "👍"})


async def output(folder: Path, written: str, *, status: int = 0) -> Outcome:
    program = folder / "says.py"
    program.write_text(f"import sys; sys.stdout.write({written!r}); sys.exit({status})", "utf-8")
    return await run_command(
        [sys.executable, str(program)],
        EVENT,
        folder=folder,
        environ={"PATH": os.environ["PATH"]},
        seconds=20.0,
        began=HookProcesses().began,
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", Outcome()),
        ("done\n", Outcome()),
        ('{"ask": "Sure?"}\nand more\n', Outcome()),
        ("{broken", Outcome()),
        ('{"note": 1}', Outcome()),
        ('{"ask": "Sure?"}', Outcome(question=Question("Sure?"))),
        (
            'chatter\n{"ask": "Sure?", "choices": ["yes", "no"]}\n\n',
            Outcome("", Question("Sure?", ["yes", "no"])),
        ),
        ("x" * 2_000_000 + '\n{"ask": "Sure?"}\n', Outcome(question=Question("Sure?"))),
    ],
)
async def test_the_last_line_of_the_output_may_be_a_question(
    folder: Path, written: str, expected: Outcome
) -> None:
    assert await output(folder, written) == expected


@pytest.mark.parametrize("line", ['{"ask": ""}', '{"ask": 5}', '{"ask": "x", "choices": "yes"}'])
async def test_a_question_that_makes_no_sense_is_a_failure(folder: Path, line: str) -> None:
    assert (await output(folder, line)).failure.startswith("its answer makes no sense")


async def test_a_command_that_fails_asks_nothing(folder: Path) -> None:
    outcome = await output(folder, '{"ask": "Sure?"}', status=3)
    assert outcome == Outcome("it ended with status 3")


class People:
    """Who is asked, with answers ready."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str, str]] = []

    async def __call__(self, session_id: str, hook: str, question: Question) -> str:
        self.asked.append((session_id, hook, question.ask))
        return self.answers.pop(0)


async def test_the_hook_is_run_again_with_the_answer_before_its_next_event() -> None:
    hook, people = KeepingHook(), People("yes")
    hook.questions = [Question("Sure?", ["yes", "no"])]
    hooks = Hooks([hook], HookProcesses(), ask=people)
    hooks.deliver(reaction(4))
    hooks.deliver(reaction(5))
    await hooks.idle()
    assert people.asked == [("s1", "keeping", "Sure?")]
    told = [
        (event.facts["row_id"], event.facts.get("asked"), event.facts.get("answer")) for event in hook.events
    ]
    assert told == [(4, None, None), (4, "Sure?", "yes"), (5, None, None)]


async def test_one_that_never_stops_asking_is_stopped(caplog: pytest.LogCaptureFixture) -> None:
    hook, people = KeepingHook(), People(*["no"] * 9)
    hook.questions = [Question("Sure?")] * 9
    hooks = Hooks([hook], HookProcesses(), ask=people)
    hooks.deliver(reaction())
    await hooks.idle()
    assert (len(people.asked), len(hook.events)) == (MOST_ASKED, MOST_ASKED + 1)
    assert "asked more than 3 times" in caplog.text


async def test_about_what_concerns_no_session_nobody_is_asked(caplog: pytest.LogCaptureFixture) -> None:
    hook, people = KeepingHook(), People()
    hook.questions = [Question("Sure?")]
    hooks = Hooks([hook], HookProcesses(), ask=people)
    hooks.deliver({"type": "sessions.changed", "session_id": "", "payload": {}})
    await hooks.idle()
    assert people.asked == []
    assert [event.facts.get("answer") for event in hook.events] == [None, ""]
    assert "nobody to ask" in caplog.text


async def test_a_function_of_a_package_asks_by_what_it_returns(folder: Path) -> None:
    (folder / "wishing.py").write_text(
        "def on_reaction(event):\n"
        "    print('chatter')\n"
        "    return {'ask': 'Sure?', 'choices': [event['emoji']]}\n"
    )
    point = EntryPoint("wishes", "wishing:on_reaction", "tui_tapback.hooks")
    environ = {"PATH": os.environ["PATH"]}
    hook = CommandHook(from_entry_point(point, "*"), folder, environ, HookProcesses())
    assert await hook.run(EVENT) == Outcome(question=Question("Sure?", ["👍"]))


@pytest.mark.slow
async def test_the_example_of_the_document_in_a_real_gateway(tmp_path: Path) -> None:
    document = (Path(__file__).parents[3] / "docs" / "hooks.md").read_text("utf-8").partition("## Asking")[2]
    for title in ("hooks.toml", "wishes.py"):
        body = document.partition(f"title={title}\n")[2].partition("```")[0]
        (tmp_path / title).write_text(body, "utf-8")
        (tmp_path / title).chmod(0o600)
    process = await GatewayProcess(tmp_path, environ={"OPENAI_MODEL": "companion"}).start()
    try:
        one = AskedClient(await process.client())
        session_id = (await one.client.call("session.create"))["session_id"]
        await one.client.call("client.capabilities", server_requests=True)
        row = (await one.client.call("prompt.submit", session_id=session_id, text="a bicycle"))["user_row_id"]
        await one.client.event("message.complete")
        await one.client.call("reaction.set", session_id=session_id, row_id=row, emoji="⭐", op_id="o1")
        question = await one.question()
        asked = question["params"]["questions"][0]
        assert (asked["question"], asked["choices"]) == (
            "The hook list asks: Put that on the list?",
            ["yes", "no"],
        )
        await one.answer(question, {"answers": {"hook": "yes"}})
        await wait_for(
            lambda: (tmp_path / "wishes.txt").exists() and bool((tmp_path / "wishes.txt").read_text())
        )
        assert json.loads((tmp_path / "wishes.txt").read_text()) == row
    finally:
        await process.close()
