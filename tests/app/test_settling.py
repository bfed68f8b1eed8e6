"""What the terminal answers after the first picture changes how emoji are drawn, and nothing else."""

from __future__ import annotations

from tui_tapback.domain.messages import Role
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE
from tui_tapback.testing.app import chat_app
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text


async def test_a_late_answer_draws_all_anew_and_moves_nothing() -> None:
    chat = MemoryChat(title="👍🏽 title")
    chat.arrive("I ❤️ it, 👍🏽 👩‍💻!", Role.ASSISTANT)
    app = chat_app(chat, profile=SAFE)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = screen_lines(app)
        assert "I ❤  it, 👍 👩!" in screen_text(app)
        app.settle(FULL)
        await settle(pilot)
        after = screen_lines(app)
        assert "I ❤️ it, 👍🏽 👩‍💻!" in screen_text(app) and "👍🏽 title" in screen_text(app)
        assert line_widths(app) == {80}
        borders = [[i for i, char in enumerate(line) if char in "╭╮╰╯"] for line in before]
        assert borders == [[i for i, char in enumerate(line) if char in "╭╮╰╯"] for line in after]
        app.settle(ASCII_ONLY)  # the screen is built for more: that waits for the next start
        await settle(pilot)
        assert screen_lines(app) == after
