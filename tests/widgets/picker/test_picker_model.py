from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from textual.geometry import Region, Size

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.grid import Grid, Section
from tui_tapback.emoji.recents import Recents
from tui_tapback.emoji.search import Match, search
from tui_tapback.widgets.editing import EditState
from tui_tapback.widgets.picker.hits import hit
from tui_tapback.widgets.picker.keys import MOVES
from tui_tapback.widgets.picker.painting import Frame
from tui_tapback.widgets.picker.placing import place
from tui_tapback.widgets.picker.source import FITTING, RECENT, Occasion, PickerSource
from tui_tapback.widgets.picker.state import PickerState


def find(query: str, limit: int) -> Sequence[Match]:
    return search(query, limit)


def source(*recent: str, tone_is_default: bool = True) -> PickerSource:
    recents = Recents(lambda: 1_000_000.0)
    for emoji in recent:
        recents.use(emoji, tone_is_default=tone_is_default)
    return PickerSource(find, load_catalogue(), recents.shown)


class Hand:
    """A picker without a screen: keys in, emoji out."""

    def __init__(
        self, src: PickerSource, *, tone: int = 0, current: str | None = None, width: int = 40
    ) -> None:
        self.source, self.current = src, current
        frame = Frame(width, 16)
        self.state = PickerState(Grid.of(self.sections("", tone), frame.columns, frame.grid_rows), tone=tone)

    def sections(self, query: str, tone: int) -> tuple[Section, ...]:
        return self.source.sections(query, tone, Occasion(self.current))

    def write(self, text: str) -> Hand:
        for char in text:
            self.state = self.state.edited(self.state.query.insert(char), self.sections)
        return self

    def go(self, *commands: str) -> Hand:
        for command in commands:
            self.state = self.state.moved(command)
        return self

    @property
    def emoji(self) -> str | None:
        return self.state.grid.current


def test_the_first_answer_is_highlighted_from_the_first_key() -> None:
    hand = Hand(source())
    for char in "smile":
        hand.write(char)
        assert hand.emoji == find(hand.state.query.text, 1)[0].emoji


def test_left_and_right_move_the_caret_until_down_enters_the_grid() -> None:
    # case B124
    hand = Hand(source()).write("smle").go("left", "left").write("i")
    assert hand.state.query.text == "smile"
    hand = Hand(source()).write("dog").go("down", "right")
    assert hand.emoji == find("dog", 2)[1].emoji
    hand.go("up", "left")
    assert hand.state.query.caret == 2, "back in the query, Left is the caret's again"


def test_down_from_the_query_goes_to_the_first_answer() -> None:
    # case B123
    assert Hand(source()).write("cat").go("down").emoji == find("cat", 1)[0].emoji


def test_other_letters_bring_the_highlight_back_to_the_first_answer() -> None:
    # case B122
    hand = Hand(source()).write("a").go("down", *["right"] * 6).write("p")
    assert hand.emoji == find("ap", 1)[0].emoji


@pytest.mark.parametrize("width", [40, 25, 33])
def test_up_and_down_keep_the_column(width: int) -> None:
    # case B118
    hand = Hand(source("👍"), width=width).go("down", *["right"] * 3)
    start = hand.emoji
    hand.go(*["down"] * 5, *["up"] * 5)
    assert hand.emoji == start


@pytest.mark.parametrize("query", ["", " ", "   "])
def test_a_blank_query_shows_recents_and_categories(query: str) -> None:
    # case B113
    hand = Hand(source("🎉", "👍")).write("a")
    hand.state = hand.state.edited(EditState.at_end(query), hand.sections)
    titles = [section.title for section in hand.state.grid.layout.sections]
    assert titles[0] == RECENT and len(titles) == 1 + len(load_catalogue().groups)


def test_nonsense_leaves_nothing_to_take() -> None:
    assert Hand(source()).write("qqqxzv").emoji is None


@pytest.mark.parametrize("tone", range(6))
def test_every_way_gives_the_same_tone(tone: int) -> None:
    thumb = "👍" + ("" if tone == 0 else chr(0x1F3FA + tone))
    searched = Hand(source(), tone=tone).write("thumbs up")
    assert searched.emoji == thumb
    recent = Hand(source("👍"), tone=tone)
    assert recent.emoji == thumb
    in_grid = next(s for s in recent.state.grid.layout.sections if "👋" + thumb[1:] in s.emoji)
    assert thumb in in_grid.emoji
    other_way = Hand(source("👍"))
    other_way.state = other_way.state.toned(tone, other_way.sections)
    assert other_way.emoji == thumb


def test_the_tones_go_round_at_both_ends() -> None:
    hand = Hand(source("👍"))
    assert hand.state.toned(-1, hand.sections).tone == 5
    assert hand.state.toned(5, hand.sections).toned(6, hand.sections).tone == 0


def test_a_tone_of_its_own_is_kept_exactly() -> None:
    # case B121
    hand = Hand(source("🧑🏾‍🚀", tone_is_default=False), tone=2)
    assert hand.emoji == "🧑🏾‍🚀"


def test_no_emoji_stands_twice_in_the_recents() -> None:
    # case B120
    hand = Hand(source("👍", "👍", "❤", "❤️"), current="👍")
    first = hand.state.grid.layout.sections[0]
    assert first.emoji == ("👍", "❤️")


def test_what_is_set_already_stands_first() -> None:
    assert Hand(source("🎉"), current="🦊").emoji == "🦊"


def test_what_fits_is_the_first_row_and_what_the_message_bears_stands_before_it() -> None:
    occasion = Occasion("🎉", ("👍",), ("😢", "🎉", "🫂"))
    first, second, *_ = source("🦊").sections("", 2, occasion)
    assert (first.title, first.emoji) == (FITTING, ("🎉", "👍", "😢", "🫂"))
    assert (second.title, second.emoji) == (RECENT, ("🦊",))
    assert source("🦊").sections("party", 0, occasion)[0].title == ""


def test_without_recents_the_quick_six_stand_there() -> None:
    assert source().sections("", 0)[0].emoji == ("❤️", "👍", "👎", "😂", "‼️", "❓")
    assert source().sections("", 5)[0].emoji[1] == "👍🏿"


def test_a_form_that_was_chosen_comes_out_everywhere() -> None:
    recents = Recents(lambda: 1_000_000.0)
    recents.use("👍")
    recents.choose_form("👍🏿")
    src = PickerSource(find, load_catalogue(), recents.shown, recents.form)
    sections = src.sections("", 1, Occasion(suggested=("👍",)))
    assert sections[0].emoji == sections[1].emoji == ("👍🏿",)
    everything = [emoji for section in sections for emoji in section.emoji]
    assert "👍🏿" in everything
    assert not {"👍", "👍🏻"} & set(everything)
    assert "👋🏻" in everything
    assert src.sections("thumbs up", 1)[0].emoji[0] == "👍🏿"
    recents.choose_form("👍")
    src.forget_forms()
    assert "👍🏻" in [emoji for section in src.sections("", 1)[1:] for emoji in section.emoji]


@pytest.mark.parametrize(("emoji", "count"), [("👍", 6), ("🤝", 26), ("👩‍❤️‍👨", 26), ("🎉", 0), ("🫪", 0)])
def test_the_tones_of_an_emoji_one_for_each_person_in_it(emoji: str, count: int) -> None:
    forms = source().variants(emoji)
    assert len(forms) == len(set(forms)) == count
    assert emoji in forms or not forms


def test_the_tones_of_one_emoji_fill_the_grid_until_escape() -> None:
    hand = Hand(source()).write("thumbs up")
    forms = hand.source.variants("👍")
    inside = hand.state.with_variants("Tones", forms)
    assert inside.grid.layout.emoji == forms
    assert inside.moved("up").in_grid
    assert inside.moved("right").grid.current == "👍🏻"
    assert inside.under == hand.state
    narrow = inside.resized(4, 3)
    assert narrow.grid.layout.columns == 4
    assert narrow.under is not None
    assert narrow.under.grid.layout.columns == 4


def test_tab_walks_the_categories_and_enters_the_grid_when_something_is_typed() -> None:
    hand = Hand(source("👍"))
    hand.state = hand.state.next_category(1)
    assert hand.emoji == "😀"
    hand.state = hand.state.next_category(-1).next_category(-1)
    assert hand.state.grid.section == len(load_catalogue().groups)
    hand = Hand(source()).write("dog")
    hand.state = hand.state.next_category(1)
    assert not hand.state.editing


def test_the_place_is_said() -> None:
    hand = Hand(source()).write("cat").go("down", "right", "right")
    assert hand.state.place().startswith("3 of ")


def test_arrows_choose_the_tone_and_escape_gives_the_old_one_back() -> None:
    hand = Hand(source("👍"), tone=1)
    state = hand.state.choose_tone().tone_command("right", hand.sections).tone_command("tone", hand.sections)
    assert state.tone == 3 and state.grid.current == "👍🏽"
    assert state.tone_command("back", hand.sections).grid.current == "👍🏻"
    assert not state.tone_command("pick", hand.sections).choosing
    assert state.tone_command("pick", hand.sections).tone == 3


@given(
    st.builds(Region, st.integers(0, 199), st.integers(0, 59), st.integers(1, 80), st.integers(1, 20))
    | st.none(),
    st.builds(Size, st.integers(10, 200), st.integers(3, 60)),
)
def test_the_box_is_always_whole_on_the_screen_with_its_search_line(
    anchor: Region | None, screen: Size
) -> None:
    # case B131
    region = place(Size(40, 16), anchor, screen)
    assert screen.region.contains_region(region)
    frame = Frame(region.width, region.height)
    assert 0 <= frame.search < region.height
    assert frame.grid_rows >= 1


@given(
    anchor=st.builds(
        Region, st.integers(-5, 90), st.integers(-5, 40), st.integers(1, 60), st.integers(1, 20)
    ),
    area=st.builds(Region, st.integers(0, 10), st.integers(0, 10), st.integers(0, 90), st.integers(0, 40)),
    screen=st.builds(Size, st.integers(20, 100), st.integers(6, 50)),
)
def test_inside_the_area_if_that_is_large_enough(anchor: Region, area: Region, screen: Size) -> None:
    placed = place(Size(40, 16), anchor, screen, area)
    seen = area.intersection(screen.region)
    large = seen.height >= 12 and seen.width >= 24
    assert (seen if large else screen.region).contains_region(placed)
    if large:
        assert placed.height == min(16, seen.height)


def test_beside_its_anchor_below_then_above() -> None:
    screen = Size(80, 24)
    assert place(Size(40, 10), Region(4, 2, 20, 3), screen) == Region(4, 5, 40, 10)
    assert place(Size(40, 10), Region(4, 18, 20, 3), screen) == Region(4, 8, 40, 10)
    assert place(Size(40, 10), Region(70, 2, 9, 3), screen).right == 80
    assert place(Size(40, 10), Region(0, 0, 80, 22), screen) == Region(0, 12, 40, 10), "at the foot inside"


def test_both_cells_of_an_emoji_hit_it_and_the_gap_does_not() -> None:
    # case B134
    hand = Hand(source()).write("cat")
    frame = Frame(40, 16)
    y = frame.grid_top
    kinds = [hit(hand.state, frame, [], x, y) for x in (1, 2, 3, 4, 5)]
    assert [(h.kind, h.value) for h in kinds] == [
        ("inside", 0), ("cell", 0), ("cell", 0), ("inside", 0), ("cell", 1),
    ]  # fmt: skip
    assert hit(hand.state, frame, [], 40, 3).kind == "outside"
    assert hit(hand.state, frame, [], 3, -1).kind == "outside"


class PickerMachine(RuleBasedStateMachine):
    """Whatever is pressed in whatever order, the cursor stays seen and valid."""

    def __init__(self) -> None:
        super().__init__()
        self.hand = Hand(source("👍", "❤️"), current="🎉")
        self.frame = Frame(40, 16)

    @rule(char=st.sampled_from("catp o👍z"))
    def write(self, char: str) -> None:
        self.hand.write(char)
        assert self.hand.state.grid.cursor == 0, "each key brings back the first answer"
        if self.hand.state.query.text.strip():
            best = find(self.hand.state.query.text, 1)
            assert self.hand.emoji == (best[0].emoji if best else None) or self.hand.state.tone

    @rule()
    def erase(self) -> None:
        self.hand.state = self.hand.state.edited(self.hand.state.query.delete_left(), self.hand.sections)

    @rule(command=st.sampled_from(sorted(MOVES)))
    def move(self, command: str) -> None:
        self.hand.go(command)

    @rule(step=st.sampled_from([-1, 1]))
    def category(self, step: int) -> None:
        self.hand.state = self.hand.state.next_category(step)

    @rule(tone=st.integers(0, 5))
    def tone(self, tone: int) -> None:
        self.hand.state = self.hand.state.toned(tone, self.hand.sections)

    @rule(columns=st.integers(1, 12), height=st.integers(1, 12))
    def resize(self, columns: int, height: int) -> None:
        before = self.hand.emoji
        self.hand.state = PickerState(
            self.hand.state.grid.resized(columns, height), self.hand.state.query, tone=self.hand.state.tone
        )
        assert self.hand.emoji == before

    @invariant()
    def the_cursor_is_seen(self) -> None:
        grid = self.hand.state.grid
        if grid.layout.emoji:
            assert 0 <= grid.cursor < len(grid.layout.emoji)
            assert grid.top <= grid.row < grid.top + grid.height


PickerMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
TestPicker = pytest.mark.slow(PickerMachine.TestCase)
