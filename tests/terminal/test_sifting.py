"""Textual's parser behind the sieve: answers are no keys, keys are what they were; and why it is needed."""

from __future__ import annotations

import codecs
import time
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from textual import constants
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.events import AppFocus, Key, Paste
from textual.message import Message

from tui_tapback.terminal.background import PASTE, PASTED, Sieve
from tui_tapback.terminal.sifting import BURST, SiftingParser

REPORT = "\x1b[?997;2n"
ANSWER = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
PATIENCE = 30.0


def typed(events: list[Message]) -> str:
    return "".join(event.character or event.key for event in events if isinstance(event, Key))


class Scene:
    def __init__(self) -> None:
        self.told: list[bool] = []
        self.events: list[Message] = []
        self.parser: XTermParser = SiftingParser(False, Sieve(), self.told.append)

    def feed(self, *pieces: str) -> list[Message]:
        return [event for piece in pieces for event in [*self.parser.feed(piece), *self.parser.tick()]]

    def until_a_key(self) -> list[Message]:
        deadline = time.monotonic() + PATIENCE
        while not (events := list(self.parser.tick())):
            assert time.monotonic() < deadline, "no key comes"
            time.sleep(0.01)
        return events


class Bare(Scene):
    """Textual's own parser."""

    def __init__(self) -> None:
        super().__init__()
        self.parser = XTermParser()


def test_textual_still_types_what_it_does_not_know() -> None:
    """When this fails Textual understands one of them, and sifting.py may be dropped for it."""
    for answer in (REPORT, ANSWER):
        parser = XTermParser()
        assert typed([*parser.feed(answer), *parser.feed("\x1b[A"), *parser.feed("")]) not in ("", "up")


def test_textuals_loop_still_takes_the_parser_by_its_name() -> None:
    names = LinuxDriver.run_input_thread.__code__
    assert XTermParser.__name__ in names.co_names and not names.co_freevars
    assert codecs.getincrementaldecoder.__name__ in names.co_names


@pytest.mark.parametrize("at", range(1, len(REPORT)))
def test_a_report_is_heard_wherever_it_is_cut(at: int) -> None:
    scene = Scene()
    assert typed(scene.feed("a" + REPORT[:at], REPORT[at:] + "b")) == "ab" and scene.told == [False]


def test_answers_among_keys_are_heard_in_order() -> None:
    scene = Scene()
    events = scene.feed("h", f"é{ANSWER}\x1b[A{REPORT}\x1b[?997;1n", "\x1b[I\x1b[200~xy\x1b[201~!")
    assert typed(events) == "héup!" and scene.told[-1] is True
    assert [type(event) for event in events if not isinstance(event, Key)] == [AppFocus, Paste]


@pytest.mark.parametrize("keys", ["\x1b", "\x1b]", "\x1b[", "\x1bx", "\x1b[?99", "\x1b[20", "\x1b\x1b"])
def test_what_was_no_answer_is_the_keys_that_it_was(keys: str) -> None:
    ours, bare = Scene(), Bare()
    for scene in (ours, bare):
        scene.events = scene.feed(keys)
        scene.events += scene.until_a_key() if not scene.events or keys == "\x1b\x1b" else []
    assert [str(event) for event in ours.events] == [str(event) for event in bare.events]


def test_esc_takes_no_longer_than_with_textual() -> None:
    scene = Scene()
    assert scene.feed("\x1b") == []
    time.sleep(constants.ESCAPE_DELAY)
    assert [event.key for event in scene.parser.tick() if isinstance(event, Key)] == ["escape"]


def test_what_is_held_at_the_end_is_typed_but_for_an_answer() -> None:
    assert typed(Scene().feed("\x1b", "")) == "\x1b"
    assert typed(Scene().feed("\x1b]11;rgb:f", "")) == ""


def test_a_flood_of_letters_is_one_paste_and_typing_is_keys() -> None:
    letters = "Many letters, é and 危 too. " * 40
    events = [event for event in Scene().feed(letters + "\r" + "ok") if not isinstance(event, AppFocus)]
    assert [type(event) for event in events] == [Paste, Key, Key, Key]
    assert isinstance(events[0], Paste) and events[0].text == letters
    assert typed(events[2:]) == "ok"
    for keys in (letters[: BURST - 1], "j" * 500):
        assert typed(Scene().feed(keys)) == keys


HOSTILE = "a\x1b[31mred\x07b\x1b\x1b]0;t\x07\x1b[A\x1bOP\nrm -rf /\n\x1b[200~"


@given(
    st.text(st.sampled_from([*"ab\n\x07\x03[~20;m", "\x1b", "é", "👍"]), max_size=40),
    st.lists(st.integers(0, 60), max_size=6),
)
@example(HOSTILE, [])
@example(HOSTILE, list(range(60)))
def test_a_paste_is_one_paste_whatever_is_in_it_and_wherever_it_is_cut(pasted: str, cuts: list[int]) -> None:
    assume(PASTED not in pasted + PASTED[:-1])
    whole = f"x{PASTE}{pasted}{PASTED}y"
    places = sorted({0, *(cut for cut in cuts if cut < len(whole)), len(whole)})
    scene = Scene()
    events = scene.feed(*(whole[first:last] for first, last in pairwise(places)))
    assert typed(events) == "xy"
    assert [event.text for event in events if isinstance(event, Paste)] == [pasted]
    assert scene.told == []


def test_a_paste_that_stalls_in_the_middle_of_its_end_waits_for_it() -> None:
    scene = Scene()
    assert scene.feed(f"{PASTE}ab\x1b[20") == []
    time.sleep(1.2 * constants.ESCAPE_DELAY)
    assert list(scene.parser.tick()) == []
    events = scene.feed("1~!")
    assert [event.text for event in events if isinstance(event, Paste)] == ["ab"] and typed(events) == "!"


def test_a_paste_without_an_end_comes_with_the_end_of_all() -> None:
    scene = Scene()
    scene.feed(f"{PASTE}ab")
    events = scene.feed("")
    assert [event.text for event in events if isinstance(event, Paste)] == ["ab"]
