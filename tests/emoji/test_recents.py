"""The list of recent emoji survives whatever is in its file and never shows one emoji twice."""

import json
import math
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.core import core
from tui_tapback.emoji.file_lock import locked
from tui_tapback.emoji.normalise import base_of, normalise_or_none
from tui_tapback.emoji.recents import CAPACITY, HALF_LIFE, Recents


class ManualClock:
    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def test_used_emoji_come_back_after_a_restart_the_most_used_first(tmp_path: Path, clock: ManualClock) -> None:
    # case B197
    recents = Recents(clock)
    for emoji in ("🎉", "🦊", "🦊", "👍", "🦊"):
        recents.use(emoji)
    recents.save(tmp_path / "recents.json")
    again = Recents.load(tmp_path / "recents.json", clock)
    assert again.top()[0] == "🦊"
    assert set(again) == {"🎉", "🦊", "👍"}
    assert again.weights()["🦊"] == 1.0


def test_what_was_used_often_long_ago_gives_way(clock: ManualClock) -> None:
    recents = Recents(clock)
    for _ in range(4):
        recents.use("🎃")
    clock.now += 4 * HALF_LIFE
    recents.use("🎄")
    assert recents.top() == ("🎄", "🎃")


@pytest.mark.parametrize(
    ("first", "second"), [("❤", "❤️"), ("👍", "👍\ufe0f"), ("❤️", "❤\ufe0e"), ("👁‍🗨", "👁️‍🗨️")]
)
def test_two_spellings_are_one_entry_with_both_counts(first: str, second: str, clock: ManualClock) -> None:
    # case B198
    recents = Recents(clock)
    recents.use(first)
    recents.use(second)
    recents.use("🦄")
    assert len(recents) == 2
    assert recents.top()[0] == normalise_or_none(first)


def test_an_old_file_with_both_spellings_is_merged(tmp_path: Path, clock: ManualClock) -> None:
    # case B198
    path = tmp_path / "recents.json"
    at = clock.now
    path.write_text(
        json.dumps(
            {
                "emoji": {
                    "❤": {"weight": 1, "at": at},
                    "❤️": {"weight": 2, "at": at},
                    "👍": {"weight": 2, "at": at},
                }
            }
        )
    )
    assert Recents.load(path, clock).top() == ("❤️", "👍")


def test_a_tone_from_the_setting_is_folded_and_a_tone_picked_is_kept(clock: ManualClock) -> None:
    # case B120
    recents = Recents(clock)
    recents.use("👍")
    recents.use("👍🏽", tone_is_default=True)
    assert recents.top() == ("👍",)
    assert recents.shown(tone=3) == ("👍🏽",)
    recents.use("🧑🏾‍🚀")
    assert set(recents.top()) == {"👍", "🧑🏾‍🚀"}
    recents.use("👍🏽")
    assert recents.shown(tone=3).count("👍🏽") == 1


BROKEN = [
    b"",
    b"   \n",
    b"{",
    b"null",
    b"[]",
    b"{}",
    b"42",
    b'"text"',
    b"\xff\xfe\x00",
    b'{"emoji": 7}',
    b'{"emoji": {"x": 1}}',
    b'{"emoji": {"\\ud83d": {"weight": 1, "at": 1}}}',
    b'{"emoji": {"\xf0\x9f\x91\x8d": {"weight": "1", "at": null}}}',
    b'{"emoji": {"\xf0\x9f\x91\x8d": {"weight": NaN, "at": 1}}}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("content", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_starts_empty_and_is_healed_by_the_next_save(
    content: bytes, tmp_path: Path, clock: ManualClock
) -> None:
    # case B196
    path = tmp_path / "recents.json"
    path.write_bytes(content)
    recents = Recents.load(path, clock)
    assert recents.top() == ()
    recents.use("🎉")
    recents.save(path)
    assert recents.problem == ""
    assert Recents.load(path, clock).top() == ("🎉",)


def test_broken_entries_are_skipped_and_the_sound_ones_stay(tmp_path: Path, clock: ManualClock) -> None:
    # cases B194, B195
    path = tmp_path / "recents.json"
    path.write_text(json.dumps(["👍", "people_hugging", "\ud83d", "", None, "😀" * 50, {"a": 1}, "😀"]))
    recents = Recents.load(path, clock)
    assert recents.top() == ("👍", "😀")
    recents.save(path)
    assert set(json.loads(path.read_text())["emoji"]) == {"👍", "😀"}


def test_two_clients_that_save_one_after_the_other_lose_nothing(tmp_path: Path, clock: ManualClock) -> None:
    path = tmp_path / "recents.json"
    one, two = Recents.load(path, clock), Recents.load(path, clock)
    one.use("🦊")
    two.use("🦄")
    two.use("🦄")
    one.save(path)
    two.save(path)
    one.use("🦊")
    one.save(path)
    one.save(path)
    stored = Recents.load(path, clock)
    assert set(stored) == {"🦊", "🦄"}
    assert set(one) == {"🦊", "🦄"}
    written = json.loads(path.read_text())["emoji"]
    assert [round(written[emoji]["weight"]) for emoji in ("🦊", "🦄")] == [2, 2]


def test_a_failed_save_leaves_the_old_file_whole(tmp_path: Path, clock: ManualClock) -> None:
    # case B196
    path = tmp_path / "folder" / "recents.json"
    recents = Recents(clock)
    recents.use("🎉")
    (tmp_path / "folder").write_text("a file where the folder should be")
    with pytest.raises(OSError):
        recents.save(path)
    (tmp_path / "folder").unlink()
    recents.save(path)
    assert {entry.name for entry in path.parent.iterdir()} == {"recents.json", ".recents.json.lock"}


def test_forgetting_reaches_the_file(tmp_path: Path, clock: ManualClock) -> None:
    # case B197
    path = tmp_path / "recents.json"
    recents = Recents(clock)
    recents.use("🎉")
    recents.use("❤️")
    recents.save(path)
    recents.forget("❤")
    recents.save(path)
    assert Recents.load(path, clock).top() == ("🎉",)
    recents.forget()
    recents.save(path)
    assert Recents.load(path, clock).top() == ()


SEQUENCES = list(core().chars[:400]) + [tone for tones in core().toned[:300] for tone in tones]


@given(st.lists(st.tuples(st.sampled_from(SEQUENCES), st.booleans(), st.floats(-1e6, 1e7)), max_size=40))
def test_no_emoji_stands_twice_and_weights_stay_within_bounds(steps: list[tuple[str, bool, float]]) -> None:
    clock = ManualClock()
    recents = Recents(clock)
    for emoji, folded, passed in steps:
        recents.use(emoji, tone_is_default=folded)
        clock.now += passed
    assert len(set(recents)) == len(recents) <= CAPACITY
    for tone in range(6):
        shown = recents.shown(100, tone)
        assert len(set(shown)) == len(shown)
    weights = recents.weights()
    assert all(0 <= weight <= 1 and math.isfinite(weight) for weight in weights.values())
    assert all(base_of(emoji) in core().chars for emoji in recents)


_SAVE = """
import sys, time
from pathlib import Path
from tui_tapback.emoji.recents import Recents
path, begin = Path(sys.argv[1]), float(sys.argv[2])
recents = Recents.load(path, time.time)
while time.time() < begin:
    pass
for emoji in sys.argv[3]:
    recents.use(emoji)
    recents.save(path)
"""


@pytest.mark.slow
def test_two_programs_that_save_at_the_same_instant_lose_nothing(tmp_path: Path) -> None:
    # case B196
    path = tmp_path / "recents.json"
    begin = time.time() + 1.0
    ours, theirs = "🦊🐸🐨🦉🐙🦋🐢🐬🦄🐝", "🍕🍔🍟🌮🍣🍩🍪🍰🍫🍿"
    running = [
        subprocess.Popen([sys.executable, "-c", _SAVE, str(path), str(begin), emoji])
        for emoji in (ours, theirs)
    ]
    assert [process.wait(timeout=30) for process in running] == [0, 0]
    assert set(Recents.load(path, time.time)) == set(ours + theirs)


def test_a_lock_held_for_long_fails_the_save_and_the_next_one_makes_it_good(
    tmp_path: Path, clock: ManualClock
) -> None:
    path = tmp_path / "recents.json"
    recents = Recents(clock)
    recents.use("🦊")
    with locked(path.with_name(f".{path.name}.lock")), pytest.raises(OSError, match="held"):
        recents.save(path)
    assert not path.exists()
    recents.save(path)
    assert list(Recents.load(path, clock)) == ["🦊"]


def test_a_form_chosen_for_an_emoji_stands_above_the_default_tone(tmp_path: Path, clock: ManualClock) -> None:
    path = tmp_path / "recents.json"
    recents = Recents(clock)
    recents.use("👍")
    recents.choose_form("👍🏿")
    recents.choose_form("👩🏻‍❤️‍👨🏿")
    recents.choose_tone(2)
    recents.save(path)
    again = Recents.load(path, clock)
    assert again.tone == 2
    assert again.form("👍", 2) == "👍🏿"
    assert again.form("👩‍❤️‍👨", 2) == "👩🏻‍❤️‍👨🏿"
    assert again.form("👋", 2) == "👋🏼"
    assert again.form("👋🏿", 2) == "👋🏿"
    assert again.shown(9, 2) == ("👍🏿",)
    again.choose_form("👍")
    assert again.form("👍", 2) == "👍🏼"
    again.save(path)
    assert Recents.load(path, clock).form("👍", 2) == "👍🏼"


@pytest.mark.parametrize("forms", [7, {}, ["\ud83d", "👍", "x", None], "👍🏿"])
@pytest.mark.parametrize("tone", [9, -1, "2", True, None])
def test_broken_forms_and_tones_are_passed_over(
    tmp_path: Path, clock: ManualClock, forms: object, tone: object
) -> None:
    path = tmp_path / "recents.json"
    path.write_text(json.dumps({"format": 1, "emoji": {}, "forms": forms, "tone": tone}), encoding="utf-8")
    recents = Recents.load(path, clock)
    assert recents.problem == ""
    assert recents.tone is None
    assert recents.form("👍", 0) == "👍"


def test_a_use_counts_half_after_two_weeks() -> None:
    now = [1_000_000.0]
    recents = Recents(lambda: now[0])
    for _ in range(3):
        recents.use("🐶")
    now[0] += 28 * 86_400.0
    recents.use("🐱")
    assert recents.top(2) == ("🐱", "🐶")


def test_a_use_out_of_the_future_ages_from_now_on(tmp_path: Path) -> None:
    path = tmp_path / "recent.json"
    path.write_text('{"emoji": {"🐶": {"weight": 3, "at": 9e15}}}', encoding="utf-8")
    now = [1_000_000.0]
    recents = Recents.load(path, lambda: now[0])
    now[0] += 60 * 86_400.0
    recents.use("🐱")
    assert recents.top(2) == ("🐱", "🐶")


def test_no_more_than_two_hundred_are_kept() -> None:
    recents = Recents(lambda: 1_000_000.0)
    for emoji in load_catalogue().all[:230]:
        recents.use(emoji.char)
    assert len(recents) == 200
