"""The start of the program as a terminal sees it: asked once, known the next time, never in the way."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tui_tapback.domain.errors import SettingsError
from tui_tapback.terminal.background import QUESTION, Sieve
from tui_tapback.terminal.background_cache import BackgroundCache
from tui_tapback.terminal.cache import FRESH_FOR
from tui_tapback.terminal.choice import Choice
from tui_tapback.terminal.driver import Inquiry
from tui_tapback.terminal.probe import PROBES, SEQUENCES
from tui_tapback.terminal.start import Acquaintance

if TYPE_CHECKING:
    from .conftest import ScriptedTerminal

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

Scripted = Callable[..., "ScriptedTerminal"]
UTF8 = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}


def clustered(text: str) -> int:
    return 1 if text in PROBES["symbols"] else 2


def one_cell(text: str) -> int:
    del text
    return 1


def start(
    terminal: ScriptedTerminal,
    folder: Path,
    environ: dict[str, str] = UTF8,
    override: str = "auto",
    *,
    settled: bool = True,
) -> tuple[Choice, bytes]:
    typed: list[bytes] = []
    ask = partial(Inquiry, terminal.device, deadline=30.0)
    with Acquaintance(environ, override, folder, typed.append, inquiry=ask) as acquaintance:
        if settled:
            terminal.settle()  # the program loads
        return acquaintance.choose(), b"".join(typed)


def test_the_first_start_asks_and_the_next_one_knows(scripted: Scripted, tmp_path: Path) -> None:
    terminal = scripted(clustered, typing=(b"hi",))
    choice, typed = start(terminal, tmp_path)
    assert choice.profile.joined and "just now" in choice.why and typed == b"hi"
    terminal.settle()
    asked = terminal.written.count("\x1b[6n")
    assert asked == 56 and not terminal.alternate
    choice, typed = start(terminal, tmp_path)
    assert choice.profile.joined and "earlier" in choice.why and typed == b""
    assert terminal.written.count("\x1b[6n") == asked


@pytest.mark.parametrize(
    ("environ", "override", "name"),
    [
        (UTF8 | {"TMUX": "x"}, "auto", "safe"),
        (UTF8 | {"TERM": "dumb"}, "auto", "ascii"),
        (UTF8 | {"LC_ALL": "C"}, "auto", "ascii"),
        (UTF8, "text", "text"),
    ],
)
def test_where_nothing_is_to_be_asked_nothing_is_drawn_and_kept(
    scripted: Scripted, tmp_path: Path, environ: dict[str, str], override: str, name: str
) -> None:
    terminal = scripted(clustered)
    choice, _ = start(terminal, tmp_path, environ, override, settled=False)
    assert choice.profile.name == name
    terminal.settle()
    colour = "" if environ["TERM"] == "dumb" else QUESTION  # which leaves the screen alone
    assert terminal.written == f"{colour}\x1b[99z" and list(tmp_path.iterdir()) == []


def test_a_mute_terminal_delays_one_start_a_little_and_the_next_not_at_all(
    scripted: Scripted, tmp_path: Path
) -> None:
    terminal = scripted(clustered, answers=0)
    began = time.monotonic()
    choice, _ = start(terminal, tmp_path, settled=False)
    assert choice.profile.name == "safe" and "no answer" in choice.why
    assert time.monotonic() - began < 5
    terminal.settle()
    before = terminal.written
    choice, _ = start(terminal, tmp_path, settled=False)
    assert "no answer" in choice.why
    terminal.settle()
    assert "6n" not in terminal.written[len(before) :]


def aged(folder: Path, seconds: float) -> None:
    """Make every kept answer older."""
    file = folder / "terminals.json"
    document = json.loads(file.read_text("utf-8"))
    for entry in document["terminals"].values():
        entry["at"] -= seconds
    file.write_text(json.dumps(document), "utf-8")


def test_what_is_answered_after_the_first_picture_still_counts(scripted: Scripted, tmp_path: Path) -> None:
    terminal = scripted(clustered, answers=20, mode=1, typing=(b"x",))
    settled: list[Choice] = []
    ask = partial(Inquiry, terminal.device)
    with Acquaintance(UTF8, "auto", tmp_path, lambda _: None, inquiry=ask) as acquaintance:
        terminal.settle()
        assert acquaintance.choose().profile.name == "safe"
    acquaintance.settle_with(settled.append)
    rest = [f"\x1b[2;{clustered(text) + 1}R" for text in SEQUENCES[20:]]
    early = "".join(rest[:3])
    assert acquaintance.sift(f"a{early[:5]}{early[5:]}b\x1b") == "ab\x1b"
    for answer in rest[3:]:
        assert acquaintance.heard(2, int(answer[4:-1]))
    assert settled == []
    assert acquaintance.heard(2, 1)
    assert [choice.profile.name for choice in settled] == ["measured"] and settled[0].profile.joined
    assert not acquaintance.heard(2, 1), "the next answer is somebody else's"
    assert acquaintance.sift("c") == "c"
    acquaintance.confirm()
    again = scripted(clustered)
    assert "earlier" in start(again, tmp_path)[0].why and "\x1b[6n" not in again.written


def test_who_loses_answers_is_not_listened_to_for_ever(scripted: Scripted, tmp_path: Path) -> None:
    terminal = scripted(clustered, answers=20)
    ask = partial(Inquiry, terminal.device)
    with Acquaintance(UTF8, "auto", tmp_path, lambda _: None, inquiry=ask) as acquaintance:
        terminal.settle()
        acquaintance.choose()
    assert acquaintance.heard(2, 3)
    assert not acquaintance.heard(7, 3) and not acquaintance.heard(2, 3)


def test_who_was_silent_and_answers_real_frames_is_asked_at_the_next_start(
    scripted: Scripted, tmp_path: Path
) -> None:
    mute = scripted(clustered, answers=0)
    with Acquaintance(UTF8, "auto", tmp_path, lambda _: None, inquiry=partial(Inquiry, mute.device)) as new:
        new.choose()
    with Acquaintance(UTF8, "auto", tmp_path, lambda _: None, inquiry=partial(Inquiry, mute.device)) as known:
        known.choose()
    known.confirm()
    awake = scripted(clustered)
    assert "just now" in start(awake, tmp_path)[0].why


def test_an_answer_that_is_old_is_asked_for_again_and_serves_where_none_comes(
    scripted: Scripted, tmp_path: Path
) -> None:
    start(scripted(clustered), tmp_path)
    aged(tmp_path, FRESH_FOR + 1)
    mute = scripted(clustered, answers=0)
    choice, _ = start(mute, tmp_path)
    assert choice.profile.joined and "earlier" in choice.why and "\x1b[6n" in mute.written
    aged(tmp_path, FRESH_FOR + 1)
    narrow = scripted(one_cell)
    choice, _ = start(narrow, tmp_path)
    assert choice.profile.name == "text" and "just now" in choice.why and not narrow.alternate


def test_what_real_frames_say_of_the_kept_answer_counts(scripted: Scripted, tmp_path: Path) -> None:
    first = scripted(clustered)
    with Acquaintance(UTF8, "auto", tmp_path, lambda _: None, inquiry=partial(Inquiry, first.device)) as new:
        first.settle()
        new.choose()
    aged(tmp_path, FRESH_FOR + 60)
    new.confirm()
    aged(tmp_path, FRESH_FOR - 60)
    terminal = scripted(clustered)
    with Acquaintance(
        UTF8, "auto", tmp_path, lambda _: None, inquiry=partial(Inquiry, terminal.device)
    ) as known:
        known.choose()
        known.confirm()
    aged(tmp_path, 120)
    start(terminal, tmp_path)
    assert "\x1b[6n" not in terminal.written, "a confirmed answer is asked for again"
    settled: list[Choice] = []
    known.settle_with(settled.append)
    known.forget()
    assert [choice.profile.name for choice in settled] == ["safe"]
    start(terminal, tmp_path)
    assert "\x1b[6n" in terminal.written


def test_a_folder_that_keeps_nothing_does_not_hinder(scripted: Scripted, tmp_path: Path) -> None:
    choice, _ = start(scripted(clustered), tmp_path / "gone")
    assert choice.profile.joined


def test_a_failure_while_loading_gives_the_terminal_back(scripted: Scripted, tmp_path: Path) -> None:
    terminal = scripted(clustered)
    typed: list[bytes] = []
    ask = partial(Inquiry, terminal.device)
    with pytest.raises(RuntimeError), Acquaintance(UTF8, "auto", tmp_path, typed.append, inquiry=ask):
        raise RuntimeError
    terminal.settle()
    assert not terminal.alternate
    with pytest.raises(SettingsError), Acquaintance(UTF8, "rainbow", tmp_path, typed.append, inquiry=ask):
        pass


WHITE, BLACK = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", b"\x1b]11;rgb:0000/0000/0000\x07"


@pytest.mark.parametrize(("answer", "dark"), [(WHITE, False), (BLACK, True), (b"\x1b]11;pink\x07", None)])
def test_the_background_is_told_with_the_widths_and_kept(
    scripted: Scripted, tmp_path: Path, answer: bytes, dark: bool | None
) -> None:
    terminal = scripted(clustered, background=answer, follows=2, typing=(b"hi",))
    typed: list[bytes] = []
    ask = partial(Inquiry, terminal.device, deadline=30.0)
    with Acquaintance(UTF8, "auto", tmp_path, typed.append, inquiry=ask) as first:
        terminal.settle()
        assert first.choose().profile.joined and typed == [b"hi"]
    assert first.dark is dark and first.told_dark is dark and first.follows
    mute = scripted(clustered)
    ask = partial(Inquiry, mute.device)
    with Acquaintance(UTF8, "auto", tmp_path, typed.append, inquiry=ask) as second:
        second.choose()
    assert second.dark is dark and second.told_dark is None and second.follows


def test_the_background_is_asked_for_at_each_start_and_where_widths_are_not(
    scripted: Scripted, tmp_path: Path
) -> None:
    tmux = UTF8 | {"TMUX": "x"}
    for answer, dark in ((WHITE, False), (BLACK, True)):
        terminal = scripted(clustered, background=answer)
        ask = partial(Inquiry, terminal.device, deadline=30.0)
        with Acquaintance(tmux, "auto", tmp_path, lambda _: None, inquiry=ask) as acquaintance:
            terminal.settle()
            acquaintance.choose()
        terminal.settle()
        assert acquaintance.told_dark is dark and not acquaintance.follows
        assert terminal.written == f"{QUESTION}\x1b[99z\x1b[99z"


def test_a_background_that_is_known_is_not_asked_for_again(scripted: Scripted, tmp_path: Path) -> None:
    sieve, terminal = Sieve(), scripted(clustered)
    assert sieve.feed("a" + WHITE.decode() + "b") == "ab"
    ask = partial(Inquiry, terminal.device)
    with Acquaintance(UTF8, "safe", tmp_path, lambda _: None, sieve=sieve, inquiry=ask) as acquaintance:
        acquaintance.choose()
    terminal.settle()
    assert acquaintance.dark is False and QUESTION not in terminal.written


def test_a_background_that_is_told_late_or_in_pieces_is_heard_and_no_key(
    scripted: Scripted, tmp_path: Path
) -> None:
    terminal = scripted(clustered)
    turned: list[bool] = []
    ask = partial(Inquiry, terminal.device)
    with Acquaintance(UTF8, "safe", tmp_path, lambda _: None, inquiry=ask) as acquaintance:
        acquaintance.choose()
    assert acquaintance.dark is None
    acquaintance.turn_with(turned.append)
    assert acquaintance.sift("a" + WHITE.decode()[:9]) == "a" and turned == []
    assert acquaintance.sift(WHITE.decode()[9:] + "b\x1b") == "b\x1b" and turned == [False]
    acquaintance.turns(False)
    acquaintance.turns(True)
    assert turned == [False, True] and acquaintance.dark


def test_what_is_kept_of_backgrounds_may_be_damaged(tmp_path: Path) -> None:
    file = tmp_path / "backgrounds.json"
    cache = BackgroundCache(file)
    cache.keep(UTF8, dark=True)
    written = file.stat().st_mtime_ns
    cache.keep(UTF8, dark=True)
    assert file.stat().st_mtime_ns == written and cache.find(UTF8) is True
    assert cache.find(UTF8 | {"TERM": "xterm"}) is None
    for damaged in (b"", b"[]", b'{"a": 2}', b"\xff", b"[" * 9000):
        file.write_bytes(damaged)
        assert cache.find(UTF8) is None
    for number in range(40):
        cache.keep({"TERM": str(number)}, dark=False)
    assert len(json.loads(file.read_text("utf-8"))) == 32 and file.stat().st_mode & 0o777 == 0o600
