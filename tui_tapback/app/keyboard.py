"""Turns what is pressed into the keys that the screens know, by the keymap in use."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Final

from textual import events
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from tui_tapback.actions.chords import character_of
from tui_tapback.actions.contexts import TYPING, Context
from tui_tapback.actions.keymap import Drop, Keymap, Run, Send, differing
from tui_tapback.actions.resolving import standard
from tui_tapback.actions.sequences import PATIENCE, Begun, Sequences
from tui_tapback.actions.table import action
from tui_tapback.widgets.asking import QuestionCard
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.picker import EmojiPicker
from tui_tapback.widgets.transcript import Transcript

from .keyed import place_of
from .screens.face import ChatFace
from .screens.keys import KeysScreen
from .settings.live import LiveApp

_LEAVING: Final = frozenset(action("write").keys)
"""Lead from the messages to the composer, unless the key before has opened a line to type in."""
_OF_THE_SEARCH: Final = frozenset({"enter", "escape"})
"""Take what was found in the history and leave it, whatever else they do in the composer."""
_SETTLING: Final = 0.1
"""Seconds within which a widget has done what the key before asked for."""


def context_of(screen: Screen[object]) -> Context:
    """The place where a key of this moment is pressed."""
    focused = screen.focused
    if isinstance(screen, ChatFace):
        return _on_chat(screen, focused)
    place = place_of(screen)
    typing = isinstance(focused, Input) and place not in TYPING
    return Context.LINE if typing else place


def _on_chat(screen: ChatFace, focused: Widget | None) -> Context:
    if screen.query_one(EmojiPicker).is_open:
        return Context.PICKER
    if isinstance(focused, Composer):
        return Context.COMPOSER
    if isinstance(focused, QuestionCard):
        return Context.CARD if focused.lettered else Context.ANSWER
    if isinstance(focused, Transcript):
        if focused.pill_open:
            return Context.PILL
        return Context.ASKED if focused.takes_letters else Context.TRANSCRIPT
    return Context.ASKED


class KeyedApp(LiveApp):
    """An app whose keys can be changed while it runs. The default keymap costs a look into an empty set."""

    _keys: Sequences | None = None
    _others: frozenset[str] = frozenset()
    _second: Timer | None = None

    @property
    def keymap(self) -> Keymap:
        """The keys in use."""
        return self.preferences.keymap

    def apply_keymap(self, keymap: Keymap) -> None:
        """Let this keymap count at once, in everything that is open: keys, hints, help, pill."""
        self.prefer(replace(self.preferences, keymap=keymap))

    def follow_keymap(self, keymap: Keymap) -> None:
        """Turn keys by this keymap from now on; ``prefer`` calls it."""
        if self._keys is not None and self._keys.keymap is keymap:
            return
        self._keys = Sequences(keymap, standard())
        self._others = differing(keymap, standard())

    async def pressed(self, event: events.Event) -> events.Event | None:
        """What is to be handled instead of ``event``; None where that is done already, or nothing is."""
        if not isinstance(event, events.Key) or event.is_forwarded:
            return event
        if isinstance(self.screen, KeysScreen) and self.screen.catching:
            self.screen.catch(event.key)
            return None
        if self._keys is None:
            return event
        changed = self._keys.waiting or event.key in self._others
        if changed or (event.key in _LEAVING and isinstance(self.screen.focused, Transcript)):
            await self._settled()
        if not changed:
            return event
        focused = self.screen.focused
        if isinstance(focused, Composer) and focused.looking and event.key in _OF_THE_SEARCH:
            return event
        decision = self._keys.press(context_of(self.screen), event.key)
        self._wait_for_second(decision if isinstance(decision, Begun) else None)
        match decision:
            case Send(key):
                return event if key == event.key else events.Key(key, character_of(key) or None)
            case Run(name):
                if isinstance(self.screen, ChatFace):
                    await self.run_action(name, self.screen)
            case Begun() | Drop():
                pass
        return None

    async def _settled(self) -> None:
        """The keys before this one may still be on their way: they decide where this one is pressed."""
        for pump in (self.screen.focused, self.screen):
            if pump is None:
                continue
            done = asyncio.Event()
            pump.call_later(done.set)
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), _SETTLING)

    def _wait_for_second(self, begun: Begun | None) -> None:
        if self._second is not None:
            self._second.stop()
            self._second = None
        if begun is not None:
            self._second = self.set_timer(PATIENCE, self._no_second)
        if isinstance(self.screen, ChatFace):
            self.screen.show_begun(begun)

    def _no_second(self) -> None:
        if self._keys is not None:
            self._keys.forget()
        self._wait_for_second(None)
