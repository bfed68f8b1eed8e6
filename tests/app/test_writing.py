"""Writing with help: history search, one's own editor, folded pastes, paths, and a gateway's commands."""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tui_tapback.app.belongings import Belongings
from tui_tapback.app.writing.editor import edit, editor_command
from tui_tapback.client.abilities import HERMES
from tui_tapback.client.commands import Outcome
from tui_tapback.domain.errors import InvalidInput
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_text
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.composer.paths import complete_path

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]


def composer(pilot: Pilot[Any]) -> Composer:
    return pilot.app.screen.query_one(Composer)


async def test_what_was_sent_in_any_chat_is_found_and_the_draft_is_safe(
    opened: Opened, tmp_path: Path
) -> None:
    kept = Belongings.within(tmp_path, tmp_path / "drafts", "")
    for text, session in (("deploy the blue one", "other"), ("deploy the red one", "s1"), ("lunch?", "s1")):
        kept.prompts.add(text, session)
    async with opened(MemoryChat(), belongings=kept) as pilot:
        await pilot.press(*"my draft", "ctrl+r")
        await shows(pilot, "lunch?")
        await pilot.press(*"depl")
        await settle(pilot)
        assert "lunch?" not in screen_text(pilot.app)
        await pilot.press("ctrl+r", "enter")
        assert composer(pilot).text == "deploy the blue one"
        composer(pilot).set_text("my draft")
        await pilot.press("ctrl+r", *"blue", "escape")
        assert composer(pilot).text == "my draft"
        await pilot.press("ctrl+r", *"nothing like it", "enter")
        assert composer(pilot).text == "my draft"


async def test_a_large_paste_is_folded_and_sent_whole(opened: Opened) -> None:
    chat = MemoryChat()
    piece = "\n".join(f"line {n}" for n in range(120))
    async with opened(chat) as pilot:
        await pilot.press(*"see ")
        composer(pilot).post_message(events.Paste(piece))
        await settle(pilot)
        assert composer(pilot).text == "see [Pasted 1 · 120 lines]"
        assert composer(pilot).draft == f"see {piece}"
        await pilot.press("ctrl+z", "ctrl+y", "enter")
        await settle(pilot)
        assert chat.sent == [f"see {piece}"]
        composer(pilot).post_message(events.Paste(piece))
        composer(pilot).post_message(events.Paste(piece))
        await settle(pilot)
        assert composer(pilot).text == piece, "pasted once more it is unfolded"
        composer(pilot).clear()
        await pilot.press("up")
        assert composer(pilot).text == f"see {piece}"


async def test_paths_are_completed_behind_an_at_sign(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "two words.md").write_text("")
    (tmp_path / "document.txt").write_text("")
    (tmp_path / ".hidden").write_text("")
    (tmp_path / "es\x1b[31mcape").write_text("")
    assert complete_path("do", tmp_path, 9) == [("@docs/", "docs/"), ("@document.txt ", "document.txt")]
    assert complete_path("docs/", tmp_path, 9) == [('@"docs/two words.md" ', "two words.md")]
    assert complete_path(".h", tmp_path, 9) == [("@.hidden ", ".hidden")]
    assert complete_path("es", tmp_path, 9) == []
    assert complete_path("nowhere/x", tmp_path, 9) == []


async def test_a_gateways_commands_are_completed_and_run(opened: Opened) -> None:
    chat = MemoryChat(abilities=HERMES)
    chat.commands.known = {
        "/skin": Outcome("shown", "It is a model."),
        "/skill-x": Outcome("send", "Use the skill x"),
        "/fill": Outcome("prefill", "to be finished"),
        "/long": Outcome("shown", "\n".join(f"[red]row {n}" for n in range(50))),
    }
    async with opened(chat) as pilot:
        await until(pilot, lambda: "catalog" in chat.asked)
        await settle(pilot)
        await pilot.press(*"/skil")
        await shows(pilot, "does /skill-x")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: chat.sent == ["Use the skill x"])
        for line in ("/skin", "/fill"):
            composer(pilot).set_text(f"{line} now")
            await pilot.press("enter")
        await shows(pilot, "It is a model.")
        await until(pilot, lambda: composer(pilot).text == "to be finished")
        assert "run /skin now" in chat.asked
        composer(pilot).set_text("/long ")
        await pilot.press("enter")
        await shows(pilot, "[red]row 3")
        await pilot.press("escape")


async def test_without_a_terminal_to_give_away_the_editor_is_not_started(opened: Opened) -> None:
    async with opened(MemoryChat()) as pilot:
        await pilot.press(*"mine", "ctrl+g")
        await shows(pilot, "cannot be given to another program")
        assert composer(pilot).text == "mine"


def test_the_editor_gets_a_private_file_and_what_it_leaves_is_taken() -> None:
    seen: list[Sequence[str]] = []

    def write(command: Sequence[str]) -> int:
        seen.append(command)
        file = Path(command[-1])
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.write_text(file.read_text() + " and more\n")
        return 0

    assert edit("some", {"VISUAL": "code -w", "EDITOR": "vi"}, write) == "some and more"
    assert seen[0][:2] == ["code", "-w"]
    assert not Path(seen[0][-1]).exists()


def test_an_editor_that_fails_leaves_the_text_as_it_was() -> None:
    with pytest.raises(InvalidInput, match="status 3"):
        edit("some", {"EDITOR": "x"}, lambda _: 3)
    with pytest.raises(InvalidInput, match="could not be used"):
        edit("some", {"EDITOR": "/nowhere/at-all"})
    with pytest.raises(InvalidInput, match="cannot be read"):
        editor_command({"EDITOR": "'"})

    def binary(command: Sequence[str]) -> int:
        Path(command[-1]).write_bytes(b"\xff\xfe")
        return 0

    with pytest.raises(InvalidInput, match="UTF-8"):
        edit("some", {"EDITOR": "x"}, binary)
