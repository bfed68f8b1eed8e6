"""The offline companion speaks the language of the interface."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tui_tapback.gateway.agent.chat_reading import Chat
from tui_tapback.gateway.agent.companion_topics import FALLBACK, FIRST_FALLBACK, TOPICS, answer_to
from tui_tapback.words import _, use


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    use("de")
    yield
    use("en")


def said(text: str, turns: int = 1) -> str:
    return answer_to(Chat(text=text, turns=turns), 0)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("Hallo!", "Hallo! Ich bin der *Offline-Begleiter*"),
        ("Danke", "Gern geschehen."),
        ("welche Tasten gibt es?", "Die Tasten des Chats auf dem Bildschirm"),
        ("ein Modell verbinden", "Ich bin nur die Vertretung."),
        ("erzähl einen Witz", "Warum hat das Tapback"),
        ("Wer bist du?", "Ich bin der *Offline-Begleiter*"),
        ("Hilfe", "Ich bin ein Skript"),
        ("help", "Ich bin ein Skript"),
        ("Tschüss", "Tschüss!"),
        ("Zeig mir Markdown", "## Markdown, wie es hier aussieht"),
        ("was ist das: 👍", "Das übersteigt mich"),
        ("👍", "👍 ist *Daumen hoch*, Kurzname"),
    ],
)
def test_german_questions_get_german_answers(text: str, begins: str) -> None:
    assert said(text).startswith(begins)


def test_every_answer_has_a_translation() -> None:
    answers = [answer for topic in TOPICS for answer in topic.answers] + [*FIRST_FALLBACK, *FALLBACK]
    assert [answer for answer in answers if _(answer) == answer] == []


def test_german_words_mean_nothing_where_english_is_spoken() -> None:
    use("en")
    assert said("Witz") in FIRST_FALLBACK
