"""A long chat over the real gateway: pages as they are wanted, exact ends, and the reader's place."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.app import ChatApp
from tui_tapback.app.belongings import Belongings
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import ClientState
from tui_tapback.client.transport import unix_connector
from tui_tapback.testing.app import chat_app, shows, until
from tui_tapback.testing.client import QUICK, counted
from tui_tapback.testing.filled import LONG, fill
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.pilot import settle
from tui_tapback.widgets.transcript import Transcript

pytestmark = pytest.mark.slow
COUNT = 2000


@pytest.fixture
async def server(tmp_path: Path) -> AsyncGenerator[RunningServer]:
    fill(tmp_path / "data.db", COUNT)
    async with RunningServer(tmp_path) as server:
        yield server


@asynccontextmanager
async def reading(
    server: RunningServer, belongings: Belongings | None = None, session_id: str | None = LONG
) -> AsyncGenerator[Pilot[Any]]:
    client = ChatClient(unix_connector(server.path), policy=QUICK, ids=counted(), rows=200)
    app = chat_app(client, belongings=belongings, session_id=session_id)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await shows(pilot, f"message number {COUNT - 1}")
        await pilot.press("escape")
        yield pilot


def transcript(pilot: Pilot[Any]) -> Transcript:
    return pilot.app.screen.query_one(Transcript)


def state(pilot: Pilot[Any]) -> ClientState:
    app = pilot.app
    assert isinstance(app, ChatApp)
    return app.chat.state


async def test_the_ends_are_reached_exactly_and_the_scroll_bar_knows_of_all(server: RunningServer) -> None:
    async with reading(server) as pilot:
        assert len(state(pilot).messages) == 200
        assert transcript(pilot).sheet.older == COUNT - 200
        await pilot.press("g")
        await until(pilot, lambda: transcript(pilot).selected == state(pilot).messages[0].key)
        await shows(pilot, "message number 0")
        assert not state(pilot).has_older
        assert state(pilot).has_newer
        assert transcript(pilot).sheet.newer == COUNT - len(state(pilot).messages)
        await pilot.press("1")
        await until(pilot, lambda: bool(state(pilot).messages[0].reactions))
        await pilot.press("G")
        await until(pilot, lambda: not state(pilot).has_newer)
        await shows(pilot, f"message number {COUNT - 1}")
        assert transcript(pilot).selected == state(pilot).messages[-1].key
        assert transcript(pilot).following


async def test_scrolling_up_reads_older_pages_and_keeps_what_is_read_in_place(server: RunningServer) -> None:
    async with reading(server) as pilot:
        for _ in range(120):
            await pilot.press("pageup")
            if len(state(pilot).messages) > 400:
                break
            await settle(pilot)
        await until(pilot, lambda: len(state(pilot).messages) > 400)
        held = len(state(pilot).messages)
        assert transcript(pilot).sheet.older == COUNT - held
        numbers = [int(m.text.split()[-1]) for m in state(pilot).messages]
        assert numbers == list(range(COUNT - held, COUNT))


async def test_a_chat_opens_where_one_was_reading_also_in_the_next_run(
    server: RunningServer, tmp_path: Path
) -> None:
    async with reading(server, Belongings.within(tmp_path, tmp_path / "drafts", "here")) as pilot:
        await pilot.press("g")
        await until(pilot, lambda: not state(pilot).has_older)
        await pilot.press(*["pagedown"] * 3)
        await settle(pilot)
        place = transcript(pilot).bookmark()
        assert place is not None
        await pilot.press("ctrl+q")
    async with reading_again(server, Belongings.within(tmp_path, tmp_path / "drafts", "here")) as pilot:
        await until(
            pilot, lambda: (at := transcript(pilot).bookmark()) is not None and at.row_id == place.row_id
        )
        again = transcript(pilot).bookmark()
        assert again is not None
        assert (again.skip, again.following) == (place.skip, False)
        await pilot.press("escape", *["pagedown"] * 40)
        await until(pilot, lambda: len(state(pilot).messages) > 350)
        assert transcript(pilot).sheet.unseen == 0, "what is read only now is not new"


@asynccontextmanager
async def reading_again(server: RunningServer, belongings: Belongings) -> AsyncGenerator[Pilot[Any]]:
    client = ChatClient(unix_connector(server.path), policy=QUICK, ids=counted("b"), rows=200)
    app = chat_app(client, belongings=belongings, session_id=LONG)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        yield pilot


async def test_a_search_reaches_what_is_not_loaded(server: RunningServer) -> None:
    async with reading(server) as pilot:
        held = {message.text for message in state(pilot).messages}
        assert "message number 1017" not in held
        await pilot.press("slash", *"number 1017", "enter")
        await until(pilot, lambda: state(pilot).has_newer)
        await shows(pilot, "message number 1017")
        sheet = transcript(pilot).sheet
        assert sheet.older + sheet.newer + len(state(pilot).messages) == COUNT
        assert abs(sheet.older - (1017 - 100)) <= 1
