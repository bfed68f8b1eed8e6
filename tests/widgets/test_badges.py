"""The badges on a bubble's corner."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.domain.text import clean_text
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import ASCII_ONLY, FULL, SAFE, TEXT
from tui_tapback.testing.conversation import mine, theirs
from tui_tapback.widgets.badges import BadgeStack, BadgeStyles, Corner, badge_stack

FITTERS = {profile.name: EmojiFitter(profile) for profile in (FULL, SAFE, TEXT, ASCII_ONLY)}


def styles(*, colorless: bool = False) -> BadgeStyles:
    return BadgeStyles(
        user=Style.parse("white on red"),
        user_pending=Style.parse("white on magenta"),
        agent=Style.parse("white on blue"),
        agent_pending=Style.parse("white on cyan"),
        surface=Style.parse("white on black"),
        bracketed=colorless,
    )


def stack(
    *reactions: Reaction, corner: Corner = "left", colorless: bool = False, fitter: str = "safe"
) -> BadgeStack:
    return badge_stack(ReactionSet.of(reactions), corner, FITTERS[fitter], styles(colorless=colorless))


def text(drawn: BadgeStack) -> str:
    return "".join(part for part, _ in drawn.runs)


def faces(drawn: BadgeStack) -> list[str]:
    return [badge.reaction.emoji for badge in drawn.badges]


def test_the_newest_lies_on_top_towards_the_middle_of_the_bubble() -> None:
    assert text(stack(theirs("😂"), mine("❤️"), corner="left")) == "▐😂▐❤ ▌"
    assert text(stack(mine("❤️"), theirs("👍"), corner="right")) == "▐👍▌❤ ▌"


def test_the_colour_of_the_edge_between_two_badges_belongs_to_the_upper_one() -> None:
    left = stack(theirs("😂"), mine("❤️"), corner="left").runs[2]
    assert left == ("▐", Style.parse("red on blue"))
    right = stack(mine("❤️"), theirs("👍"), corner="right").runs[2]
    assert right == ("▌", Style.parse("blue on red"))


@pytest.mark.parametrize("corner", ["left", "right"])
@pytest.mark.parametrize(
    "reactions",
    [(mine("❤️"), theirs("😂")), (theirs("😂"), mine("❤️")), (mine("❤️"), theirs("❤️"))],
    ids=["mine first", "theirs first", "the same emoji"],
)
def test_both_sides_keep_their_badge_whoever_came_first(
    corner: Corner, reactions: tuple[Reaction, ...]
) -> None:
    drawn = stack(*reactions, corner=corner)
    assert {badge.reaction.author for badge in drawn.badges} == {Author.USER, Author.AGENT}
    assert sorted(faces(drawn)) == sorted(r.emoji for r in reactions)
    assert drawn.width == 7


def test_without_colour_brackets_tell_whose_badge_it_is() -> None:
    drawn = stack(theirs("👍"), mine("❤️"), colorless=True)
    assert text(drawn) == "(👍)[❤ ]"
    assert drawn.width == 8


def test_a_removal_leaves_the_other_sides_badge() -> None:
    both = ReactionSet.of([mine("👍"), theirs("🔥")])
    drawn = badge_stack(both.remove(Author.USER), "left", FITTERS["safe"], styles())
    assert faces(drawn) == ["🔥"]


@pytest.mark.parametrize("nothing", ["", " ", "\u200e", "\n\t"])
def test_a_reaction_without_a_visible_character_is_no_badge(nothing: str) -> None:
    assert stack(Reaction(nothing, Author.AGENT, 1.0)).width == 0


def test_a_reaction_to_a_part_is_no_badge_of_the_whole() -> None:
    assert faces(stack(mine("👍", part="p1"), theirs("🔥"))) == ["🔥"]


def test_an_unconfirmed_badge_has_its_own_dimmer_style() -> None:
    drawn = stack(mine("👍", confirmed=False))
    assert drawn.runs[1] == ("👍", Style.parse("white on magenta"))


@given(
    emoji=st.one_of(
        st.sampled_from(["❤️", "‼️", "👩🏽‍💻", "☝🏽", "🇩🇪", "1️⃣", "🫪", "love", "[/red]"]), st.text()
    ),
    corner=st.sampled_from(["left", "right"]),
    colorless=st.booleans(),
    fitter=st.sampled_from(sorted(FITTERS)),
    other=st.booleans(),
)
def test_whatever_is_sent_as_a_reaction_takes_the_cells_of_a_badge(
    emoji: str, corner: Corner, colorless: bool, fitter: str, other: bool
) -> None:
    reactions = (Reaction(emoji, Author.AGENT, 1.0), *((mine("👍"),) if other else ()))
    drawn = stack(*reactions, corner=corner, colorless=colorless, fitter=fitter)
    assert drawn.width == cell_len(text(drawn))
    sizes = {0: 0, 1: 4, 2: 8 if colorless else 7}
    assert drawn.width == sizes[len(drawn.badges)]
    assert clean_text(text(drawn)) == text(drawn)
    assert not set(text(drawn)) & {"\n", "\t"}
    spans = [(badge.start, badge.stop) for badge in drawn.badges]
    assert [start for start, _ in spans] == [0, *[stop for _, stop in spans]][: len(spans)]
