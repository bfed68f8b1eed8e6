"""What is typed and not sent is kept for each chat, on disk."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tui_tapback.app.belongings import Belongings
from tui_tapback.testing.app import until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.widgets.composer import Composer

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]


def kept(folder: Path) -> Belongings:
    return Belongings.within(folder, folder / "drafts", "here")


def composer(pilot: Pilot[Any]) -> Composer:
    return pilot.app.screen.query_one(Composer)


def on_disk(folder: Path, session_id: str | None) -> str:
    drafts = kept(folder).drafts
    assert drafts is not None
    return drafts.load("here", session_id)


async def test_each_chat_has_its_own_draft_also_in_the_next_run(opened: Opened, tmp_path: Path) -> None:
    chat = MemoryChat()
    async with opened(chat, belongings=kept(tmp_path)) as pilot:
        await pilot.press(*"for one")
        await until(pilot, lambda: on_disk(tmp_path, "s1") == "for one")
        chat.put(session_id="s2")
        await until(pilot, lambda: composer(pilot).text == "")
        await pilot.press(*"for two")
        chat.put(session_id="s1")
        await until(pilot, lambda: composer(pilot).text == "for one")
        assert on_disk(tmp_path, "s2") == "for two"
    async with opened(MemoryChat(session_id="s2"), belongings=kept(tmp_path)) as pilot:
        assert composer(pilot).text == "for two"


async def test_what_was_sent_is_no_draft_any_more_and_can_be_walked_back_to(
    opened: Opened, tmp_path: Path
) -> None:
    async with opened(MemoryChat(), belongings=kept(tmp_path)) as pilot:
        await pilot.press(*"hello")
        await until(pilot, lambda: on_disk(tmp_path, "s1") == "hello")
        await pilot.press("enter")
        await settle(pilot)
        assert on_disk(tmp_path, "s1") == ""
    async with opened(MemoryChat(), belongings=kept(tmp_path)) as pilot:
        assert composer(pilot).text == ""
        await pilot.press("up")
        assert composer(pilot).text == "hello"


async def test_what_is_typed_before_the_chat_is_known_goes_to_it(opened: Opened, tmp_path: Path) -> None:
    drafts = kept(tmp_path).drafts
    assert drafts is not None
    drafts.save("here", "s9", "from last time")
    chat = MemoryChat(session_id=None, loading=True)
    async with opened(chat, belongings=kept(tmp_path)) as pilot:
        await pilot.press(*"early")
        chat.put(session_id="s9", loading=False)
        await until(pilot, lambda: composer(pilot).text == "from last time\nearly")


async def test_a_disk_that_takes_nothing_is_told_once_and_writing_goes_on(
    opened: Opened, tmp_path: Path
) -> None:
    (tmp_path / "drafts").write_text("in the way")
    async with opened(MemoryChat(), belongings=kept(tmp_path)) as pilot:
        await pilot.press(*"hello")
        await until(pilot, lambda: len(pilot.app._notifications) == 1)  # pyright: ignore[reportPrivateUsage]
        await pilot.press("enter")
        await settle(pilot)
        assert composer(pilot).text == ""
