"""The rooms of a conversation in memory for an agent's work: tasks, models, files."""

from __future__ import annotations

from pathlib import Path

from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.handing import look_at
from tui_tapback.client.models import Chosen, ModelChoice, SettingRow
from tui_tapback.domain.errors import NotSupported
from tui_tapback.domain.work import Attachment, Task, WorkState

from .rooms import Table


def _require(table: Table, ability: Ability) -> None:
    if ability not in table.state.abilities:
        raise NotSupported(lack_of(ability))


class MemoryWork:
    """Tasks are those of the state; to stop one ends it there."""

    def __init__(self, table: Table) -> None:
        self._table = table

    async def refresh(self) -> None:
        """Note that it was asked."""
        _require(self._table, Ability.TASKS)
        await self._table.ask("refresh_tasks")

    async def stop(self, task: Task) -> bool:
        """Take it out of those that run."""
        _require(self._table, Ability.TASKS)
        await self._table.ask(f"stop {task.id}")
        before = self._table.state.tasks
        self._table.put(tasks=tuple(each for each in before if each.id != task.id))
        return task in before

    async def begin(self, text: str) -> str:
        """A task that runs."""
        return await self._add("background", text)

    async def ask(self, text: str) -> str:
        """A question that is not answered."""
        return await self._add("question", text)

    async def _add(self, kind: str, text: str) -> str:
        _require(self._table, Ability.TASKS)
        await self._table.ask(f"{kind} {text}")
        number = f"t{len(self._table.state.tasks) + 1}"
        task = Task("question" if kind == "question" else "background", number, text, WorkState.RUNNING)
        self._table.put(tasks=(task, *self._table.state.tasks))
        return number


class MemoryModels:
    """Offers ``choices``; ``confirm`` is what it wants the person to agree to, ``rows`` its settings."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.choices: tuple[ModelChoice, ...] = ()
        self.confirm = ""
        self.rows: tuple[SettingRow, ...] = ()

    async def list(self) -> tuple[ModelChoice, ...]:
        """The choices."""
        _require(self._table, Ability.MODELS)
        await self._table.ask("models")
        return self.choices

    async def choose(self, name: str, provider: str = "", *, agreed: bool = False) -> Chosen:
        """Make it the model of the state."""
        _require(self._table, Ability.MODELS)
        await self._table.ask(f"model {name} {provider}".strip())
        if self.confirm and not agreed:
            return Chosen(name, confirm=self.confirm)
        self._table.put(model=name)
        return Chosen(name)

    async def settings(self) -> tuple[SettingRow, ...]:
        """The rows."""
        await self._table.ask("settings")
        return self.rows


class MemoryAttaching:
    """Looks at real files, and keeps them in the state."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def add(self, path: str | Path) -> Attachment:
        """Let a file go with the next message."""
        _require(self._table, Ability.ATTACH)
        attachment = look_at(path)
        self._table.put(attachments=(*self._table.state.attachments, attachment))
        return attachment

    def remove(self, path: str) -> None:
        """Let it not."""
        left = tuple(each for each in self._table.state.attachments if each.path != path)
        self._table.put(attachments=left)
