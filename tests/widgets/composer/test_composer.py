from __future__ import annotations

from collections.abc import Sequence

import pytest
from syrupy.assertion import SnapshotAssertion
from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Static

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.search import Match, search
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.testing.quiet import quiet
from tui_tapback.testing.screen import line_widths, screen_text
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.found import Searcher

SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)], ids=lambda s: f"{s[0]}x{s[1]}")


def find(query: str, limit: int) -> Sequence[Match]:
    return search(query, limit)


def named(name: str) -> str | None:
    emoji = load_catalogue().by_shortcode(name)
    return emoji.char if emoji else None


def by_name(query: str, limit: int) -> Sequence[Match]:
    """A search that never gets better, for pictures: names with the query in them, in chart order."""
    hits = [Match(e.char, e.name) for e in load_catalogue().all if query.strip() in e.name]
    return hits[:limit]


class Host(App[None]):
    CSS = "#above { height: 1fr; }"

    def __init__(
        self, history: Sequence[str] = (), placeholder: str = "Message", search: Searcher = find
    ) -> None:
        super().__init__()
        name = load_catalogue().name
        fitter = EmojiFitter(SAFE)
        self.composer = Composer(
            fitter, search, named, name_of=name, history=history, placeholder=placeholder
        )
        self.seen: list[Message] = []

    def compose(self) -> ComposeResult:
        yield Static("first line of the transcript", id="above", markup=False)
        yield self.composer

    def on_mount(self) -> None:
        self.composer.focus()

    def on_composer_submitted(self, message: Composer.Submitted) -> None:
        self.seen.append(message)

    def on_composer_transcript_requested(self, message: Composer.TranscriptRequested) -> None:
        self.seen.append(message)

    def on_composer_escape_pressed(self, message: Composer.EscapePressed) -> None:
        self.seen.append(message)

    def on_composer_pill_requested(self, message: Composer.PillRequested) -> None:
        self.seen.append(message)

    @property
    def sent(self) -> list[str]:
        return [m.text for m in self.seen if isinstance(m, Composer.Submitted)]


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Presses keys as fast as a terminal may deliver them, none waiting for the one before."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await quiet(pilot)


async def write(pilot: Pilot[None], text: str) -> None:
    """Types a text letter by letter."""
    await press(pilot, *text)


async def test_what_is_sent_leaves_at_once_and_what_is_refused_comes_back() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "hello")
        await press(pilot, "left", "enter")
        assert app.sent == ["hello"]
        assert (app.composer.text, app.composer.history) == ("", ())
        app.composer.refuse()
        assert (app.composer.text, app.composer.state.caret) == ("hello", 4)
        await press(pilot, "enter")
        app.composer.accept()
        assert (app.composer.text, app.composer.history) == ("", ("hello",))


async def test_two_messages_in_one_burst_stay_two_and_nothing_typed_after_is_lost() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *"one", "enter", *"two", "enter", *"three")
        assert app.sent == ["one", "two"]
        app.composer.accept()
        app.composer.refuse()
        assert (app.composer.text, app.composer.history) == ("two\nthree", ("one",))


async def test_nothing_but_blanks_is_not_sent() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "  ")
        await press(pilot, "enter")
        await quiet(pilot)
        assert app.sent == []


@pytest.mark.parametrize("key", ["ctrl+j", "shift+enter", "alt+enter", "shift+\r"])
async def test_some_keys_break_the_line_without_losing_the_order_of_what_follows(key: str) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "a")
        await press(pilot, key, "b")
        assert app.composer.text == "a\nb"


@SIZES
async def test_it_grows_with_the_text_up_to_a_third_of_the_screen(size: tuple[int, int]) -> None:
    app = Host()
    async with app.run_test(size=size) as pilot:
        assert app.composer.region.height == 2
        await press(pilot, *["x", "ctrl+j"] * 12, "y")
        assert app.composer.region.height == 1 + min(8, size[1] // 3)
        assert app.composer.region.bottom == size[1]
        assert "› " not in screen_text(app)
        await press(pilot, *["up"] * 12)
        assert "› x" in screen_text(app)
        top = (app.composer.region.x + 5, app.composer.region.y + 1)
        wheel = events.MouseScrollDown(app.composer, *top, 0, 1, 0, False, False, False, *top)
        app.composer.post_message(wheel)
        await quiet(pilot)
        assert "› x" not in screen_text(app)
        app.composer.clear()
        await quiet(pilot)
        assert app.composer.region.height == 2


async def test_up_and_down_walk_the_history_only_at_the_edges() -> None:
    app = Host(history=["one", "two"])
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "ab")
        await press(pilot, "ctrl+j", "c", "up")
        assert app.composer.text == "ab\nc"
        await press(pilot, "up")
        assert app.composer.text == "two"
        await press(pilot, "up")
        assert app.composer.text == "one"
        await press(pilot, "down", "down")
        assert app.composer.text == "ab\nc"
        await press(pilot, "down")
        assert app.composer.text == "ab\nc"


@pytest.mark.parametrize("cluster", ["🐻‍❄️", "❤️‍🩹", "🏳️‍⚧️", "👨‍👩‍👧", "👍🏽"])
async def test_an_emoji_is_one_step_and_one_backspace(cluster: str) -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, f"a{cluster}")
        assert app.composer.text == f"a{cluster}"
        await press(pilot, "left", "x", "backspace", "right", "backspace")
        assert app.composer.text == "a"


async def test_input_of_every_kind_arrives_clean() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "\ud83d\ude00\ud83dx𝔘𩸽")
        assert app.composer.text == "😀x𝔘𩸽"
        app.composer.clear()
        app.composer.post_message(events.Paste("\x01\x16\x1b[A text\r\nsecond\ud83d [/red]"))
        await quiet(pilot)
        assert app.composer.text == "␁␖␛[A text\nsecond [/red]"
        assert "second [/red]" in screen_text(app)
        app.composer.text.encode()


async def test_the_list_of_emoji_opens_with_two_letters_and_tab_takes_the_first() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "yes :t")
        assert not app.composer.completing
        await write(pilot, "ad")
        assert app.composer.completing
        assert "🎉 " in screen_text(app)
        await press(pilot, "tab")
        await quiet(pilot)
        assert app.composer.text == "yes 🎉"
        assert not app.composer.completing


async def test_enter_takes_from_the_open_list_and_sends_when_it_is_closed() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, ":tad")
        await press(pilot, "enter")
        assert app.composer.text == "🎉"
        await quiet(pilot)
        assert app.sent == []
        await press(pilot, "enter")
        await quiet(pilot)
        assert app.sent == ["🎉"]


async def test_escape_closes_the_list_and_only_then_asks_the_app() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, ":tad")
        await press(pilot, "escape")
        assert not app.composer.completing
        assert app.composer.text == ":tad"
        assert app.seen == []
        await write(pilot, "a")
        assert not app.composer.completing, "declined for this word"
        await press(pilot, "enter")
        await quiet(pilot)
        assert app.sent == [":tada"]
        await press(pilot, "escape")
        await quiet(pilot)
        assert isinstance(app.seen[-1], Composer.EscapePressed)


async def test_a_whole_name_becomes_the_emoji_unless_a_backslash_stands_before_it() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, ":tada: and \\:tada: and a:b: 10:30: :nosuchname:")
        assert app.composer.text == "🎉 and \\:tada: and a:b: 10:30: :nosuchname:"
        app.composer.clear()
        await write(pilot, ":tada:")
        await press(pilot, "ctrl+z")
        assert app.composer.text == ":tada:"


async def test_a_tapback_written_as_text_keeps_its_name() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "2+:tada:")
        assert app.composer.text == "2+:tada:"


async def test_commands_are_offered_after_a_slash() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "/re")
        assert "tap back on the agent's last message" in screen_text(app)
        await press(pilot, "tab")
        assert app.composer.text == "/react "


async def test_a_command_typed_in_full_is_sent_by_one_enter_with_words_to_follow_or_none() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        for typed in ("/stats", "/share"):
            await write(pilot, typed)
            await press(pilot, "enter")
            await quiet(pilot)
        assert app.sent == ["/stats", "/share"]
        await write(pilot, "/shar")
        await press(pilot, "enter")
        assert app.composer.text == "/share ", "half a command is completed first"


async def test_the_list_is_walked_with_arrows_and_taken_with_the_mouse() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, ":par")
        lines = screen_text(app).splitlines()
        first = next(i for i, line in enumerate(lines) if "›🎉" in line)
        await press(pilot, "down")
        await quiet(pilot)
        assert screen_text(app).splitlines()[first + 1].lstrip().startswith("›")
        await pilot.click(offset=(3, first))
        await quiet(pilot)
        assert app.composer.text == "🎉"
        assert app.composer.has_focus


async def test_the_ways_out() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "alt+up", "ctrl+t", "alt+r")
        await quiet(pilot)
        assert [type(m) for m in app.seen] == [
            Composer.TranscriptRequested,
            Composer.PillRequested,
            Composer.PillRequested,
        ]


async def test_the_mouse_sets_the_caret_and_selects() -> None:
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "❤️ one two")
        y = app.composer.region.y + 1
        await pilot.mouse_down(offset=(6, y))
        await pilot.hover(offset=(9, y))
        await pilot.mouse_up(offset=(9, y))
        assert app.composer.selected_text == "one"
        await write(pilot, "x")
        assert app.composer.text == "❤️ x two"


@SIZES
async def test_how_it_looks(size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    app = Host(placeholder="Message · Enter sends · : emoji · / commands", search=by_name)
    async with app.run_test(size=size) as pilot:
        await quiet(pilot)
        empty = screen_text(app)
        await write(pilot, "dear ❤️ all of you 👨‍👩‍👧 here, this will have to be wrapped at forty cells")
        await press(pilot, "ctrl+j")
        await write(pilot, "so :par")
        assert line_widths(app) == {size[0]}
        assert [empty, screen_text(app)] == snapshot
