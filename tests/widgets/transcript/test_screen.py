"""The transcript on a real screen, at three sizes: every state drawn on purpose, every line in line."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion
from textual.app import ComposeResult
from textual.widgets import Static

from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Reaction
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.graphemes import clusters
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE, TEXT
from tui_tapback.terminal.segments import install
from tui_tapback.testing.conversation import START, agent, chat, mine, streaming, theirs, tool, user
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_lines, screen_text
from tui_tapback.testing.transcript_host import TranscriptHost

SIZES = [(40, 12), (80, 24), (200, 60)]
ANSWER = """\
Here is **what** I found:

1. `ls` lists ❤️ files
2. 危险 is *danger*

| what | n |
|------|--:|
| 🖥️ Shell | 1 |
| 💻 Code | 22 |

```python
print("hi")  # greet
```
"""


def conversation() -> list[Message]:
    later = START + 86_400
    return [
        user("u1", "see you at 8", theirs("😂"), mine("❤️")),
        agent("a1", "Booked for you.", mine("❤️"), theirs("👍"), reasoning="They want\na table."),
        tool("t1", "search_web", "tables near me"),
        tool("t2", "send_message", "react"),
        agent("a2", ANSWER, mine("👍", confirmed=False)),
        Message(key="s", role=Role.SYSTEM, text="The conversation was compacted.", at=START),
        user("u2", "hi", at=later, status=Status.SENDING),
        user("u3", "later", at=later, status=Status.WAITING),
        user("u4", "no", at=later, status=Status.FAILED, error="The model refused the key."),
        agent("a3", "half an ans", at=later, status=Status.INTERRUPTED),
        agent("a4", "ok", at=later, reaction_error="The gateway refused 👍."),
        tool("t3", "shell", "sleep 5", running=True, at=later),
        streaming("a5", "Writing **now", at=later),
    ]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_conversation_with_everything(size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    app = TranscriptHost(conversation(), focus=False)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert screen_text(app) == snapshot(name="end")
        app.transcript.scroll_home()
        await settle(pilot)
        assert screen_text(app) == snapshot(name="start")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_pill_on_the_selected_bubble(size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    app = TranscriptHost(conversation(), suggestion="🎉")
    async with app.run_test(size=size) as pilot:
        app.transcript.open_pill("a1")
        await settle(pilot)
        assert screen_text(app) == snapshot


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_without_colour_everything_is_told_by_signs(
    size: tuple[int, int], snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TranscriptHost(conversation())
    async with app.run_test(size=size) as pilot:
        await pilot.press("g")
        await settle(pilot)
        text = screen_text(app)
        assert "(😂)[❤ ]" in text
        assert "━━━" in text, "the selected bubble is heavy"
        assert text == snapshot


async def test_an_empty_chat_says_so_and_loading_says_that(snapshot: SnapshotAssertion) -> None:
    app = TranscriptHost(empty_hint="Say hello.\n[/red] is only text.")
    async with app.run_test(size=(40, 12)) as pilot:
        await settle(pilot)
        assert screen_text(app) == snapshot(name="empty")
        app.transcript.loading_hint = "Opening the conversation…"
        await settle(pilot)
        assert screen_text(app) == snapshot(name="loading")
        app.transcript.show(chat(1))
        await settle(pilot)
        assert "Opening" not in screen_text(app)
        assert "message number 0" in screen_text(app)


HOSTILE = [
    "[/",
    "[/path]",
    "[bold",
    "[0]",
    "[red]x[/red]",
    "[data: /messages?sessionId=bbbc-609b-]",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "a\tb\rc\x00d\u202egnirts",
    "❤️❤️❤️‼️👁️☕❤👩🏽‍💻☝🏽🇩🇪1️⃣🫪",
    "e\u0301" * 60,
    "危险" * 60,
    "x" * 400,
    "\u200b\u200d\ufe0f",
    "مرحبا بالعالم",
    "",
    "\n\n",
]


@pytest.mark.parametrize("profile", [FULL, SAFE, TEXT, ASCII_ONLY], ids=lambda profile: profile.name)
@pytest.mark.parametrize("size", [(40, 12), (80, 24), (13, 8)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_foreign_text_is_literal_and_every_line_is_as_wide_as_the_screen(
    profile: object, size: tuple[int, int]
) -> None:
    assert isinstance(profile, type(SAFE))
    messages: list[Message] = []
    for number, text in enumerate(HOSTILE):
        messages += [
            user(f"u{number}", text, theirs(text), mine("‼️"), error=text, reaction_error=text),
            agent(f"a{number}", text, mine(text), theirs("❤️"), reasoning=text),
            tool(f"t{number}", text, text),
            Message(key=f"s{number}", role=Role.SYSTEM, text=text, at=START),
            streaming(f"st{number}", text),
        ]
    app = TranscriptHost(messages, fitter=EmojiFitter(profile))
    async with app.run_test(size=size) as pilot:
        await pilot.press("g")
        seen = ""
        for _ in range(400):
            await settle(pilot)
            assert line_widths(app) == {size[0]}
            seen += screen_text(app)
            if app.transcript.sheet.window.at_end:
                break
            app.transcript.page_down()
        assert app.transcript.sheet.window.at_end
        assert "\x1b" not in seen
        assert "\u202e" not in seen
        if size[0] >= 40:
            for literal in HOSTILE[:5]:
                assert seen.count(f" {literal} ") >= 2


async def test_an_answer_that_is_nothing_in_markdown_is_shown_as_it_is() -> None:
    app = TranscriptHost([agent("a", "[x]: y"), agent("b", "> " * 200 + "deep")])
    async with app.run_test(size=(60, 30)) as pilot:
        await settle(pilot)
        assert "[x]: y" in screen_text(app)
        assert "deep" in screen_text(app)


def bubbles(lines: list[str]) -> list[tuple[int, int]]:
    """Edges (left, right) in cells of every body line of a bubble."""
    edges: list[tuple[int, int]] = []
    for line in lines:
        for stroke in "│┃":
            at = [cell_len(line[:index]) for index, char in enumerate(line) if char == stroke]
            if len(at) >= 2:
                edges.append((at[0], at[-1]))
    return edges


async def test_the_borders_of_a_bubble_line_up_under_its_badges() -> None:
    text = "❤️ and ‼️\n👁️ ☕\n❤ ‼\nplain"
    app = TranscriptHost([agent("a", text, mine("❤️"), theirs("‼️")), user("u", text, theirs("👁️"), mine("❤"))])
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        edges = bubbles(screen_lines(app))
        assert len(edges) == 8
        assert len(set(edges)) == 2


@pytest.mark.parametrize("role", [user, agent])
async def test_badges_change_neither_height_nor_width(role: type) -> None:
    async def shape(*reactions: Reaction) -> list[tuple[int, ...]]:
        app = TranscriptHost([role("m", "ok", *reactions)])
        async with app.run_test(size=(40, 12)) as pilot:
            await settle(pilot)
            assert line_widths(app) == {40}
            return [(y, *edge) for y, edge in enumerate(bubbles(screen_lines(app)))]

    shapes = [
        await shape(),
        await shape(mine("👍")),
        await shape(mine("👍"), theirs("❤️")),
        await shape(theirs("👍")),
    ]
    assert all(other == shapes[0] for other in shapes)


async def test_reply_tool_error_and_two_badges_show_together() -> None:
    app = TranscriptHost(
        [
            tool("t", "search", "tables"),
            agent(
                "a", "> your words\n\nmy answer", mine("👍"), theirs("🔥"),
                reasoning="because", reaction_error="Not set.",
            ),
        ]
    )  # fmt: skip
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        for part in (
            "search tables",
            "Thought: because",
            "▐🔥▌👍▌",
            "▌ your words",
            "my answer",
            "✗ Your tapback was not accepted. Not set.",
        ):
            assert part in text


async def test_nothing_of_another_session_is_left_after_switching() -> None:
    first = [agent("a", "❤️❤️ and 危险", mine("❤️"), theirs("👍"))]
    second = [user("b", "plain")]
    app = TranscriptHost(first)
    async with app.run_test(size=(40, 12)) as pilot:
        await settle(pilot)
        before = screen_text(app)
        app.transcript.show_session("other", second)
        await settle(pilot)
        assert line_widths(app) == {40}
        assert "❤" not in screen_text(app)
        assert "plain" in screen_text(app)
        app.transcript.show_session("s", first)
        app.transcript.select("a")
        await settle(pilot)
        assert screen_text(app) == before


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "ansi-dark"])
async def test_a_change_of_theme_repaints_in_its_colours(theme: str) -> None:
    app = TranscriptHost(conversation(), focus=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        app.theme = "dracula"
        await settle(pilot)
        before = app.export_screenshot(title="t")
        app.theme = theme
        await settle(pilot)
        after = app.export_screenshot(title="t")
        assert screen_text(app) == text
        assert after != before
    fresh = TranscriptHost(conversation(), focus=False)
    fresh.theme = theme
    async with fresh.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert colours(fresh.export_screenshot(title="t")) == colours(after)


def colours(svg: str) -> list[str]:
    import re

    return re.findall(r"#[0-9a-f]{6}", svg)


async def test_a_resize_wraps_anew_and_keeps_what_is_read() -> None:
    app = TranscriptHost([agent(f"m{n}", f"number {n} " + "word " * 40) for n in range(50)])
    async with app.run_test(size=(100, 30)) as pilot:
        app.transcript.select("m20")
        await settle(pilot)
        _, y = app.find("number 20")
        assert y < 29
        await pilot.resize_terminal(40, 12)
        await settle(pilot)
        assert line_widths(app) == {40}
        assert app.transcript.sheet.window.anchor.index in range(18, 22)
        await pilot.resize_terminal(200, 60)
        await settle(pilot)
        assert line_widths(app) == {200}


class Covered(TranscriptHost):
    """The host with another widget laid over the transcript, as the picker is."""

    CSS = (
        TranscriptHost.CSS
        + "Screen { layers: base over; } #over { layer: over; offset: 4 2; width: 21; height: 5; }"
    )

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static("👍👎😂❓👀🎉🔥💯", id="over", markup=False)


async def test_a_widget_laid_over_a_bubble_full_of_emoji_tears_none() -> None:
    install()
    for shift in range(4):
        app = Covered(
            [agent("a", "x" * shift + "👩🏽‍💻❤️🇩🇪危" * 20), user("u", "😂" * 30)], fitter=EmojiFitter(FULL)
        )
        async with app.run_test(size=(60, 16)) as pilot:
            await settle(pilot)
            assert line_widths(app) == {60}
            whole = {cluster for line in screen_lines(app) for cluster in clusters(line)}
            assert not any(cluster.startswith(("\u200d", "\ufe0f", "\U0001f3fd")) for cluster in whole)
            assert not whole & {"👩", "🇩", "🇪", "💻"}
            assert "👍👎😂❓👀🎉🔥💯" in screen_text(app)
