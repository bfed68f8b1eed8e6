"""Whatever is on the screen, and wherever its text came from: no emoji is drawn that this terminal tears."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.color import Color
from textual.pilot import Pilot

from tui_tapback.app.drawing import Drawable
from tui_tapback.client.state import ConnectionState, Phase, SessionSummary
from tui_tapback.domain.errors import LinkDown
from tui_tapback.domain.messages import Role, Status, ToolActivity
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.terminal.cells import EmojiFitter, advance
from tui_tapback.terminal.graphemes import clusters
from tui_tapback.terminal.profile import ASCII_ONLY, SAFE, TEXT, WidthProfile
from tui_tapback.terminal.standins import SOMETIMES_WIDE
from tui_tapback.testing.app import until
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines
from tui_tapback.widgets.composer import Composer

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]

# Of every class that some terminal draws otherwise than Rich measures it, and newer than most tables.
HOSTILE = [
    *("❤️", "‼️", "👍🏽", "👩‍💻", "👩‍👩‍👦‍👦", "🏳️‍🌈", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🫩", "🛜", "☝🏽", "㊗️", "🐻‍❄️", "👁️‍🗨️"),
    *("🖥️", "❤️‍🩹", "🅱️", "🇩", "〽️", "👨🏾‍🦱", "🥹", "🤣", "⚠️"),
]
ALL = " ".join(HOSTILE)
SOME = "❤️ 👩‍💻 👍🏽 🇩🇪 🫩 1️⃣"
MARKDOWN = f"""\
# {SOME}

* {ALL}
* [x] `{SOME}`

> {SOME}

| {HOSTILE[0]} a | b |
| --- | --- |
| 🖥️ Shell | ⚖️ Law |
| 💻 Code | {SOME} |

```python
print("{SOME}")
```

[{SOME}](https://example.org/{HOSTILE[0]}) **{SOME}** ~~{SOME}~~
"""
BROWSER = replace(SAFE, unicode=11)
PROFILES = [SAFE, BROWSER, TEXT, ASCII_ONLY]
NAMES = ["safe", "browser", "text", "ascii"]


def misfits(text: str, profile: WidthProfile) -> list[str]:
    """The clusters that such a terminal would not draw in the cells that Rich counts."""
    return [cluster for cluster in clusters(text) if not _fits(cluster, profile)]


def _fits(cluster: str, profile: WidthProfile) -> bool:
    if cluster.isascii() or advance(cluster, profile) == cell_len(cluster):
        return True
    # One narrow character by itself is one cell wherever UTF-8 is drawn, but for those measured otherwise.
    return profile.utf8 and len(cluster) == cell_len(cluster) == 1 and cluster not in SOMETIMES_WIDE


def full_chat() -> MemoryChat:
    """Emoji in every field that a gateway, an agent or a person can fill."""
    rows = [SessionSummary(f"s{n}", f"{emoji} {SOME}", ALL, 0.0, n) for n, emoji in enumerate(HOSTILE, 1)]
    chat = MemoryChat(title=f"{SOME} title", model=f"{SOME} model", sessions=rows)
    mine = ReactionSet.of([Reaction("❤️", Author.USER, 0.0), Reaction("👩‍💻", Author.AGENT, 1.0)])
    chat.arrive(f"{ALL} asked", Role.USER, reactions=mine)
    theirs = ReactionSet.of([Reaction("☝🏽", Author.USER, 0.0), Reaction("not 👍🏽 one", Author.AGENT, 1.0)])
    chat.arrive(MARKDOWN, reactions=theirs)
    chat.arrive("", Role.TOOL, tool=ToolActivity("c", f"{SOME} tool", SOME, True, f"{ALL} result"))
    chat.arrive(ALL, Role.USER, status=Status.FAILED, error=f"{ALL} error")
    chat.arrive(ALL, reaction_error=f"{ALL} refused")
    chat.arrive(f"done {SOME}")
    return chat


@pytest.fixture(params=PROFILES, ids=NAMES)
def profile(request: pytest.FixtureRequest) -> WidthProfile:
    return request.param


STATES: dict[str, tuple[str, ...]] = {
    "chat": (),
    "reading": ("escape", "k", "k", "k", "k"),
    "pill": ("escape", "r"),
    "pill on one reacted to": ("escape", "k", "k", "k", "k", "r"),
    "picker": ("escape", "colon"),
    "picker searching": ("escape", "colon", *"heart"),
    "picker without a hit": ("escape", "colon", *"qqqqzz"),
    "picker tones": ("escape", "colon", "alt+t"),
    "help": ("f1",),
    "help's end": ("f1", "G"),
    "sessions": ("ctrl+o",),
    "sessions below": ("ctrl+o", "down", "down", "down"),
    "palette": ("f3",),
    "palette searching": ("f3", *"se"),
    "completion": (":", *"heart"),
    "commands": ("/", *"se"),
    "who and pending": ("escape", "k", "k", "k", "k", "w"),
    "message menu": ("escape", "m"),
    "lenses": ("escape", "f"),
    "through a lens": ("escape", "f", "enter"),
    "quick reactions": (*"/reactions", "enter"),
    "figures": ("escape", "1", "i", *"/stats", "enter"),
}


def check(pilot: Pilot[Any], profile: WidthProfile) -> None:
    lines = screen_lines(pilot.app)
    found = {line: bad for line in lines if (bad := misfits(line, profile))}
    assert not found
    assert line_widths(pilot.app) == {pilot.app.size.width}


# cases B138, B139, B140, B143, B144, B146, B149, B151
@pytest.mark.parametrize("keys", list(STATES.values()), ids=list(STATES))
@pytest.mark.parametrize("size", [(80, 40), (40, 12)], ids=["80x40", "40x12"])
async def test_no_screen_shows_an_emoji_that_this_terminal_tears(
    opened: Opened, profile: WidthProfile, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with opened(full_chat(), size, profile=profile) as pilot:
        for key in keys:
            await pilot.press(key)
        await settle(pilot)
        check(pilot, profile)


async def test_every_part_of_a_long_transcript_fits(opened: Opened, profile: WidthProfile) -> None:
    async with opened(full_chat(), (60, 14), profile=profile) as pilot:
        await pilot.press("escape")
        for _ in range(6):
            await pilot.press("k")
            await settle(pilot)
            check(pilot, profile)


async def test_what_is_told_and_what_went_wrong_fits(opened: Opened, profile: WidthProfile) -> None:
    chat = full_chat()
    async with opened(chat, profile=profile) as pilot:
        for level in ("info", "warning", "error"):
            chat.tell(f"told {ALL}", level)
        await until(pilot, lambda: any("told" in line for line in screen_lines(pilot.app)))
        check(pilot, profile)
        pilot.app.clear_notifications()
        for phase in (Phase.OFFLINE, Phase.REFUSED):
            chat.put(connection=ConnectionState(phase, f"because {ALL}"), waiting=2)
            await until(pilot, lambda: any("because" in line for line in screen_lines(pilot.app)))
            check(pilot, profile)
        chat.put(connection=ConnectionState(Phase.CONNECTING), messages=())
        await settle(pilot)
        check(pilot, profile)
        chat.failures["list_sessions"] = LinkDown(f"No list {ALL}.")
        await pilot.press("ctrl+o")
        await until(pilot, lambda: any("No list" in line for line in screen_lines(pilot.app)))
        check(pilot, profile)


async def test_while_an_answer_grows_every_frame_fits(opened: Opened, profile: WidthProfile) -> None:
    chat = MemoryChat()
    async with opened(chat, profile=profile) as pilot:
        for char in MARKDOWN[:160]:
            chat.stream(char)
            await settle(pilot)
            check(pilot, profile)


async def paste(pilot: Pilot[Any], text: str) -> Composer:
    composer = pilot.app.screen.query_one(Composer)
    composer.post_message(events.Paste(text))
    await settle(pilot)
    return composer


@pytest.mark.parametrize("emoji", HOSTILE)
async def test_the_composer_moves_and_deletes_by_what_a_person_sees(opened: Opened, emoji: str) -> None:
    # cases B145, B152, B155: one step over it, one key takes all of it, the drawing fits all the while.
    async with opened(MemoryChat(), profile=SAFE) as pilot:
        composer = await paste(pilot, f"a{emoji}b")
        check(pilot, SAFE)
        await pilot.press("left", "left", "x", "right", "y")
        assert composer.text == f"ax{emoji}yb"
        await pilot.press("backspace", "backspace")
        assert composer.text == "axb"
        await paste(pilot, emoji)
        await pilot.press("left", "delete")
        assert composer.text == "axb"
        check(pilot, SAFE)


async def test_what_is_copied_and_sent_is_the_emoji_and_never_its_stand_in(
    opened: Opened, profile: WidthProfile
) -> None:
    chat = MemoryChat()
    async with opened(chat, profile=profile) as pilot:
        await paste(pilot, ALL)
        await pilot.press("f7", "ctrl+c")
        await settle(pilot)
        assert pilot.app.clipboard == ALL
        await pilot.press("end", "enter")
        await settle(pilot)
        assert chat.sent == [ALL]


async def test_what_is_selected_of_the_banner_is_the_emoji_too(opened: Opened, profile: WidthProfile) -> None:
    chat = MemoryChat()
    async with opened(chat, (200, 24), profile=profile) as pilot:
        chat.put(connection=ConnectionState(Phase.OFFLINE, f"because {ALL}"))
        await until(pilot, lambda: any("because" in line for line in screen_lines(pilot.app)))
        check(pilot, profile)
        pilot.app.screen.text_select_all()
        await settle(pilot)
        assert ALL in (pilot.app.screen.get_selected_text() or "")
        check(pilot, profile)


def test_the_check_itself_sees_what_is_not_fitted(profile: WidthProfile) -> None:
    assert len(misfits(ALL, profile)) >= 10
    drawable = Drawable(EmojiFitter(profile))
    (drawn,) = drawable.apply([Segment(ALL)], Color(0, 0, 0))
    assert misfits(drawn.text, profile) == [] and cell_len(drawn.text) == cell_len(ALL)
    assert drawable.apply([drawn], Color(0, 0, 0)) == [drawn]  # what fits already is left alone
