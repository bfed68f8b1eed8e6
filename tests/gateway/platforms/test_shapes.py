"""Converters between our reactions and the shapes of other platforms: both ways, and what gets lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.emoji.core import core, tones_in
from tui_tapback.gateway.platforms.discord import DiscordEmoji, DiscordReaction, from_discord, to_discord
from tui_tapback.gateway.platforms.imessage import (
    IMessageTapback,
    SpokenTapback,
    from_imessage,
    heard,
    spoken,
    to_imessage,
)
from tui_tapback.gateway.platforms.matrix import annotation, from_matrix, to_matrix
from tui_tapback.gateway.platforms.people import People
from tui_tapback.gateway.platforms.shapes import ASPECTS, SHAPES, survives, through
from tui_tapback.gateway.platforms.slack import SlackReaction, from_slack, slack_name, to_slack
from tui_tapback.gateway.platforms.telegram import ALLOWED, from_telegram, telegram_emoji, to_telegram

PEOPLE = People(user="U1", agent="B1")
EVERY = tuple(char for base, toned in zip(core().chars, core().toned, strict=True) for char in (base, *toned))
emoji = st.sampled_from(EVERY)
times = st.integers(0, 4_000_000_000_000).map(lambda ms: ms / 1000)
authors = st.sampled_from(Author)
parts = st.one_of(st.none(), st.integers(1, 9999).map(lambda n: f"p:{n}"))


def tapped(user: str = "", agent: str = "") -> ReactionSet:
    given = [(Author.USER, user, 10.0), (Author.AGENT, agent, 20.0)]
    return ReactionSet.of(Reaction(one, author, at) for author, one, at in given if one)


def in_time(reactions: list[Reaction]) -> ReactionSet:
    """As a store has them: one after the other."""
    at = {reaction.at: reaction for reaction in reactions}
    return ReactionSet.of(at[time] for time in sorted(at))


whole_sets = st.lists(st.builds(Reaction, emoji, authors, times), max_size=4).map(in_time)
part_sets = st.lists(st.builds(Reaction, emoji, authors, times, parts), max_size=6).map(in_time)

# --- the table of losses is what the converters do ---------------------------------------------------------

LOSSES = {
    # One set for each aspect that shows the loss where a shape is said to have it.
    "who": ReactionSet.of([Reaction("👍", Author.USER, 1.0), Reaction("❤️", Author.AGENT, 2.0)]),
    "when": tapped("👍", "❤️"),
    "part": ReactionSet.of([Reaction("👍", Author.USER, 1.0, "sentence-2")]),
    "tone": ReactionSet.of([Reaction("🧑🏻‍🤝‍🧑🏿", Author.AGENT, 1.0)]),
    "emoji": ReactionSet.of([Reaction("\U0001f6d9", Author.AGENT, 1.0)]),
    # The agent's comes last, but its emoji came first.
    "order": ReactionSet.of(
        [
            Reaction("👍", Author.AGENT, 1.0, "p:1"),
            Reaction("❤️", Author.USER, 2.0),
            Reaction("❤️", Author.AGENT, 3.0),
        ]
    ),
}


@pytest.mark.parametrize("name", SHAPES)
@given(reactions=whole_sets)
def test_what_the_table_calls_carried_survives_for_all_reactions(name: str, reactions: ReactionSet) -> None:
    for aspect in ASPECTS:
        if not SHAPES[name].lacks(aspect) and aspect != "part":
            assert survives(aspect, name, reactions), aspect


def test_the_table_names_exactly_the_losses_that_there_are() -> None:
    lost = {
        (name, aspect)
        for name in SHAPES
        for aspect in ("when", "part")
        if not survives(aspect, name, LOSSES[aspect])
    }
    said = {(name, aspect) for name in SHAPES for aspect in ("when", "part") if SHAPES[name].lacks(aspect)}
    assert lost == said
    assert not survives("tone", "Slack", LOSSES["tone"])
    assert not survives("emoji", "Slack", LOSSES["emoji"])
    assert not survives("who", "Telegram", LOSSES["who"])


# --- Slack -------------------------------------------------------------------------------------------------


@given(whole_sets)
def test_slack_gives_back_author_and_emoji_in_the_order_of_the_emoji(reactions: ReactionSet) -> None:
    back = from_slack(to_slack(reactions, PEOPLE), PEOPLE)
    expected = {r.author: r.emoji for r in reactions if len(set(tones_in(r.emoji))) < 2}
    found = {r.author: r.emoji for r in back.reactions}
    assert expected.items() <= found.items()
    assert back.others == 0


def test_slack_merges_one_emoji_of_both_and_names_tones() -> None:
    assert to_slack(tapped("👍🏽", "👍🏽"), PEOPLE) == [
        {"name": "+1::skin-tone-4", "count": 2, "users": ["U1", "B1"]}
    ]
    assert slack_name("🇩🇪") == "flag-de"


def test_slack_counts_strangers_cut_lists_and_pictures_of_the_workspace() -> None:
    entries: list[SlackReaction] = [
        {"name": "thumbsup", "count": 12, "users": ["U1", "U7"]},  # case B011
        {"name": "party_parrot_of_ours", "count": 3, "users": ["B1", "U1", "U9"]},
    ]
    read = from_slack(entries, PEOPLE)
    assert [(r.emoji, r.author) for r in read.reactions] == [("👍", Author.USER)]
    assert read.others == 14


def test_slack_with_several_of_one_person_shows_the_last() -> None:
    entries: list[SlackReaction] = [
        {"name": "+1", "count": 1, "users": ["U1"]},
        {"name": "tada", "count": 1, "users": ["U1"]},
    ]
    assert [r.emoji for r in from_slack(entries, PEOPLE).reactions] == ["🎉"]


# --- Discord -----------------------------------------------------------------------------------------------


@given(whole_sets)
def test_discord_in_a_chat_of_two_gives_back_author_and_emoji(reactions: ReactionSet) -> None:
    back = from_discord(to_discord(reactions), direct=True)
    assert {(r.author, r.emoji) for r in back.reactions} == {(r.author, r.emoji) for r in reactions}
    assert back.others == 0


def test_discord_in_a_server_knows_only_itself_and_counts_the_rest() -> None:
    entries = [
        DiscordReaction(emoji=DiscordEmoji(id=None, name="👍"), count=5, me=True),
        DiscordReaction(emoji=DiscordEmoji(id="81", name="blob"), count=2, me=True),
        DiscordReaction(emoji=DiscordEmoji(id=None, name=None), count=1, me=False),
    ]
    read = from_discord(entries, direct=False)
    assert [(r.emoji, r.author) for r in read.reactions] == [("👍", Author.AGENT)]
    assert read.others == 4 + 2 + 1


def test_discord_that_counts_less_than_itself_is_not_believed() -> None:
    # case B016
    entry = DiscordReaction(emoji=DiscordEmoji(id=None, name="👍"), count=0, me=True)
    assert from_discord([entry], direct=True).others == 0


# --- Telegram ----------------------------------------------------------------------------------------------


@given(st.sampled_from(sorted(ALLOWED)))
def test_telegram_takes_its_own_list_as_it_is(emoji: str) -> None:
    sent = to_telegram(tapped(agent=emoji))
    assert from_telegram(ReactionSet(), sent, Author.AGENT, 20.0) == tapped(agent=emoji)


@given(emoji)
def test_telegram_is_never_sent_what_it_refuses(emoji: str) -> None:
    # case B046
    shown = telegram_emoji(emoji)
    assert shown is None or shown in ALLOWED
    assert len(to_telegram(tapped("🎉", emoji))) == (shown is not None)


def test_telegram_replaces_the_whole_set() -> None:
    assert to_telegram(tapped("👍")) == []  # nothing of the agent's: the empty list takes it back
    assert to_telegram(tapped(agent="👍🏽")) == [{"type": "emoji", "emoji": "👍"}]
    assert to_telegram(tapped(agent="❤️")) == [{"type": "emoji", "emoji": "❤"}]
    before = tapped("👍", "🔥")
    two = [{"type": "emoji", "emoji": "🎉"}, {"type": "emoji", "emoji": "❤"}]
    after = from_telegram(before, two, Author.USER, 30.0)
    assert [(r.emoji, r.author) for r in after] == [("🔥", Author.AGENT), ("❤️", Author.USER)]
    custom = [{"type": "custom_emoji", "custom_emoji_id": "5"}, {"type": "paid"}]
    assert from_telegram(before, custom, Author.USER, 30.0) == tapped(agent="🔥")
    assert from_telegram(before, [], Author.USER, 30.0) == tapped(agent="🔥")


# --- Matrix ------------------------------------------------------------------------------------------------


@given(whole_sets)
def test_matrix_gives_everything_back(reactions: ReactionSet) -> None:
    back = from_matrix(to_matrix(reactions, "$1", PEOPLE), "$1", PEOPLE).reactions
    assert sorted(back, key=lambda r: r.author) == sorted(reactions, key=lambda r: r.author)


def test_matrix_sets_aside_what_is_redacted_elsewhere_malformed_or_of_strangers() -> None:
    def event(key: object, sender: str = "U1", at: object = 1000, target: str = "$1") -> dict[str, object]:
        relation = {"rel_type": "m.annotation", "event_id": target, "key": key}
        return {
            "type": "m.reaction",
            "sender": sender,
            "origin_server_ts": at,
            "content": {"m.relates_to": relation},
        }

    events: list[dict[str, Any]] = [
        event("👍", at=2000),
        event("👎", at=1000),  # an older one of the same person, told later
        event("👍️", sender="B1", at=True),  # case B026
        event("❤️", sender="someone"),
        event("❤️", target="$2"),
        event(5),
        event("\x1b[2J"),
        {"type": "m.reaction", "sender": "U1", "content": {}},
        {"type": "m.reaction", "sender": "U1", "content": 3},
        {"type": "m.room.message", "content": {"m.relates_to": annotation("$1", "👍")}},
    ]
    read = from_matrix(events, "$1", PEOPLE)
    assert {(r.emoji, r.author, r.at) for r in read.reactions if r.emoji in "👍👎"} == {
        ("👍", Author.USER, 2.0),
        ("👍", Author.AGENT, 0.0),
    }
    assert read.others == 1
    assert not any("\x1b" in r.emoji for r in read.reactions)


# --- iMessage ----------------------------------------------------------------------------------------------


@given(part_sets)
def test_imessage_gives_everything_back_parts_included(reactions: ReactionSet) -> None:
    assert through("iMessage", reactions) == reactions


def test_imessage_sends_the_six_as_their_numbers_and_the_rest_as_emoji() -> None:
    sent = [
        to_imessage(tapped(agent=one), "G")[0] for one in ("❤️", "👍", "👎", "😂", "‼️", "❓", "🎉", "👍🏽")
    ]
    assert [tapback.type for tapback in sent] == [2000, 2001, 2002, 2003, 2004, 2005, 2006, 2006]
    assert [tapback.emoji for tapback in sent[-2:]] == ["🎉", "👍🏽"]
    assert sent[0].guid == "p:0/G"


def test_imessage_takes_back_by_part_and_ignores_what_is_not_for_it() -> None:
    before = ReactionSet.of([Reaction("👍", Author.USER, 1.0), Reaction("❤️", Author.USER, 2.0, "p:1")])

    def after(number: int, guid: str, emoji: str | None = None) -> list[str]:
        tapback = IMessageTapback(number, guid, is_from_me=False, at=9.0, emoji=emoji)
        return [r.emoji for r in from_imessage(before, tapback, "G")]

    assert after(3001, "p:0/G") == ["❤️"]
    assert after(3006, "bp:G") == ["❤️"]
    assert after(3000, "p:1/G") == ["👍"]
    assert after(2006, "G", "🎉") == ["❤️", "🎉"]
    for number, guid, emoji in [
        (3001, "p:0/OTHER", None),
        (2006, "p:0/G", "no emoji"),
        (2006, "p:0/G", None),
        (1000, "p:0/G", None),
        (2001, "nonsense/with/G", None),
    ]:
        assert after(number, guid, emoji) == ["👍", "❤️"]


@given(
    emoji.filter(lambda one: not tones_in(one)),
    st.text(st.characters(exclude_categories=["Cs", "Cc"])),
    st.booleans(),
)
def test_a_spoken_tapback_is_heard_as_what_it_says(emoji: str, quote: str, removed: bool) -> None:
    assert heard(spoken(emoji, quote, removed=removed)) == SpokenTapback(emoji, quote, removed)


def test_the_texts_of_older_phones() -> None:
    assert spoken("❤️", "see you at 8") == "Loved “see you at 8”"
    assert spoken("👍🏽", "ok?") == "Liked “ok?”"
    assert spoken("🎉", "done") == "Reacted 🎉 to “done”"
    assert spoken("‼️", "x", removed=True) == "Removed an exclamation from “x”"
    assert heard('Laughed at "a “quoted” one"') == SpokenTapback("😂", "a “quoted” one")
    assert heard("Emphasised “now”") == SpokenTapback("‼️", "now")
    for other in ("Loved it", "I Loved “this”", "Reacted abc to “x”", "Removed everything from “x”", ""):
        assert heard(other) is None
