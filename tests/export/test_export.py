"""Exports: what each format holds, and that nothing in a message can break out of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.messages import Message, Role, Status, ToolActivity
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.export.card import COLUMNS, LINES, card_html, card_svg, card_text
from tui_tapback.export.formats import FORMATS, export
from tui_tapback.export.record import Record
from tui_tapback.terminal.graphemes import clusters

EVENING = 1_796_068_800.0
HOSTILE = "</style><script>alert(1)</script> \x1b[2J ]]> & \"' \u202e <img src=x onerror=y>"


def said(role: Role, text: str, *reactions: Reaction) -> Message:
    return Message(key=text[:8], role=role, text=text, at=EVENING, reactions=ReactionSet.of(reactions))


HEART = Reaction("❤️", Author.AGENT, EVENING)
THUMB = Reaction("👍🏽", Author.USER, EVENING + 1)
CHAT = Record(
    (
        said(Role.USER, "see you at *8*", HEART),
        replace(said(Role.TOOL, ""), tool=ToolActivity("c", "send_message")),
        said(Role.ASSISTANT, "Booked:\n\n* table for **two**", THUMB, HEART),
    ),
    title="Dinner",
    session_id="s1",
    zone=UTC,
)


class Elements(HTMLParser):
    """Start tags with their attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def classed(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for _, attrs in self.tags if name in (attrs.get("class") or "").split()]


def test_text_has_names_times_badges_and_no_tool_rows() -> None:
    assert export(CHAT, "text") == (
        "Dinner\n\n"
        "You, 2026-11-30 20:00  ❤️ agent\n  see you at *8*\n\n"
        "Agent, 2026-11-30 20:00  ❤️ agent · 👍🏽 you\n  Booked:\n\n  * table for **two**\n"
    )


def test_markdown_says_each_tapback_as_a_sentence_and_keeps_ones_own_signs() -> None:
    text = export(CHAT, "markdown")
    assert "see you at \\*8\\*" in text
    assert "* table for **two**" in text
    assert "> Agent loved “see you at \\*8\\*”" in text
    assert "> You liked “Booked: " in text
    assert text.count("## 2026-11-30") == 1


def test_an_open_code_block_of_an_interrupted_answer_swallows_nothing() -> None:
    cut = replace(said(Role.ASSISTANT, "```python\nprint(1)", HEART), status=Status.INTERRUPTED)
    record = Record((cut, said(Role.USER, "and now")), zone=UTC)
    shown = MarkdownIt().render(export(record, "markdown"))
    assert "<p>and now</p>" in shown
    assert "interrupted" in shown


def test_json_has_each_tapback_as_data_and_as_a_sentence() -> None:
    document = json.loads(export(CHAT, "json"))
    assert [m["role"] for m in document["messages"]] == ["user", "assistant"]
    assert document["messages"][0]["reactions"] == [
        {
            "emoji": "❤️",
            "author": "agent",
            "at": EVENING,
            "part": None,
            "quote": None,
            "sentence": "Agent loved “see you at *8*”",
        }
    ]
    assert export(CHAT, "json").isascii()


def test_html_shows_bubbles_of_both_sides_with_their_badges_newest_first() -> None:
    page = Elements(export(CHAT, "html"))
    assert len(page.classed("bubble")) == 2
    assert page.classed("badge")[0]["aria-label"] == "Agent loved “see you at *8*”"
    second = [attrs["class"] for attrs in page.classed("badge")[1:]]
    assert second == ["badge theirs", "badge mine"]
    assert "see you at *8*" in page.text
    assert ("strong", {}) in page.tags


def test_a_hostile_message_and_title_stay_text_in_a_page_and_in_a_card() -> None:
    foreign = Reaction(HOSTILE, Author.AGENT, EVENING)
    chat = Record((said(Role.USER, HOSTILE, foreign), said(Role.ASSISTANT, HOSTILE)), title=HOSTILE, zone=UTC)
    for page in (export(chat, "html"), card_html(chat.messages[0]), card_html(chat.messages[1])):
        names = {tag for tag, _ in Elements(page).tags}
        assert "script" not in names and "img" not in names
        assert "\x1b" not in page
    ET.fromstring(card_svg(chat.messages[0]))
    for form in FORMATS:
        assert "\x1b" not in export(chat, form)


def test_a_page_loads_nothing_from_elsewhere() -> None:
    remote = said(Role.ASSISTANT, "![x](https://tracker.example/p.png) [go](javascript:alert(1))")
    page = Elements(export(Record((remote,), zone=UTC), "html"))
    assert not [attrs for tag, attrs in page.tags if tag in ("img", "script", "link", "iframe")]
    assert not [attrs for _, attrs in page.tags if (attrs.get("href") or "").startswith("javascript")]
    policy = [attrs.get("content") for _, attrs in page.tags if attrs.get("http-equiv")]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (Status.FAILED, "failed: no model"),
        (Status.WAITING, "not delivered"),
        (Status.STREAMING, "being written"),
    ],
)
def test_what_is_not_simply_there_says_so(status: Status, word: str) -> None:
    record = Record((replace(said(Role.USER, "hi"), status=status, error="no model"),), zone=UTC)
    for form in ("text", "markdown", "html"):
        assert word in export(record, form)


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="pdf") as caught:
        export(CHAT, "pdf")
    assert "markdown" in caught.value.sentence()


def test_an_empty_session_is_a_whole_document_in_every_format() -> None:
    for form in FORMATS:
        text = export(Record(()), form)
        assert text.endswith("\n")
        assert "Untitled" in text or form == "json"


def test_a_card_says_in_words_what_it_shows() -> None:
    assert card_text(CHAT.messages[0]) == "You: see you at *8*\nAgent loved “see you at *8*”.\n"
    picture = ET.fromstring(card_svg(CHAT.messages[2]))
    labels = [label for element in picture.iter() if (label := element.get("aria-label"))]
    assert [label.split(" “")[0] for label in labels] == ["You liked", "Agent loved"]


@given(st.text(max_size=3000), st.sampled_from([Role.USER, Role.ASSISTANT]))
def test_every_card_is_well_formed_bounded_and_cuts_no_character_in_two(text: str, role: Role) -> None:
    picture = ET.fromstring(card_svg(said(role, text, HEART, THUMB)))
    lines = [e.text or "" for e in picture.iter() if e.get("{http://www.w3.org/XML/1998/namespace}space")]
    assert len(lines) <= LINES
    assert all(len(list(clusters(line))) <= COLUMNS for line in lines)


def test_a_tapback_on_a_part_quotes_the_part() -> None:
    heart = Reaction("❤️", Author.USER, EVENING, part="p2", quote="table for <two>")
    chat = Record((said(Role.ASSISTANT, "Booked:\n\ntable for <two>", heart),), zone=UTC)
    assert "❤️ you on “table for <two>”" in export(chat, "text")
    assert "> You loved “table for \\<two\\>”" in export(chat, "markdown")
    assert "<q>table for &lt;two&gt;</q>" in export(chat, "html")
    (reaction,) = json.loads(export(chat, "json"))["messages"][0]["reactions"]
    assert (reaction["part"], reaction["quote"]) == ("p2", "table for <two>")
    assert reaction["sentence"] == "You loved “table for <two>”"
