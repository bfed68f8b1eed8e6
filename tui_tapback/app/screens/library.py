"""The chat screen's way to other sessions: the list, and the search through all that was said."""

from __future__ import annotations

from typing import Any

from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.working.lines import waits
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.library import Hit
from tui_tapback.client.state import ClientState
from tui_tapback.client.tapback_memory import Pin
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .find import FindScreen
from .pins import PinPart
from .session_list import Choice
from .sessions import SessionsScreen


class LibraryPart(PinPart):
    """What was chosen opens when the screen that offered it has closed."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._branch_from: str | None = None

    def action_sessions(self) -> None:
        """The list of sessions."""
        state = self.chat.state
        screen = SessionsScreen(
            self.chat.sessions,
            state.session_id,
            state.abilities,
            seen=self.preferences.memory.now.seen,
            rows=self.preferences.memory.now.rows,
            waits={each.session_id: waits(each) for each in state.elsewhere},
            clock=self.clock,
        )
        app_of(self).push_screen(screen, self._session_chosen)

    def _session_chosen(self, choice: Choice | None) -> None:
        if choice is None:
            return
        self.set_focus(self.query_one(Composer))
        if choice.session_id is None:
            self.later(self.chat.new_session())
            return
        if choice.branch:
            self._branch_from = choice.session_id
        if choice.session_id != self.chat.state.session_id:
            self.later(self.chat.open_session(choice.session_id))
        else:
            self.show_state(self.chat.state)

    def show_state(self, state: ClientState) -> None:
        """Branch from the session that was chosen for it, as soon as that is read."""
        super().show_state(state)
        if self._branch_from is not None and state.session_id == self._branch_from and not state.loading:
            self._branch_from = None
            self.later(self._go_on_in_a_copy())

    async def _go_on_in_a_copy(self) -> None:
        await self.chat.turns.branch()
        self.tell(_("This is the branch; the chat that it came from stays as it was."))

    def action_find(self) -> None:
        """Search through all sessions."""
        self.find("")

    def find(self, line: str) -> None:
        """The same, beginning with ``line``."""
        state = self.chat.state
        if Ability.SEARCH not in state.abilities:
            self.tell(
                _("{lack_of} {key} searches in this chat, {titles} in titles.").format(
                    lack_of=lack_of(Ability.SEARCH),
                    key=self.keymap.way("search"),
                    titles=self.keymap.way("sessions"),
                ),
                "warning",
            )
            return
        screen = FindScreen(self.chat.sessions, state.session_id, line, clock=self.clock)
        app_of(self).push_screen(screen, self._found)

    def _found(self, hit: Hit | None) -> None:
        if hit is not None:
            self._go_to_pin(Pin(hit.session_id, hit.row_id, hit.snippet, hit.at))
