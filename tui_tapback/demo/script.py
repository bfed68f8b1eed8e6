"""The conversation of the pictures: short, with tapbacks of both sides, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence

from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.messages import Message, Role
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.testing.chat import MemoryChat

EVENING = 1_790_358_120.0
"""Friday, 25 September 2026, 17:42 UTC."""

_CODE = """\
Added. Here is what I put into your calendar, in case you want it elsewhere:

```python
event = {
    "what": "Dinner with Mia",
    "when": "2026-09-25T19:30",  # Friday
    "where": "Luna, by the window",
}
```"""

_LINES: Sequence[tuple[Role, str, str, str]] = (
    # whose, text, the user's tapback, the agent's tapback
    (Role.USER, "A table for two tonight? Somewhere quiet.", "", "👍"),
    (
        Role.ASSISTANT,
        "Booked for you: **Luna**, 19:30, the corner by the window.\n\n"
        "- quiet until nine\n- a good vegetarian menu\n- twelve minutes on foot",
        "❤️",
        "",
    ),
    (Role.USER, "You remembered the window!", "", "🥰"),
    (Role.ASSISTANT, "Always. Shall I tell Mia?", "😂", "👀"),
    (Role.USER, "Please, and put it into my calendar", "", ""),
    (Role.ASSISTANT, _CODE, "👍", ""),
)


def conversation() -> MemoryChat:
    """The chat of the pictures."""
    return MemoryChat(
        [_message(number, *line) for number, line in enumerate(_LINES)],
        sessions=SESSIONS,
        clock=lambda: EVENING + 600,
        title="Dinner at Luna",
        model="local model",
    )


def _message(number: int, role: Role, text: str, user: str, agent: str) -> Message:
    at = EVENING + 40 * number
    reactions = [
        Reaction(emoji, author, at + 5)
        for emoji, author in ((user, Author.USER), (agent, Author.AGENT))
        if emoji
    ]
    return Message(
        key=f"d{number}", role=role, text=text, at=at, row_id=number + 1, reactions=ReactionSet.of(reactions)
    )


SESSIONS = (
    SessionSummary("s1", "Dinner at Luna", "Please, and put it into my calendar", EVENING + 200, 6),
    SessionSummary("s2", "Packing list", "Two jumpers will do, the evenings are mild.", EVENING - 86_400, 18),
    SessionSummary(
        "s3", "Why is the build red?", "The lock file was made on another machine.", EVENING - 400_000, 41
    ),
)
