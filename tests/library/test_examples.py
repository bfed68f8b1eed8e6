"""Every example of the documentation runs, and does what it says."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest
from textual.app import App

from tui_tapback.client import unix_connector
from tui_tapback.testing.client import emojis, opened, running_client
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (160, 50)], ids=lambda s: f"{s[0]}x{s[1]}")


def app_of(file: str, name: str) -> App[None]:
    """The app of an example."""
    return cast("App[None]", runpy.run_path(str(EXAMPLES / file))[name]())


def test_every_example_is_tested_here_or_with_its_widget_and_is_one_short_file() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.suffix == ".py"} == {
        *("headless.py", "picker.py", "pill.py", "transcript.py")
    }
    for path in EXAMPLES.glob("*.py"):
        text = path.read_text("utf-8")
        assert len(text.splitlines()) <= 70, path.name
        assert ast.get_docstring(ast.parse(text)), path.name


@SIZES
async def test_the_pill_sets_changes_and_takes_back(size: tuple[int, int]) -> None:
    app = app_of("pill.py", "Card")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert "▐❤ ▌" in screen_text(app)
        await pilot.press("tab", "2")
        await settle(pilot)
        assert "▐👍▌❤ ▌" in screen_text(app)
        await pilot.press("7")
        await settle(pilot)
        assert "▐🎉▌❤ ▌" in screen_text(app)
        await pilot.press("7")
        await settle(pilot)
        assert "▐❤ ▌" in screen_text(app) and "🎉▌" not in screen_text(app)
        assert line_widths(app) == {size[0]}


@SIZES
async def test_the_picker_types_what_was_picked_and_gives_the_focus_back(size: tuple[int, int]) -> None:
    app = app_of("picker.py", "Writing")
    async with app.run_test(size=size) as pilot:
        await pilot.press("f2", *"daumen", "enter")
        await settle(pilot)
        await pilot.press("!")
        await settle(pilot)
        line = cast("Any", app).line
        assert line.value == "👍!"
        assert app.focused is line
        assert line_widths(app) == {size[0]}


async def test_the_headless_client_hears_an_answer_and_its_tapback_arrives(tmp_path: Path) -> None:
    main = cast("Callable[[Path], Awaitable[str]]", runpy.run_path(str(EXAMPLES / "headless.py"))["main"])
    async with RunningServer(tmp_path) as server:
        assert await main(server.path)
        async with running_client(unix_connector(server.path)) as client:
            state = await opened(client)
            assert emojis(state.messages[-1]) == ["user ❤️"]


def test_the_headless_example_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["headless.py"])
    with pytest.raises(SystemExit, match="serve --socket"):
        runpy.run_path(str(EXAMPLES / "headless.py"), run_name="__main__")


def test_the_headless_example_is_twenty_lines() -> None:
    tree = ast.parse((EXAMPLES / "headless.py").read_text("utf-8"))
    main = next(node for node in tree.body if isinstance(node, ast.AsyncFunctionDef))
    assert (main.end_lineno or 0) - main.lineno < 20
