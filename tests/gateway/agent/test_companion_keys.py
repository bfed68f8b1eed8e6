"""The keys that the offline companion names are the keys that the program has."""

from __future__ import annotations

import re

from tui_tapback.actions.action import Group
from tui_tapback.actions.table import ACTIONS
from tui_tapback.gateway.agent.companion_topics import FALLBACK, FIRST_FALLBACK, TOPICS

_KEY = re.compile(r"`((?:Ctrl|Alt|Shift)\+.|F\d|Enter|Esc|[a-z0-9+])`")


def test_every_key_in_its_answers_is_bound() -> None:
    texts = [*FALLBACK, *FIRST_FALLBACK, *(answer for topic in TOPICS for answer in topic.answers)]
    named = {key for text in texts for key in _KEY.findall(text)}
    bound = {key for action in ACTIONS for key in action.keys}
    spelt = {key: key.lower().replace("↑", "up").replace("esc", "escape") for key in named}
    spelt["+"] = "plus"
    assert {"Ctrl+T", "Alt+↑", "F1", "1", "j"} <= named
    assert {key for key in named if spelt[key] not in bound} == set()


def test_keys_are_named_only_to_those_who_ask_how() -> None:
    """The same words are read in plain lines and behind a pipe, where the keys of the screen do nothing."""
    texts = [*FALLBACK, *FIRST_FALLBACK, *(answer for topic in TOPICS for answer in topic.answers)]
    naming = [text for text in texts if "`Ctrl+" in text]
    assert [text.partition("\n")[0] for text in naming] == [
        "The keys of the chat on a screen, to begin with:",
        "Each of us may put one emoji on a message of the other; another one replaces it, the same again "
        "removes it.",
    ]
    assert all("tui-tapback" in text and "`/" in text for text in naming)
    assert [text for text in texts if "👍 👎 😂" in text] == []


def test_digits_tap_back_in_the_pill_and_in_the_transcript() -> None:
    for group in (Group.PILL, Group.TRANSCRIPT):
        bound = {key for action in ACTIONS if action.group is group for key in action.keys}
        assert {"1", "2", "4", "6"} <= bound
