"""The gateway's own settings, read and changed over the wire: who may react, how long a context may grow."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.store.store import Store
from tui_tapback.wire.methods import ConfigValue

REACTIONS = "reactions"
MESSAGE_REACTIONS = "display.message_reactions"
"""The boolean of a Hermes gateway; here a view on ``reactions``."""
CONTEXT_TOKENS = "context_tokens"
"""The context may grow to so many tokens before its old part is summed up; 0: without limit."""
DEFAULT_CONTEXT_TOKENS = 32_000
_LEAST_CONTEXT, _LARGEST_CONTEXT = 1_000, 10_000_000
_WORDS = {
    "true": True,
    "on": True,
    "yes": True,
    "1": True,
    "false": False,
    "off": False,
    "no": False,
    "0": False,
}


class Reacting(StrEnum):
    """Who may react: nobody is told of anything, the user alone, both sides."""

    OFF = "off"
    USER = "user"
    BOTH = "both"


class Settings:
    """Reads and changes settings.

    Raises InvalidInput for an unknown key or a value that is none of its words; nothing is changed then.
    """

    def __init__(self, store: Store, announce: Callable[[str, dict[str, Any]], object]) -> None:
        """``announce`` tells all clients an event that concerns no session, by name and payload."""
        self._store = store
        self._announce = announce

    @property
    def reacting(self) -> Reacting:
        """Who may react; ``both`` until someone says otherwise."""
        stored = self._store.settings.get(REACTIONS)
        return Reacting(stored) if stored in tuple(Reacting) else Reacting.BOTH

    @property
    def context_tokens(self) -> int:
        """How many tokens the context may grow to; 0: without limit."""
        stored = self._store.settings.get(CONTEXT_TOKENS)
        return int(stored) if stored is not None and stored.isdecimal() else DEFAULT_CONTEXT_TOKENS

    def get(self, key: str) -> ConfigValue:
        """One setting, or with ``full`` all of them as a tree."""
        reacting = self.reacting
        match key:
            case "full":
                display = {"message_reactions": reacting is not Reacting.OFF}
                config = {
                    "display": display,
                    REACTIONS: str(reacting),
                    CONTEXT_TOKENS: self.context_tokens,
                }
                return ConfigValue(key=key, config=config)
            case "context_tokens":
                return ConfigValue(key=key, value=self.context_tokens)
            case "reactions":
                return ConfigValue(key=key, value=str(reacting))
            case "display.message_reactions":
                return ConfigValue(key=key, value=reacting is not Reacting.OFF)
            case _:
                raise _unknown(key)

    def set(self, key: str, value: object) -> ConfigValue:
        """Change one setting; the answer holds the value as it is now, and where that is another one all
        clients are told."""
        match key:
            case "reactions":
                self._change(_reacting(value))
            case "display.message_reactions":
                wanted = _boolean(value)
                if wanted != (self.reacting is not Reacting.OFF):
                    self._change(Reacting.BOTH if wanted else Reacting.OFF)
            case "context_tokens":
                self._store_value(CONTEXT_TOKENS, str(_tokens(value)))
            case _:
                raise _unknown(key)
        return self.get(key)

    def _change(self, reacting: Reacting) -> None:
        self._store_value(REACTIONS, str(reacting))

    def _store_value(self, key: str, value: str) -> None:
        before = self.get(key).value
        with self._store.transaction():
            self._store.settings.set(key, value)
        now = self.get(key).value
        if now != before:
            self._announce("config.changed", {"key": key, "value": now})


def _unknown(key: str) -> InvalidInput:
    return InvalidInput(
        f"There is no setting “{clean_line(key[:80], 40)}”.",
        hint=f"The settings are {REACTIONS}, {MESSAGE_REACTIONS} and {CONTEXT_TOKENS}.",
    )


def _reacting(value: object) -> Reacting:
    if isinstance(value, str) and value.strip().lower() in tuple(Reacting):
        return Reacting(value.strip().lower())
    raise InvalidInput(
        f"The setting {REACTIONS} must be one of off, user and both.", hint="Nothing was changed."
    )


def _tokens(value: object) -> int:
    fits = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, int) and fits and (value == 0 or _LEAST_CONTEXT <= value <= _LARGEST_CONTEXT):
        return value
    raise InvalidInput(
        f"The setting {CONTEXT_TOKENS} must be 0 (no limit) or a whole number "
        f"from {_LEAST_CONTEXT:,} to {_LARGEST_CONTEXT:,}.",
        hint="Nothing was changed.",
    )


def _boolean(value: object) -> bool:
    """B059: only words that say it; whatever else is no answer, least of all false."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str | int) and (word := str(value).strip().lower()) in _WORDS:
        return _WORDS[word]
    raise InvalidInput(f"The setting {MESSAGE_REACTIONS} must be true or false.", hint="Nothing was changed.")
