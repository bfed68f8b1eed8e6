"""The chat program over any chat, with everything pinned that could differ between machines."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import UTC
from operator import attrgetter
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.resolving import standard
from tui_tapback.app.app import ChatApp
from tui_tapback.app.belongings import Belongings
from tui_tapback.app.connections import Connections
from tui_tapback.app.crash import CrashLog
from tui_tapback.app.habits import Habits
from tui_tapback.app.outside import Outside
from tui_tapback.app.ports import ChatSession
from tui_tapback.app.preferences import Preferences, theme_of
from tui_tapback.app.settings.desk import SettingsDesk
from tui_tapback.app.tapbacks.verbs import Verb
from tui_tapback.client.tapback_memory import TapbackMemory
from tui_tapback.config.settings import NotificationSettings
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.recents import Recents
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import FULL, WidthProfile
from tui_tapback.testing.screen import screen_text


def chat_app(
    chat: ChatSession,
    *,
    theme: str = "tapback-dark",
    profile: WidthProfile = FULL,
    quick_reactions: tuple[str, ...] = QUICK_REACTIONS,
    logs: Path | None = None,
    now: float = 1_760_000_060.0,
    typed: Callable[[], str] = str,
    belongings: Belongings | None = None,
    session_id: str | None = None,
    approve_by_tapback: bool = False,
    outside: Outside | None = None,
    connections: Connections | None = None,
    verbs: Mapping[str, Verb] | None = None,
    memory: TapbackMemory | None = None,
    motion: bool = False,
    notifications: NotificationSettings | None = None,
    settings_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    keymap: Keymap | None = None,
    habits: Habits | None = None,
) -> ChatApp:
    """An app in UTC and, unless ``motion``, without motion. ``logs`` is the folder of the crash log,
    ``now`` the one moment at which everything happens, ``typed`` what was typed before it started,
    ``verbs`` what tapbacks offer, ``memory`` what is remembered of them, ``settings_file`` where settings are
    changed, with ``environ`` that goes before them."""
    preferences = Preferences(
        theme=theme,
        fitter=EmojiFitter(profile),
        quick_reactions=quick_reactions,
        reduced_motion=not motion,
        verbs=verbs or {},
        memory=memory or TapbackMemory(),
        approve_by_tapback=approve_by_tapback,
        outside=outside or Outside(),
        notifications=notifications or NotificationSettings(),
        zone=UTC,
        keymap=keymap or standard(),
        habits=habits or Habits(Recents(time.time)),
        wanted_theme=theme,
        desk=settings_desk(settings_file, environ or {}) if settings_file else None,
    )
    log = CrashLog(logs or Path(tempfile.gettempdir()) / "tui-tapback-tests", clock=lambda: 0.0)
    return ChatApp(
        chat,
        preferences,
        crash_log=log,
        clock=lambda: now,
        typed=typed,
        belongings=belongings,
        connections=connections,
        session_id=session_id,
    )


def settings_desk(file: Path, environ: Mapping[str, str]) -> Callable[[], SettingsDesk]:
    """Where the settings of ``file`` are changed."""
    desk = SettingsDesk(file, environ, check=lambda found: theme_of(found.theme, dark=True))
    return lambda: desk


async def until(pilot: Pilot[Any], holds: Callable[[], bool], *, seconds: float = 10.0) -> None:
    """Wait for a condition that a timer or a layout of Textual's brings about. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not holds():
            await pilot.pause(0.01)


async def told(pilot: Pilot[Any], words: str) -> None:
    """Wait until a toast says ``words``, whatever lies beside its lines. Raises TimeoutError."""
    notifications = attrgetter("_notifications")
    await until(pilot, lambda: any(words in each.message for each in notifications(pilot.app)))


async def shows(pilot: Pilot[Any], words: str) -> None:
    """Wait until ``words`` stand on the screen, wherever its lines break. Raises TimeoutError."""
    await until(pilot, lambda: words in " ".join(screen_text(pilot.app).split()))
