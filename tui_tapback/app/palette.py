"""The command palette, filled from the action table."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from tui_tapback.actions.action import Action
from tui_tapback.actions.showing import show_keys
from tui_tapback.actions.table import ACTIONS


def palette_label(item: Action) -> str:
    """``Sessions (Ctrl+O)``."""
    keys = show_keys(item.keys[:1])
    return f"{item.title} ({keys})" if keys else item.title


class ActionProvider(Provider):
    """Every action marked ``palette``, run on the screen the palette was opened from."""

    def _items(self) -> list[Action]:
        return [item for item in ACTIONS if item.palette]

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for item in self._items():
            yield DiscoveryHit(palette_label(item), partial(self._run, item), help=item.help)

    async def search(self, query: str) -> Hits:
        """Those whose title or help matches."""
        matcher = self.matcher(query)
        for item in self._items():
            score = max(matcher.match(item.title), matcher.match(item.help) * 0.8)
            if score > 0:
                yield Hit(
                    score, matcher.highlight(palette_label(item)), partial(self._run, item), help=item.help
                )

    async def _run(self, item: Action) -> None:
        await self.screen.run_action(item.id)
