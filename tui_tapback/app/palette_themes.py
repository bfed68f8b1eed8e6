"""The themes in the command palette: who chooses one keeps it."""

from __future__ import annotations

from functools import partial
from typing import Protocol, runtime_checkable

from textual.command import DiscoveryHit, Hit, Hits, Provider

from .themes import available


@runtime_checkable
class KeepsTheme(Protocol):
    """An app that remembers which theme was chosen."""

    def keep_theme(self, choice: str) -> None:
        """This theme from now on, in later runs as well."""
        ...


class ThemeProvider(Provider):
    """What the setting takes: all themes, and first those that follow the terminal."""

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for name in available():
            yield DiscoveryHit(name, partial(self._choose, name))

    async def search(self, query: str) -> Hits:
        """Those whose name matches."""
        matcher = self.matcher(query)
        for name in available():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), partial(self._choose, name))

    def _choose(self, name: str) -> None:
        app: object = self.app
        if isinstance(app, KeepsTheme):
            app.keep_theme(name)
