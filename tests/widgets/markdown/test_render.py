"""Markdown as it is drawn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from tui_tapback.domain.text import clean_text
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import FULL, SAFE
from tui_tapback.widgets.markdown import Line, MarkdownRenderer, MarkdownStyles, StreamedMarkdown

SAFE_FITTER = EmojiFitter(SAFE)


def renderer(*, colorless: bool = False, fitter: EmojiFitter = SAFE_FITTER) -> MarkdownRenderer:
    return MarkdownRenderer(fitter, MarkdownStyles(code=Style(color="red"), colorless=colorless))


def drawn(text: str, width: int = 60, *, colorless: bool = False) -> list[str]:
    return [line.text.rstrip() for line in renderer(colorless=colorless).render(text, width)]


def styles(lines: list[Line], text: str) -> Style:
    return next(style for line in lines for part, style in line.runs if text in part)


def test_blocks() -> None:
    text = "# Plan\n\nFirst **bold**\nsecond\n\n> quoted\n\n---\n\n```\ncode  here\n```\n"
    assert drawn(text) == ["Plan", "", "First bold", "second", "", "▌ quoted", "", "───", "", "▎ code  here"]


def test_lists_nest_and_wrap_under_their_text() -> None:
    text = "9. nine\n10. ten is so long that it wraps\n    - inner\n\n- bullet"
    assert drawn(text, 20) == [
        " 9. nine",
        "10. ten is so long",
        "    that it wraps",
        "    • inner",
        "",
        "• bullet",
    ]


def test_paragraphs_of_one_item_stand_apart_where_their_author_set_them_apart() -> None:
    assert drawn("- one\n\n  more of it\n- two") == ["• one", "", "  more of it", "• two"]
    assert drawn("- one\n  more of it\n- two") == ["• one", "  more of it", "• two"]


def test_code_breaks_between_words_where_it_must_break() -> None:
    code = "```\nvalue = compute(first, second)  # why\n" + "x" * 30 + "\n```"
    assert drawn(code, 25) == [
        "▎ value = compute(first,",
        "▎ second)  # why",
        "▎ " + "x" * 23,
        "▎ " + "x" * 7,
    ]


@pytest.mark.parametrize("text", ["word ---\n```word `", "word\n***w", "word\n#w"])
def test_what_only_looks_like_a_new_block_for_a_moment_is_drawn_right_in_the_end(text: str) -> None:
    stream = StreamedMarkdown(renderer(), 60)
    for stop in range(1, len(text)):
        stream.lines(text[:stop])
    assert [line.text.rstrip() for line in stream.lines(text)] == drawn(text)


def test_emphasis_code_and_strike_have_their_styles() -> None:
    lines = renderer().render("**b** *e* `c` ~~s~~ **bo*th***", 40)
    assert styles(lines, "b").bold
    assert styles(lines, "e").italic
    assert styles(lines, "c") == Style(color="red")
    assert styles(lines, "s").strike
    both = styles(lines, "th")
    assert both.bold
    assert both.italic


def test_without_colour_inline_code_keeps_its_backticks() -> None:
    assert drawn("run `ls` now", colorless=True) == ["run `ls` now"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[docs](https://example.org/d)", "docs (https://example.org/d)"),
        ("<https://example.org/d>", "https://example.org/d"),
        ("<me@example.org>", "me@example.org"),
        ("[https://good.example](https://evil.example)", "https://good.example (https://evil.example)"),
        ("![a cat](https://example.org/c.png)", "a cat (https://example.org/c.png)"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
    ],
)
def test_a_link_says_where_it_goes_unless_its_text_does(text: str, shown: str) -> None:
    assert drawn(text, 80) == [shown]


@pytest.mark.parametrize(
    "text",
    ["[/", "[/path]", "[bold", "[0]", "[[self view] doSomething:[self other]]", "[red]x[/red]", "<b>hi</b>"],
)
def test_what_looks_like_markup_is_text(text: str) -> None:
    assert drawn(text) == [text]


@pytest.mark.parametrize("entity", ["&#27;[31m", "&#x1b;]0;x&#7;", "&#x202e;abc", "&#10;", "&#13;", "&#0;"])
def test_an_entity_smuggles_no_control_character(entity: str) -> None:
    for text in (
        entity,
        f"`{entity}`",
        f"# {entity}",
        f"| {entity} |\n|---|\n| {entity} |",
        f"[{entity}](x)",
    ):
        for line in renderer().render(text, 40):
            assert clean_text(line.text) == line.text
            assert "\n" not in line.text


def bars(lines: list[str]) -> set[tuple[int, ...]]:
    return {tuple(cell_len(line[:at]) for at, char in enumerate(line) if char in "│┼") for line in lines}


@pytest.mark.parametrize("fitter", [EmojiFitter(SAFE), EmojiFitter(FULL)], ids=["safe", "full"])
def test_the_bars_of_a_table_stand_in_line_whatever_is_in_its_cells(fitter: EmojiFitter) -> None:
    text = (
        "| what | n | note |\n|:--|--:|:-:|\n| 🖥️ Shell | 1 | ok |\n| ⚖️ Law | 22 | 危险 |\n"
        "| 💻 Code | 333 | e\u0301 |\n| 👩🏽‍💻 dev | ☝🏽 | ‼️ |"
    )
    lines = [line.text for line in renderer(fitter=fitter).render(text, 60)]
    assert len(lines) == 6
    assert len(bars(lines)) == 1


def test_a_table_wider_than_the_bubble_wraps_its_cells() -> None:
    text = "| a | b |\n|---|---|\n| short | " + "many words " * 8 + "|"
    lines = drawn(text, 30)
    assert all(cell_len(line) <= 30 for line in lines)
    assert len(bars([line.ljust(30) for line in lines if "│" in line])) == 1
    assert (
        " ".join(" ".join(line.split("│")[1].split()) for line in lines[2:]).split() == ["many", "words"] * 8
    )


def test_a_table_of_too_many_columns_becomes_records() -> None:
    text = "|" + "|".join("abcdefgh") + "|\n|" + "---|" * 8 + "\n|" + "|".join("12345678") + "|"
    assert drawn(text, 20) == [f"{name}: {value}" for name, value in zip("abcdefgh", "12345678", strict=True)]


def test_code_is_coloured_and_keeps_every_character() -> None:
    code = 'def f(x):\n    """doc"""\n\n    return [x, "é"]  # 危险'
    lines = renderer().render(f"```python\n{code}\n```", 60)
    assert [line.text.removeprefix("▎").removeprefix(" ") for line in lines] == code.split("\n")
    assert styles(lines, "def").bold


@pytest.mark.parametrize("language", ["", "nosuchlanguage", "[/red]", "python extra words", "\x1b[31m"])
def test_any_language_name_is_survived(language: str) -> None:
    assert drawn(f"```{language}\nx = 1\n```") == ["▎ x = 1"]


def test_a_long_unbroken_line_wraps() -> None:
    assert {len(line) for line in drawn("x" * 1000, 50)} == {50}


@pytest.mark.parametrize("text", ["> " * 3000 + "deep", "- " * 3000 + "deep", ">" * 500 + "deep"])
def test_what_is_nested_too_deep_for_the_parser_is_shown_as_it_is(text: str) -> None:
    assert "".join(drawn(text, 40)).replace(" ", "") == text.replace(" ", "")


plain_text = st.text(st.sampled_from("ab \n.,é危👍"), max_size=80)


@given(plain_text, st.integers(8, 40))
@settings(max_examples=60)
def test_the_short_way_for_plain_text_draws_what_the_parser_would(text: str, width: int) -> None:
    made = renderer()
    short = [line.text.rstrip() for line in made.render(text, width)]
    long = [
        line.text.rstrip() for line in made.render(f"{text}\n\n[x]: y", width)
    ]  # a definition draws nothing
    assert short == long


PIECES = (
    *(
        "word ",
        "**b**",
        "*",
        "`",
        "```",
        "\n",
        "\n\n",
        "# ",
        "- ",
        "1. ",
        "> ",
        "| a | b |\n|---|---|\n",
        "    ",
    ),
    *("[", "](u)", "/", "&#27;", "<i>", "👍", "危", "~~", "\\", "---\n", "\t"),
)
markdown = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(markdown, st.integers(8, 50))
@settings(max_examples=150)
def test_no_text_makes_a_line_too_wide_or_unclean(text: str, width: int) -> None:
    for line in renderer().render(text, width):
        assert line.width <= width or width < 16, line.text
        assert clean_text(line.text) == line.text


@given(markdown, st.lists(st.integers(1, 9), min_size=1, max_size=30))
@settings(max_examples=100)
def test_a_streamed_answer_ends_as_the_whole_one(text: str, steps: list[int]) -> None:
    made = renderer()
    stream = StreamedMarkdown(made, 40)
    at = 0
    for step in steps:
        at += step
        stream.lines(text[:at])
    streamed = [line.text for line in stream.lines(text)]
    assert streamed == [line.text for line in made.render(text, 40)]


def test_while_streaming_closed_blocks_are_not_parsed_again() -> None:
    stream = StreamedMarkdown(renderer(), 40)
    text = "".join(f"Paragraph **number** {number}.\n\n" for number in range(200))
    for at in range(0, len(text), 10):
        stream.lines(text[:at])
    assert stream.parsed < len(text) * 6, "each token costs its open block, not the whole answer"


@pytest.mark.parametrize("text", ["yield [", "yield [/", "] and [bold", "[/red] x [", "**[", "`[/"])
def test_brackets_may_be_cut_anywhere_while_streaming(text: str) -> None:
    stream = StreamedMarkdown(renderer(), 40)
    for at in range(len(text) + 1):
        shown = "".join(line.text for line in stream.lines(text[:at]))
        assert shown.count("[") == text[:at].count("[")
