"""The chat screen's use of a gateway's own slash commands: completed, run, and what comes of them."""

from __future__ import annotations

from typing import Any

from tui_tapback.client.abilities import Ability
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.errors import TapbackError
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.composer.commands import SlashCommand
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _

from .face import ChatFace
from .words import WordsScreen


class GatewayCommandsPart(ChatFace):
    """Our own commands come first; what we do not know goes to a gateway that has commands."""

    def __init__(self, *positional: Any, **start: Any) -> None:
        super().__init__(*positional, **start)
        self._asked_commands = False

    @property
    def has_commands(self) -> bool:
        """Whether the gateway has commands of its own."""
        state = self.chat.state
        return state.connection.phase is Phase.ONLINE and Ability.COMMANDS in state.abilities

    def show_state(self, state: ClientState) -> None:
        """Once the gateway is there its commands are completed as well."""
        super().show_state(state)
        if self.has_commands and state.session_id is not None and not self._asked_commands:
            self._asked_commands = True
            self.run_worker(self._learn_commands(), group="intents")

    async def _learn_commands(self) -> None:
        try:
            known = await self.chat.commands.catalog()
        except TapbackError:
            self._asked_commands = False  # it is asked for again with the next state; nothing is lost
            return
        found = (SlashCommand(c.name.lstrip("/"), "", c.help) for c in known)
        self.query_one(Composer).offer_commands(found)

    def run_at_gateway(self, line: str) -> None:
        """Run a command there, in the background."""
        self.later(self._run_at_gateway(line))

    async def _run_at_gateway(self, line: str) -> None:
        outcome = await self.chat.commands.run(line)
        match outcome.kind:
            case "send":
                self.chat.send(outcome.text)
            case "prefill":
                self.query_one(Composer).set_text(outcome.text)
            case "shown":
                self._show_words(line, outcome.text)

    def _show_words(self, line: str, text: str) -> None:
        if not text.strip():
            self.tell(_("{line} was carried out.").format(line=line))
        elif text.count("\n") < 3 and len(text) < 200:
            self.tell(text, seconds=10.0)
        else:
            app_of(self).push_screen(WordsScreen(line, text))
