"""The derived tables and the index agree with the rows after whatever was done to them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tui_tapback.gateway.service.matching import Terms
from tui_tapback.gateway.store.database import Database
from tui_tapback.gateway.store.pages import Pages
from tui_tapback.gateway.store.records import NewMessage, SessionRecord
from tui_tapback.gateway.store.search import Filters, SearchTable
from tui_tapback.gateway.store.store import Store

SESSIONS = tuple(f"20270115_080000_00000{n}" for n in range(2))
WORDS = ("Hello", "世界", "界", "ÄRGER", "two words", 'a "quote"', "%", "_", "👍🏽", "x")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "state.db")
    _begin(opened)
    yield opened
    opened.close()


def _begin(store: Store) -> None:
    with store.transaction():
        for session_id in SESSIONS:
            store.sessions.insert(SessionRecord(session_id, "t", "", "", "[]", 1.0, 1.0))


def _say(store: Store, text: str, *, role: str = "user", session: int = 0, emoji: str = "") -> int:
    metadata = {"reactions": [{"emoji": emoji, "author": "user", "at": 1.0}]} if emoji else {}
    with store.transaction():
        return store.messages.insert(
            NewMessage(session_id=SESSIONS[session], role=role, text=text, at=1.0, metadata=metadata)
        ).row_id


def _found(store: Store, *terms: str, **filters: object) -> list[int]:
    hits = store.search.candidates(terms, Filters(**filters))  # pyright: ignore[reportArgumentType]  # as in JSON
    return [hit.row_id for hit in hits if all(term in hit.text.lower() for term in terms)]


def test_words_are_found_in_any_place_case_and_script(store: Store) -> None:
    first = _say(store, "Say Hello to the 世界")
    second = _say(store, "ends with 界", role="assistant")
    assert _found(store, "hello") == [first]
    assert _found(store, "ell") == [first]
    assert _found(store, "世界") == [first]
    assert _found(store, "界") == [second, first]
    assert _found(store, "say", "界") == [first]
    assert _found(store, "nothing") == []
    assert _found(store, "界", role="user") == [first]
    assert _found(store, "界", before=second) == [first]
    assert _found(store, "界", session_id=SESSIONS[1]) == []


@pytest.mark.parametrize("term", ['"', '""', "'", "a*", "*", "-x", "NOT", "a OR b", "(", ":", "^a", "text:a"])
def test_the_syntax_of_the_index_is_only_text(store: Store, term: str) -> None:
    row = _say(store, f"before {term} after")
    other = _say(store, "nothing of the kind")
    assert row in _found(store, f"e {term.lower()} a")
    assert other not in _found(store, f"e {term.lower()} a")
    assert _found(store, f"\0{term}") == []


def test_an_answer_is_found_when_it_is_done(store: Store) -> None:
    with store.transaction():
        row = store.messages.insert(
            NewMessage(
                session_id=SESSIONS[0], role="assistant", text="", at=1.0, metadata={"_streaming": True}
            )
        )
        store.messages.set_text(row.row_id, "half of it", "")
    assert _found(store, "half") == []
    with store.transaction():
        store.messages.set_text(row.row_id, "half of it, and the rest", "")
        store.messages.set_metadata(row.row_id, {})
    assert _found(store, "half") == [row.row_id]


def test_tapbacks_are_found_by_emoji_in_any_tone_or_in_one(store: Store) -> None:
    plain, toned, heart = (
        _say(store, "a", emoji="👍"),
        _say(store, "b", emoji="👍🏽"),
        _say(store, "c", emoji="❤️"),
    )
    assert _found(store, emoji="👍") == [toned, plain]
    assert _found(store, emoji="👍🏽") == [toned]
    assert _found(store, emoji="❤️") == [heart]
    assert _found(store, emoji="😂") == []
    assert store.search.sessions_with("👍") == {SESSIONS[0]}
    with store.transaction():
        store.messages.set_metadata(plain, {})
    assert _found(store, emoji="👍") == [toned]


def test_a_message_with_one_tapback_from_both_sides_is_one_hit(store: Store) -> None:
    row = _say(store, "a", emoji="👍")
    other = _say(store, "b", emoji="👍🏽")
    entries = [
        {"emoji": emoji, "author": author, "at": 1.0} for emoji, author in (("👍", "user"), ("👍🏿", "agent"))
    ]
    with store.transaction():
        store.messages.set_metadata(row, {"reactions": entries})
    assert _found(store, emoji="👍") == [other, row]
    assert _found(store, emoji="👍🏿") == [row]


def test_a_common_short_word_is_read_from_the_newest_message_on(store: Store) -> None:
    with store.transaction():
        for number in range(2100):  # more than are looked up one by one
            new = NewMessage(session_id=SESSIONS[number % 2], role="user", text=f"世界 {number}", at=1.0)
            store.messages.insert(new)
    assert _found(store, "世界") == list(range(2100, 0, -1))
    assert _found(store, "世界", session_id=SESSIONS[0]) == list(range(2099, 0, -2))
    assert _found(store, "世界", session_id=SESSIONS[0], before=11) == [9, 7, 5, 3, 1]
    assert _found(store, "世界", before=4) == [3, 2, 1]


def test_without_an_index_rows_are_read(tmp_path: Path) -> None:
    """As with an SQLite that has no full-text search, or none by groups of three."""
    store = Store(tmp_path / "state.db")
    _begin(store)
    rows = [_say(store, text) for text in ("one needle", "nothing", "needle two")]
    store.close()
    database = Database(tmp_path / "state.db")
    database.has_index = False
    found = SearchTable(database).candidates(["needle"], Filters())
    assert [hit.row_id for hit in found if "needle" in hit.text] == [rows[2], rows[0]]
    database.close()


_LETTERS = 'aBiıIİΣσςßẞﬁKkÉéΩΩяЁſsǅǆ\u0345ŉ世界한👍\ufe0f\u200d\u0301"*% \n𐐀𐐨ᎠꭰᲐა'
_SAID = st.text(_LETTERS, min_size=1, max_size=9)


@given(
    texts=st.lists(_SAID, min_size=1, max_size=12),
    cuts=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 8), st.integers(1, 5)), max_size=6),
    cased=st.sampled_from([str, str.upper, str.lower, str.swapcase]),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_index_finds_what_reading_every_message_finds(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    cuts: list[tuple[int, int, int]],
    cased: Callable[[str], str],
) -> None:
    """Whatever the case of a letter is; this SQLite may not know all that Python knows of them."""
    path = tmp_path_factory.mktemp("l") / "state.db"
    store = Store(path)
    _begin(store)
    for text in texts:
        _say(store, text)
    store.close()
    database = Database(path)
    table = SearchTable(database)
    for number, at, length in cuts:
        text = texts[number % len(texts)]
        terms = Terms.of(cased(text[at % len(text) :][:length]))
        found: list[list[int]] = []
        for database.has_index in (True, False):
            hits = table.candidates(terms.words, Filters())
            found.append([hit.row_id for hit in hits if terms.spans(hit.text)])
        assert found[0] == found[1], terms
    database.close()


@pytest.mark.parametrize("query", ["ος", "ς", "ΟΔΟΣ", "ſ", "µ", "ა", "აბგ", "ꭰ"])
def test_letters_that_the_index_writes_otherwise_are_found(store: Store, query: str) -> None:
    rows = [_say(store, text) for text in ("Ο ΔΡΌΜΟΣ, η οδος", "daſs 5 µm", "ᲐᲑᲒ", "Ꭰ")]
    terms = Terms.of(query)
    hits = store.search.candidates(terms.words, Filters())
    found = [hit.row_id for hit in hits if terms.spans(hit.text)]
    assert len(found) == 1
    assert found[0] in rows


def test_a_file_that_lost_its_index_gets_a_new_one(tmp_path: Path) -> None:
    """As after an SQLite without full-text search has had it in its hands."""
    path = tmp_path / "state.db"
    store = Store(path)
    _begin(store)
    _say(store, "before")
    store.close()
    raw = sqlite3.connect(path)
    raw.execute("DROP TRIGGER messages_fts_inserted")
    raw.execute(
        "INSERT INTO messages(session_id, position, role, text, created_at) "
        "VALUES(?, 9, 'user', 'unseen', 1)",
        (SESSIONS[0],),
    )
    raw.commit()
    raw.close()
    store = Store(path)
    assert _found(store, "unseen")
    assert _found(store, "before")
    _check_derived(store, path)


_STEP = st.one_of(
    st.tuples(st.just("say"), st.sampled_from(WORDS), st.integers(0, 1)),
    st.tuples(st.just("text"), st.sampled_from(("", *WORDS)), st.integers(0, 9)),
    st.tuples(st.just("react"), st.sampled_from(("", "👍", "👍🏽", "❤️")), st.integers(0, 9)),
    st.tuples(st.just("stream"), st.sampled_from(("on", "off")), st.integers(0, 9)),
    st.tuples(st.just("rewind"), st.just(""), st.integers(0, 9)),
    st.tuples(st.just("bring back"), st.just(""), st.integers(0, 9)),
    st.tuples(st.just("delete session"), st.just(""), st.integers(0, 1)),
)


@given(st.lists(_STEP, max_size=25))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_index_and_counters_follow_every_change(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, int]]
) -> None:
    path = tmp_path_factory.mktemp("i") / "state.db"
    store = Store(path)
    _begin(store)
    rows: list[int] = []
    gone: set[int] = set()
    for step, word, number in steps:
        if step == "delete session":
            with store.transaction():
                store.sessions.delete(SESSIONS[number])
            gone.add(number)
        elif step == "say":
            if number not in gone:
                rows.append(_say(store, word, role=("user", "assistant")[number], session=number))
        elif rows:
            row_id = rows[number % len(rows)]
            change = {
                "text": ("text = ?", word),
                "react": ("display_metadata = ?", _metadata(word)),
                "stream": ("display_metadata = ?", '{"_streaming":true}' if word == "on" else None),
                "rewind": ("active = ?", 0),
                "bring back": ("active = ?", 1),
            }[step]
            store.close()
            raw = sqlite3.connect(path, isolation_level=None)
            raw.execute(f"UPDATE messages SET {change[0]} WHERE row_id = ?", (change[1], row_id))
            raw.close()
            store = Store(path)
    _check_derived(store, path)


def _metadata(emoji: str) -> str | None:
    return (
        json.dumps({"reactions": [{"emoji": emoji, "author": "agent", "at": 1}]}, separators=(",", ":"))
        if emoji
        else None
    )


def _check_derived(store: Store, path: Path) -> None:
    """Closes the store, and compares what is derived with what it is derived from."""
    store.check()
    store.close()
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("INSERT INTO messages_fts(messages_fts, rank) VALUES('integrity-check', 1)")
    said = "active = 1 AND role IN ('user', 'assistant') AND text != ''"
    counted = {
        key: number for key, number in raw.execute("SELECT session_id, said FROM session_counts") if number
    }
    assert counted == dict(raw.execute(f"SELECT session_id, count(*) FROM messages WHERE {said} GROUP BY 1"))
    expected: set[tuple[int, str]] = set()
    for row_id, metadata in raw.execute("SELECT row_id, display_metadata FROM messages WHERE active = 1"):
        expected |= {(row_id, entry["emoji"]) for entry in json.loads(metadata or "{}").get("reactions", [])}
    assert set(raw.execute("SELECT row_id, emoji FROM tapbacks")) == expected
    raw.close()


@given(
    rows=st.lists(st.sampled_from(["user", "assistant", "tool", "silent"]), max_size=40),
    waiting=st.integers(0, 3),
    limit=st.integers(1, 9),
)
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pages_put_together_are_the_session(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str], waiting: int, limit: int
) -> None:
    """Walked from the end to the beginning and back, by the ids of messages alone, as a client must."""
    store = Store(tmp_path_factory.mktemp("p") / "state.db")
    _begin(store)
    with store.transaction():
        for number, role in enumerate(rows):
            text = "" if role == "silent" else f"{number}"
            store.messages.insert(
                NewMessage(
                    session_id=SESSIONS[0], role=role.replace("silent", "assistant"), text=text, at=1.0
                )
            )
        for number in range(waiting):
            new = NewMessage(session_id=SESSIONS[0], role="user", text=f"w{number}", at=1.0, waiting=True)
            store.messages.insert(new)
    pages = Pages(store.messages, lambda row: bool(row.text))
    whole = [row.row_id for row in store.messages.all(SESSIONS[0]) if row.text]
    page = pages.newest(SESSIONS[0], limit)
    read, older = [row.row_id for row in page.rows], page.has_older
    first = page
    while older:
        anchor = next(row for row in first.rows if row.role != "tool")
        assert anchor is first.rows[0]
        first = pages.before(anchor, limit)
        read = [row.row_id for row in first.rows] + read[read.index(anchor.row_id) :]
        older = first.has_older
    assert read == whole
    messages = [row for row in store.messages.all(SESSIONS[0]) if row.text and row.role != "tool"]
    if messages:
        last, newer = messages[0], True
        read = [row.row_id for row in pages.around(last, limit).rows]
        assert last.row_id in read
        seen = whole[: whole.index(last.row_id) + 1]
        while newer:
            page = pages.after(last, limit)
            seen += [row.row_id for row in page.rows]
            newer = page.has_newer
            last = page.rows[-1] if page.rows else last
            assert not newer or last.role != "tool"
        assert seen == whole
    store.close()
