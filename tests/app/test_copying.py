"""Copying and opening: the text as it was written, a file where there is no clipboard, no address unseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tui_tapback.app.outside import Outside, clipboard_trouble, is_openable, opener
from tui_tapback.app.screens.confirm import GUARD
from tui_tapback.testing.app import shows
from tui_tapback.testing.chat import MemoryChat
from tui_tapback.testing.pilot import settle

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
MARKDOWN = "See **[the page](https://example.org/a?b=c)** or\n\n```python\nprint(1)\n```\n"


def chat_with(text: str) -> MemoryChat:
    chat = MemoryChat()
    chat.arrive(text)
    return chat


async def test_text_markdown_code_and_link_are_copied_as_they_were_written(opened: Opened) -> None:
    async with opened(chat_with(MARKDOWN)) as pilot:
        for key, copied in (
            ("Y", MARKDOWN),
            ("c", "print(1)"),
            ("O", "https://example.org/a?b=c"),
            ("y", "See the page (https:"),
        ):
            await pilot.press("escape", key)
            await settle(pilot)
            assert pilot.app.clipboard.strip().startswith(copied.strip()), key
            await pilot.press("i")


async def test_where_the_terminal_has_no_clipboard_the_text_stands_in_a_private_file(
    opened: Opened, tmp_path: Path
) -> None:
    outside = Outside({"TERM": "linux"}, tmp_path / "copied.txt")
    async with opened(chat_with("take me along"), outside=outside) as pilot:
        await pilot.press("escape", "y")
        await shows(pilot, "no clipboard")
        assert (tmp_path / "copied.txt").read_text() == "take me along"
        assert (tmp_path / "copied.txt").stat().st_mode & 0o077 == 0


async def test_an_address_is_shown_whole_before_it_is_opened(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "xdg-open"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    started: list[Sequence[str]] = []
    outside = Outside({"DISPLAY": ":0"}, start=started.append)
    async with opened(chat_with(MARKDOWN), outside=outside) as pilot:
        await pilot.press("escape", "o")
        await shows(pilot, "https://example.org/a?b=c")
        assert started == []
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("o")
        await shows(pilot, "Open this address?")
        await pilot.pause(GUARD)
        await pilot.press("y")
        await settle(pilot)
        assert started == [["xdg-open", "https://example.org/a?b=c"]]


async def test_without_an_opener_the_address_is_copied(opened: Opened) -> None:
    async with opened(chat_with(MARKDOWN)) as pilot:
        await pilot.press("escape", "o")
        await shows(pilot, "Open this address?")
        await pilot.pause(GUARD)
        await pilot.press("y")
        await shows(pilot, "Nothing here can open it")
        assert pilot.app.clipboard == "https://example.org/a?b=c"


async def test_of_several_links_one_is_chosen_first(opened: Opened) -> None:
    async with opened(chat_with("[a](https://a.example/) [b](https://b.example/)")) as pilot:
        await pilot.press("escape", "o")
        await shows(pilot, "https://b.example/")
        await pilot.press("down", "enter")
        await shows(pilot, "Open this address?")
        await shows(pilot, "https://b.example/")


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "javascript:alert(1)", "-x", "ssh://a", "", "https:"]
)
def test_only_addresses_for_a_browser_are_opened(address: str) -> None:
    assert not is_openable(address)


def test_what_is_known_of_clipboards_and_openers() -> None:
    assert clipboard_trouble({"TERM": "xterm-256color"}, "x") == ""
    assert "VTE" in clipboard_trouble({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, "x")
    assert "too long" in clipboard_trouble({}, "x" * 80_000)
    assert opener({}, which=lambda _: "/bin/x") == []
    assert opener({"WAYLAND_DISPLAY": "w"}, which=lambda name: name) == ["xdg-open"]
