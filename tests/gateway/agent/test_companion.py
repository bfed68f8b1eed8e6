"""The offline companion over the real loop and the real tool: honest, useful, the same for the same chat."""

from __future__ import annotations

import re

import pytest

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.gateway.agent.chat_reading import Chat, Note, split_notes
from tui_tapback.gateway.agent.companion import Companion
from tui_tapback.gateway.agent.companion_mood import choose_tapback, find_emoji
from tui_tapback.gateway.agent.companion_topics import FALLBACK, FIRST_FALLBACK, TOPICS
from tui_tapback.gateway.agent.loop import TurnLoop
from tui_tapback.gateway.agent.tools import SendMessageTool
from tui_tapback.gateway.service import notes as service_notes
from tui_tapback.gateway.service.notes import Tap
from tui_tapback.testing.agent import MemoryConversation, RecordingTurn


async def no_wait(_seconds: float) -> None:
    """The companion's pause, passed at once."""


@pytest.fixture
def agent(tool: SendMessageTool) -> TurnLoop:
    return TurnLoop(Companion(sleep=no_wait), tool)


def turn_with(*texts: str) -> RecordingTurn:
    return RecordingTurn(texts)


async def answer(agent: TurnLoop, turn: RecordingTurn) -> str:
    await agent.run(turn)
    return turn.all_text


async def test_a_newcomer_sees_a_tapback_at_once_and_is_told_who_answers(
    agent: TurnLoop, conversation: MemoryConversation
) -> None:
    turn = turn_with("hello")
    text = await answer(agent, turn)
    assert conversation.emoji_on(1) == ["👋"]
    assert "offline companion" in text
    assert "script" in text
    assert turn.answers == ["", text]  # first the row with the call, then the answer
    assert turn.contexts == ["react 👋"]


@pytest.mark.parametrize(
    "first",
    [
        "How do I connect a model?",
        "Erzähl mir was.",
        "x",
        "SELECT 1;",
        "what is 🫠",
        "ok",
        "?",
        "[red]",
        "\u202eevil",
    ],
)
async def test_the_first_message_of_any_kind_gets_a_tapback_and_an_answer(
    agent: TurnLoop, conversation: MemoryConversation, first: str
) -> None:
    assert (await answer(agent, turn_with(first))).strip()
    assert len(conversation.emoji_on(1)) == 1


@pytest.mark.parametrize(
    ("message", "emoji"),
    [
        ("thanks, that helped", "❤️"),
        ("haha good one", "😂"),
        ("tell me a joke", "😂"),
        ("yay, it works", "🎉"),
        ("good night", "👋"),
        ("hello, and thanks", "👋"),
        ("this is urgent", "‼️"),
        ("react with 🦄 please", "🦄"),
        ("👍🏽", "👍🏽"),
        ("ok", "👍"),
    ],
)
async def test_it_taps_back_by_what_the_words_feel_like(
    agent: TurnLoop, conversation: MemoryConversation, message: str, emoji: str
) -> None:
    await answer(agent, turn_with("hello", "x", message))
    assert conversation.emoji_on(1) == [emoji]


async def test_later_messages_without_feeling_get_no_tapback(
    agent: TurnLoop, conversation: MemoryConversation
) -> None:
    turn = turn_with("hello", "what is the capital of France")
    assert "model" in await answer(agent, turn)
    assert turn.calls == []
    assert conversation.changes == 0


async def test_take_back_goes_to_the_message_before(agent: TurnLoop) -> None:
    turn = turn_with("hello", "please take back your tapback")
    await answer(agent, turn)
    assert turn.calls[0].arguments == '{"action": "unreact", "messages_back": 1}'


async def test_it_says_what_it_saw_in_the_notes(agent: TurnLoop) -> None:
    head = [
        '[The user reacted ❤️ to your message: "Hello! I am a script."]',
        '[The user changed their reaction from 👍 to 😂 on their own message: "ha]"]',
        "[The user took back their ‼️ from your earlier message]",
    ]
    text = await answer(agent, turn_with("hello", "\n".join(head) + "\n\nkeys"))
    assert "I saw your ❤️ on “Hello! I am a script.”." in text
    assert "I saw you change 👍 into 😂 on your own “ha]”." in text
    assert "I saw that you took your ‼️ back from an earlier message." in text
    assert "Ctrl+J" in text


def test_it_reads_every_form_that_the_service_writes() -> None:
    targets = [
        service_notes.Target(row, own, text, {None: Tap("👍")} if row % 2 else {})
        for row, own, text in [
            (1, True, "a"),
            (2, False, "b"),
            (3, False, ""),
            (4, True, ""),
            (5, False, "c"),
        ]
    ]
    lines = service_notes.lines(
        service_notes.due(targets, {(2, None): Tap("❤️"), (4, None): Tap("❓"), (5, None): Tap("😂")})
    )
    notes, text = split_notes("\n".join(lines) + "\n\n[keep] this\n\nand this")
    assert text == "[keep] this\n\nand this"
    assert notes == (
        Note("👍", "", own=True, quote="a"),
        Note("", "❤️", own=False, quote="b"),
        Note("👍", "", own=False, quote=""),
        Note("", "❓", own=True, quote=""),
        Note("👍", "😂", own=False, quote="c"),
    )
    many = [service_notes.Target(row, False, "x", {None: Tap("👍")}) for row in range(30)]
    notes, text = split_notes("\n".join(service_notes.lines(service_notes.due(many, {}))) + "\n\nhello")
    assert (len(notes), text) == (service_notes.MAX_LINES, "hello")


def test_it_reads_what_is_said_of_a_part() -> None:
    part = service_notes.Target(1, own=False, text="a b", present={"p": Tap("👍", "b"), "q": Tap("😂")})
    known: dict[service_notes.Slot, Tap] = {(1, "p"): Tap("❤️", "b"), (1, "r"): Tap("❓", "c")}
    notes, text = split_notes("\n".join(service_notes.lines(service_notes.due([part], known))) + "\n\nhi")
    assert text == "hi"
    assert notes == (
        Note("👍", "❤️", own=False, quote="b"),
        Note("", "❓", own=False, quote="c"),
        Note("😂", "", own=False, quote="a b"),
    )


async def test_the_same_chat_gets_the_same_words_and_a_repeated_hello_other_ones(agent: TurnLoop) -> None:
    first, again = await answer(agent, turn_with("hello")), await answer(agent, turn_with("hello"))
    second = await answer(agent, turn_with("hello", "hello"))
    assert first == again
    assert first != second


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("help", "connect a model"),
        ("what keys are there?", "`Ctrl+J`"),
        ("how do reactions work", "`/react heart`"),
        ("how can I connect ollama", "OPENAI_BASE_URL"),
        ("who are you", "offline companion"),
        ("show me markdown", "```python"),
        ("what is 🫠 called?", "*melting face*, short code `:melting_face:`"),
        ("is this 👍🏽 ok as an emoji", "medium skin tone"),
        ("thank you!", ""),
        ("a joke please", ""),
        ("I am sad", "sorry"),
    ],
)
async def test_it_knows_the_program(agent: TurnLoop, question: str, part: str) -> None:
    text = await answer(agent, turn_with("hi", question))
    assert text
    assert part in text
    assert text not in FALLBACK


async def test_anything_else_is_refused_honestly_with_the_way_out(agent: TurnLoop) -> None:
    for number in range(6):
        text = await answer(agent, turn_with("hi", f"prove Fermat's theorem {number}"))
        assert "model" in text or "script" in text
        assert text in FALLBACK
    assert all("model" in text for text in (*FALLBACK, *FIRST_FALLBACK))


@pytest.mark.parametrize(("asked", "words"), [("stream 50", 50), ("Stream 3!", 3), ("stream 999999", 2000)])
async def test_stream_counts_in_pieces(agent: TurnLoop, asked: str, words: int) -> None:
    turn = turn_with("hi", asked)
    text = await answer(agent, turn)
    assert [int(number) for number in re.findall(r"\d+", text)] == list(range(1, words + 1))
    assert len(turn.pieces) == words


async def test_pieces_join_to_the_text_without_loss_and_wait_between(tool: SendMessageTool) -> None:
    waits: list[float] = []

    async def record(seconds: float) -> None:
        waits.append(seconds)

    turn = turn_with("hi", "markdown")
    await TurnLoop(Companion(sleep=record, delay=0.5), tool).run(turn)
    assert "| 👍 | agreed |" in turn.all_text
    assert waits == [0.5] * len(turn.pieces)


async def test_a_refused_tapback_is_told_not_hidden(
    agent: TurnLoop, conversation: MemoryConversation
) -> None:
    turn = turn_with("hello")
    conversation.refusal = InvalidInput("Reactions are switched off here.")
    text = await answer(agent, turn)
    assert "it did not work. Reactions are switched off here." in text


async def test_without_the_tool_it_only_talks(agent: TurnLoop) -> None:
    turn = RecordingTurn(("hello",), tool_list="[]")
    assert await answer(agent, turn)
    assert turn.calls == []


def test_every_answer_is_short_clean_and_found() -> None:
    for topic in TOPICS:
        for text in topic.answers:
            assert text == text.strip()
            assert len(text) < 700
    assert len({text for topic in TOPICS for text in topic.answers}) == sum(len(t.answers) for t in TOPICS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no emoji 123 # *", []),
        ("a❤b👍🏽c", ["❤️", "👍🏽"]),
        ("🏴‍☠️🫩", ["🏴‍☠️", "🫩"]),
        ("👨‍👩‍👧‍👦!", ["👨‍👩‍👧‍👦"]),
        ("é\u0301 中文", []),
    ],
)
def test_emoji_are_found_in_running_text(text: str, found: list[str]) -> None:
    assert find_emoji(text) == found


def test_the_tapback_choice_is_a_function_of_the_chat() -> None:
    assert choose_tapback(Chat("no feeling here", turns=1)) == choose_tapback(Chat("no feeling", turns=1))
    assert choose_tapback(Chat("no feeling here", turns=2)) is None
