"""One reaction per author and part; replace, remove, newest first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui_tapback.domain.reactions import NO_REACTIONS, Author, Reaction, ReactionSet, toggled

USER, AGENT = Author.USER, Author.AGENT


def test_tap_again_retracts_and_another_emoji_replaces() -> None:
    """B001, step by step."""
    state = NO_REACTIONS
    seen: list[list[tuple[str, str]]] = []
    for at, pressed in enumerate(["👍", "👍", "❤️", "😂"]):
        wanted = toggled(state.by(USER), pressed)
        state = state.remove(USER) if wanted is None else state.set(Reaction(wanted, USER, float(at)))
        seen.append([(r.emoji, str(r.author)) for r in state])
    state = state.set(Reaction("🔥", AGENT, 9.0))
    seen.append([(r.emoji, str(r.author)) for r in state])
    assert seen == [
        [("👍", "user")],
        [],
        [("❤️", "user")],
        [("😂", "user")],
        [("😂", "user"), ("🔥", "agent")],
    ]


def test_the_same_emoji_from_both_sides_is_two_reactions() -> None:
    both = NO_REACTIONS.set(Reaction("❤️", USER, 1)).set(Reaction("❤️", AGENT, 2))
    assert len(both) == 2


def test_removing_one_authors_reaction_leaves_the_others() -> None:
    both = NO_REACTIONS.set(Reaction("👍", USER, 1)).set(Reaction("🔥", AGENT, 2))
    assert [r.emoji for r in both.remove(USER)] == ["🔥"]


def test_the_newest_is_on_top_and_a_replaced_one_counts_as_new() -> None:
    state = (
        NO_REACTIONS.set(Reaction("👍", USER, 1)).set(Reaction("🔥", AGENT, 2)).set(Reaction("😂", USER, 3))
    )
    assert [r.emoji for r in state.newest_first()] == ["😂", "🔥"]


def test_setting_the_same_again_changes_nothing() -> None:
    state = NO_REACTIONS.set(Reaction("👍", USER, 1))
    assert state.set(Reaction("👍", USER, 99)) is state


def test_confirmation_keeps_place_and_time() -> None:
    painted = NO_REACTIONS.set(Reaction("👍", USER, 1, confirmed=False)).set(Reaction("🔥", AGENT, 2))
    settled = painted.set(Reaction("👍", USER, 5))
    assert settled.items[0] == Reaction("👍", USER, 1, confirmed=True)


def test_a_list_from_outside_with_doubles_is_read_as_one_per_author() -> None:
    """B014: and an empty emoji is no reaction (B023)."""
    raw = [Reaction("👍", USER, 1), Reaction("👍", USER, 2), Reaction("", AGENT, 3)]
    assert [(r.emoji, r.at) for r in ReactionSet.of(raw)] == [("👍", 2)]


def test_parts_of_a_message_are_places_of_their_own() -> None:
    state = NO_REACTIONS.set(Reaction("👍", USER, 1)).set(Reaction("❓", USER, 2, part="p3"))
    assert len(state) == 2
    assert [r.emoji for r in state.remove(USER, "p3")] == ["👍"]


steps = st.lists(
    st.tuples(
        st.sampled_from([USER, AGENT]), st.sampled_from(["👍", "❤️", None]), st.sampled_from([None, "p"])
    )
)


@given(steps)
def test_a_set_behaves_like_a_dictionary_of_slots(
    commands: list[tuple[Author, str | None, str | None]],
) -> None:
    state, model = NO_REACTIONS, dict[tuple[Author, str | None], str]()
    for at, (author, emoji, part) in enumerate(commands):
        before = state
        if emoji is None:
            state = state.remove(author, part)
            model.pop((author, part), None)
        else:
            state = state.set(Reaction(emoji, author, float(at), part))
            model[author, part] = emoji
        assert {r.slot: r.emoji for r in state} == model
        assert len({r.slot for r in state}) == len(state)
        if state == before:
            assert state is before
