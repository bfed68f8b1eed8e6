"""What is done with the sessions of the list: open, name, branch, put away, delete, and undo of these."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from textual import on
from textual.widgets import Input, OptionList

from tui_tapback.app.finding.lines import title_of
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.errors import TapbackError
from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .confirm import ConfirmScreen
from .session_list import Choice, SessionList


class SessionsScreen(SessionList):
    """Dismisses with a ``Choice``, or None when closed."""

    def __init__(self, *positional: Any, **start: Any) -> None:
        super().__init__(*positional, **start)
        self._undo: list[tuple[str, Callable[[], Awaitable[None]]]] = []

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_index < len(self._summaries):
            self.dismiss(Choice(self._summaries[event.option_index].id))

    def action_session_open(self) -> None:
        """Enter where the list has not taken it."""
        if self._chosen is not None:
            self.dismiss(Choice(self._chosen.id))

    def action_session_new(self) -> None:
        """A new session."""
        self.dismiss(Choice(None))

    def action_session_branch(self) -> None:
        """Go on in a copy of the session under the cursor."""
        if self._chosen is None:
            return
        if Ability.BRANCH in self._abilities:
            self.dismiss(Choice(self._chosen.id, branch=True))
        else:
            self._tell(lack_of(Ability.BRANCH))

    def action_session_name(self) -> None:
        """Type another title."""
        if self._chosen is not None:
            self.add_class("-naming")
            line = self.query_one("#title", Input)
            line.value = self._chosen.title
            self.set_focus(line)

    @on(Input.Submitted, "#title")
    def _title_given(self, event: Input.Submitted) -> None:
        event.stop()
        session, title = self._chosen, clean_line(event.value, 200)
        self._stop_naming()
        if session is not None and title:
            self._do(
                self._library.rename(session.id, title), _("It is called “{title}” now.").format(title=title)
            )

    def _stop_naming(self) -> None:
        self.remove_class("-naming")
        self.set_focus(self.query_one(OptionList))

    def action_session_archive(self) -> None:
        """Put it away, or take it back; it can be undone."""
        session, library = self._chosen, self._library
        if session is None:
            return
        away = not session.archived
        self._do(
            library.archive(session.id, away),
            (_("“{title}” is put away.") if away else _("“{title}” is in the list again.")).format(
                title=title_of(session)
            ),
            undoes=_("{key} undoes it.").format(key=self._way("session_undo")),
            undo=lambda: library.archive(session.id, not away),
        )

    def action_session_delete(self) -> None:
        """Delete it; asks first where nobody could bring it back."""
        session = self._chosen
        if session is None:
            return
        if Ability.DELETE not in self._abilities:
            self._tell(lack_of(Ability.DELETE))
        elif Ability.RESTORE in self._abilities:
            self._delete(session)
        else:

            def answered(yes: bool | None) -> None:
                if yes:
                    self._delete(session)

            words = _("“{title}” will be gone for good. {reason}").format(
                title=title_of(session), reason=lack_of(Ability.RESTORE)
            )
            app_of(self).push_screen(ConfirmScreen(_("Delete this session?"), words, _("delete")), answered)

    def _delete(self, session: SessionSummary) -> None:
        library = self._library
        able = Ability.RESTORE in self._abilities

        async def delete() -> None:
            await library.delete(session.id)

        self._do(
            delete(),
            _("“{title}” is deleted.").format(title=title_of(session)),
            undoes=_("{key} brings it back.").format(key=self._way("session_undo")) if able else "",
            undo=(lambda: library.restore(session.id)) if able else None,
        )

    def action_session_undo(self) -> None:
        """Take the last deletion or putting away back."""
        if not self._undo:
            self._tell(_("There is nothing to undo."))
            return
        done, undo = self._undo.pop()
        self._do(undo(), _("Undone: {what}").format(what=done))

    def _do(
        self,
        work: Awaitable[None],
        done: str,
        *,
        undoes: str = "",
        undo: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Ask the gateway in the background, say how it went, and show the list as it is then."""

        async def run() -> None:
            try:
                await work
            except TapbackError as error:
                self._tell(clean_line(error.sentence(), 300))
                return
            if undo is not None:
                self._undo.append((done, undo))
            self._tell(f"{done} {undoes}".strip())
            await self._fetch()

        self.run_worker(run(), group="doing")

    def action_session_close(self) -> None:
        """Stop typing, clear the search, else back to the chat."""
        query = self.query_one("#query", Input)
        if self.has_class("-naming"):
            self._stop_naming()
        elif self.focused is query or query.value:
            query.value = ""
            self.action_to_list()
        else:
            self.dismiss(None)
