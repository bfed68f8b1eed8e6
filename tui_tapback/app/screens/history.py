"""The chat screen's reading: more of a long chat as it is wanted, search beyond it, the reader's place."""

from __future__ import annotations

from typing import Any, Final

from textual import on

from tui_tapback.client.abilities import Ability
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.errors import LinkDown
from tui_tapback.widgets.transcript import Transcript
from tui_tapback.widgets.transcript.places import Place
from tui_tapback.words import _

from .face import ChatFace

HITS: Final = 1000
"""Hits beyond what is held that n and N can reach."""
_EACH: Final = 200
EVERY: Final = 3.0
"""Seconds between two looks at where the reader is."""


class HistoryPart(ChatFace):
    """Grants what the transcript wants to have read; what fails for want of a link is granted later."""

    def __init__(self, *positional: Any, **start: Any) -> None:
        super().__init__(*positional, **start)
        self._reading: str | None = None
        self._back_at: Place | None = None  # where to go once the chat is here
        self._edge: str = ""
        self._unmet = False

    def on_mount(self) -> None:
        """The place is kept while one reads: the program may end in any way."""
        self.set_interval(EVERY, self.keep_place)

    def leaving(self) -> None:
        """Keep it for the next run."""
        self.keep_place()
        super().leaving()

    def show_state(self, state: ClientState) -> None:
        """Another chat opens where it was left."""
        if state.session_id != self._reading:
            self._leave(state.session_id)
        super().show_state(state)
        transcript = self.query_one(Transcript)
        if self._back_at is not None and state.messages and not state.loading:
            place, self._back_at = self._back_at, None
            if (
                not transcript.restore(place)
                and place.row_id is not None
                and (state.has_older or state.has_newer)
            ):
                self.later(self._return_to(place, place.row_id))
        if self._unmet and state.connection.phase is Phase.ONLINE:
            self._unmet = False
            transcript.ask_again()
        if self._edge and not (state.has_older if self._edge == "first" else state.has_newer):
            last = self._edge == "last"
            self._edge = ""
            transcript.action_edge(last)

    def _leave(self, session_id: str | None) -> None:
        self.keep_place()
        self._reading, self._edge, self._unmet = session_id, "", False
        self._back_at = self.belongings.places.of(session_id) if session_id is not None else None

    def keep_place(self) -> None:
        """Note where the reader is, and write it down."""
        if self._reading is None or self._back_at is not None:
            return
        for transcript in self.query(Transcript):
            self.belongings.places.keep(self._reading, transcript.bookmark())
        self.keep(self.belongings.places.save)

    async def _return_to(self, place: Place, row_id: int) -> None:
        await self.chat.history.load_around(row_id)
        self.show_state(self.chat.state)
        self.query_one(Transcript).restore(place)

    @on(Transcript.OlderWanted)
    def _older_wanted(self, event: Transcript.OlderWanted) -> None:
        event.stop()
        self.later(self._more(older=True))

    @on(Transcript.NewerWanted)
    def _newer_wanted(self, event: Transcript.NewerWanted) -> None:
        event.stop()
        self.later(self._more(older=False))

    async def _more(self, *, older: bool) -> None:
        history = self.chat.history
        try:
            await (history.load_older() if older else history.load_newer())
        except LinkDown:
            self._unmet = True  # the status line says that there is no link

    @on(Transcript.EdgeWanted)
    def _edge_wanted(self, event: Transcript.EdgeWanted) -> None:
        event.stop()
        self._edge = event.edge
        if event.edge == "first":
            self.later(self.chat.history.load_first())
        else:
            self.chat.history.to_end()

    @on(Transcript.RowWanted)
    def _row_wanted(self, event: Transcript.RowWanted) -> None:
        event.stop()
        self.later(self._show_row(event.row_id))

    async def _show_row(self, row_id: int) -> None:
        await self.chat.history.load_around(row_id)
        self.show_state(self.chat.state)
        if not self.query_one(Transcript).show_hit(row_id):
            self.tell(_("That message is no longer in this chat."), "warning")

    @on(Transcript.SearchRequested)
    def _search_requested(self, event: Transcript.SearchRequested) -> None:
        event.stop()
        state = self.chat.state
        if event.query and (state.has_older or state.has_newer):
            if Ability.SEARCH in state.abilities:
                self.later(self._search_beyond(event.query))
            else:
                self.tell(_("This gateway cannot search: only what is loaded was looked through."))

    async def _search_beyond(self, query: str) -> None:
        session_id, found = self.chat.state.session_id, list[int]()
        before: int | None = None
        while len(found) < HITS:
            hits = await self.chat.sessions.search(
                query, session_id=session_id, limit=_EACH, before_row_id=before
            )
            found += [hit.row_id for hit in hits.hits]
            if not hits.more or not hits.hits:
                break
            before = hits.hits[-1].row_id
        transcript = self.query_one(Transcript)
        if transcript.search_query != query or self.chat.state.session_id != session_id:
            return  # the person has gone on
        here = {message.row_id for message in self.chat.state.messages}
        transcript.offer_hits(found)
        if found and not here.intersection(found):
            transcript.next_hit(-1)
