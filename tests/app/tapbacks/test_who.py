"""The words on who reacted, when, and what the other side saw of it."""

from __future__ import annotations

from datetime import UTC

import pytest

from tui_tapback.app.tapbacks import words
from tui_tapback.app.tapbacks.who import moment, who
from tui_tapback.client.tapback_history import Change
from tui_tapback.client.telling import PendingLine
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet

AT = 1_760_000_000.0


def message(*reactions: Reaction) -> Message:
    return Message(
        key="m", role=Role.ASSISTANT, text="Booked for eight.", at=AT, reactions=ReactionSet.of(reactions)
    )


def told(mine: Reaction, pending: list[PendingLine] | None) -> str:
    (line,) = who(message(mine), pending, now=AT, zone=UTC)
    return line


@pytest.mark.parametrize(
    ("pending", "said"),
    [
        (None, ""),
        ([], "the agent has seen it"),
        ([PendingLine(1, "…", "m")], "the agent sees it with your next message"),
        ([PendingLine(1, "…", "m", withheld=True)], "kept back from the agent"),
        ([PendingLine(1, "…", "other")], "the agent has seen it"),
        ([PendingLine(1, "…", "m", part="p")], "the agent has seen it"),
    ],
)
def test_what_the_agent_knows(pending: list[PendingLine] | None, said: str) -> None:
    line = told(Reaction("👍", Author.USER, AT), pending)
    assert line == " · ".join(filter(None, ("You liked this 👍", "08:53", said)))


def test_what_is_on_its_way_is_said_to_be() -> None:
    assert told(Reaction("👍", Author.USER, AT, confirmed=False), []).endswith("on its way")


def test_newest_first_with_part_and_foreign_text_made_harmless() -> None:
    lines = who(
        message(
            Reaction("not\x1b[31m one", Author.AGENT, AT - 86_400),
            Reaction("❓", Author.USER, AT, "p", quote="Second paragraph"),
        ),
        [],
        now=AT,
        zone=UTC,
    )
    assert lines[0].startswith("You questioned “Second paragraph” ❓ · 08:53")
    assert lines[1].endswith("· 8 Oct 08:53 · you saw it")
    assert not any("\x1b" in line or "\x07" in line for line in lines)


@pytest.mark.parametrize("at", [0.0, -1.0, float("inf"), float("nan"), 1e30])
def test_a_time_that_nobody_knows_is_not_told(at: float) -> None:
    assert moment(at, AT, UTC) == ""


def test_the_lines_of_undo_and_redo() -> None:
    there = message()
    find = {"m": there}.get
    one = Change("m", "👍", None)
    assert words.undone([one], find) == "Taken back: 👍 from “Booked for eight.”. U does it again."
    assert words.redone([one.reverse], find) == "Put back: 👍 on “Booked for eight.”. u takes it back."
    assert words.undone([Change("m", "👍", "❤️")], find).startswith("Back to ❤️ on")
    assert words.undone([one, Change("n", "👍", None)], find).startswith("Taken back: 2 tapbacks.")
    assert words.undone([], find) == words.kept([], find) == ""
    assert "the newer choice stays" in words.kept([Change("gone", "👍", None)], find)
    assert "2 were changed" in words.kept([one, one], find)
