"""The room of a client for the models of a gateway, and for its settings as far as it shows them."""

from __future__ import annotations

from itertools import islice

import msgspec

from tui_tapback.domain import events as ev
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.wire.foreign_work import ModelOptions, ModelOptionsParams, Provider, Shown
from tui_tapback.wire.methods import ConfigGetParams, ConfigSetParams, ConfigValue, NoParams
from tui_tapback.words import _

from .abilities import Ability
from .desk import Desk

_SLOW = 60.0
"""Seconds: a gateway may have to ask each of its providers."""
MODELS_MOST = 2_000
SETTINGS_MOST = 1_000
"""Rows of settings that are shown; no gateway has as many."""


@value
class ModelChoice:
    """A model that can be chosen; ``provider`` is the gateway's name for whoever serves it."""

    name: str
    provider: str
    provider_title: str
    current: bool = False
    usable: bool = True


@value
class Chosen:
    """What came of a choice. ``confirm``: nothing changed, the person must agree to this first.

    ``warning`` may be empty.
    """

    model: str
    warning: str = ""
    confirm: str = ""


@value
class SettingRow:
    """One setting of the gateway as it shows it."""

    section: str
    name: str
    value: str


class Models:
    """Raises NotSupported, LinkDown, RpcError; SessionNotFound before the chat has begun."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list(self) -> tuple[ModelChoice, ...]:
        """All models, by provider, in the gateway's order."""
        self._desk.require(Ability.MODELS)
        params = ModelOptionsParams(self._desk.conversation.runtime_id)
        found = await self._desk.call("model.options", params, ModelOptions, within=_SLOW)
        choices = [choice for provider in found.providers for choice in _choices(provider, found)]
        return tuple(choices[:MODELS_MOST])

    async def choose(self, name: str, provider: str = "", *, agreed: bool = False) -> Chosen:
        """Answer this chat with that model from now on; ``agreed`` to what the gateway warned of before."""
        self._desk.require(Ability.MODELS)
        value = f"{name} --provider {provider}" if provider else name
        params = ConfigSetParams("model", value, self._desk.runtime_id(), confirm_expensive_model=agreed)
        answer = await self._desk.call("config.set", params, ConfigValue, within=_SLOW)
        chosen = str(answer.value or name)
        if answer.confirm_required:
            asks = clean_line(answer.confirm_message or "", 400)
            return Chosen(name, confirm=asks or _("This model may be expensive."))
        conversation = self._desk.conversation
        conversation.mirror.apply(ev.SessionInfo(model=clean_line(chosen, 80)))
        self._desk.changed()
        return Chosen(clean_line(chosen, 80), clean_line(answer.warning or "", 400))

    async def settings(self) -> tuple[SettingRow, ...]:
        """What the gateway shows of its settings; secrets are masked by it."""
        self._desk.engine.link()
        if self._desk.foreign:
            shown = await self._desk.call("config.show", NoParams(), Shown)
            rows = ((s.title, row) for s in shown.sections for row in s.rows if len(row) >= 2)
            return tuple(
                SettingRow(clean_line(title, 60), clean_line(row[0], 80), clean_line(row[1], 400))
                for title, row in islice(rows, SETTINGS_MOST)
            )
        known = await self._desk.call("config.get", ConfigGetParams("full"), ConfigValue)
        return tuple(_flat(known.config or {})[:SETTINGS_MOST])


def _choices(provider: Provider, found: ModelOptions) -> list[ModelChoice]:
    out = frozenset(provider.unavailable_models or ())
    title = clean_line(provider.name or provider.slug, 60)
    here = provider.is_current if provider.is_current is not None else provider.slug == found.provider
    return [
        ModelChoice(
            clean_line(name, 120),
            clean_line(provider.slug, 60),
            title,
            current=here and name == found.model,
            usable=provider.authenticated is not False and name not in out,
        )
        for name in provider.models
        if name.strip() and " " not in name
    ]


def _flat(config: dict[str, object], section: str = "") -> list[SettingRow]:
    rows: list[SettingRow] = []
    for name, held in config.items():
        title = clean_line(name, 80)
        if isinstance(held, dict):
            inner = msgspec.convert(held, dict[str, object])
            rows += _flat(inner, f"{section}.{title}" if section else title)
        else:
            rows.append(SettingRow(section, title, clean_line(str(held), 400)))
    return rows
