"""Reacting on a real Hermes gateway, through the screen: what works there, and what says that it cannot."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tui_tapback.app.tapbacks.verbs import DEFAULTS
from tui_tapback.client.session import ChatClient
from tui_tapback.client.tapback_memory import TapbackMemory
from tui_tapback.client.transport import url_connector
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.app import chat_app, shows, told, until
from tui_tapback.testing.hermes import HermesGateway
from tui_tapback.testing.hermes_client import PATIENCE
from tui_tapback.testing.screen import screen_text
from tui_tapback.widgets.chip import Chip
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.transcript import Transcript

pytestmark = [pytest.mark.hermes, pytest.mark.slow]


class Reacting:
    """The program on a chat of its own, with what a test asks of it."""

    def __init__(self, pilot: Pilot[Any], chat: ChatClient) -> None:
        self.pilot = pilot
        self.chat = chat

    @property
    def text(self) -> str:
        return screen_text(self.pilot.app)

    async def wait(self, holds: Any) -> None:
        await until(self.pilot, holds, seconds=PATIENCE)

    async def say(self, text: str) -> None:
        """Send a message and wait until it is answered and everything has a row."""
        before = len(self.answers)
        composer = self.pilot.app.screen.query_one(Composer)
        composer.focus()
        composer.set_text(text)
        await self.pilot.press("enter")
        await self.wait(lambda: len(self.answers) > before and self.settled)

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until the gateway has taken what they did."""
        await self.pilot.press(*keys)
        await self.wait(lambda: self.settled)

    @property
    def settled(self) -> bool:
        state = self.chat.state
        rows = [m for m in state.messages if m.role is not Role.TOOL]
        return not state.running and not state.waiting and all(m.row_id is not None for m in rows)

    @property
    def answers(self) -> list[Message]:
        return [m for m in self.chat.state.messages if m.role is Role.ASSISTANT]

    @property
    def given(self) -> list[str | None]:
        """The person's tapback on each message, oldest first."""
        rows = [m for m in self.chat.state.messages if m.reactable]
        found = (m.reactions.by(Author.USER) for m in rows)
        return [reaction.emoji if reaction else None for reaction in found]


@asynccontextmanager
async def reacting(gateway: HermesGateway, **options: Any) -> AsyncGenerator[Reacting]:
    chat = ChatClient(url_connector(gateway.url, gateway.token))
    app = chat_app(chat, **options)
    async with app.run_test(size=(100, 40), notifications=True) as pilot:
        screen = Reacting(pilot, chat)
        await screen.wait(lambda: chat.state.connection.gateway == "hermes" and not chat.state.loading)
        await pilot.press("ctrl+n")
        await screen.wait(lambda: chat.state.session_id is None and not chat.state.messages)
        yield screen


async def test_repeat_ranges_undo_and_redo_work(hermes: HermesGateway) -> None:
    async with reacting(hermes) as screen:
        await screen.say("points one and two")
        await screen.press("escape", "G", "2")
        await screen.press("k", "full_stop")
        assert screen.given == ["👍", "👍"]
        await screen.press("shift+down", "3")
        assert screen.given == ["👎", "👎"], "a digit on a range"
        await screen.press("u")
        assert screen.given == ["👍", "👍"]
        await screen.press("U")
        assert screen.given == ["👎", "👎"]
        await screen.press("minus")
        assert screen.given == [None, None]
        await screen.press("u")
        await screen.say("and what were they?")
        lines = str(hermes.prompts()[-1])
        assert "[The user reacted 👎 to your message" in lines, "what was undone in the end is what is told"
        assert "👍" not in lines


async def test_what_will_be_told_is_shown_and_that_it_cannot_be_kept_back_is_said(
    hermes: HermesGateway,
) -> None:
    async with reacting(hermes) as screen:
        await screen.say("point three")
        await screen.press("escape", "G", "4")
        await screen.press("w")
        await shows(screen.pilot, "[x] [The user reacted 😂")
        await shows(screen.pilot, "This gateway cannot keep a tapback from the model.")
        await shows(screen.pilot, "Tapbacks taken back")
        await screen.pilot.press("space")
        await shows(screen.pilot, "This gateway cannot keep a tapback from the model.")
        assert "[ ]" not in screen.text


async def test_a_part_takes_no_tapback_and_that_is_said(hermes: HermesGateway) -> None:
    async with reacting(hermes) as screen:
        await screen.say("first paragraph\n\nsecond paragraph")
        await screen.press("escape", "G", "tab", "2")
        assert screen.pilot.app.screen.query_one(Transcript).part is not None
        await told(screen.pilot, "This gateway knows only tapbacks on whole messages.")
        assert "👍" not in screen.text, "nothing is painted that does not stand"
        await screen.press("escape", "2")
        assert screen.given[-1] == "👍"


async def test_lenses_pins_and_verbs_work(hermes: HermesGateway) -> None:
    memory = TapbackMemory()
    async with reacting(hermes, verbs=DEFAULTS, memory=memory) as screen:
        await screen.say("points four and five")
        chip = screen.pilot.app.screen.query_one(Chip)
        await screen.press("escape", "G", "colon", *"pushpin", "enter")
        await screen.wait(lambda: chip.armed)
        await screen.press("enter")
        await told(screen.pilot, "Pinned.")
        assert [pin.row_id for pin in memory.now.pins] == [screen.answers[-1].row_id]
        await screen.press("f", "enter")
        await shows(screen.pilot, "only all tapbacks: 1")
        await screen.press("escape")
        await screen.press("6")
        await screen.wait(lambda: chip.armed)
        before = len(screen.answers)
        await screen.pilot.press("enter")
        await screen.wait(lambda: len(screen.answers) > before and screen.settled)
        assert "Please explain this" in str(hermes.prompts()[-1])


async def test_figures_cards_and_own_quick_reactions_work(
    hermes: HermesGateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    memory = TapbackMemory()
    async with reacting(hermes, memory=memory) as screen:
        await screen.say("points eight and nine")
        await screen.pilot.press(*"/reactions", "enter", "enter", *"tada", "enter", "escape")
        await screen.press("escape", "G", "1")
        assert screen.given[-1] == "🎉"
        await screen.press("i", *"/share text", "enter")
        await told(screen.pilot, "The card is in")
        assert "🎉" in (tmp_path / f"tapback-{screen.answers[-1].row_id}.txt").read_text("utf-8")
        await screen.press(*"/stats", "enter")
        await shows(screen.pilot, "You gave 1, the agent gave 0")


async def test_search_in_messages_is_refused_in_words(hermes: HermesGateway) -> None:
    async with reacting(hermes) as screen:
        await screen.say("nothing to find")
        await screen.pilot.press("ctrl+f")
        await told(screen.pilot, "This gateway cannot search in messages.")


LAUGH = '[[tool react_to_message {"emoji":"😂"}]]'


async def test_the_agents_tapback_is_echoed_counted_and_jumped_to(hermes: HermesGateway) -> None:
    async with reacting(hermes) as screen:
        await screen.say(f"a joke {LAUGH}")
        await shows(screen.pilot, "😂")
        await screen.press("escape", "g", "equals_sign")
        assert screen.given[0] == "😂"
        await screen.say("lines\n\n" * 30)
        await screen.press("escape", "g")
        screen.pilot.app.post_message(events.AppBlur())
        screen.chat.send(f"another one {LAUGH}")  # from elsewhere: a key here would be a look
        await screen.wait(lambda: len(screen.answers) == 3 and screen.settled)
        await shows(screen.pilot, "1 new tapback")
        screen.pilot.app.post_message(events.AppFocus())
        await shows(screen.pilot, "The agent tapped back on 1 of yours.")
        chip = screen.pilot.app.screen.query_one(Chip)
        await screen.wait(lambda: chip.armed)
        await screen.press("enter")
        selected = screen.pilot.app.screen.query_one(Transcript).selected
        assert [m.key for m in screen.chat.state.messages if m.text.startswith("another one")] == [selected]


async def test_an_answer_is_reacted_to_while_it_streams(hermes: HermesGateway) -> None:
    async with reacting(hermes) as screen:
        await screen.say("before the stream")
        composer = screen.pilot.app.screen.query_one(Composer)
        composer.focus()
        composer.set_text("[[slow 40 0.1]]")
        await screen.pilot.press("enter")
        await screen.wait(lambda: "w0 w1" in screen.text)
        await screen.pilot.press("alt+up", "G", "1")
        assert screen.answers[-1].reactions.by(Author.USER) is not None
        assert screen.chat.state.running
        await screen.wait(lambda: screen.settled)
        assert screen.given[-1] == "❤️"
        assert screen.given[:-1] == [None, None, None]


async def test_a_deleted_chat_is_gone_for_good_and_that_is_said_before(hermes: HermesGateway) -> None:
    async with reacting(hermes) as screen:
        await screen.say("Quokkas and where they live")
        await screen.pilot.press("ctrl+o")
        await shows(screen.pilot, "Quokkas")
        await screen.pilot.press("d")
        await shows(screen.pilot, "This gateway cannot bring back a deleted chat.")
        await screen.pilot.press("escape")
        await screen.wait(lambda: "cannot bring back" not in screen.text)
