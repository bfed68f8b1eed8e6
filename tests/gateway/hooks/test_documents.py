"""The examples of docs/hooks.md run as they stand there."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tui_tapback.gateway.hooks.found import find_hooks
from tui_tapback.gateway.hooks.origin import HookProcesses
from tui_tapback.gateway.hooks.runner import Hooks
from tui_tapback.testing.hooks import reaction

DOCUMENT = (Path(__file__).parents[3] / "docs" / "hooks.md").read_text("utf-8").partition("## Asking")[0]
"""What follows has a test of its own, in test_asking.py."""


async def test_the_examples_of_the_document_do_what_it_says(folder: Path) -> None:
    for language, title, body in re.findall(r"```(\w+) title=(\S+)\n(.*?)```", DOCUMENT, re.DOTALL):
        path = folder / title
        path.write_text(body, "utf-8")
        path.chmod(0o700 if language == "sh" else 0o600)
    processes = HookProcesses()
    environ = dict(os.environ) | {"ANSWERS_FILE": str(folder / "answers.txt")}
    hooks = Hooks(find_hooks(folder, environ, processes, pytest.fail), processes)
    hooks.deliver(reaction())
    hooks.deliver(reaction(emoji="❤️", before="👍"))
    for status in ("complete", "interrupted"):
        hooks.deliver({"type": "message.complete", "session_id": "s1", "payload": {"status": status}})
    await hooks.idle()
    assert len((folder / "diary.jsonl").read_text("utf-8").splitlines()) == 3
    assert (folder / "answers.txt").read_text("utf-8") == "complete\ninterrupted\n"
