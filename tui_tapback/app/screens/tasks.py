"""What goes on behind a chat: the agent's list to do, its tasks on a screen of their own, other chats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Final

from textual.binding import BindingType

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.working.lines import facts, news, running, task_line
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.state import ClientState, Elsewhere, Phase
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.work import Task, WorkState
from tui_tapback.widgets.host import app_of
from tui_tapback.widgets.statusbar import StatusLine
from tui_tapback.widgets.working import TodoBlock
from tui_tapback.words import _, mark

from .confirm import ConfirmScreen
from .face import ChatFace
from .panel import Panel
from .words import WordsScreen

LOOK: Final = 2.0
"""Seconds after which the open list asks the gateway again."""
GLANCE: Final = 10.0
"""Seconds after which it is asked while something runs and nobody looks."""
LOW: Final = 18
"""Rows of a screen below which the list to do stays one line."""
_ACTS: Final = (
    ("list_choose", mark("shows")),
    ("task_stop", mark("stops")),
    ("list_close", mark("closes")),
)


class TasksPanel(Panel[None]):
    """Follows the chat while it is open; Enter shows all that a task has said, a key ends it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Group.TASKS)]
    place_in = Context.TASKS

    def __init__(self, chat: ChatSession, clock: Callable[[], float]) -> None:
        super().__init__(_("Tasks of this chat"), _ACTS)
        self._chat = chat
        self._clock = clock
        self._tasks: tuple[Task, ...] = ()
        self._trouble = ""
        self._said = ""

    def on_mount(self) -> None:
        """Ask at once and again and again; what is known is there before."""
        self.set_interval(LOOK, self.action_ask)
        self.set_interval(LOOK / 4, self._follow)
        self.action_ask()

    def lay_out(self) -> None:
        """The tasks, those that run first."""
        self._tasks = self._chat.state.tasks
        words = "" if self._tasks else _("Nothing goes on behind this chat.")
        now = self._clock()
        self.lay(words, [task_line(task, now) for task in self._tasks], self._said or self._trouble)

    def _follow(self) -> None:
        if self._chat.state.tasks != self._tasks:
            self.lay_out()

    def action_ask(self) -> None:
        """Ask the gateway what runs."""
        self.run_worker(self._ask(), group="tasks", exclusive=True)

    async def _ask(self) -> None:
        try:
            await self._chat.work.refresh()
        except TapbackError as error:
            self._trouble = clean_line(error.sentence(), 200)
        else:
            self._trouble = ""
        self.lay_out()

    def chosen(self, place: int) -> None:
        """All that it has said."""
        task = self._tasks[place]
        app_of(self).push_screen(WordsScreen(task.title, task.detail or _("It has said nothing yet.")))

    def action_stop(self) -> None:
        """End the task under the cursor, if the person means it."""
        if self.place is None or not self._tasks:
            return
        task = self._tasks[self.place]
        if not task.running:
            self._say(_("That is over already."))
        elif not task.stoppable:
            self._say(_("The gateway cannot stop this; it ends by itself."))
        else:
            title = clean_line(task.title, 200)
            asked = ConfirmScreen(_("Stop this task?"), title, _("stop it"))
            app_of(self).push_screen(asked, lambda yes: self._confirmed(task) if yes else None)

    def _confirmed(self, task: Task) -> None:
        self.run_worker(self._stop(task), group="stop")

    async def _stop(self, task: Task) -> None:
        try:
            stopped = await self._chat.work.stop(task)
        except TapbackError as error:
            self._say(clean_line(error.sentence(), 200))
        else:
            self._say(_("It was stopped.") if stopped else _("It had ended already."))

    def _say(self, words: str) -> None:
        """Stays until there is something else to say: asking the gateway goes on behind it."""
        self._said = words
        self.lay_out()


class WorkPart(ChatFace):
    """The list to do over the composer, tasks in the status line, and a word when one ends."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._looked: tuple[str | None, int] = (None, -1)
        self._tasks_of: str | None = None
        self._going_on: dict[str, Task] = {}
        self._elsewhere: tuple[Elsewhere, ...] = ()
        self._answering = False
        self._ended = 0

    def on_mount(self) -> None:
        """What runs behind the chat ends without a word: look from time to time."""
        self.set_interval(GLANCE, self._glance)

    def show_state(self, state: ClientState) -> None:
        """Show the list, tell what ended and what waits elsewhere, ask where something may have begun."""
        super().show_state(state)
        self._show_todos(state)
        self._tell_ended(state)
        elsewhere = (*state.elsewhere, *self._unseen(state))
        for told in news(self._elsewhere, elsewhere):
            self.tell(told)
        self._elsewhere = elsewhere
        if self._can_ask(state) and self._looked != (state.session_id, state.work_wanted):
            self._looked = (state.session_id, state.work_wanted)
            self.run_worker(self._refresh(), group="tasks", exclusive=True)

    def _unseen(self, state: ClientState) -> tuple[Elsewhere, ...]:
        """This very chat, while that with another gateway is on the screen."""
        was, self._answering = self._answering, state.running
        if self in app_of(self).screen_stack:
            self._ended = 0
            return ()
        self._ended += was and not state.running
        return (Elsewhere(state.session_id or "", state.title, len(state.questions), self._ended),)

    @staticmethod
    def _can_ask(state: ClientState) -> bool:
        online = state.connection.phase is Phase.ONLINE and not state.loading
        return online and state.session_id is not None and Ability.TASKS in state.abilities

    def _glance(self) -> None:
        state = self.chat.state
        if running(state.tasks) and self._can_ask(state):
            self.run_worker(self._refresh(), group="tasks", exclusive=True)

    async def _refresh(self) -> None:
        try:
            await self.chat.work.refresh()
        except TapbackError:
            return  # nobody asked for it; the list of tasks tells why it cannot be had

    def _show_todos(self, state: ClientState) -> None:
        """A list of which nothing is open any more goes with the turn that finished it."""
        over = all(todo.state in (WorkState.DONE, WorkState.STOPPED) for todo in state.todos)
        todos = () if over and not state.running else state.todos
        self.query_one(TodoBlock).show(todos, low=self.size.height < LOW)

    def _tell_ended(self, state: ClientState) -> None:
        same = state.session_id == self._tasks_of
        self._tasks_of = state.session_id
        now = {task.id: task for task in state.tasks}
        for number, task in self._going_on.items() if same else ():
            ended = now.get(number)
            if task.kind != "subagent" and (ended is None or not ended.running):
                self.tell(self._ended_words(ended or task))
        self._going_on = {number: task for number, task in now.items() if task.running}

    def _ended_words(self, task: Task) -> str:
        title = clean_line(task.title, 80)
        match task.kind:
            case "question":
                last = clean_line(task.detail, 300)
                return _("Aside: {answer}").format(answer=last) if last else _("Your question was answered.")
            case "background":
                return _("Done in the background: {task}. {key} shows what came of it.").format(
                    task=title, key=self.keymap.way("tasks")
                )
            case "process" | "subagent":
                return _("Ended: {task}").format(task=title)

    def adorned(self, line: StatusLine) -> StatusLine:
        """What waits elsewhere and what runs stand in front of the other facts."""
        line = super().adorned(line)
        found = facts(self.chat.state)
        return replace(line, facts=(*found, *line.facts)) if found else line

    def action_todo(self) -> None:
        """Fold or unfold the list to do."""
        if not self.query_one(TodoBlock).toggle():
            self.tell(_("The agent has made no list to do in this chat."))

    def action_tasks(self) -> None:
        """The list of tasks."""
        state = self.chat.state
        if Ability.TASKS not in state.abilities:
            self.tell(lack_of(Ability.TASKS), "warning")
            return
        app_of(self).push_screen(TasksPanel(self.chat, self.clock))

    def begin_aside(self, words: str, *, question: bool) -> None:
        """Let something be done, or answered, beside the chat."""
        self.later(self._aside(words, question=question))

    async def _aside(self, words: str, *, question: bool) -> None:
        if question:
            await self.chat.work.ask(words)
            told = _("Asked aside; the answer is told here, and {key} keeps it.")
        else:
            await self.chat.work.begin(words)
            told = _("It goes on in the background; {key} shows how it stands.")
        self.tell(told.format(key=self.keymap.way("tasks")))
