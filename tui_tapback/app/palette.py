"""The command palette, filled from the action table."""

from __future__ import annotations

from functools import partial
from typing import Protocol, runtime_checkable

from textual.command import DiscoveryHit, Hit, Hits, Provider

from tui_tapback.actions.action import Action
from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.resolving import standard
from tui_tapback.actions.table import ACTIONS
from tui_tapback.words import _


@runtime_checkable
class Keyed(Protocol):
    """A screen with a keymap."""

    @property
    def keymap(self) -> Keymap:
        """The one in use."""
        ...


def palette_label(item: Action, keymap: Keymap) -> str:
    """``Sessions (Ctrl+O)``."""
    keys = keymap.first(item.id)
    return f"{_(item.title)} ({keys})" if keys else _(item.title)


class ActionProvider(Provider):
    """Every action marked ``palette``, run on the screen the palette was opened from."""

    def _items(self) -> list[Action]:
        return [item for item in ACTIONS if item.palette]

    @property
    def _keymap(self) -> Keymap:
        return self.screen.keymap if isinstance(self.screen, Keyed) else standard()

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for item in self._items():
            yield DiscoveryHit(palette_label(item, self._keymap), partial(self._run, item), help=_(item.help))

    async def search(self, query: str) -> Hits:
        """Those whose title or help matches."""
        matcher = self.matcher(query)
        for item in self._items():
            score = max(matcher.match(_(item.title)), matcher.match(_(item.help)) * 0.8)
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(palette_label(item, self._keymap)),
                    partial(self._run, item),
                    help=_(item.help),
                )

    async def _run(self, item: Action) -> None:
        await self.screen.run_action(item.id)
