"""The models of a gateway to choose from, and its settings to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import BindingType

from tui_tapback.actions.action import Group
from tui_tapback.actions.contexts import Context
from tui_tapback.app.actions import bindings
from tui_tapback.app.keyed import keymap_of
from tui_tapback.app.working.lines import model_line, setting_lines
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.models import ModelChoice
from tui_tapback.domain.text import clean_line
from tui_tapback.widgets.host import app_of
from tui_tapback.words import _, mark

from .confirm import ConfirmScreen
from .face import ChatFace
from .panel import Panel

SHOWN = 400
"""Models on the list at once; typing narrows it."""
_ACTS: Final = (
    ("list_choose", mark("chooses")),
    ("model_narrow", mark("narrows")),
    ("list_close", mark("closes")),
)


def matching(choices: Sequence[ModelChoice], words: str) -> list[ModelChoice]:
    """Those of which name or provider have all the words."""
    wanted = words.casefold().split()
    return [
        choice
        for choice in choices
        if all(word in f"{choice.name} {choice.provider_title}".casefold() for word in wanted)
    ]


class ModelsPanel(Panel[ModelChoice | None]):
    """Typing narrows the list, Enter takes the model under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Group.MODELS)]
    place_in = Context.MODELS

    def __init__(self, choices: Sequence[ModelChoice], words: str = "") -> None:
        super().__init__(_("Models"), _ACTS, asks=_("part of a name"), most=100)
        self._all = choices
        self._words = words
        self._choices: list[ModelChoice] = []

    def lay_out(self) -> None:
        """Those that match; the cursor begins on the one that answers now."""
        found = matching(self._all, self._words)
        self._choices = found[:SHOWN]
        words = "" if found else _("No model is called that.")
        if self._words:
            words = words or _("With “{words}”:").format(words=self._words)
        rest = len(found) - len(self._choices)
        told = _("{count} more; {key} narrows the list.")
        aside = told.format(count=rest, key=keymap_of(self).way("model_narrow")) if rest else ""
        self.lay(words, [model_line(choice) for choice in self._choices], aside)
        current = next((at for at, choice in enumerate(self._choices) if choice.current), None)
        if current is not None:
            self.put_cursor(current)

    def chosen(self, place: int) -> None:
        """That one."""
        self.dismiss(self._choices[place])

    def action_narrow(self) -> None:
        """Type a part of the name; an empty line shows all again."""
        self._words = ""
        self.lay_out()
        self.begin_typing()

    def typed(self, text: str, place: int) -> None:
        """Narrow it."""
        del place
        self._words = clean_line(text, 100)


class SettingsPanel(Panel[None]):
    """Only to be read: a gateway's settings are changed by its own commands or where it runs."""

    def __init__(self, lines: list[Text], where: str) -> None:
        super().__init__(_("Settings of the gateway"), (("list_close", mark("closes")),))
        self._lines = lines
        self._where = where

    def lay_out(self) -> None:
        """A line for each."""
        words = "" if self._lines else _("The gateway shows none.")
        self.lay(words, self._lines, self._where)


class ModelsPart(ChatFace):
    """Choosing is done for the chat on screen only."""

    def action_models(self) -> None:
        """The list."""
        self.choose_model("")

    def choose_model(self, words: str) -> None:
        """The model of that name, or the list of those that have the words."""
        state = self.chat.state
        if Ability.MODELS not in state.abilities:
            now = clean_line(state.model, 80)
            told = _("Now it is {model}.").format(model=now) if now else ""
            self.tell(f"{lack_of(Ability.MODELS)} {told}".strip(), "warning")
            return
        self.later(self._offer_models(words))

    async def _offer_models(self, words: str) -> None:
        choices = await self.chat.models.list()
        same = [choice for choice in choices if choice.name == words]
        found = same or matching(choices, words)
        if words and len(found) == 1:
            await self._choose(found[0])
        else:
            app_of(self).push_screen(ModelsPanel(choices, words), self._chosen)

    def _chosen(self, choice: ModelChoice | None) -> None:
        if choice is None:
            return
        if choice.current:
            self.tell(_("{model} answers already.").format(model=choice.name))
            return
        self.later(self._choose(choice))

    async def _choose(self, choice: ModelChoice, *, agreed: bool = False) -> None:
        chosen = await self.chat.models.choose(choice.name, choice.provider, agreed=agreed)
        if chosen.confirm:
            title = _("Choose {model}?").format(model=choice.name)
            asked = ConfirmScreen(title, chosen.confirm, _("choose it"))
            app_of(self).push_screen(asked, lambda yes: self._agreed(choice) if yes else None)
            return
        told = _("{model} answers this chat from now on.").format(model=chosen.model)
        self.tell(f"{told} {chosen.warning}".strip(), "warning" if chosen.warning else "info")

    def _agreed(self, choice: ModelChoice) -> None:
        self.later(self._choose(choice, agreed=True))

    def action_gateway_config(self) -> None:
        """What the gateway shows of its settings."""
        self.later(self._show_settings())

    async def _show_settings(self) -> None:
        rows = await self.chat.models.settings()
        where = _("They are changed where the gateway runs, or by its own commands.")
        app_of(self).push_screen(SettingsPanel(setting_lines(rows), where))
