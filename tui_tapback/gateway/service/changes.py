"""What changes a conversation otherwise than by a turn: undo, branch, compaction; and its tokens."""

from __future__ import annotations

from collections.abc import Callable

from tui_tapback.domain.errors import Busy
from tui_tapback.wire.conversation import Compressed, SessionUsage, Undone
from tui_tapback.wire.methods import Branched

from .branches import Branches
from .sessions import Sessions
from .snapshots import Snapshots
from .turns import Turns
from .usage import Usage


class Changes:
    """Each is one step in the store, told to all clients as ``history.changed`` (a branch changes nothing but
    the list of sessions). Raises StoreError beside what is named; nothing is half-done then."""

    def __init__(
        self,
        turns: Turns,
        branches: Branches,
        usage: Usage,
        *,
        sessions: Sessions,
        snapshots: Snapshots,
        model: Callable[[], str],
    ) -> None:
        self._turns = turns
        self._branches = branches
        self._usage = usage
        self._sessions = sessions
        self._snapshots = snapshots
        self._model = model

    def undo(self, session_id: str) -> Undone:
        """Take the last turn back. Raises SessionNotFound, Busy."""
        return self._turns.undo(session_id)

    def branch(self, session_id: str, name: str | None = None, count: int | None = None) -> Branched:
        """Copy the beginning of a session into a new one, see ``Branches.make``.

        Raises SessionNotFound, Busy, InvalidInput.
        """
        self._sessions.require(session_id)
        if self._turns.occupied(session_id):
            raise Busy("The agent is still answering in that chat.", hint="Interrupt it first.")
        branch = self._branches.make(session_id, name, count)
        found = self._snapshots.take(branch, None, self._model())
        facts = {field: getattr(found, field) for field in found.__struct_fields__}
        return Branched(**facts, title=branch.title, parent=session_id)

    async def compress(self, session_id: str, focus_topic: str | None = None) -> Compressed:
        """Sum the old part of a session up for the model. Raises SessionNotFound, Busy."""
        return await self._turns.compress(session_id, focus_topic)

    def usage(self, session_id: str) -> SessionUsage:
        """Tokens of a session. Raises SessionNotFound."""
        return self._usage.report(self._sessions.require(session_id))
