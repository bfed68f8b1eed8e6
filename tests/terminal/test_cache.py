from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.terminal.cache import (
    DAY,
    FRESH_FOR,
    MOST,
    SILENT_FOR,
    Known,
    ProbeCache,
    fingerprint,
    identity,
)
from tui_tapback.terminal.probe import SEQUENCES, ProbeResult

XTERM = {"TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"}
KITTY = {"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}
TWO = ProbeResult("answered", "reset", (2,) * len(SEQUENCES))
ONE = ProbeResult("answered", "set", (1,) * len(SEQUENCES))


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path: Path, clock: Clock) -> ProbeCache:
    return ProbeCache(tmp_path / "terminals.json", clock)


def test_each_terminal_finds_its_own_answer(cache: ProbeCache) -> None:
    cache.keep(XTERM, ONE)
    cache.keep(KITTY, TWO)
    assert cache.find(XTERM) == Known(ONE)
    assert cache.find(KITTY) == Known(TWO)
    assert cache.find(XTERM | {"XTERM_VERSION": "XTerm(412)"}) is None


def test_the_file_is_the_owners_alone_and_nothing_is_left_beside_it(
    cache: ProbeCache, tmp_path: Path
) -> None:
    cache.keep(XTERM, ONE)
    cache.keep(XTERM, TWO)
    assert [path.name for path in tmp_path.iterdir()] == ["terminals.json"]
    assert stat.S_IMODE((tmp_path / "terminals.json").stat().st_mode) == 0o600
    assert cache.find(XTERM) == Known(TWO)


def test_an_answer_grows_old_and_silence_faster(cache: ProbeCache, clock: Clock) -> None:
    cache.keep(XTERM, ONE)
    cache.keep(KITTY, ProbeResult("silent"))
    clock.now += SILENT_FOR - 1
    assert cache.find(KITTY) == Known(ProbeResult("silent"))
    clock.now += 2
    assert cache.find(KITTY) == Known(ProbeResult("silent"), stale=True)
    clock.now += FRESH_FOR
    assert cache.find(XTERM) == Known(ONE, stale=True)
    clock.now = 0.0  # a clock that was set back does not make an answer young for ever
    assert cache.find(XTERM) == Known(ONE, stale=True)


def test_silence_does_not_drive_out_an_answer(cache: ProbeCache, clock: Clock) -> None:
    cache.keep(XTERM, ONE)
    clock.now += FRESH_FOR + DAY
    cache.keep(XTERM, ProbeResult("partial"))
    assert cache.find(XTERM) == Known(ONE)
    clock.now += SILENT_FOR + 1
    assert cache.find(XTERM) == Known(ONE, stale=True)
    cache.keep(XTERM, TWO)
    assert cache.find(XTERM) == Known(TWO)


def test_only_the_terminals_asked_last_are_kept(cache: ProbeCache, clock: Clock) -> None:
    for number in range(MOST + 5):
        clock.now += 1
        cache.keep({"TERM": f"t{number}"}, ONE)
    assert [cache.find({"TERM": f"t{number}"}) is None for number in (0, 4, 5, MOST + 4)] == [
        *(True, True),
        *(False, False),
    ]


def broken(change: Callable[[dict[str, object]], object]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        document = json.loads(path.read_text("utf-8"))
        change(document["terminals"][fingerprint(XTERM)])
        path.write_text(json.dumps(document), "utf-8")

    return damage


DAMAGES: list[Callable[[Path], object]] = [
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(b"\xff\x00{"),
    lambda path: path.write_bytes(path.read_bytes()[:-40]),
    lambda path: path.write_text("[" * 100_000, "utf-8"),
    lambda path: path.write_text('{"terminals": []}', "utf-8"),
    lambda path: path.unlink(),
    broken(lambda entry: entry.update(at="yesterday")),
    broken(lambda entry: entry.update(edition="other probes")),
    broken(lambda entry: entry.update(result={"outcome": "answered", "mode2027": "set", "widths": [2]})),
    broken(lambda entry: entry.update(result={"outcome": "perhaps", "mode2027": "set", "widths": []})),
    broken(lambda entry: entry.pop("result")),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_heals_with_the_next_answer(
    cache: ProbeCache, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    cache.keep(XTERM, ONE)
    damage(tmp_path / "terminals.json")
    assert cache.find(XTERM) is None
    cache.keep(XTERM, TWO)
    assert cache.find(XTERM) == Known(TWO)


def test_one_bad_entry_costs_itself_only(cache: ProbeCache, tmp_path: Path) -> None:
    cache.keep(XTERM, ONE)
    cache.keep(KITTY, TWO)
    broken(lambda entry: entry.clear())(tmp_path / "terminals.json")
    assert cache.find(XTERM) is None and cache.find(KITTY) == Known(TWO)


def test_what_is_forgotten_is_asked_again_and_others_stay(cache: ProbeCache) -> None:
    cache.keep(XTERM, ONE)
    cache.keep(KITTY, TWO)
    cache.forget(XTERM)
    cache.forget(XTERM)
    assert cache.find(XTERM) is None and cache.find(KITTY) == Known(TWO)


def test_a_folder_that_takes_nothing_is_an_error_for_the_caller(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        ProbeCache(tmp_path / "gone" / "terminals.json").keep(XTERM, ONE)


def test_the_file_says_nothing_of_connections_and_windows(cache: ProbeCache, tmp_path: Path) -> None:
    private = {"SSH_CONNECTION": "203.0.113.9 5 203.0.113.1 22", "WINDOWID": "12345", "HOME": "/secret"}
    cache.keep(XTERM | private, ONE)
    text = (tmp_path / "terminals.json").read_text("utf-8")
    assert "203.0" not in text and "12345" not in text and "/secret" not in text
    assert identity(XTERM | private)["SSH_CONNECTION"] == "present"


@given(
    st.dictionaries(st.sampled_from(["TERM", "TERM_PROGRAM", "VTE_VERSION", "HOME"]), st.text(max_size=200))
)
def test_any_environment_has_a_stable_key(environ: dict[str, str]) -> None:
    key = fingerprint(environ)
    assert key == fingerprint(dict(reversed(environ.items()))) == fingerprint(environ | {"HOME": "elsewhere"})
    assert len(key) == 16
