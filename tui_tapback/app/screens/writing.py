"""The chat screen's writing desk: each chat has a draft on disk, and what was sent before comes back."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from textual import on
from textual.app import SuspendNotSupported

from tui_tapback.app.writing.editor import edit
from tui_tapback.client.state import ClientState
from tui_tapback.domain.errors import TapbackError
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.composer.field import TextField
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .face import ChatFace

REST: Final = 0.4
"""Seconds without a key after which what is typed is written down."""
_NOWHERE: Final = "\0nowhere"


class WritingPart(ChatFace):
    """A draft belongs to a chat; what is typed before it is known which one opens goes to that one."""

    def __init__(self, *positional: Any, **start: Any) -> None:
        super().__init__(*positional, **start)
        self._draft_of: str | None = _NOWHERE
        self._kept_draft = ""
        self._dirty = False
        self._keeping = False

    def leaving(self) -> None:
        """The last word is kept."""
        super().leaving()
        if self._draft_of != _NOWHERE:
            self._save_draft(self._draft_of, self.query_one(Composer).draft)
        self.keep(self.belongings.prompts.save)

    def show_state(self, state: ClientState) -> None:
        """Another chat has another draft."""
        super().show_state(state)
        undecided = state.session_id is None and state.loading
        if state.session_id != self._draft_of and not undecided:
            self._change_chat(state.session_id)

    def _change_chat(self, session_id: str | None) -> None:
        composer, before = self.query_one(Composer), self._draft_of
        self._draft_of = session_id
        stored = self._load_draft(session_id)
        if before in (_NOWHERE, None):
            # It was typed for the chat that opens here, or has just got its id.
            if before is None:
                self._save_draft(None, "")
            typed = composer.text
            text = "\n".join(filter(None, (stored, typed))) if stored != typed else typed
        else:
            self._save_draft(before, composer.draft)
            text = stored
        if text != composer.text:
            composer.set_text(text)
        self._kept_draft = stored
        prompts = self.belongings.prompts
        composer.remember(prompts.of(session_id), prompts.all)

    def _load_draft(self, session_id: str | None) -> str:
        drafts = self.belongings.drafts
        return "" if drafts is None else drafts.load(self.belongings.connection, session_id)

    def _save_draft(self, session_id: str | None, text: str) -> None:
        drafts = self.belongings.drafts
        if drafts is not None:
            self.keep(lambda: drafts.save(self.belongings.connection, session_id, text))

    @on(TextField.Changed)
    def _typed(self, event: TextField.Changed) -> None:
        event.stop()
        self._count_down()
        composer = self.query_one(Composer)
        if self._draft_of == _NOWHERE or composer.looking or event.text == self._kept_draft:
            return
        self._dirty = True
        if not event.text:
            self._dirty = False  # it was sent or thrown away: it must not come back after a crash
            self._kept_draft = ""
            self._save_draft(self._draft_of, "")
        elif not self._keeping:
            self._keeping = True
            self.run_worker(self._keep_draft(), group="draft")

    async def _keep_draft(self) -> None:
        """Write once there is a rest, beside the screen: a slow disk must not be felt while typing."""
        try:
            while self._dirty:
                self._dirty = False
                await asyncio.sleep(REST)
                if not self.is_mounted or not self.query(Composer):
                    return  # the program ends; what there was is kept by then
                session_id, text = self._draft_of, self.query_one(Composer).draft
                drafts = self.belongings.drafts
                if text and session_id != _NOWHERE and text != self._kept_draft and drafts is not None:
                    await asyncio.to_thread(drafts.save, self.belongings.connection, session_id, text)
                    self._kept_draft = text
                    if session_id == self._draft_of and not self.query_one(Composer).text:
                        self._save_draft(session_id, "")  # it was sent in the meantime
        except OSError as error:
            self.not_kept(error)
        finally:
            self._keeping = False

    @on(Composer.EditorRequested)
    def _editor_requested(self, event: Composer.EditorRequested) -> None:
        event.stop()
        self.action_external_editor()

    def action_external_editor(self) -> None:
        """Write in an editor of one's own; what it leaves comes into the composer."""
        composer, app = self.query_one(Composer), app_of(self)
        try:
            with app.suspend():
                text = edit(composer.draft, self.preferences.outside.environ)
        except SuspendNotSupported:
            self.tell(_("This terminal cannot be given to another program."), "warning")
        except TapbackError as error:
            self.refuse(error)
        else:
            if text != composer.draft:
                composer.set_text(text)
        self.set_focus(composer)

    def action_search_history(self) -> None:
        """Search what was sent before."""
        composer = self.query_one(Composer)
        self.set_focus(composer)
        composer.look_back()

    def sent(self, text: str) -> None:
        """Remember what was sent."""
        self.belongings.prompts.add(text, self.chat.state.session_id)
        self.keep(self.belongings.prompts.save)
