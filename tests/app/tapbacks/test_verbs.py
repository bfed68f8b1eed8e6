"""Verb tapbacks: what is offered, and what is not."""

from __future__ import annotations

import pytest

from tui_tapback.app.tapbacks.verbs import DEFAULTS, Verb, offer
from tui_tapback.domain.messages import Message, Role


def said(role: Role, text: str = "The moon is made of basalt.") -> Message:
    return Message(key="k", role=role, text=text, at=0.0)


def test_a_question_mark_offers_to_ask_with_the_quote() -> None:
    chip = offer(DEFAULTS, "❓", said(Role.ASSISTANT))
    assert chip is not None
    assert chip.verb is Verb.EXPLAIN
    assert chip.text == "Please explain this: “The moon is made of basalt.”"


def test_taking_back_other_emoji_and_empty_mappings_offer_nothing() -> None:
    assert offer(DEFAULTS, None, said(Role.ASSISTANT)) is None
    assert offer(DEFAULTS, "🎉", said(Role.ASSISTANT)) is None
    assert offer({}, "👎", said(Role.ASSISTANT)) is None


@pytest.mark.parametrize("tone", ["👎", "👎🏻", "👎🏿"])
def test_every_tone_means_the_same(tone: str) -> None:
    chip = offer(DEFAULTS, tone, said(Role.ASSISTANT))
    assert chip is not None and chip.verb is Verb.RETRY and chip.emoji == tone


def test_own_messages_can_be_pinned_but_not_asked_about() -> None:
    assert offer(DEFAULTS, "👎", said(Role.USER)) is None
    pin = offer(DEFAULTS, "📌", said(Role.USER))
    assert pin is not None and pin.verb is Verb.PIN and pin.text == ""


def test_a_hostile_answer_is_quoted_on_one_clean_line_and_cut() -> None:
    chip = offer(DEFAULTS, "✂️", said(Role.ASSISTANT, "{quote} \x1b[2J\nnext" + "x" * 500))
    assert chip is not None
    assert "\x1b" not in chip.text and "\n" not in chip.text and len(chip.text) < 200
    assert "{quote}" in chip.text
