"""The affection detector: tables of what is warm towards the agent and what is not, for each language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tui_tapback.emoji.locate import asset
from tui_tapback.gateway.service.affection import LEXICON, SCANNED, is_affectionate
from tui_tapback.testing.agents import Say, Wait
from tui_tapback.testing.service import ServiceBench

CASES: dict[str, Any] = json.loads(Path(__file__).with_name("affection_cases.json").read_text("utf-8"))


def by_language(kind: str) -> list[tuple[str, str]]:
    return [(language, text) for language, texts in CASES[kind].items() for text in texts]


def test_the_tables_cover_every_language_that_is_bundled() -> None:
    bundled = {path.stem for path in asset("locales").iterdir()}
    lexicon = json.loads(LEXICON.read_text("utf-8"))
    assert bundled == set(CASES["warm"]) == set(CASES["cold"]) == set(lexicon["languages"])


@pytest.mark.parametrize(("language", "text"), by_language("warm"))
def test_warm_words_are_noticed(language: str, text: str) -> None:
    assert is_affectionate(text), language


@pytest.mark.parametrize(("language", "text"), by_language("cold"))
def test_other_words_are_not(language: str, text: str) -> None:
    assert not is_affectionate(text), language


@pytest.mark.parametrize("text", CASES["hearts"])
def test_hearts_are_noticed(text: str) -> None:
    assert is_affectionate(text)


@pytest.mark.parametrize("text", CASES["no_hearts"])
def test_what_only_looks_like_a_heart_is_not(text: str) -> None:
    assert not is_affectionate(text)


@pytest.mark.parametrize("text", CASES["quoted"])
def test_code_and_quotes_are_somebody_elses_words(text: str) -> None:
    assert not is_affectionate(text)


def test_words_beside_code_and_quotes_still_count() -> None:
    assert is_affectionate("thanks for `x = 1`")
    assert is_affectionate("> old text\nthank you")
    assert is_affectionate("don't worry, thank you, it's fine")
    assert is_affectionate("no thanks for the first, but thank you for the second")


def test_a_long_message_is_looked_at_to_a_limit_and_quickly() -> None:
    assert not is_affectionate("a" * SCANNED + " thank you")
    assert not is_affectionate("`" * 50_000)
    assert not is_affectionate('"' * 49_999 + "\n>" * 20_000)


async def test_the_turn_of_a_warm_message_begins_with_a_vibe(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    await bench.say(session_id, "is it `thank you`?")
    assert sink.of("reaction") == []
    await bench.say(session_id, "thank you!")
    assert sink.of("reaction") == [{"kind": "vibe"}]
    types = sink.types()
    begin = len(types) - types[::-1].index("message.start") - 1
    assert types[begin + 1] == "reaction"


async def test_a_message_that_waits_is_felt_when_its_turn_begins(bench: ServiceBench) -> None:
    session_id, sink = bench.new_session()
    wait = Wait()
    bench.agent.expect(wait, Say("first"))
    await bench.service.submit(session_id, "hello")
    await wait.reached.wait()
    await bench.service.submit(session_id, "ich liebe dich")
    assert sink.of("reaction") == []
    wait.event.set()
    await sink.until(lambda: len(sink.of("message.complete")) == 2)
    assert sink.of("reaction") == [{"kind": "vibe"}]
