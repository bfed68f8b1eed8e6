"""What happened becomes sentences: whole paragraphs, states, tools, questions; no box, no mark."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import Any

from tui_tapback.client.open_questions import Approval, Clarify, ClarifyItem, SecretAsked
from tui_tapback.client.state import ClientState, ConnectionState, Phase
from tui_tapback.domain.messages import Message, Role, Status, ToolActivity
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.plain import prose, sentences
from tui_tapback.plain.announcer import PATIENCE, Announcer
from tui_tapback.plain.numbers import Numbers
from tui_tapback.plain.speech import Pictures, Speech
from tui_tapback.plain.tapback_news import SETTLE

NOON = 43_200.0
SPEECH = Speech(zone=UTC)
ONLINE = ConnectionState(Phase.ONLINE)


def said(key: str, text: str, role: Role = Role.ASSISTANT, status: Status = Status.STORED) -> Message:
    return Message(key=key, role=role, text=text, at=NOON, status=status)


class Listener:
    """An announcer that has greeted an empty chat."""

    def __init__(self, speech: Speech = SPEECH) -> None:
        self.announcer = Announcer(speech, Numbers())
        self.state = ClientState(ONLINE)
        self.now = NOON
        self.hear()

    def hear(self, *messages: Message, **changed: Any) -> list[str]:
        if messages:
            changed["messages"] = messages
        self.state = replace(self.state, **changed)
        return self.announcer.news(self.state, self.now)


def test_an_answer_is_read_by_paragraphs_as_they_are_complete() -> None:
    listener = Listener()
    stream = Status.STREAMING
    assert listener.hear(said("a", "One", status=stream), running=True) == []
    assert listener.hear(said("a", "One two.\n", status=stream)) == []
    assert listener.hear(said("a", "One two.\n\nTh", status=stream)) == ["Agent, 12:00: One two."]
    assert listener.hear(said("a", "One two.\n\nThree\n\n```py\na = 1\n\nb", status=stream)) == ["Three"]
    whole = "One two.\n\nThree\n\n```py\na = 1\n\nb = 2\n```"
    assert listener.hear(said("a", whole), running=False) == [
        "Code, 3 lines, py:", "a = 1", "", "b = 2", "End of code.",
    ]  # fmt: skip
    assert listener.hear(said("a", whole)) == []


def test_what_breaks_off_or_changes_is_said() -> None:
    listener = Listener()
    listener.hear(said("a", "One.\n\nTw", status=Status.STREAMING), running=True)
    assert listener.hear(said("a", "One.\n\nTw", status=Status.INTERRUPTED), running=False) == [
        "Tw",
        "The answer was interrupted.",
    ]
    assert listener.hear(said("a", "Otherwise.", status=Status.INTERRUPTED)) == [
        "Message 1 reads otherwise now:",
        "Agent, 12:00, interrupted: Otherwise.",
    ]
    assert listener.hear(messages=()) == ["1 message was taken out of the chat."]
    failed = replace(said("b", "", status=Status.FAILED), error="The model is gone.")
    assert listener.hear(failed) == ["The answer failed. The model is gone. /retry 2 tries again."]


def test_own_words_are_not_read_back_but_those_of_another_program_are() -> None:
    listener = Listener()
    listener.announcer.own.add("mine")
    assert listener.hear(said("mine", "hello", Role.USER, Status.SENDING)) == []
    assert listener.hear(said("mine", "hello", Role.USER), said("other", "from the phone", Role.USER)) == [
        "You, 12:00: from the phone"
    ]


def loved(
    message: Message, emoji: str | None, *, author: Author = Author.AGENT, sure: bool = True
) -> Message:
    reactions = [] if emoji is None else [Reaction(emoji, author, NOON, confirmed=sure)]
    return message.with_reactions(ReactionSet.of(reactions))


def test_a_tapback_is_said_when_it_has_settled_and_only_then() -> None:
    # case B184: a burst of changes is one sentence, what comes and goes is none
    listener = Listener()
    message = said("a", "see you at 8", Role.USER)
    listener.hear(message)
    for emoji in ("👍", "👎", "❤️"):
        assert listener.hear(loved(message, emoji)) == []
        listener.now += SETTLE / 2
    listener.now += SETTLE / 2
    assert listener.announcer.due is not None and listener.announcer.due <= listener.now
    assert listener.hear() == ["Agent loved message 1, “see you at 8”."]
    listener.hear(loved(message, "😂"))
    listener.hear(loved(message, "❤️"))
    listener.now += SETTLE
    assert listener.hear() == []
    listener.hear(loved(message, None))
    listener.now += SETTLE
    assert listener.hear() == ["Agent took back red heart ❤️ from message 1, “see you at 8”."]
    assert listener.announcer.due is None


def test_a_tapback_that_nobody_confirmed_is_not_said_yet() -> None:
    listener = Listener()
    message = said("a", "First.")
    listener.hear(message)
    listener.hear(loved(message, "🎉", author=Author.USER, sure=False))
    listener.now += SETTLE
    assert listener.hear() == []
    assert listener.hear(loved(message, "🎉", author=Author.USER)) == [
        "You reacted party popper 🎉 to message 1, “First.”."
    ]
    refused = replace(message, reaction_error="Tapbacks are off.")
    assert listener.hear(refused) == [
        "The tapback on message 1 was refused. Tapbacks are off. /retry 1 tries again."
    ]


def test_the_connection_is_told_with_what_waits() -> None:
    announcer = Announcer(SPEECH, Numbers())
    assert announcer.news(ClientState(ConnectionState(Phase.CONNECTING)), NOON) == ["Connecting."]
    offline = ConnectionState(Phase.OFFLINE, "Nobody listens there.")
    assert announcer.news(ClientState(offline, waiting=2), NOON) == [
        "Offline: the gateway cannot be reached. /reconnect tries at once. Nobody listens there. "
        "2 messages or tapbacks wait to be sent."
    ]
    assert announcer.news(ClientState(offline, waiting=3), NOON) == [
        "3 messages or tapbacks wait to be sent."
    ]
    assert announcer.news(ClientState(ONLINE), NOON)[0] == "Connected again."


def test_a_tool_is_one_sentence_and_a_long_silence_another() -> None:
    listener = Listener()
    tool = Message(
        key="t", role=Role.TOOL, text="", at=NOON, tool=ToolActivity("1", "read_file", "a.txt", True)
    )
    assert listener.hear(tool, running=True) == ["The agent uses read_file: a.txt."]
    done = replace(tool, tool=ToolActivity("1", "read_file", "a.txt", False, "42 lines"))
    assert listener.hear(done) == []
    listener.now += PATIENCE
    assert listener.hear() == ["The agent is still at work. /stop interrupts it."]
    assert listener.hear() == []


def test_questions_say_how_they_are_answered() -> None:
    listener = Listener()
    leave = Approval("1", "s", "rm -r build", "Delete the build", ("once", "deny"))
    assert listener.hear(questions=(leave,)) == [
        "Question: Delete the build",
        "Command: rm -r build",
        "Answer with /answer once, /answer deny.",
    ]
    assert listener.hear(questions=()) == ["The question is closed."]
    asked = Clarify("2", "s", (ClarifyItem("q", "Which city?", ("Bonn", "Ulm")),))
    assert sentences.question(asked)[1:4] == ["Which city?", "1. Bonn", "2. Ulm"]
    assert "not shown" in sentences.question(SecretAsked("3", "s", "sudo", "Password for x"))[1]


def test_markdown_is_read_without_its_marks() -> None:
    # case B186: linear text, no boxes
    text = (
        "# Title\n\nSome **bold** and `code` with [a link](https://e.org/x).\n\n"
        "- one\n  - two\n\n1. first\n2. second\n\n> quoted\n\n---\n\n"
        "| Name | Age |\n|---|---|\n| Ann | 3 |\n| Bo | |\n\n![alt](i.png)"
    )
    assert prose.spoken_lines(text) == [
        "Heading: Title",
        "Some bold and code with a link (link: https://e.org/x).",
        "- one",
        "- level 2, two",
        "1. first",
        "2. second",
        "Quote: quoted",
        "Section break.",
        "Table, 2 rows, columns Name, Age.",
        "Row 1. Name: Ann; Age: 3.",
        "Row 2. Name: Bo.",
        "End of table.",
        "(image: alt)",
    ]
    assert prose.spoken_lines("<https://e.org>") == ["https://e.org"]


def test_emoji_have_names_with_or_without_their_picture() -> None:
    # case B182: who reacted with what; case B183: every emoji has a name
    assert SPEECH.emoji("❤️") == "red heart ❤️"
    assert Speech(Pictures.NAMES).emoji("👍🏽") == "thumbs up: medium skin tone"
    assert SPEECH.emoji("nonsense") == "“nonsense”"
    assert Speech(Pictures.NAMES).text("Done 🎉 at last") == "Done (party popper) at last"
    both = loved(loved(said("a", "x"), "❤️"), "❤️")
    both = both.with_reactions(both.reactions.set(Reaction("😂", Author.USER, NOON)))
    assert sentences.badges(SPEECH, both) == (
        "Tapbacks: face with tears of joy 😂 from you, red heart ❤️ from the agent."
    )


def test_where_only_ascii_can_be_spelt_everything_is() -> None:
    plain = Speech(ascii_only=True)
    line = plain.line("Agent loved “Grüße — naïve…” ❤️ 界 │")
    assert line.isascii() and line == 'Agent loved "Grusse - naive..." (red heart) ? |'
    assert plain.emoji("🎉") == "party popper"


def test_hostile_text_drives_no_terminal() -> None:
    assert "\x1b" not in SPEECH.line("\x1b]0;title\x07 \x1b[2J hello \u202e")
