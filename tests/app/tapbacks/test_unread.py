"""Unread tapbacks and the digest after an absence."""

from __future__ import annotations

from tui_tapback.app.tapbacks.unread import UnreadTapbacks
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet


def message(key: str, role: Role = Role.USER, **agent: float) -> Message:
    reactions = ReactionSet.of(
        Reaction({"up": "👍", "heart": "❤️"}[name], Author.AGENT, at) for name, at in agent.items()
    )
    return Message(key=key, role=role, text=key, at=0.0, reactions=reactions)


def test_what_stands_at_the_first_look_is_no_news() -> None:
    unread = UnreadTapbacks()
    assert unread.look([message("a", up=5)]) == ()
    assert len(unread) == 0


def test_what_came_since_the_last_visit_is_news_at_the_first_look() -> None:
    unread = UnreadTapbacks(since=10)
    assert unread.look([message("old", up=5), message("new", up=11)]) == (("new", None, "👍"),)
    assert unread.keys == {"new"}


def test_another_emoji_in_the_same_place_is_news_and_the_old_one_is_not_counted() -> None:
    unread = UnreadTapbacks()
    unread.look([message("a")])
    unread.look([message("a", up=1)])
    assert unread.look([message("a", heart=2)]) == (("a", None, "❤️"),)
    assert len(unread) == 1


def test_what_was_taken_back_before_it_was_seen_is_not_unread() -> None:
    unread = UnreadTapbacks()
    unread.look([message("a")])
    unread.look([message("a", up=1)])
    unread.look([message("a")])
    assert not unread.keys


def test_seeing_makes_read_once() -> None:
    unread = UnreadTapbacks()
    unread.look([message("a"), message("b")])
    unread.look([message("a", up=1), message("b", up=1)])
    assert unread.saw({"a"})
    assert not unread.saw({"a"})
    unread.look([message("a", up=1), message("b", up=1)])
    assert unread.keys == {"b"}


def test_the_persons_own_reactions_are_no_news() -> None:
    own = ReactionSet.of([Reaction("👍", Author.USER, 5)])
    unread = UnreadTapbacks(since=0)
    assert unread.look([Message(key="a", role=Role.ASSISTANT, text="", at=0, reactions=own)]) == ()


def test_walking_goes_on_from_where_one_is_and_begins_again() -> None:
    unread = UnreadTapbacks(since=0)
    chat = [message("a", up=1), message("b"), message("c", up=1)]
    unread.look(chat)
    assert unread.next(chat, None) == "a"
    assert unread.next(chat, "a") == "c"
    assert unread.next(chat, "c") == "a"
    assert unread.next(chat, "gone") == "a"
    unread.saw({"a", "c"})
    assert unread.next(chat, "a") is None


def test_the_digest_says_whose_messages_and_names_them_in_order() -> None:
    unread = UnreadTapbacks(since=0)
    chat = [message("a", up=1), message("b", Role.ASSISTANT, heart=1), message("c", up=1)]
    unread.look(chat)
    digest = unread.digest(chat)
    assert digest.keys == ("a", "b", "c")
    assert digest.sentence == "The agent tapped back on 2 of yours and 1 of its own messages."
    unread.saw({"b"})
    assert unread.digest(chat).sentence == "The agent tapped back on 2 of yours."
    unread.saw({"a", "c"})
    assert not unread.digest(chat)
    assert unread.digest(chat).sentence == ""
