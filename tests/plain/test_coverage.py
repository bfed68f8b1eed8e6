"""Everything that the screen can do is done by a command here, or a sentence says why not and what else."""

from __future__ import annotations

import re

import pytest

from tui_tapback.actions.action import Action
from tui_tapback.actions.table import ACTIONS
from tui_tapback.plain.coverage import command_for, reason_for
from tui_tapback.plain.dispatch import HANDLERS
from tui_tapback.plain.helping import about, overview
from tui_tapback.plain.table import COMMANDS, command, nearest


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_each_action_has_a_command_or_a_reason(action: Action) -> None:
    # case B187: everything the pill does has a command
    found, reason = command_for(action), reason_for(action)
    assert found is not None or re.fullmatch(r"[A-Z].{15,}\.", reason), action.id


def test_what_commands_cover_exists_and_is_covered_once() -> None:
    covered = [action_id for item in COMMANDS for action_id in item.covers]
    assert len(covered) == len(set(covered))
    assert set(covered) <= {action.id for action in ACTIONS}


def test_what_is_typed_on_the_screen_is_typed_here_as_well() -> None:
    for action in ACTIONS:
        name = action.slash.partition(" ")[0].removeprefix("/")
        if action.slash.startswith("/"):
            assert command(name) or command_for(action) or reason_for(action), action.slash


def test_every_command_is_carried_out_and_helped_with() -> None:
    names = [name for item in COMMANDS for name in (item.name, *item.aliases)]
    assert len(names) == len(set(names))
    assert set(HANDLERS) == {item.name for item in COMMANDS} - {"paste"}
    read = "\n".join(overview())
    for item in COMMANDS:
        assert f"/{item.name}" in read
        assert about(f"/{item.name}")[0].startswith(f"/{item.name}")


def test_a_reason_names_only_commands_that_there_are() -> None:
    for action in ACTIONS:
        for name in re.findall(r"/(\w+)", reason_for(action)):
            assert command(name) is not None, (action.id, name)


def test_a_wrong_name_meets_the_nearest() -> None:
    assert nearest("raect")[0] == "react"
    assert nearest("sess") == ("sessions",)
    assert nearest("xyzzy") == ()
