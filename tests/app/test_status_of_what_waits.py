"""The status line counts what waits without flickering for what is only on its way."""

from __future__ import annotations

import pytest

from tui_tapback.app.notes import status_line
from tui_tapback.client.state import ClientState, ConnectionState, Phase


@pytest.mark.parametrize(
    ("phase", "overdue", "shown"),
    [(Phase.ONLINE, 0, 0), (Phase.ONLINE, 2, 2), (Phase.RECONNECTING, 0, 3), (Phase.OFFLINE, 0, 3)],
)
def test_while_online_only_what_is_overdue_is_counted(phase: Phase, overdue: int, shown: int) -> None:
    state = ClientState(ConnectionState(phase), waiting=3, overdue=overdue)
    assert status_line(state, 0.0).waiting == shown
