"""When all that a line has caused is over, and whether it went well: for lines out of a file; pure."""

from __future__ import annotations

from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.messages import Role, Status


def reached(state: ClientState) -> bool:
    """Whether there is still hope for the gateway."""
    return state.connection.phase in (Phase.ONLINE, Phase.CONNECTING, Phase.RECONNECTING)


def over(state: ClientState, said: str | None, *, at_work: bool, due: float | None) -> bool:
    """Whether nothing more is to come of the message of key ``said`` (None: the line was no message).

    ``at_work``: the agent was seen at work since then. ``due``: when something is still to be announced.
    """
    if not reached(state):
        return True
    busy = state.loading or state.waiting or state.running
    if busy or state.connection.phase is not Phase.ONLINE or due is not None:
        return False
    return said is None or at_work or _answered(state, said)


def _answered(state: ClientState, said: str) -> bool:
    """Whether the message of that key has its answer, or will have none."""
    bubbles = [message for message in state.messages if message.reactable]
    place = next((place for place, message in enumerate(bubbles) if message.key == said), None)
    if place is None or bubbles[place].status is Status.FAILED:
        return True
    return any(m.role is Role.ASSISTANT and m.status is not Status.STREAMING for m in bubbles[place + 1 :])


def went_wrong(state: ClientState, said: str | None) -> bool:
    """Whether the message of that key, or its answer, failed or was broken off."""
    keys = [message.key for message in state.messages]
    if said not in keys:
        return False
    bad = (Status.FAILED, Status.INTERRUPTED)
    return any(message.status in bad for message in state.messages[keys.index(said) :])
