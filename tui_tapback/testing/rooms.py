"""The rooms of a conversation in memory: pages, turns, questions, commands and search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from tui_tapback.client.commands import Command, Outcome, Proposal
from tui_tapback.client.gateway_settings import GatewaySettings, Value
from tui_tapback.client.library import Hit, Hits
from tui_tapback.client.state import ClientState, SessionSummary
from tui_tapback.client.turns import Cost
from tui_tapback.domain.errors import NotFound, RowNotFound, SessionNotFound
from tui_tapback.domain.messages import Message, Role
from tui_tapback.wire.questions import Choice


class Table(Protocol):
    """What the rooms work on."""

    @property
    def state(self) -> ClientState:
        """The present state."""
        ...

    def put(self, **changes: object) -> None:
        """Replace fields of the state."""
        ...

    async def ask(self, what: str) -> None:
        """Note what was asked of the gateway, and wait or fail as the test wants."""
        ...

    def send(self, text: str) -> str:
        """Say something."""
        ...


class MemoryHistory:
    """Shows a window of ``rows`` (empty: what is shown is all there is)."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.rows: tuple[Message, ...] = ()

    def hold(self, rows: tuple[Message, ...], count: int) -> None:
        """The chat has ``rows``; the newest ``count`` are held."""
        self.rows = rows
        self._show(len(rows) - count, len(rows))

    async def load_older(self, count: int = 200) -> int:
        """Hold some more in front."""
        await self._table.ask("load_older")
        start, stop = self._window()
        self._show(start - count, stop)
        return min(count, start)

    async def load_newer(self, count: int = 200) -> int:
        """Hold some more behind."""
        await self._table.ask("load_newer")
        start, stop = self._window()
        self._show(start, stop + count)
        return min(count, len(self.rows) - stop)

    async def load_first(self, count: int = 200) -> None:
        """Hold the first ones."""
        await self._table.ask("load_first")
        self._show(0, count)

    async def load_around(self, row_id: int, count: int = 200) -> str | None:
        """Hold those around a row."""
        await self._table.ask(f"load_around {row_id}")
        for place, message in enumerate(self.rows):
            if message.row_id == row_id:
                self._show(place - count // 2, place + count // 2)
                return message.key
        return None

    def to_end(self) -> None:
        """Hold the last ones."""
        self._show(len(self.rows) - 200, len(self.rows))

    def _window(self) -> tuple[int, int]:
        held = self._table.state.messages
        start = self.rows.index(held[0]) if held and self.rows else 0
        return start, start + len(held)

    def _show(self, start: int, stop: int) -> None:
        start, stop = max(0, start), min(len(self.rows), stop)
        self._table.put(
            messages=self.rows[start:stop],
            has_older=start > 0,
            has_newer=stop < len(self.rows),
            total=len(self.rows),
        )


class MemoryTurns:
    """Takes back and says again, in memory."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def cost_of_edit(self, key: str) -> Cost:
        """What falls."""
        messages = self._table.state.messages
        falling = messages[self._place(key) :]
        turns = sum(m.role is Role.USER for m in falling)
        return Cost(len(falling), turns, len(falling) == len(messages))

    def edit(self, key: str, text: str) -> str:
        """Cut there and say ``text``."""
        self._table.put(messages=self._table.state.messages[: self._place(key)])
        return self._table.send(text)

    def regenerate(self, key: str) -> str:
        """The question before it once more."""
        messages = self._table.state.messages
        place = next(i for i, m in enumerate(messages) if m.key == key)
        question = next(m for m in reversed(messages[: place + 1]) if m.role is Role.USER)
        return self.edit(question.key, question.text)

    async def undo(self) -> str:
        """The last turn goes."""
        await self._table.ask("undo")
        messages = self._table.state.messages
        said = next((m for m in reversed(messages) if m.role is Role.USER), None)
        if said is None:
            return ""
        self._table.put(messages=messages[: messages.index(said)])
        return said.text

    async def branch(self, name: str | None = None, *, upto: str | None = None) -> str:
        """Another session with the beginning of this one."""
        await self._table.ask(f"branch {upto or ''}".strip())
        messages = self._table.state.messages
        stop = len(messages)
        if upto is not None:
            stop = next(i for i, m in enumerate(messages) if m.key == upto) + 1
        self._table.put(messages=messages[:stop], session_id="branched", title=name or "")
        return "branched"

    async def compress(self, focus: str | None = None) -> str:
        """Note the wish."""
        await self._table.ask(f"compress {focus or ''}".strip())
        return "Summed up."

    async def steer(self, text: str) -> bool:
        """Note the words."""
        await self._table.ask(f"steer {text}")
        return self._table.state.running

    async def redirect(self, text: str) -> bool:
        """Note the words."""
        await self._table.ask(f"redirect {text}")
        return self._table.state.running

    def _place(self, key: str) -> int:
        for place, message in enumerate(self._table.state.messages):
            if message.key == key and message.role is Role.USER:
                return place
        raise RowNotFound("That message is not in this chat.")


class MemoryQuestions:
    """Notes the answers in ``answered`` (of a secret only that one came) and closes the question."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.answered: list[tuple[str, str]] = []
        self.secrets: list[str] = []

    async def approve(self, number: str, choice: Choice) -> bool:
        """An approval."""
        return await self._settle(number, choice)

    async def answer(self, number: str, answers: Mapping[str, str]) -> bool:
        """A clarification."""
        return await self._settle(number, repr(dict(answers)))

    async def give_secret(self, number: str, value: str) -> bool:
        """A secret."""
        self.secrets.append(value)
        return await self._settle(number, "a secret")

    async def cancel(self, number: str) -> bool:
        """No answer."""
        return await self._settle(number, "cancel")

    async def _settle(self, number: str, what: str) -> bool:
        await self._table.ask(f"settle {number}")
        questions = self._table.state.questions
        if all(question.id != number for question in questions):
            raise NotFound("That question is no longer open.")
        self.answered.append((number, what))
        self._table.put(questions=tuple(q for q in questions if q.id != number))
        return True


class MemoryCommands:
    """Knows the commands that a test gives it, by name with what they say."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.known: dict[str, Outcome] = {}

    async def catalog(self) -> tuple[Command, ...]:
        """All of them."""
        await self._table.ask("catalog")
        return tuple(Command(name, f"does {name}") for name in self.known)

    async def complete(self, text: str) -> tuple[Proposal, ...]:
        """Those that begin so."""
        await self._table.ask("complete")
        return tuple(Proposal(name, name, "", 0) for name in self.known if name.startswith(text))

    async def run(self, line: str) -> Outcome:
        """What was given for it."""
        await self._table.ask(f"run {line}")
        return self.known[line.split(maxsplit=1)[0]]


class MemoryLibrary:
    """Keeps the ``stored`` sessions, and searches in ``rows``, which a test sets.

    ``reacted`` are the ids of sessions by the emoji they bear.
    """

    def __init__(self, table: Table, stored: Sequence[SessionSummary] = ()) -> None:
        self._table = table
        self.rows: tuple[Message, ...] = ()
        self.stored = {session.id: session for session in stored}
        self.deleted: dict[str, SessionSummary] = {}
        self.reacted: dict[str, set[str]] = {}
        self.undo_seconds = 600.0

    async def list(
        self,
        query: str | None = None,
        *,
        archived: bool | None = None,
        reacted_with: str | None = None,
        limit: int | None = None,
    ) -> tuple[SessionSummary, ...]:
        """Those whose title or preview says all words, newest activity first."""
        await self._table.ask("list_sessions")
        words = (query or "").casefold().split()
        found = [
            session
            for session in self.stored.values()
            if session.archived is bool(archived)
            and all(word in f"{session.title} {session.preview}".casefold() for word in words)
            and (reacted_with is None or session.id in self.reacted.get(reacted_with, ()))
        ]
        found.sort(key=lambda session: session.last_active, reverse=True)
        return tuple(found[:limit])

    async def rename(self, session_id: str, title: str) -> None:
        """Give one another title."""
        await self._table.ask(f"rename {session_id} {title}")
        self.stored[session_id] = replace(self._stored(session_id), title=title)

    async def archive(self, session_id: str, archived: bool = True) -> None:
        """Put one away, or take it back."""
        await self._table.ask(f"archive {session_id} {archived}")
        self.stored[session_id] = replace(self._stored(session_id), archived=archived)

    async def delete(self, session_id: str) -> float:
        """Delete one; where it is open an empty chat takes its place."""
        await self._table.ask(f"delete {session_id}")
        self.deleted[session_id] = self._stored(session_id)
        del self.stored[session_id]
        if self._table.state.session_id == session_id:
            self._table.put(messages=(), title="", session_id=None)
        return self.undo_seconds

    async def restore(self, session_id: str) -> None:
        """Bring one back."""
        await self._table.ask(f"restore {session_id}")
        if session_id not in self.deleted:
            raise SessionNotFound("That chat could not be brought back.")
        self.stored[session_id] = self.deleted.pop(session_id)

    def _stored(self, session_id: str) -> SessionSummary:
        found = self.stored.get(session_id)
        if found is None:
            raise SessionNotFound("There is no such chat.")
        return found

    async def search(
        self,
        query: str = "",
        *,
        session_id: str | None = None,
        author: str | None = None,
        emoji: str | None = None,
        limit: int = 50,
        before_row_id: int | None = None,
    ) -> Hits:
        """The rows that say all words, newest first."""
        await self._table.ask(f"search {query}")
        found = [
            Hit(session_id or "", "", m.row_id, m.role, m.text, (), m.at)
            for m in reversed(self.rows)
            if m.row_id is not None
            and (before_row_id is None or m.row_id < before_row_id)
            and all(word in m.text for word in query.split())
        ]
        return Hits(tuple(found[:limit]), len(found) > limit)


def stored(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """``messages`` with row ids from 1 on."""
    return tuple(replace(message, row_id=number) for number, message in enumerate(messages, 1))


class MemorySharing:
    """Settings of the gateway: those of ``state.shared``; ``ask`` notes or refuses each change."""

    def __init__(self, table: Table) -> None:
        self._table = table

    async def set(self, key: str, value: Value) -> GatewaySettings:
        """Change one for everybody."""
        await self._table.ask(f"set {key} {value}")
        shared = self._table.state.shared.having(key, value)
        self._table.put(shared=shared)
        return shared
