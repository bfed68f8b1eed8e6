"""Commands as hooks: what they get, their time, environment and end, and the file that names them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import textwrap
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tui_tapback.gateway.hooks.command import HOOK_VARIABLE, run_command, scrubbed
from tui_tapback.gateway.hooks.events import HookEvent
from tui_tapback.gateway.hooks.found import CommandHook, find_hooks, from_entry_point
from tui_tapback.gateway.hooks.origin import HookProcesses
from tui_tapback.gateway.hooks.settings import load_hooks
from tui_tapback.testing.client import wait_for

EVENT = HookEvent("reaction:added", "s1", 5.0, {"row_id": 4, "emoji": "👍", "author": "user"})


def script(folder: Path, body: str) -> list[str]:
    """A Python script in the folder, as a command."""
    path = folder / "hook.py"
    path.write_text("import json, os, sys, time\n" + textwrap.dedent(body), "utf-8")
    return [sys.executable, str(path)]


async def run(
    folder: Path, body: str, *, seconds: float = 20.0, environ: dict[str, str] | None = None
) -> str:
    outcome = await run_command(
        script(folder, body),
        EVENT,
        folder=folder,
        environ=environ or {"PATH": os.environ["PATH"]},
        seconds=seconds,
        began=HookProcesses().began,
    )
    return outcome.failure


async def test_the_event_is_json_on_standard_input(folder: Path) -> None:
    assert await run(folder, "open('got', 'w').write(sys.stdin.read())") == ""
    assert json.loads((folder / "got").read_text("utf-8")) == {
        "event": "reaction:added",
        "session_id": "s1",
        "at": 5.0,
        "row_id": 4,
        "emoji": "👍",
        "author": "user",
    }


async def test_no_shell_reads_the_words_of_a_chat(folder: Path) -> None:
    # case B175
    words = "`touch p` $(touch p) ; touch p | touch p\n' touch p \" touch p"
    event = HookEvent("message:added", "$(touch p)", 5.0, {"row_id": 4, "text": words})
    outcome = await run_command(
        script(folder, "open('got', 'w').write(json.dumps([json.load(sys.stdin), sys.argv[1:]]))"),
        event,
        folder=folder,
        environ={"PATH": os.environ["PATH"]},
        seconds=20.0,
        began=HookProcesses().began,
    )
    assert outcome.failure == ""
    got, arguments = json.loads((folder / "got").read_text("utf-8"))
    assert (got["text"], got["session_id"], arguments) == (words, "$(touch p)", [])
    assert not (folder / "p").exists()


async def test_a_failure_says_status_and_words_harmlessly(folder: Path) -> None:
    failure = await run(folder, r"sys.stderr.write('x' * 1_000_000 + '\nno luck \x1b[31m'); sys.exit(3)")
    assert failure.startswith("it ended with status 3, saying: no luck")
    assert "\x1b" not in failure
    assert len(failure) < 400


@pytest.mark.slow
async def test_one_that_takes_too_long_is_ended_with_all_it_started(folder: Path) -> None:
    body = """
    import subprocess
    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
    open('pid', 'w').write(str(child.pid))
    time.sleep(600)
    """
    assert "took longer than 3 seconds" in await run(folder, body, seconds=3.0)
    pid = int((folder / "pid").read_text())
    await wait_for(lambda: not _alive(pid))


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_one_that_leaves_a_child_holding_its_output_does_not_hold_us(folder: Path) -> None:
    body = "import subprocess; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    async with asyncio.timeout(15):
        assert await run(folder, body) == ""


async def test_one_that_reads_nothing_and_one_that_is_killed(folder: Path) -> None:
    assert await run(folder, "sys.stdin.close()") == ""
    assert "signal 9" in await run(folder, "os.kill(os.getpid(), 9)")


async def test_one_that_is_not_there_is_an_outcome_and_no_error(folder: Path) -> None:
    for command in (["./missing.sh"], ["no-such-program-anywhere"], ["/"], ["bad\0name"]):
        outcome = await run_command(command, EVENT, folder=folder, environ={}, seconds=1.0, began=print)
        assert outcome.failure.startswith("it cannot be started")


async def test_secrets_of_the_gateway_stay_with_it(folder: Path) -> None:
    environ = {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C",
        "OPENAI_API_KEY": "sk-secret",
        "TUI_TAPBACK_TOKEN": "t0ken",
        "AWS_SECRET_ACCESS_KEY": "x",
        "MY_WEBHOOK": "https://example.org",
    }
    given = scrubbed(environ, ["MY_WEBHOOK", "NOT_THERE"], "mine")
    assert set(given) == {"PATH", "LC_ALL", "MY_WEBHOOK", HOOK_VARIABLE}
    assert await run(folder, "json.dump(dict(os.environ), open('env', 'w'))", environ=given) == ""
    assert not {"OPENAI_API_KEY", "TUI_TAPBACK_TOKEN"} & set(json.loads((folder / "env").read_text()))


async def test_cancelling_ends_the_command(folder: Path) -> None:
    task = asyncio.create_task(run(folder, "open('pid', 'w').write(str(os.getpid())); time.sleep(600)"))
    await wait_for(lambda: (folder / "pid").exists() and bool((folder / "pid").read_text()))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not _alive(int((folder / "pid").read_text()))


# --- hooks.toml --------------------------------------------------------------------------------------------


def load(folder: Path, text: str) -> tuple[list[str], list[str]]:
    """(names, warnings)."""
    path = folder / "hooks.toml"
    path.write_text(text, "utf-8")
    path.chmod(0o600)
    warnings: list[str] = []
    return [hook.shown_name for hook in load_hooks(path, warnings.append)], warnings


def test_no_file_means_no_hooks(folder: Path) -> None:
    assert load_hooks(folder / "hooks.toml", pytest.fail) == []


def test_a_wrong_hook_is_left_out_with_a_sentence_and_the_others_stay(folder: Path) -> None:
    names, warnings = load(
        folder,
        """
        [[hook]]
        on = ["reaction:*"]
        command = ["./a.sh", "--fast"]

        [[hook]]
        name = "typo"
        on = ["reaction:*"]
        comand = ["x"]

        [[hook]]
        on = []
        command = ["x"]

        [[hook]]
        name = "slow"
        on = ["turn:ended"]
        command = ["b"]
        timeout = 1e9

        [[hook]]
        name = "deaf"
        on = ["reaction:add"]
        command = ["c"]
        """,
    )
    assert names == ["a.sh", "deaf"]
    assert ["typo" in warnings[0], "number 3" in warnings[1], "slow" in warnings[2]] == [True] * 3
    assert "which never happens" in warnings[3]
    assert "reaction:added" in warnings[3]
    assert all(warning.endswith(".") for warning in warnings)


@pytest.mark.parametrize(
    "text", ["[[hook]\n", "hook = 3\n", '[hook]\non = ["x"]\n', "hook = [1, 2]\n", "\x00"]
)
def test_a_file_that_makes_no_sense_gives_sentences_and_no_hooks(folder: Path, text: str) -> None:
    names, warnings = load(folder, text)
    assert names == []
    assert warnings


def test_a_file_that_others_may_write_to_is_not_used(folder: Path) -> None:
    load(folder, '[[hook]]\non = ["*"]\ncommand = ["x"]\n')
    (folder / "hooks.toml").chmod(0o666)
    warnings: list[str] = []
    assert load_hooks(folder / "hooks.toml", warnings.append) == []
    assert "chmod" in warnings[0]


async def test_commands_run_in_the_folder_and_are_found_there(folder: Path) -> None:
    load(folder, '[[hook]]\nname = "here"\non = ["*"]\ncommand = ["./here.sh"]\n')
    (folder / "here.sh").write_text('#!/bin/sh\npwd > where\necho "$TUI_TAPBACK_HOOK" >> where\n')
    (folder / "here.sh").chmod(0o700)
    (hook,) = find_hooks(folder, dict(os.environ), HookProcesses(), pytest.fail)
    assert (await hook.run(EVENT)).failure == ""
    assert (folder / "where").read_text().split() == [str(folder), "here"]


async def test_a_function_of_a_package_runs_in_its_own_process(folder: Path) -> None:
    (folder / "my_hooks.py").write_text(
        "import json\n"
        "def plain(event): json.dump(event, open('plain', 'w'))\n"
        "async def later(event): json.dump(event, open('later', 'w'))\n"
        "def broken(event): raise RuntimeError('planted')\n"
    )
    environ = dict(os.environ) | {"PYTHONPATH": str(folder)}

    async def outcome(function: str) -> str:
        point = EntryPoint("mine", f"my_hooks:{function}", "tui_tapback.hooks.reaction")
        settings = from_entry_point(point, "reaction:*")
        settings.env.append("PYTHONPATH")
        hook = CommandHook(settings, folder, environ, HookProcesses())
        assert (hook.wants("reaction:added"), hook.wants("turn:ended")) == (True, False)
        return (await hook.run(EVENT)).failure

    assert await outcome("plain") == await outcome("later") == ""
    assert json.loads((folder / "plain").read_text())["emoji"] == "👍"
    assert (folder / "plain").read_text() == (folder / "later").read_text()
    assert "planted" in await outcome("broken")
    assert "status" in await outcome("missing")
