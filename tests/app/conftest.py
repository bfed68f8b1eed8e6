"""A chat of two messages, and the app over it at a given size."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from tui_tapback.actions.contexts import Context
from tui_tapback.app.keyboard import context_of
from tui_tapback.app.screens.attaching import FilesPanel
from tui_tapback.app.screens.chat import ChatScreen
from tui_tapback.app.screens.confirm import ConfirmScreen
from tui_tapback.app.screens.connection_form import ConnectionForm
from tui_tapback.app.screens.copying import LinksScreen
from tui_tapback.app.screens.login import LoginScreen
from tui_tapback.app.screens.models import ModelsPanel
from tui_tapback.app.screens.tasks import TasksPanel
from tui_tapback.client.account import Way
from tui_tapback.client.models import ModelChoice
from tui_tapback.client.open_questions import Approval, SecretAsked
from tui_tapback.client.signing import SignIn
from tui_tapback.config.connections import ConnectionSettings
from tui_tapback.domain.messages import Message, Role
from tui_tapback.testing.app import chat_app, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.widgets.asking import QuestionCard
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
GoTo = Callable[[Pilot[Any], Context], Awaitable[None]]
APPROVAL = Approval("a1", "s1", "rm -r build", "Remove a folder.", ("once", "session", "always", "deny"))
SECRET = SecretAsked("a2", "s1", "sudo", "", "The password for sudo")
BY_NAME: dict[Context, str] = {
    Context.SESSIONS: "sessions",
    Context.HELP: "help",
    Context.SETTINGS: "settings",
    Context.KEYS: "keys",
    Context.CONNECTIONS: "connections",
    Context.MENU: "message_menu",
    Context.TOLD: "who",
    Context.PINS: "pins",
    Context.LENSES: "lens",
    Context.QUICK: "quick_reactions",
    Context.FIGURES: "figures",
    Context.LINE: "palette",
}
"""Windows that an action of the chat opens."""
PUSHED: dict[Context, Callable[[MemoryChat], Screen[Any]]] = {
    Context.LISTS: lambda _: LinksScreen(("https://a.example",)),
    Context.CONFIRM: lambda _: ConfirmScreen("Sure?", "It goes for good.", "do it"),
    Context.FORM: lambda _: ConnectionForm(_save, None, None),
    Context.LOGIN: lambda _: LoginScreen(Doors(Way("pw", supports_password=True)), None),
    Context.WAYS: lambda _: LoginScreen(Doors(Way("one"), Way("two")), None),
    Context.TASKS: lambda chat: TasksPanel(chat, lambda: 0.0),
    Context.FILES: FilesPanel,
    Context.MODELS: lambda _: ModelsPanel([ModelChoice("small", "here", "Here")]),
}
"""Windows that are put on the screen as they are."""


class Doors(SignIn):
    """A gateway with these ways to log in."""

    def __init__(self, *ways: Way) -> None:
        self._known = ways
        self.asked = 0
        self.username = ""

    @property
    def place(self) -> str:
        return "a.example"

    async def ways(self) -> tuple[Way, ...]:
        self.asked += 1
        return self._known


def _save(name: str, entry: ConnectionSettings, *, instead_of: str | None = None) -> None:
    del name, entry, instead_of


@pytest.fixture
def go_to() -> GoTo:
    """Brings a place of the action table about without a key."""

    async def go(pilot: Pilot[Any], context: Context) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, ChatScreen)
        chat = screen.chat
        assert isinstance(chat, MemoryChat)
        if context in BY_NAME:
            await screen.run_action(BY_NAME[context])
        elif context in PUSHED:
            pilot.app.push_screen(PUSHED[context](chat))
        else:
            await _within(pilot, screen, context)
        if context is Context.FILES:
            await until(pilot, lambda: context_of(pilot.app.screen) is Context.LINE)
            await pilot.app.screen.run_action("leave")
        await until(pilot, lambda: context_of(pilot.app.screen) is context)
        await settle(pilot)

    return go


async def _within(pilot: Pilot[Any], screen: ChatScreen, context: Context) -> None:
    transcript, chat = screen.query_one(Transcript), screen.chat
    assert isinstance(chat, MemoryChat)
    match context:
        case Context.COMPOSER:
            screen.query_one(Composer).focus()
        case Context.TRANSCRIPT | Context.PILL | Context.ASKED:
            transcript.focus()
            if context is Context.PILL:
                transcript.open_pill()
            elif context is Context.ASKED:
                await transcript.run_action("search")
        case Context.PICKER:
            transcript.ask_picker(transcript.selected or "m2")
        case Context.CARD | Context.ANSWER:
            chat.put(questions=(APPROVAL if context is Context.CARD else SECRET,))
            await until(pilot, lambda: screen.query_one(QuestionCard).asking is not None)
            screen.action_answer_question()
        case _:
            raise AssertionError(context)


@pytest.fixture
def chat() -> MemoryChat:
    at = 1_760_000_000.0
    return MemoryChat(
        [
            Message(key="m1", role=Role.USER, text="Where shall we eat?", at=at, row_id=1),
            Message(key="m2", role=Role.ASSISTANT, text="I booked a table for you.", at=at + 5, row_id=2),
        ]
    )


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    @asynccontextmanager
    async def open_app(
        chat: MemoryChat, size: tuple[int, int] = (80, 24), **options: Any
    ) -> AsyncGenerator[Pilot[Any]]:
        app = chat_app(chat, logs=tmp_path, **options)
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            yield pilot

    return open_app
