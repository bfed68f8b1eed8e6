"""A recorded walk in tmux through all that one can do with tapbacks, on the real program and gateway.

The record is written to ``walk.txt`` in the test's folder: each step in words, what was pressed, the screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui_tapback.testing.home import Home
from tui_tapback.testing.walk import FOCUS_IN, FOCUS_OUT, Walk

pytestmark = [pytest.mark.terminal, pytest.mark.slow]
VERBS = '[verbs]\nexplain = "❓"\npin = "📌"\n'


@pytest.fixture
def walk(home: Home, tmp_path: Path) -> Iterator[Walk]:
    settings = home.folder / "tapback" / "settings.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(VERBS, "utf-8")
    walk = Walk(home, tmp_path / "walk.txt")
    yield walk
    walk.close()


def test_a_session_that_uses_them_all(walk: Walk, home: Home, tmp_path: Path) -> None:
    react_and_tell(walk)
    think_again(walk)
    verbs_and_pins(walk)
    parts_and_streams(walk)
    lenses(walk)
    what_flies(walk)
    own_six_and_seventh(walk)
    figures_cards_and_typing(walk, tmp_path)
    from_elsewhere(walk)
    away(walk, home)
    recorded = (tmp_path / "walk.txt").read_text("utf-8")
    assert "Traceback" not in recorded


def answered(words: str) -> str:
    """A pattern for an own message with an answer below it."""
    return rf"{re.escape(words)} │.*\n.*╯.*\n *╭"


def react_and_tell(walk: Walk) -> None:
    walk.chapter("Reacting, and what the agent will see of it")
    walk.step("The chat opens at once", shows="online")
    walk.step("Say hello; the agent waves at it", typed="hello there", shows="that I saw it", gone="Esc stop")
    walk.step("Go up to the messages", "Escape", shows="m actions")
    walk.step("One digit, one tapback", "2", shows="▐👍▌")
    walk.step("Who reacted, and what will be told", "w", shows=r"\[x\] \[The user reacted 👍")
    walk.step("Keep the line from the agent", "Space", shows=r"\[ \] \[The user")
    walk.step("Let it go after all", "Space", shows=r"\[x\] \[The user")
    walk.step("Change one's mind; the line follows", "4", shows="You laughed at this(?s:.*)reacted 😂")
    walk.escape("Close the panel", "What the agent will see")


def think_again(walk: Walk) -> None:
    walk.chapter("Undo, redo, repeat, echo, ranges, the menu")
    walk.step("Undo", "u", shows="Back to 👍")
    walk.step("Redo", "U", shows="Back to 😂")
    walk.step("Repeat the last one on the message above", "k", ".", shows="▐👋▐😂▌|▐😂▐👋▌")
    walk.step("Do as the agent did", "=", shows="▐👋▐👋▌")
    walk.step(
        "Two messages as a range, one digit for both", "S-Down", "3", shows="👎.*\n.*hello there(?s:.*)▐👎▌"
    )
    walk.step("Undo takes the range back as one step", "u", shows="2 tapbacks. U does it again")
    walk.step("The menu, for who knows no keys", "k", "j", "m", shows="Message ─(?s:.*)Who reacted and when")
    walk.escape("Close it", "Message ─")


def verbs_and_pins(walk: Walk) -> None:
    walk.chapter("Tapbacks that offer to do something")
    walk.step("A question mark offers to ask", "G", "6", shows="Ask to explain this(?s:.*)Enter yes")
    walk.step("Yes", "Enter", shows="Please explain this", gone="Enter yes")
    walk.step("The answer comes", shows="no model behind me", gone="Esc stop")
    walk.step("All emoji, and look for one", "G", ":", *"pushpin", shows="📌")
    walk.step("It offers to pin the message", "Enter", shows="Pin this message(?s:.*)Enter yes")
    walk.step("Yes", "Enter", shows="Pinned. /pins lists them")
    walk.step("Back to writing", "i", shows="Alt.↑ messages")
    walk.step("The pins", typed="/pins", shows="Pinned messages ─")
    walk.step("Enter goes to the message", "Enter", shows="m actions", gone="Pinned messages ─")
    walk.press("i")


def parts_and_streams(walk: Walk) -> None:
    walk.chapter("A part of a long answer, and an answer that is not there yet")
    walk.step("A long answer", typed="show me markdown", shows="look here", gone="Esc stop")
    walk.step("Into its parts: the first", "M-Up", "G", "Tab", shows="m actions")
    walk.step("Two parts below, and a tapback on that alone", "Tab", "Tab", "3", shows="┃👎")
    told = r"\[x\] \[The user reacted 👎 to this part of your message: \"Plain"
    walk.step("The agent will be told with its words", "w", shows=told)
    walk.escape("Close the panel", "What the agent will see")
    walk.step("Back to writing", "i", shows="Alt.↑ messages")
    walk.step("The agent has seen it", typed="stream 2000", shows="I saw your 👎 on “Plain text")
    walk.brisk("It writes on; go up to it", "M-Up", shows="m actions")
    walk.brisk("React while it still writes, and look", "G", "2", "w", shows="You liked this 👍")
    walk.brisk("Close the panel", "w", shows="m actions", gone="What the agent will see")
    walk.brisk("Back to writing", "i", shows="Esc stop")
    walk.step("Stop it: what is there stays", "Escape", shows="interrupted", gone="Esc stop")


def lenses(walk: Walk) -> None:
    walk.chapter("Looking through a lens")
    walk.step("Which there are", "M-Up", "f", shows="Show only")
    walk.step("Keep the first under a name", "n", "C-u", *"Mine", "Enter", shows="Mine  all tapbacks")
    walk.step("Look through it", "Enter", shows="only all tapbacks(?s:.*)Esc show all")
    walk.escape("Everything again", "Esc show all")


def what_flies(walk: Walk) -> None:
    walk.chapter("What flies")
    walk.press("g", "G")
    hand = "press Shift+4 on the keyboard's digit row"
    walk.flies("A tapback with a big animation", "😂", 20, lambda: walk.press("$"), hand)
    walk.press("i")
    hand = "type “thank you” and Enter"
    walk.flies("Hearts when the agent is thanked", "❤", 20, lambda: walk.type("thank you"), hand)
    walk.step("The answer to it", shows=answered("thank you"), gone="Esc stop")


def own_six_and_seventh(walk: Walk) -> None:
    walk.chapter("Quick reactions of one's own, and the learned seventh")
    walk.step("Which there are", typed="/reactions", shows="All sessions")
    walk.step("🎉 in the first place", "Enter", *"tada", "Enter", shows="🎉")
    walk.escape("Close it", "Quick reactions")
    walk.step("A message", typed="happy birthday!", shows=answered("happy birthday!"), gone="Esc stop")
    walk.step("Its pill has a cake in the seventh place", "M-Up", "G", "k", "r", shows="🎂")
    walk.step("Take it", "7", shows="▐🎂", gone="Esc closes")
    walk.press("i")


def figures_cards_and_typing(walk: Walk, folder: Path) -> None:
    walk.chapter("Figures, a card, and tapbacks that are typed")
    walk.step("Figures", typed="/stats", shows="You gave [0-9]+, the agent gave")
    walk.escape("Close them", "You gave")
    walk.step("A card of a message", typed="/share svg", shows="The card")
    assert any("<svg" in file.read_text("utf-8") for file in folder.glob("tapback-*.svg"))
    walk.step("A typed tapback", typed="+:unicorn: ", shows="🦄")
    walk.step(
        "A backslash: text",
        typed="a \\:tada: as text",
        shows=answered("a :tada: as text"),
        gone="Esc stop",
    )


def from_elsewhere(walk: Walk) -> None:
    walk.chapter("From another program, and what came out of sight")
    walk.other("Another process taps back on the last answer", "react", "--last", "🎉", shows="▐🎉▌")
    walk.step("Go to the first message", "M-Up", "g", shows="hello there")
    walk.other("Another process writes, and the agent taps back", "send", "great", shows="1 new tapback")
    walk.step("Go to the tapback", "'", shows="▐👍▌", gone="new tapback")


def away(walk: Walk, home: Home) -> None:
    walk.chapter("Away, while the gateway is killed and comes back")
    walk.step("Go to the first message", "g", shows="hello there")
    walk.focus(FOCUS_OUT)
    home.kill_gateway()
    walk.other("The agent taps back meanwhile", "send", "yay, it works", shows="online(?s:.*)1 new tapback")
    walk.focus(FOCUS_IN)
    walk.step("Looking again: what came meanwhile", shows="tapped back on 1 of yours(?s:.*)Enter shows")
    walk.step("Enter goes there", "Enter", shows="▐🎉▌(?s:.*)yay, it works", gone="tapped back on")
    walk.step("Back to writing", "i", shows="Alt.↑ messages")
    walk.step("Neither counted nor told", typed="/mute", shows="Tapbacks are muted")
