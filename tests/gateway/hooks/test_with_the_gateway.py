"""Hooks around a whole gateway: what a person's command is told while two sides chat and tap back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.gateway.hooks.origin import HookProcesses
from tui_tapback.gateway.hooks.runner import Hooks
from tui_tapback.gateway.service.service import GatewayService
from tui_tapback.gateway.store.store import Store
from tui_tapback.testing.agents import ScriptedAgent
from tui_tapback.testing.client import wait_for
from tui_tapback.testing.gateway import GatewayProcess
from tui_tapback.testing.hooks import KeepingHook
from tui_tapback.testing.service import RecordingSink


@pytest.fixture
def hook() -> KeepingHook:
    return KeepingHook()


@pytest.fixture
async def service(tmp_path: Path, hook: KeepingHook) -> AsyncIterator[GatewayService]:
    hooks = Hooks([hook], HookProcesses())
    running = GatewayService(Store(tmp_path / "d.db"), ScriptedAgent(), watchers=[hooks])
    yield running
    await running.close()
    await hooks.close()


async def test_a_chat_with_tapbacks_as_a_hook_hears_it(service: GatewayService, hook: KeepingHook) -> None:
    session_id = service.create_session("tui_tapback").session_id
    sink = RecordingSink()
    service.attach(session_id, sink)
    await service.submit(session_id, "hello")
    await sink.until(lambda: bool(sink.of("message.complete")))
    answer = sink.of("message.complete")[0]["persisted_turn"]["final_assistant_row_id"]
    service.set_reaction(session_id, answer, "👍")
    service.set_reaction(session_id, answer, "👍")  # so already: nothing happens
    service.set_reaction(session_id, answer, "❤")
    await service.react_as_agent(session_id, "🎉")
    service.set_reaction(session_id, answer, None)
    await wait_for(lambda: hook.names.count("reaction:removed") == 2)
    told = [event for event in hook.events if event.name.startswith("reaction")]
    assert [(event.name, event.facts["author"], event.facts["emoji"]) for event in told] == [
        ("reaction:added", "user", "👍"),
        ("reaction:removed", "user", "👍"),
        ("reaction:added", "user", "❤️"),
        ("reaction:added", "agent", "🎉"),
        ("reaction:removed", "user", "❤️"),
    ]
    messages = [event.facts for event in hook.events if event.name == "message:added"]
    assert [(facts["role"], facts["text"]) for facts in messages] == [("user", "hello"), ("assistant", "ok")]
    assert hook.names.index("turn:started") < hook.names.index("turn:ended")
    assert all(event.session_id == session_id for event in told)


@pytest.mark.slow
async def test_the_real_gateway_runs_the_commands_of_its_folder(tmp_path: Path) -> None:
    script = '#!/bin/sh\ncat >> heard\nenv | grep -c "OPENAI\\|TOKEN" >> secrets || true\n'
    (tmp_path / "log.sh").write_text(script)
    (tmp_path / "log.sh").chmod(0o700)
    file = tmp_path / "hooks.toml"
    file.write_text('[[hook]]\nname = "log"\non = ["reaction:*", "message:added"]\ncommand = ["./log.sh"]\n')
    file.chmod(0o600)
    environ = {
        "OPENAI_MODEL": "companion",
        "OPENAI_API_KEY": "sk-not-for-hooks",
        "TUI_TAPBACK_TOKEN": "t" * 40,
    }
    process = await GatewayProcess(tmp_path, environ=environ).start()
    try:
        client = await process.client()
        session_id = (await client.call("session.create"))["session_id"]
        await client.call("prompt.submit", session_id=session_id, text="hello")
        await client.event("message.complete")
        heard = tmp_path / "heard"
        await wait_for(lambda: heard.exists() and len(heard.read_text("utf-8").splitlines()) >= 3)
        events: list[dict[str, Any]] = [json.loads(line) for line in heard.read_text("utf-8").splitlines()]
        assert {event["event"] for event in events} == {"message:added", "reaction:added"}
        (wave,) = [event for event in events if event["event"] == "reaction:added"]
        assert (wave["author"], wave["emoji"], wave["session_id"]) == ("agent", "👋", session_id)
        assert set((tmp_path / "secrets").read_text().split()) == {"0"}
        await wait_for(lambda: "The hook log was run for reaction:added" in process.log)
        assert "sk-not-for-hooks" not in process.log
    finally:
        await process.close()


async def patiently(holds: Callable[[], bool]) -> None:
    """Whole programs are started on the way, on a machine that may be busy."""
    async with asyncio.timeout(120.0):
        while True:
            with contextlib.suppress(AssertionError):
                return await wait_for(holds)


@pytest.mark.slow
async def test_what_a_hook_sets_off_is_told_to_no_hook(tmp_path: Path) -> None:
    """The hook sends a message for each message: told of its own, it would go on for ever."""
    command = [sys.executable, "-m", "tui_tapback.cli.main", "send", "--session"]
    (tmp_path / "answer.py").write_text(
        "import json, subprocess, sys\n"
        "event = json.load(sys.stdin)\n"
        "open('heard', 'a').write(event['text'] + '\\n')\n"
        f"subprocess.run([*{command!r}, event['session_id'], 'from the hook'], check=True)\n"
    )
    file = tmp_path / "hooks.toml"
    file.write_text(
        '[[hook]]\nname = "talker"\non = ["message:added"]\ntimeout = 60\n'
        f'command = ["{sys.executable}", "answer.py"]\n'
    )
    file.chmod(0o600)
    process = await GatewayProcess(tmp_path, environ={"OPENAI_MODEL": "companion"}).start()
    try:
        client = await process.client()
        session_id = (await client.call("session.create"))["session_id"]
        await client.call("prompt.submit", session_id=session_id, text="from me")
        # My message and its answer are told; the hook answers both, and nothing of that is told.
        await patiently(lambda: process.log.count("The hook talker was run for message:added") == 2)
        history = await client.call("session.history", session_id=session_id)
        said = [row["text"] for row in history["messages"] if row["role"] == "user"]
        assert said == ["from me", "from the hook", "from the hook"]
        await client.call("prompt.submit", session_id=session_id, text="me again")
        heard = tmp_path / "heard"
        await patiently(lambda: "me again" in heard.read_text("utf-8"))
        # The hook hears in order, so whatever it set off would have been heard before.
        assert "from the hook" not in heard.read_text("utf-8")
    finally:
        await process.close()
