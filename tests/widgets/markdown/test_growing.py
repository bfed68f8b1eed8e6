"""The words of a growing paragraph: parsed in parts, and yet as if parsed at once."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tui_tapback.widgets.markdown.growing import PIECE, GrowingInlines

WORDS = st.sampled_from(
    [
        *(
            "word ",
            "**bold** ",
            "*",
            "**",
            "_it_ ",
            "__",
            "~~gone~~ ",
            "~~",
            "`code` ",
            "`",
            "``",
            "a_b_ ",
            "[a] ",
        ),
        *(
            "[a](b) ",
            "[",
            "](",
            "a*b ",
            "![x](y) ",
            "<http://a.b> ",
            "<",
            "&amp; ",
            "&",
            "\\* ",
            "\\",
            "end.\n",
        ),
        *("x  \n", "\n\n", "- one\n", "> ", "# head\n", "| a | b |\n| - | - |\n", "```\n", "[a]: c\n", "1. "),
        *("中文 ", "é ", "long " * 50, "so. " * 60),
    ]
)


def _parser(*, whole: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 40}).enable(["table", "strikethrough"])
    if not whole:
        parser.core.ruler.disable("inline")
    return parser


def _told(tokens: list[Token]) -> list[tuple[object, ...]]:
    return [
        (child.type, child.tag, child.content, tuple(child.attrs.items()))
        for token in tokens
        if token.type == "inline"
        for child in token.children or []
    ]


@settings(max_examples=100, deadline=None)
@example(["[a] ", "\n\n", "word ", "\n\n", "[a]: c\n"])
@given(st.lists(WORDS, min_size=1, max_size=40))
def test_every_beginning_is_what_the_parser_makes_of_it(words: list[str]) -> None:
    blocks, whole, growing = _parser(whole=False), _parser(whole=True), GrowingInlines()
    text = ""
    for word in words:
        text += word
        env: dict[str, object] = {}
        tokens = blocks.parse(text, env)
        growing.fill(tokens, blocks, env)
        assert _told(tokens) == _told(whole.parse(text))


def test_a_long_paragraph_is_not_parsed_again_and_again() -> None:
    blocks, growing, text = _parser(whole=False), GrowingInlines(), ""
    for _ in range(200):
        text += "**word** and "
        tokens = blocks.parse(text)
        growing.fill(tokens, blocks, {})
    assert growing.parsed < 200 * 2.5 * PIECE  # at once: 200 times 1,300 on the average


def test_another_text_begins_afresh() -> None:
    blocks, growing = _parser(whole=False), GrowingInlines()
    for text in ("one **two** three " * 30, "one *two* four"):
        tokens = blocks.parse(text)
        growing.fill(tokens, blocks, {})
        assert _told(tokens) == _told(_parser(whole=True).parse(text))
