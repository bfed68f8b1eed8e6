"""Writing, reading and the ways through the chat, at three sizes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from textual import events
from textual.command import CommandPalette
from textual.pilot import Pilot

from tui_tapback.app.screens.help import HelpScreen
from tui_tapback.client.state import ConnectionState, Phase, SessionSummary
from tui_tapback.domain.errors import GatewayUnreachable, LinkDown
from tui_tapback.domain.messages import Status
from tui_tapback.testing.app import shows, until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.transcript import Transcript

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)], ids=lambda s: f"{s[0]}x{s[1]}")


def shown(pilot: Pilot[Any]) -> str:
    return screen_text(pilot.app)


def composer(pilot: Pilot[Any]) -> Composer:
    return pilot.app.screen.query_one(Composer)


async def enter(pilot: Pilot[Any], text: str) -> None:
    composer(pilot).focus()
    composer(pilot).post_message(events.Paste(text))
    await settle(pilot)
    await pilot.press("enter")
    await settle(pilot)


@SIZES
async def test_a_message_goes_out_and_the_answer_streams_in(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        await enter(pilot, "hello there")
        assert chat.sent == ["hello there"]
        assert composer(pilot).text == ""
        for piece in ("Well, ", "hel", "lo!"):
            chat.stream(piece)
            await settle(pilot)
        assert "Well, hello!" in shown(pilot)
        assert "working" in shown(pilot)
        chat.finish()
        await settle(pilot)
        assert "working" not in shown(pilot)
        assert line_widths(pilot.app) == {size[0]}


@SIZES
async def test_the_states_of_the_link_are_told(
    chat: MemoryChat, opened: Opened, size: tuple[int, int]
) -> None:
    async with opened(chat, size) as pilot:
        assert "online" in shown(pilot)
        chat.put(connection=ConnectionState(Phase.CONNECTING))
        await settle(pilot)
        assert "connecting" in shown(pilot)
        chat.put(connection=ConnectionState(Phase.OFFLINE, "Nothing answers at the socket."), waiting=2)
        await shows(pilot, "Nothing answers at the socket.")
        await shows(pilot, "2 things you sent are waiting")
        chat.put(connection=ConnectionState(Phase.REFUSED, "The token is wrong."), waiting=0)
        await shows(pilot, "The token is wrong.")
        chat.put(connection=ConnectionState(Phase.ONLINE))
        await until(pilot, lambda: "wrong" not in shown(pilot))
        assert line_widths(pilot.app) == {size[0]}


async def test_an_empty_chat_without_a_link_says_that_nothing_is_lost(opened: Opened) -> None:
    chat = MemoryChat(connection=ConnectionState(Phase.OFFLINE, "Nothing answers."), loading=True)
    async with opened(chat) as pilot:
        await shows(pilot, "Not connected. What you write is kept")
        chat.put(connection=ConnectionState(Phase.CONNECTING))
        await shows(pilot, "Connecting…")
        chat.put(connection=ConnectionState(Phase.ONLINE))
        await shows(pilot, "Opening the chat…")


@pytest.mark.slow
async def test_a_toast_lies_above_the_banner_and_goes_sooner_where_there_is_little_room(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat, (40, 12)) as pilot:
        chat.put(connection=ConnectionState(Phase.OFFLINE, "Nothing answers at the socket."), waiting=2)
        chat.tell("Something happened. " * 20, "warning")
        await shows(pilot, "Something happened.")
        await shows(pilot, "Nothing answers at the socket. 2 things you sent are waiting")
        await until(pilot, lambda: "Something happened." not in shown(pilot), seconds=4.5)


async def test_what_is_typed_offline_waits_and_the_composer_is_free(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        chat.put(connection=ConnectionState(Phase.RECONNECTING, attempt=1))
        await enter(pilot, "later")
        assert chat.state.messages[-1].status is Status.WAITING
        assert composer(pilot).text == ""
        assert "1 waiting" in shown(pilot)


async def test_a_refused_text_stays_in_the_composer_with_a_sentence(chat: MemoryChat, opened: Opened) -> None:
    chat.put(max_message_chars=10)
    async with opened(chat) as pilot:
        await enter(pilot, "much too long")
        assert composer(pilot).text == "much too long"
        await shows(pilot, "takes 10")
        await enter(pilot, "")
        assert chat.sent == []


async def test_a_failed_message_is_tried_again_with_enter(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        key = chat.arrive("half an ans", status=Status.FAILED, error="The model's server failed.")
        await settle(pilot)
        assert "failed" in shown(pilot)
        await pilot.press("escape", "G", "enter")
        await settle(pilot)
        assert chat.asked[-1] == f"retry {key}"


async def test_typed_commands(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await enter(pilot, "/title Dinner ")
        assert chat.state.title == "Dinner"
        await enter(pilot, "/title ")
        await shows(pilot, "called “Dinner”")
        await enter(pilot, "/nothing")
        await shows(pilot, "no command /nothing")
        assert composer(pilot).text == "/nothing"
        composer(pilot).clear()
        await enter(pilot, "//nothing")
        assert chat.sent == ["/nothing"]
        await enter(pilot, "/new")
        assert "new_session" in chat.asked
        assert "Say hello." in shown(pilot)
        await enter(pilot, "/reconnect")
        assert chat.asked[-1] == "reconnect_now"
        await enter(pilot, "/theme")
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))


async def test_an_empty_chat_says_what_to_do_and_esc_stays(opened: Opened) -> None:
    async with opened(MemoryChat()) as pilot:
        assert "Say hello." in shown(pilot)
        assert "1-6" in shown(pilot)
        await pilot.press("escape")
        assert composer(pilot).has_focus


async def test_esc_interrupts_then_enters_the_transcript_and_comes_back(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat) as pilot:
        chat.stream("I think that")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert chat.asked[-1] == "interrupt"
        assert composer(pilot).has_focus
        await pilot.press("escape")
        await settle(pilot)
        assert pilot.app.screen.query_one(Transcript).has_focus
        await pilot.press("escape")
        await settle(pilot)
        assert composer(pilot).has_focus


async def test_ctrl_c_interrupts_clears_and_quits_at_the_second_press(
    chat: MemoryChat, opened: Opened
) -> None:
    async with opened(chat) as pilot:
        chat.stream("I think that")
        await settle(pilot)
        await pilot.press("x", "ctrl+c")
        await settle(pilot)
        assert chat.asked[-1] == "interrupt"
        assert composer(pilot).text == "x"
        await pilot.press("ctrl+c")
        await settle(pilot)
        assert composer(pilot).text == ""
        await pilot.press("ctrl+c")
        await settle(pilot)
        await shows(pilot, "again to quit")
        assert pilot.app.is_running
        await pilot.press("ctrl+c")
        await settle(pilot)
        assert not pilot.app.is_running
    assert chat.asked[-1] == "close"


async def test_ctrl_c_copies_what_is_selected_in_the_composer(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await pilot.press(*"abc", "shift+left", "shift+left", "ctrl+c")
        await settle(pilot)
        assert pilot.app.clipboard == "bc"
        await shows(pilot, "Copied")
        assert composer(pilot).text == "abc"


async def test_y_copies_a_message(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await pilot.press("escape", "y")
        await settle(pilot)
        assert pilot.app.clipboard == "I booked a table for you."


@pytest.mark.parametrize(
    ("size", "way"), [((40, 12), "f1"), ((80, 24), "question_mark"), ((200, 60), "/help")]
)
async def test_help_lists_every_group_and_closes(
    chat: MemoryChat, opened: Opened, size: tuple[int, int], way: str
) -> None:
    async with opened(chat, size) as pilot:
        if way.startswith("/"):
            await enter(pilot, way)
        else:
            await pilot.press("escape", way)
            await settle(pilot)
        assert isinstance(pilot.app.screen, HelpScreen)
        seen = shown(pilot)
        for _ in range(12 * 60 // (size[1] - 4)):  # all of it, whatever the height
            await pilot.press("pagedown")
            await settle(pilot)
            seen += shown(pilot)
        for words in ("Everywhere", "While typing", "In the transcript", "In the list of tasks", "Emoji 17"):
            assert words in seen
        assert line_widths(pilot.app) == {size[0]}
        await pilot.press("escape")
        await settle(pilot)
        assert not isinstance(pilot.app.screen, HelpScreen)


def summaries() -> tuple[SessionSummary, ...]:
    return (
        SessionSummary("s1", "Dinner", "I booked a table", 1_760_000_000.0, 2),
        SessionSummary("s2", "Holidays", "The sea is [warm] [/", 1_760_000_500.0, 1),
    )


@SIZES
async def test_the_list_of_sessions_opens_one(opened: Opened, size: tuple[int, int]) -> None:
    chat = MemoryChat(sessions=summaries())
    async with opened(chat, size) as pilot:
        await pilot.press("ctrl+o")
        await settle(pilot)
        text = shown(pilot)
        assert text.index("Holidays") < text.index("● Dinner")
        assert "[warm] [/" in text
        assert line_widths(pilot.app) == {size[0]}
        await pilot.press("k", "enter")
        await settle(pilot)
        assert chat.asked[-1] == "open_session s2"
        assert composer(pilot).has_focus


async def test_the_list_of_sessions_loading_empty_and_failed(opened: Opened) -> None:
    chat = MemoryChat()
    async with opened(chat) as pilot:
        chat.gate.clear()
        await pilot.press("ctrl+o")
        await settle(pilot)
        assert "Loading the sessions" in shown(pilot)
        chat.gate.set()
        await settle(pilot)
        assert "no sessions yet" in shown(pilot)
        chat.failures["list_sessions"] = GatewayUnreachable("Nothing answers.", hint="Start it.")
        await pilot.press("r")
        await settle(pilot)
        assert "Nothing answers. Start it." in shown(pilot)
        await pilot.press("n")
        await settle(pilot)
        assert chat.asked[-1] == "new_session"


async def test_an_intent_that_fails_is_told_in_a_sentence(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        chat.failures["new_session"] = LinkDown("The connection is down.", hint="It comes back by itself.")
        await pilot.press("ctrl+n")
        await shows(pilot, "The connection is down.")
        assert "Traceback" not in shown(pilot)


async def test_no_handler_waits_for_the_network(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        chat.gate.clear()  # from now on nothing that asks the gateway comes back
        chat.put(running=True)
        await settle(pilot)
        await pilot.press("escape", "ctrl+n")
        await enter(pilot, "/title Slow")
        await enter(pilot, "still alive")
        assert chat.sent == ["still alive"]
        assert "still alive" in shown(pilot)
        chat.gate.set()


async def test_the_palette_runs_actions(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat) as pilot:
        await pilot.press("ctrl+p")
        await settle(pilot)
        await pilot.press(*"reconn")
        await until(pilot, lambda: "Reconnect now" in shown(pilot))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "reconnect_now" in chat.asked)


async def test_resizing_keeps_everything_in_line(chat: MemoryChat, opened: Opened) -> None:
    async with opened(chat, (200, 60)) as pilot:
        for columns, lines in ((40, 12), (80, 24), (41, 13), (120, 30)):
            await pilot.resize_terminal(columns, lines)
            await settle(pilot)
            assert line_widths(pilot.app) == {columns}
            assert "booked a table" in shown(pilot)


async def test_keys_that_come_in_one_burst_arrive_where_they_were_meant_for(
    chat: MemoryChat, opened: Opened
) -> None:
    """Type-ahead: over a slow link a terminal hands over many keys at once."""

    def burst(pilot: Pilot[Any], *keys: str) -> None:
        for key in keys:
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))

    async with opened(chat) as pilot:
        burst(pilot, "escape", "1")
        await until(pilot, lambda: chat.reacted == [("m2", "❤️")])
        burst(pilot, "i", *"are you y")
        await until(pilot, lambda: composer(pilot).text == "are you y")
        burst(pilot, "ctrl+t", "2")
        await until(pilot, lambda: chat.reacted[-1] == ("m2", "👍"))
        assert composer(pilot).text == "are you y"


async def test_a_search_that_is_typed_in_one_burst_keeps_every_letter(
    chat: MemoryChat, opened: Opened
) -> None:
    """An i goes to the composer where messages are read, and is a letter where one searches them."""
    async with opened(chat) as pilot:
        await pilot.press("escape")
        for _ in range(3):
            for key in ("slash", *"quick is it", "enter"):
                named = {" ": "space", "slash": "slash", "enter": "enter"}.get(key, key)
                pilot.app.post_message(events.Key(named, {"slash": "/", "enter": "\r"}.get(key, key)))
            await until(pilot, lambda: "/quick is it" in shown(pilot))
            assert composer(pilot).text == "" and chat.sent == []
            await pilot.press("escape", "escape")
            await settle(pilot)
            if not pilot.app.screen.query_one(Transcript).has_focus:
                await pilot.press("escape")
