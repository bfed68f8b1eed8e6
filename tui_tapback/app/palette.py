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

from .keyed import Keyed


@runtime_checkable
class Titles(Protocol):
    """A screen on which some actions do something else at times."""

    def title_now(self, item: Action) -> str:
        """What it would do now, in the language in use."""
        ...


def palette_label(item: Action, keymap: Keymap, title: str = "") -> str:
    """``Sessions (Ctrl+O)``."""
    keys, title = keymap.first(item.id), title or _(item.title)
    return f"{title} ({keys})" if keys else title


class ActionProvider(Provider):
    """Every action marked ``palette``, run on the screen the palette was opened from."""

    def _items(self) -> list[Action]:
        return [item for item in ACTIONS if item.palette]

    @property
    def _keymap(self) -> Keymap:
        return self.screen.keymap if isinstance(self.screen, Keyed) else standard()

    def _title(self, item: Action) -> str:
        return self.screen.title_now(item) if isinstance(self.screen, Titles) else _(item.title)

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for item in self._items():
            label = palette_label(item, self._keymap, self._title(item))
            yield DiscoveryHit(label, partial(self._run, item), help=_(item.help))

    async def search(self, query: str) -> Hits:
        """Those whose title or help matches."""
        matcher = self.matcher(query)
        for item in self._items():
            score = max(matcher.match(self._title(item)), matcher.match(_(item.help)) * 0.8)
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(palette_label(item, self._keymap, self._title(item))),
                    partial(self._run, item),
                    help=_(item.help),
                )

    async def _run(self, item: Action) -> None:
        await self.screen.run_action(item.id)
