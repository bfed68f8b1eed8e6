"""The agent of the gateway: a model where one is set or found, else the companion, looked for again later."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping

from tui_tapback.config.settings import ModelSettings
from tui_tapback.domain.errors import ModelRefused, ModelUnreachable
from tui_tapback.emoji.resolve import resolve
from tui_tapback.gateway.service.ports import ConversationTools, ModelRequest, Turn

from .companion import Companion
from .companion_summary import beginnings
from .discovery import find_local_endpoint
from .endpoint import LOCAL_URL, Endpoint, wanted_endpoint, wants_companion, wants_local
from .local_provider import LocalProvider
from .loop import Tools, TurnLoop
from .openai_provider import OpenAIProvider
from .prompt import SYSTEM_PROMPT
from .provider import Provider
from .tools import Messenger, SendMessageTool

RECHECK_SECONDS = 15.0
"""Time between two looks for local servers while none was found."""

Find = Callable[[], Awaitable[Endpoint | None]]
Connect = Callable[[Endpoint], Provider]


class SwitchingAgent:
    """Implements ``ports.Agent`` over whoever is there.

    System prompt and tools are the same for all of them, so that a session may change its model. A server
    that was set stays, whether it answers or not; one that was found is looked for anew after it vanished.
    """

    def __init__(
        self,
        tools: Tools,
        companion: Provider,
        connect: Connect,
        *,
        fixed: Endpoint | None = None,
        find: Find | None = None,
        system_prompt: str = SYSTEM_PROMPT,
        clock: Callable[[], float] = time.monotonic,
        recheck: float = RECHECK_SECONDS,
    ) -> None:
        """``fixed`` is the endpoint that was set; ``find`` looks for a local one (None: no search)."""
        self._tools = tools
        self._companion = companion
        self._connect = connect
        self._find = find if fixed is None else None
        self._system_prompt = system_prompt
        self._clock = clock
        self._recheck = recheck
        self._looked_at: float | None = None
        self._looking = asyncio.Lock()
        self._found = False
        self._provider = companion if fixed is None else connect(fixed)
        self._left: list[Provider] = []

    @property
    def model(self) -> str:
        """Name for the status line."""
        return self._provider.model

    @property
    def is_companion(self) -> bool:
        """Whether no model is there, so that the offline companion answers."""
        return self._provider is self._companion

    def system_prompt(self) -> str:
        """The system prompt of a new session."""
        return self._system_prompt

    def tools(self) -> str:
        """The tool list of a new session as JSON text."""
        return self._tools.schema

    async def look(self) -> None:
        """Look for a local server, unless one is known or the last look was a moment ago.

        Called before each turn; the composition root may call it at start, for the status line.
        """
        if self._find is None:
            return
        async with self._looking:
            now = self._clock()
            if self._found or (self._looked_at is not None and now - self._looked_at < self._recheck):
                return
            self._looked_at = now
            endpoint = await self._find()
            if endpoint is not None:
                self._provider, self._found = self._connect(endpoint), True

    async def run(self, turn: Turn) -> None:
        """Answer one turn with whoever is there at its beginning. Raises ModelError."""
        await self.look()
        provider = self._provider
        try:
            await TurnLoop(provider, self._tools).run(turn)
        except (ModelUnreachable, ModelRefused):
            self._forget(provider)
            raise

    async def complete(self, request: ModelRequest) -> str:
        """Answer a request outside any turn, that is for a summary. Raises ModelError.

        The companion reads nothing, so its summary is how the messages began, and says so.
        """
        if self.is_companion:
            return beginnings(request)
        return await TurnLoop(self._provider, self._tools).complete(request)

    def use(self, fixed: Endpoint | None, find: Find | None) -> None:
        """Choose anew, from the next turn on; for settings that changed."""
        self._leave()
        self._find = find if fixed is None else None
        self._looked_at = None
        self._provider = self._companion if fixed is None else self._connect(fixed)

    async def close(self) -> None:
        """Give all connections back; after the last turn."""
        for provider in (*self._left, self._provider, self._companion):
            await provider.close()

    def _forget(self, provider: Provider) -> None:
        """Look again at once in the next turn, after a found server or its model has gone."""
        if self._found and provider is self._provider:
            self._leave()
            self._looked_at = None

    def _leave(self) -> None:
        # Another session's turn may still be answered by it, so it is closed at the end.
        if self._provider is not self._companion:
            self._left.append(self._provider)
        self._provider, self._found = self._companion, False


def agent_factory(
    settings: ModelSettings,
    environ: Mapping[str, str],
    messenger: Messenger,
    *,
    companion: Provider | None = None,
) -> Callable[[ConversationTools], SwitchingAgent]:
    """What the composition root gives to ``GatewayService``: makes the agent around a conversation.

    ``messenger`` reaches other chats, for ``send_message`` with a target.
    Raises SettingsError at once where the key that the settings name cannot be read.
    """
    fixed, find = choice(settings, environ)

    def connect(endpoint: Endpoint) -> Provider:
        if endpoint.base_url == LOCAL_URL:
            return LocalProvider(settings.local_file, settings.local_python)
        return OpenAIProvider(endpoint)

    def make(conversation: ConversationTools) -> SwitchingAgent:
        tools = SendMessageTool(conversation, resolve, messenger)
        return SwitchingAgent(tools, companion or Companion(), connect, fixed=fixed, find=find)

    return make


def choice(settings: ModelSettings, environ: Mapping[str, str]) -> tuple[Endpoint | None, Find | None]:
    """The endpoint that was set and the search for a local one, as ``SwitchingAgent`` takes them."""
    if wants_companion(settings, environ):
        return None, None
    if wants_local(settings, environ):
        return Endpoint(LOCAL_URL), None
    fixed = wanted_endpoint(settings, environ)
    if fixed is not None or not settings.discover:
        return fixed, None
    wanted = environ.get("OPENAI_MODEL", "").strip() or settings.model.strip()
    return None, lambda: find_local_endpoint(wanted=wanted)
