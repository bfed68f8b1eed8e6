"""The list of sessions: searched, named, put away, deleted and brought back, by keys and by mouse."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from tui_tapback.app.finding.wanted import Wanted, read_wanted
from tui_tapback.app.screens.sessions import SessionsScreen
from tui_tapback.client.abilities import HERMES
from tui_tapback.client.state import SessionSummary
from tui_tapback.client.tapback_memory import TapbackMemory, looked
from tui_tapback.domain.errors import LinkDown
from tui_tapback.domain.messages import Message, Role
from tui_tapback.testing.app import told, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")
AT = 1_760_000_000.0
STORED = (
    SessionSummary("s1", "Dinner", "Where shall we eat?", AT, 2, reactions=1),
    SessionSummary("s2", "Walrus facts", "Do they sing?", AT - 7200, 14, branch_of="\x1b[2JSeals"),
    SessionSummary("s3", "\x1b[2JOdd [bold]title[/]", "", AT - 86_400 * 3, 1),
)


@pytest.fixture
def chat() -> MemoryChat:
    message = Message(key="m1", role=Role.USER, text="Where shall we eat?", at=AT, row_id=1)
    return MemoryChat([message], sessions=STORED, title="Dinner")


def words_on(pilot: Pilot[Any]) -> str:
    """What the screen says, without frames, wherever its lines break."""
    return " ".join(screen_text(pilot.app).replace("│", " ").split())


async def shows(pilot: Pilot[Any], words: str) -> None:
    await until(pilot, lambda: words in words_on(pilot), seconds=5)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
    await quiet(pilot)


def titles(pilot: Pilot[Any]) -> list[str]:
    listing = pilot.app.screen.query_one(OptionList)
    prompts = (str(listing.get_option_at_index(n).prompt) for n in range(listing.option_count))
    return [prompt.strip("● •").split("  ")[0] for prompt in prompts]


@SIZES
async def test_sessions_are_listed_with_what_is_known_of_them(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "ctrl+o")
        await shows(pilot, "Walrus facts")
        text = screen_text(pilot.app)
        assert "● Dinner  1 min · 2 messages" in text
        assert "Do they sing?" in text
        assert line_widths(pilot.app) == {size[0]}
        if size[1] > 12:
            assert "1 tapback" in text
            assert "14 messages · branch of ␛[2JSeals" in text
            assert "Odd [bold]title[/]" in text, "foreign text is no markup"
            assert "n new  t name" in text
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, SessionsScreen)


@SIZES
async def test_what_is_typed_finds_sessions(chat: MemoryChat, opened: Opened, size: tuple[int, int]) -> None:
    chat.sessions.reacted["❤️"] = {"s1"}
    async with opened(chat, size) as pilot:
        await press(pilot, "ctrl+o", "slash", *"sing")
        await until(pilot, lambda: titles(pilot) == ["Walrus facts"])
        assert line_widths(pilot.app) == {size[0]}
        await press(pilot, "escape")
        await until(pilot, lambda: len(titles(pilot)) == 3)
        await press(pilot, "slash", *":heart:")
        await until(pilot, lambda: titles(pilot) == ["Dinner"])
        await press(pilot, *" zebra")
        await shows(pilot, "No session says that.")
        await press(pilot, "escape", "escape")
        assert not isinstance(pilot.app.screen, SessionsScreen)


async def test_enter_opens_the_session_under_the_cursor(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "ctrl+o", "j", "enter")
        await until(pilot, lambda: "open_session s2" in chat.asked)
        await press(pilot, "ctrl+o", "n")
        await until(pilot, lambda: "new_session" in chat.asked)


@SIZES
async def test_a_session_is_named(chat: MemoryChat, opened: Opened, size: tuple[int, int]) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "ctrl+o", "j", "t")
        await shows(pilot, "Walrus facts")
        await press(pilot, *" two", "enter")
        await shows(pilot, "It is called “Walrus facts two” now.")
        assert chat.sessions.stored["s2"].title == "Walrus facts two"
        await press(pilot, "t", *"x", "escape")
        assert chat.sessions.stored["s2"].title == "Walrus facts two", "Esc names nothing"
        assert isinstance(pilot.app.screen, SessionsScreen)


@SIZES
async def test_deleting_and_putting_away_can_be_undone(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await press(pilot, "ctrl+o", "j", "d")
        await until(pilot, lambda: "s2" not in chat.sessions.stored)
        await shows(pilot, "“Walrus facts” is deleted. u brings it back.")
        await press(pilot, "u")
        await until(pilot, lambda: "s2" in chat.sessions.stored)
        await shows(pilot, "Undone:")
        await until(pilot, lambda: len(titles(pilot)) == 3)
        await press(pilot, "a")
        await until(pilot, lambda: len(titles(pilot)) == 2)
        await press(pilot, "v")
        await until(pilot, lambda: len(titles(pilot)) == 1)
        assert "put away" in screen_text(pilot.app)
        await press(pilot, "a", "v")
        await until(pilot, lambda: len(titles(pilot)) == 3)
        assert line_widths(pilot.app) == {size[0]}


async def test_where_nothing_can_be_brought_back_it_asks_first(chat: MemoryChat, opened: Opened) -> None:
    chat.put(abilities=HERMES)
    async with opened(chat) as pilot:
        await press(pilot, "ctrl+o", "j", "d")
        await shows(pilot, "gone for good")
        await press(pilot, "escape")
        assert "s2" in chat.sessions.stored
        await press(pilot, "v")
        await shows(pilot, "This gateway does not tell what was put away.")
        await press(pilot, "slash", *":heart:")
        await shows(pilot, "This gateway cannot search in messages.")


async def test_a_branch_is_made_of_the_session_under_the_cursor(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "ctrl+o", "j", "b")
        await until(pilot, lambda: "branch" in chat.asked)
        assert chat.asked.index("open_session s2") < chat.asked.index("branch")
        await told(pilot, "This is the branch")


async def test_a_preview_has_no_marks_of_markdown(opened: Opened) -> None:
    said = SessionSummary("s1", "Dinner", "I am the *offline companion*: **ask** `me`", AT, 2)
    async with opened(MemoryChat(sessions=[said])) as pilot:
        await press(pilot, "ctrl+o")
        await shows(pilot, "I am the offline companion: ask me")


async def test_the_line_at_the_foot_can_be_clicked(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await press(pilot, "ctrl+o", "j")
        acts = pilot.app.screen.query_one("#acts", Static)
        place = str(acts.render()).index("d delete")
        await pilot.click(acts, offset=(place + 2, 0))
        await until(pilot, lambda: "s2" not in chat.sessions.stored)


async def test_what_came_after_one_has_read_is_new(chat: MemoryChat, opened: Opened) -> None:
    memory = TapbackMemory()
    memory.change(looked("s2", AT - 8000))
    memory.change(looked("s3", AT))
    async with opened(chat, memory=memory) as pilot:
        await press(pilot, "ctrl+o")
        await shows(pilot, "• Walrus facts new")
        assert screen_text(pilot.app).count(" new  ") == 2, "the other is the key for a new session"


@pytest.mark.parametrize(("newest", "new"), [(9, False), (10, True)])
async def test_a_session_that_was_read_to_its_last_row_is_not_new(
    opened: Opened, newest: int, new: bool
) -> None:
    """An answer of some seconds ends after the time that it bears; that is no news to who has watched it."""
    chat = MemoryChat(
        [Message(key="m1", role=Role.USER, text="Hello", at=AT, row_id=9)],
        session_id="s1",
        sessions=[SessionSummary("s1", "Walrus facts", last_active=AT + 60, last_row=newest)],
    )
    memory = TapbackMemory()
    async with opened(chat, memory=memory) as pilot:
        await quiet(pilot)
        chat.put(session_id="s2", messages=(Message(key="m2", role=Role.USER, text="Hi", at=AT, row_id=7),))
        await until(pilot, lambda: memory.now.rows.get("s1") == 9)
        await press(pilot, "ctrl+o")
        await shows(pilot, "Walrus facts")
        assert ("• Walrus facts new" in screen_text(pilot.app).replace("  ", " ")) is new


@SIZES
async def test_without_a_link_it_says_so_and_can_be_tried_again(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    chat.failures["list_sessions"] = LinkDown("There is no connection.")
    async with opened(chat, size) as pilot:
        await press(pilot, "ctrl+o")
        await shows(pilot, "There is no connection. r tries again")
        await press(pilot, "r")
        await shows(pilot, "Walrus facts")
        chat.failures["delete"] = LinkDown("There is no connection.")
        await press(pilot, "d")
        await shows(pilot, "There is no connection.")
        assert len(titles(pilot)) == 3


async def test_no_sessions_yet(opened: Opened) -> None:
    async with opened(MemoryChat()) as pilot:
        await press(pilot, "ctrl+o")
        await shows(pilot, "There are no sessions yet. n begins one.")
        await press(pilot, "d", "a", "t", "b", "enter")
        assert isinstance(pilot.app.screen, SessionsScreen)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", Wanted()),
        ("two words", Wanted("two words")),
        (":tada: party", Wanted("party", "🎉")),
        ("👍", Wanted("", "👍")),
        ("from:agent in:here x", Wanted("x", None, "agent", here=True)),
        ("from:nobody :nosuchthing: 10:30", Wanted("from:nobody :nosuchthing: 10:30")),
        (":", Wanted(":")),
    ],
)
def test_a_line_of_search(line: str, wanted: Wanted) -> None:
    assert read_wanted(line) == wanted
