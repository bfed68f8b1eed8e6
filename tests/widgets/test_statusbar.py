from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.widgets.statusbar import Link, StatusBar, StatusLine, arrange

FITTER = EmojiFitter(SAFE)
HINTS = (("F1", "help"), ("^O", "chats"), ("^T", "tap back"))
FULL = StatusLine(Link.ONLINE, model="llama3.2", title="Trip to Lisbon", hints=HINTS)


def line(status: StatusLine, width: int, *, ascii_only: bool = False) -> str:
    return "".join(part.text for part in arrange(status, width, FITTER, ascii_only=ascii_only))


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (StatusLine(Link.ONLINE), "● online"),
        (StatusLine(Link.ONLINE, activity="thinking"), "● thinking"),
        (StatusLine(Link.CONNECTING), "◌ connecting…"),
        (StatusLine(Link.RECONNECTING, retry_in=4.2), "◌ reconnecting in 4 s · F5 now"),
        (StatusLine(Link.RECONNECTING), "◌ reconnecting…"),
        (StatusLine(Link.OFFLINE, waiting=2), "○ offline · 2 waiting"),
    ],
)
def test_every_state_of_the_connection_is_said_in_words(status: StatusLine, words: str) -> None:
    assert line(status, 60).strip() == words


def test_what_matters_least_goes_first_when_it_gets_narrow() -> None:
    wide = line(FULL, 80)
    assert wide.startswith(" ● online · llama3.2 · Trip to Lisbon   ")
    assert wide.endswith("  F1 help  ^O chats  ^T tap back ")
    assert line(FULL, 40) == " ● online · Trip to Lisbon      F1 help "
    assert line(FULL, 32) == " ● online · Trip to L…  F1 help "
    assert line(FULL, 24) == " ● online · Trip to Li… "
    assert line(FULL, 12).startswith(" ● online")
    assert line(FULL, 5) == " ● o…"


def test_plain_ascii_when_nothing_else_can_be_shown() -> None:
    drawn = line(StatusLine(Link.OFFLINE, waiting=1, title="a" * 90, model="m"), 50, ascii_only=True)
    assert drawn.isascii()
    assert drawn.startswith(" x offline - 1 waiting")


HOSTILE = [
    "ZLEXCOUNT z [b + should",
    "[/",
    "[data: /x?id=bbbc-609b-]",
    "\x1b]0;pwned\x07",
    "bob\u202eexe",
    "❤️‍🩹 👩🏽‍💻",
]


@pytest.mark.parametrize("text", HOSTILE)
async def test_foreign_words_are_shown_as_they_are_and_drive_nothing(text: str) -> None:
    class Host(App[None]):
        def compose(self) -> ComposeResult:
            yield StatusBar(FITTER)

    app = Host()
    async with app.run_test(size=(80, 12)) as pilot:
        bar = app.query_one(StatusBar)
        bar.show(StatusLine(Link.ONLINE, model=text, title=text, hints=(("F1", text),)))
        await pilot.pause()
        drawn = bar.render_lines(bar.size.region)[0].text
    assert cell_len(drawn) == 80
    assert "online" in drawn
    assert "\x1b" not in drawn and "\u202e" not in drawn
    if "[" in text and "\x1b" not in text:
        assert text in drawn


TEXT = st.text(max_size=60)


TEXTS = st.tuples(TEXT, TEXT, TEXT)
HINT_LISTS = st.lists(st.tuples(TEXT, TEXT), max_size=4)


@given(st.sampled_from(Link), TEXTS, st.integers(0, 999), st.integers(1, 200), HINT_LISTS)
def test_the_line_is_never_wider_than_the_screen(
    link: Link, texts: tuple[str, str, str], waiting: int, width: int, hints: list[tuple[str, str]]
) -> None:
    activity, model, title = texts
    status = StatusLine(link, activity=activity, model=model, title=title, waiting=waiting, hints=hints)
    drawn = line(status, width)
    assert cell_len(drawn) <= width
    assert "\n" not in drawn
