"""Plain mode on a real Hermes gateway: it answers, both sides tap back, and what it lacks is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_tapback.client.transport import url_connector
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.plain import running_plain

pytestmark = [pytest.mark.hermes, pytest.mark.slow]


async def test_both_sides_tap_back_in_plain_lines(hermes: HermesGateway, tmp_path: Path) -> None:
    async with running_plain(url_connector(hermes.url, hermes.token), tmp_path) as plain:
        await plain.ask('a joke [[tool react_to_message {"emoji":"😂"}]]')
        await plain.hear("Agent laughed at message 1")
        await plain.until(lambda: not plain.room.state.running and not plain.room.state.waiting)
        await plain.ask("/react thumbs up")
        await plain.hear("You liked message 2")
        assert (await plain.ask("/withhold 2"))[0].startswith("This gateway cannot")
        await plain.ask("/unreact")
        await plain.hear("You took back thumbs up 👍 from message 2")
