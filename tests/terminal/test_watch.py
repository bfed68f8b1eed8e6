"""The questions that travel with real frames: where they stand, what the answers mean."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual import events
from textual.app import App
from textual.drivers.web_driver import WebDriver

from tui_tapback.terminal.link import EVERY, QUESTION, LinkPace
from tui_tapback.terminal.screen_driver import screen_driver
from tui_tapback.terminal.watch import SURE, Watch


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Scene:
    """A watch with its clock, and what it has called."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.called: list[str] = []
        self.watch = Watch(LinkPace(self.clock))
        self.watch.report_to(
            confirmed=lambda: self.called.append("confirmed"),
            wrong=lambda: self.called.append("wrong"),
        )

    def frame(self, output: str) -> str:
        self.clock.now += EVERY
        return self.watch.outgoing(output)


FRAME = "\x1b[2;5H\x1b[1mhi ❤️\x1b[0m you\x1b[3;1Hplain"


def test_the_question_stands_behind_an_emoji_and_changes_nothing_else() -> None:
    scene = Scene()
    written = scene.frame(FRAME)
    assert written == FRAME.replace("❤️", f"❤️{QUESTION}")
    assert scene.watch.outgoing(FRAME) == FRAME, "one question at a time"


@pytest.mark.parametrize("output", ["", "\x1b[?2026h", "\x1b]2;title\x07", "hello ❤️"])
def test_what_is_no_frame_is_left_alone(output: str) -> None:
    assert Scene().frame(output) == output


def test_the_last_emoji_of_a_frame_is_asked_about() -> None:
    first, last = "\x1b[2;5Ha 👍 b", "\x1b[9;1Hc 👍 d"
    assert Scene().frame(first + last) == first + last.replace("👍", f"👍{QUESTION}")


def test_answers_from_another_row_say_nothing_of_widths() -> None:
    scene = Scene()
    for _ in range(2 * SURE):
        scene.frame(FRAME)
        assert scene.watch.cursor_at(7, 10)
    assert scene.called == []


def test_a_frame_without_emoji_is_asked_for_at_its_end() -> None:
    scene = Scene()
    assert scene.frame("\x1b[1;1Hplain") == f"\x1b[1;1Hplain{QUESTION}"
    assert scene.watch.cursor_at(9, 9) and scene.called == []


def test_answers_that_agree_confirm_once_and_others_are_wrong_once() -> None:
    for column, verdict in ((10, "confirmed"), (9, "wrong")):
        scene = Scene()
        for _ in range(2 * SURE):
            assert QUESTION in scene.frame(FRAME)
            assert scene.watch.cursor_at(2, column)
        assert scene.called == [verdict]


def test_an_answer_that_nobody_asked_for_is_passed_on() -> None:
    scene = Scene()
    assert not scene.watch.cursor_at(1, 5)
    scene.frame(FRAME)
    assert scene.watch.cursor_at(7, 10) and scene.called == []
    assert not scene.watch.cursor_at(2, 10)


def test_answers_to_an_earlier_question_come_first() -> None:
    scene = Scene()
    earlier = iter((True, True))
    scene.watch.answer_first(lambda _row, _column: next(earlier, False))
    scene.frame(FRAME)
    assert scene.watch.cursor_at(2, 3) and scene.watch.cursor_at(2, 10) and scene.called == []
    for _ in range(SURE):
        assert scene.watch.cursor_at(2, 10)
        scene.frame(FRAME)
    assert scene.called == ["confirmed"]


def test_a_slow_terminal_is_told() -> None:
    scene = Scene()
    for _ in range(2):
        scene.frame(FRAME)
        scene.clock.now += 0.5
        scene.watch.cursor_at(2, 10)
    assert scene.watch.slow


RUNS = st.lists(
    st.one_of(
        st.sampled_from(["❤️", "👍", "日", "│", "a ", "\x1b[1;31m", "\x1b[0m"]), st.text("xyz", max_size=4)
    ),
    max_size=12,
).map("".join)


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 90), RUNS), min_size=1, max_size=4))
def test_the_column_that_is_meant_is_that_of_the_text_before_the_question(
    rows: list[tuple[int, int, str]],
) -> None:
    scene = Scene()
    output = "".join(f"\x1b[{row};{column}H{text}" for row, column, text in rows)
    written = scene.frame(output)
    assert written.replace(QUESTION, "") == output and written.count(QUESTION) == 1
    before = written[: written.index(QUESTION)]
    row, column, run = max(
        ((row, column, before.rpartition(f"\x1b[{row};{column}H")) for row, column, _ in rows),
        key=lambda each: len(each[2][0]) if each[2][1] else -1,
    )
    text = "".join(part.partition("m")[2] if part.startswith("[") else part for part in run[2].split("\x1b"))
    for _ in range(SURE):
        scene.watch.cursor_at(row, column + cell_len(text))
        scene.frame(output)
    emoji = "❤️" in output or "👍" in output
    assert scene.called == (["confirmed"] if emoji else [])


def test_a_browser_is_asked_nothing() -> None:
    web = {"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}
    driver = screen_driver(Scene().watch, pinned=False, environ=web)
    assert driver is not None and issubclass(driver, WebDriver)


@pytest.fixture
def signals() -> Iterator[None]:
    """Textual's driver takes over the signals of job control."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals")
async def test_the_driver_lets_an_open_question_be_answered_before_it_gives_the_terminal_back() -> None:
    settled: list[bool] = []

    class Settling(Watch):
        def settle(self) -> None:
            settled.append(True)

    base: Any = screen_driver(Settling(LinkPace()), pinned=False, environ={})
    base(App[None](), size=(80, 24)).disable_input()
    assert settled == [True]


@pytest.mark.usefixtures("signals")
async def test_the_driver_writes_pinned_and_keeps_only_its_own_answers() -> None:
    scene, written, passed = Scene(), list[str](), list[object]()
    base: Any = screen_driver(scene.watch, pinned=True, environ={})

    class Recording(base):
        def send_message(self, message: object) -> None:
            passed.append(message)

    class Line:
        def write(self, text: str) -> None:
            written.append(text)

    driver: Any = Recording(App[None](), size=(80, 24))
    driver._writer_thread = Line()
    scene.clock.now += EVERY
    driver.write(FRAME)
    assert written == [FRAME.replace("❤️", f"❤️ {QUESTION}")]
    driver.process_message(events.CursorPosition(9, 1))
    assert passed == []
    driver.process_message(events.CursorPosition(9, 1))
    assert len(passed) == 1
