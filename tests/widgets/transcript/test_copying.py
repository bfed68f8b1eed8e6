"""Selecting ranges and text, by mouse and by keys, and copying: always what was written, never a stand-in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual import events
from textual.pilot import Pilot

from tui_tapback.domain.messages import Message
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import ASCII_ONLY, SAFE, TEXT
from tui_tapback.testing.conversation import agent, chat, mine, tool, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import screen_text
from tui_tapback.testing.transcript_host import TranscriptHost
from tui_tapback.widgets import Transcript
from tui_tapback.widgets.markdown import MarkdownRenderer, MarkdownStyles
from tui_tapback.widgets.transcript.prose import Prose

SIZES = [(40, 12), (80, 24), (160, 50)]
ANSWER = """\
I ❤️ this, 👩🏽‍💻 and 🇩🇪, as [the page](https://example.org/a) says at some length so that it must wrap.

> quoted 危险 words

- one ‼️
- two

```python
if True:
    print("❤️")
```
"""
PLAIN = """\
I ❤️ this, 👩🏽‍💻 and 🇩🇪, as the page (https://example.org/a) says at some length so that it must wrap.

> quoted 危险 words

- one ‼️
- two

if True:
    print("❤️")"""


def copied(app: TranscriptHost) -> list[tuple[str, str]]:
    return [(e.kind, e.text) for e in app.said if isinstance(e, Transcript.CopyRequested)]


def prose(text: str, width: int, *, literal: bool = False, profile: object = SAFE) -> Prose:
    assert isinstance(profile, type(SAFE))
    renderer = MarkdownRenderer(EmojiFitter(profile), MarkdownStyles())
    return Prose(renderer.literal(text, width) if literal else renderer.render(text, width))


@pytest.mark.parametrize("profile", [SAFE, TEXT, ASCII_ONLY], ids=lambda p: p.name)
@pytest.mark.parametrize("width", [12, 30, 76, 200])
def test_plain_text_is_what_was_written_at_any_width_on_any_terminal(width: int, profile: object) -> None:
    assert prose(ANSWER, width, profile=profile).text == PLAIN


TYPED = st.lists(
    st.sampled_from(["a", "b", " ", "\n", "危", "❤️", "👍🏽", "e\u0301", "-", "مر"]), max_size=80
).map("".join)


@given(TYPED, st.integers(2, 40))
def test_what_was_typed_comes_back_whole(text: str, width: int) -> None:
    wanted = [line.rstrip(" ") for line in text.strip("\n").split("\n")]
    got = [line.rstrip(" ") for line in prose(text, width, literal=True).text.split("\n")]
    assert [line.lstrip(" ") for line in got] == [line.lstrip(" ") for line in wanted]


@given(st.text("ab 危❤️👍🏽e\u0301", min_size=1, max_size=60), st.integers(4, 30))
def test_places_and_offsets_are_inverse_and_spans_cover_what_they_say(text: str, width: int) -> None:
    made = prose(text, width, literal=True)
    places = [made.place(offset) for offset in range(len(made.text) + 1)]
    assert places == sorted(places)
    for offset in range(len(made.text)):
        assert made.place(made.offset(*made.place(offset))) == made.place(offset)
    for first, last in pairwise(range(0, len(made.text) + 1, 3)):
        cells = made.spans(first, last)
        assert all(a < b for _, a, b in cells)
        assert [row for row, _, _ in cells] == sorted({row for row, _, _ in cells})


def test_links_are_those_of_the_author_and_bare_addresses_but_never_harmful_ones() -> None:
    text = (
        "[a](https://a.example/x) and https://b.example/y?q=1. [bad](javascript:alert(1)) "
        "[file](file:///etc/passwd) <mailto:me@c.example>"
    )
    hrefs = [link.href for link in prose(text, 30).links]
    assert "https://a.example/x" in hrefs
    assert "https://b.example/y?q=1" in hrefs
    assert "mailto:me@c.example" in hrefs
    assert not any(href.startswith(("javascript", "file")) for href in hrefs)


async def test_y_copies_text_and_capital_y_markdown_and_c_the_code_alone() -> None:
    app = TranscriptHost([user("u", "*mine* 👍🏽"), agent("a", ANSWER)])
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.press("y", "Y", "c", "k", "y", "c")
        await settle(pilot)
        assert copied(app) == [
            ("text", PLAIN),
            ("markdown", ANSWER),
            ("code", 'if True:\n    print("❤️")'),
            ("text", "*mine* 👍🏽"),
        ]


async def test_a_part_is_copied_alone() -> None:
    app = TranscriptHost([agent("a", ANSWER)])
    async with app.run_test(size=(60, 30)) as pilot:
        await pilot.press("tab", "tab", "Y", "tab", "tab", "y", "Y")
        await settle(pilot)
        (_, quote), (_, bare), (_, fenced) = copied(app)
        assert quote == "> quoted 危险 words"
        assert bare == 'if True:\n    print("❤️")'
        assert fenced.startswith("```python")


async def test_a_range_is_selected_copied_and_reacted_to_together() -> None:
    messages = [*chat(6), tool("t", "search")]
    messages[4] = user("m4", "message number 4", mine("👍"))
    app = TranscriptHost(messages)
    async with app.run_test(size=(60, 40)) as pilot:
        await pilot.press("shift+up", "shift+up", "shift+up", "shift+down", "y", "2")
        await settle(pilot)
        ranges = [e.keys for e in app.said if isinstance(e, Transcript.RangeChanged)]
        assert ranges == [("m4", "m5"), ("m3", "m4", "m5"), ("m2", "m3", "m4", "m5"), ("m3", "m4", "m5")]
        assert copied(app) == [("text", "\n\n".join(f"message number {n}" for n in (3, 4, 5)))]
        assert app.reactions() == [("m3", "👍"), ("m5", "👍")], "the one in between has it"
        assert screen_text(app).count("┗") == 3
        await pilot.press("escape")
        await settle(pilot)
        assert app.transcript.range_keys == ()
        assert app.transcript.has_focus, "the first Esc only gives up the range"
        await pilot.press("shift+up", "k")
        await settle(pilot)
        assert app.transcript.range_keys == (), "another selection ends it as well"


async def drag(
    pilot: Pilot[None], app: TranscriptHost, start: tuple[int, int], stop: tuple[int, int]
) -> None:
    """Press at a cell, move to another, and let go, as a terminal reports it."""
    transcript = app.transcript
    for kind, (x, y) in (
        (events.MouseDown, start),
        (events.MouseMove, stop),
        (events.MouseUp, stop),
    ):
        transcript.post_message(
            kind(transcript, x, y, 0, 0, 1, shift=False, meta=False, ctrl=False, screen_x=x, screen_y=y)
        )
        await settle(pilot)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_dragging_selects_what_was_written(size: tuple[int, int]) -> None:
    app = TranscriptHost(
        [agent("a", "I ❤️ this, and 👩🏽‍💻 too.\n\nAnother line."), user("u", "my own words")]
    )
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        x, y = app.find("this")
        u, v = app.find("own")
        await drag(pilot, app, (x, y), (u + 3, v))
        assert app.transcript.selected_text == "this, and 👩🏽‍💻 too.\n\nAnother line.\n\nmy own"
        assert app.transcript.selected_markdown.endswith("my own words")
        await pilot.press("y")
        await settle(pilot)
        assert copied(app) == [("text", "this, and 👩🏽‍💻 too.\n\nAnother line.\n\nmy own")]
        assert app.transcript.selected_text == ""
        await drag(pilot, app, (u + 3, v), (x, y))
        assert app.transcript.selected_text.startswith("this"), "upward as well"
        assert not app.reactions()
        assert not app.transcript.pill_open


async def test_a_selection_survives_a_resize_and_a_badge() -> None:
    messages: list[Message] = [agent("a", "word " * 60 + "END")]
    app = TranscriptHost(messages)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        x, y = app.find("END")
        await drag(pilot, app, app.find("word"), (x + 3, y))
        text = app.transcript.selected_text
        assert text.endswith("END")
        app.transcript.show([agent("a", "word " * 60 + "END", mine("👍"))])
        await pilot.resize_terminal(50, 30)
        await settle(pilot)
        assert app.transcript.selected_text == text


async def test_text_is_selected_with_keys() -> None:
    app = TranscriptHost([user("u", "first words here"), agent("a", "second ❤️ **bold** line\nand more")])
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("v", "w", "h")
        assert app.transcript.marking
        assert app.transcript.selected_text == "second"
        await pilot.press("w", "w", "y")
        await settle(pilot)
        assert copied(app) == [("text", "second ❤️ ")]
        await pilot.press("v", "j", "dollar_sign", "k", "k", "0")
        assert app.transcript.selected_text.startswith("first words here\n\ns")
        await pilot.press("k", "u", "1")
        await settle(pilot)
        assert app.reactions(), "what is no key of this mode keeps its meaning"


async def test_escape_leaves_the_selection_of_text_first() -> None:
    app = TranscriptHost(chat(4))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("v", "l")
        assert app.transcript.takes_escape
        assert app.transcript.takes_letters
        await pilot.press("escape")
        assert app.transcript.has_focus
        assert not app.transcript.takes_escape


async def test_links_are_asked_for_by_key_and_click_and_copied() -> None:
    text = "See [one](https://a.example/) and [two](https://b.example/x)."
    app = TranscriptHost([agent("a", text), user("u", "nothing here")])
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("o", "k", "o", "O")
        x, y = app.find("two")
        await pilot.click(app.transcript, offset=(x, y))
        await settle(pilot)
        asked = [e.links for e in app.said if isinstance(e, Transcript.LinkRequested)]
        both = ("https://a.example/", "https://b.example/x")
        assert asked == [both, ("https://b.example/x",)]
        assert copied(app) == [("link", "\n".join(both))]


LONG = "\n".join(f"line {number}" for number in range(100))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_what_is_long_is_folded_and_space_and_click_unfold_it(size: tuple[int, int]) -> None:
    call = tool("t", "search", "tables")
    assert call.tool is not None
    call = Message(
        key="t", role=call.role, text="", at=call.at,
        tool=type(call.tool)("c", "search", "tables", result="RESULT one\nRESULT two"),
    )  # fmt: skip
    app = TranscriptHost([user("u", LONG), call, agent("a", "ok", reasoning="first thought\nsecond thought")])
    async with app.run_test(size=size) as pilot:
        await pilot.press("g")
        await settle(pilot)
        assert "line 10" in screen_text(app) or size[1] == 12
        assert app.transcript.sheet.window.heights[0] == 16
        await pilot.press("space")
        await settle(pilot)
        assert app.transcript.sheet.window.heights[0] == 104
        await pilot.press("space", "G")
        await settle(pilot)
        text = screen_text(app)
        assert "RESULT" not in text
        assert "· Thought: first thought" in text
        await pilot.press("space")
        await settle(pilot)
        assert "RESULT two" in screen_text(app)
        assert "second thought" in screen_text(app)
        x, y = app.find("search tables")
        await pilot.click(app.transcript, offset=(x, y))
        await settle(pilot)
        assert "RESULT" not in screen_text(app)
        assert max(cell_len(line) for line in screen_text(app).splitlines()) <= size[0]
