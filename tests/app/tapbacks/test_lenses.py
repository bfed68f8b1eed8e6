"""Lenses: which messages each one shows."""

from __future__ import annotations

from tui_tapback.app.tapbacks.lenses import ALL, OPEN_QUESTIONS, Lens, choices, shown
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet


def message(key: str, role: Role, at: float, *reactions: Reaction) -> Message:
    return Message(key=key, role=role, text=key, at=at, reactions=ReactionSet.of(reactions))


def by_user(emoji: str, at: float = 0.0) -> Reaction:
    return Reaction(emoji, Author.USER, at)


def by_agent(emoji: str, at: float = 0.0) -> Reaction:
    return Reaction(emoji, Author.AGENT, at)


CHAT = (
    message("hello", Role.USER, 1, by_agent("👋🏽")),
    message("answer", Role.ASSISTANT, 2, by_user("👍🏿"), by_agent("😂")),
    message("plain", Role.USER, 3),
    message("odd", Role.ASSISTANT, 4, by_user("👍")),
)


def test_an_emoji_is_found_in_every_tone() -> None:
    assert shown(Lens(emoji="👍🏻"), CHAT) == ("answer", "odd")
    assert shown(Lens(emoji="👋"), CHAT) == ("hello",)


def test_author_and_emoji_have_to_be_of_one_reaction() -> None:
    assert shown(Lens(emoji="😂", author=Author.USER), CHAT) == ()
    assert shown(Lens(author=Author.AGENT), CHAT) == ("hello", "answer")
    assert shown(ALL, CHAT) == ("hello", "answer", "odd")


def test_a_question_is_answered_by_what_the_other_side_says_after_it() -> None:
    asked = message("claim", Role.ASSISTANT, 10, by_user("❓", at=20))
    assert shown(OPEN_QUESTIONS, (asked,)) == ("claim",)
    own_words = message("and by the way", Role.USER, 30)
    assert shown(OPEN_QUESTIONS, (asked, own_words)) == ("claim",)
    answer = message("because", Role.ASSISTANT, 31)
    assert shown(OPEN_QUESTIONS, (asked, own_words, answer)) == ()


def test_the_agent_asks_too() -> None:
    asked = message("do it", Role.USER, 10, by_agent("❓", at=11))
    assert shown(OPEN_QUESTIONS, (asked, message("done?", Role.ASSISTANT, 12))) == ("do it",)
    assert shown(OPEN_QUESTIONS, (asked, message("I mean the door", Role.USER, 13))) == ()


def test_only_lenses_that_show_something_are_offered_with_how_much() -> None:
    offered = choices(CHAT)
    assert (ALL, 3) in offered
    assert (Lens(emoji="👍"), 2) in offered
    assert OPEN_QUESTIONS not in [lens for lens, _ in offered]
    emoji = [lens.emoji for lens, _ in offered if lens.emoji]
    assert emoji[0] == "👍" and len(emoji) == len(set(emoji))
    assert choices(()) == ()


def test_labels_say_what_is_shown() -> None:
    assert ALL.label == "all tapbacks"
    assert Lens(emoji="👍", author=Author.USER).label == "👍 by me"
    assert OPEN_QUESTIONS.label == "❓ unanswered"
