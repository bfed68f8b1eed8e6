"""How far a person has read the agent's tapbacks of a session, as a moment on the gateway's clock; pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tui_tapback.domain.messages import Message
from tui_tapback.domain.reactions import Author

_BEFORE = 0.001
"""Seconds: just before a tapback."""


def horizon(messages: Sequence[Message], unread: Collection[str]) -> float:
    """Everything of the agent up to this moment (Unix seconds) has been seen; 0 where nothing is known.

    ``unread`` are keys of messages with a tapback that has not. The gateway's times are compared with the
    gateway's times only: the clock of this machine may be another.
    """
    given = [
        (reaction.at, message.key in unread)
        for message in messages
        for reaction in message.reactions
        if reaction.author is Author.AGENT
    ]
    missed = [at for at, unseen in given if unseen]
    if missed:
        return min(missed) - _BEFORE
    return max([at for at, _ in given] + [message.at for message in messages], default=0.0)
