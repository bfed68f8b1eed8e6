"""The reader's place when messages go: at the next one that is left, else at the one before."""

from __future__ import annotations

from tui_tapback.testing.conversation import agent
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.transcript_host import TranscriptHost


async def test_when_all_from_the_readers_place_on_is_gone_the_end_of_what_is_left_is_in_view() -> None:
    messages = [agent(f"m{number}", "word " * 60) for number in range(60)]
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        app.transcript.scroll_rows(-60)
        await settle(pilot)
        window = app.transcript.sheet.window
        place = window.anchor.index
        assert 30 < place < 59
        assert not window.following
        app.transcript.show(messages[: place - 1])
        await settle(pilot)
        assert place - 2 in window.visible()
