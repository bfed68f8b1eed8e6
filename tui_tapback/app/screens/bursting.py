"""The big animation of a tapback and the hearts after kind words: a moment over the transcript, if at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from textual.timer import Timer

from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences
from tui_tapback.app.tapbacks import bursts
from tui_tapback.app.tapbacks.bursts import Sprite
from tui_tapback.client.state import ClientState
from tui_tapback.widgets.transcript import Transcript

from .tapping import TappingScreen

HEART: Final = "❤️"
Scene = Callable[[int, tuple[int, int]], tuple[Sprite, ...]]
"""Frame and size of the transcript → what flies there."""


class BurstPart(TappingScreen):
    """Nothing waits for a burst: keys act meanwhile, and where motion is reduced there is only the badge."""

    def __init__(self, chat: ChatSession, preferences: Preferences, **start: Any) -> None:
        super().__init__(chat, preferences, **start)
        self._frames: Timer | None = None
        self._affections: int | None = None
        self._affections_of: str | None = None

    def action_big(self, digit: int) -> None:
        """Set a quick reaction on the selected message, with the big animation."""
        transcript = self.query_one(Transcript)
        message = self.message(transcript.selected or "")
        if message is None or not message.reactable or digit > len(transcript.quick):
            return
        emoji, part = transcript.quick[digit - 1], transcript.aim(message)
        self.react(message.key, emoji, part)
        region = transcript.region_for(message.key)
        if region is None:
            return
        x = region.x - transcript.region.x + region.width // 2
        y = region.y - transcript.region.y + region.height // 2
        self._burst(lambda frame, size: bursts.big(emoji, frame, x, y, size))

    def show_state(self, state: ClientState) -> None:
        """Hearts, once each time the agent was thanked."""
        super().show_state(state)
        before, self._affections = self._affections, state.affections
        same, self._affections_of = state.session_id == self._affections_of, state.session_id
        if same and before is not None and state.affections > before:
            self._burst(lambda frame, size: bursts.hearts(HEART, frame, size))

    def _burst(self, scene: Scene) -> None:
        transcript = self.query_one(Transcript)
        if self._frames is not None:
            self._frames.stop()
        if not transcript.motion:
            transcript.sprites = ()
            return
        count = 0

        def draw() -> None:
            nonlocal count
            size = (transcript.size.width, transcript.size.height)
            over = count >= bursts.FRAMES or not transcript.motion
            sprites = () if over else scene(count, size)
            transcript.sprites = tuple((each.x, each.y, each.emoji) for each in sprites)
            transcript.repaint()
            count += 1
            if over and self._frames is not None:
                self._frames.stop()
                self._frames = None

        self._frames = self.set_interval(bursts.FRAME, draw)
        draw()
