"""The settings that all clients of a gateway share, as a value."""

from __future__ import annotations

from dataclasses import replace

from tui_tapback.domain.values import value

MESSAGE_REACTIONS = "display.message_reactions"
"""The name of the switch on both kinds of gateway."""
Value = str | int | bool


@value
class GatewaySettings:
    """As the gateway has them now; None: it does not say (Hermes tells ``message_reactions`` alone).

    ``reactions``: who may react: "off", "user" or "both"; ``message_reactions`` says the same as a boolean.
    ``context_tokens``: the context may grow to so many before its old part is summed up (0: without limit).
    """

    reactions: str | None = None
    message_reactions: bool | None = None
    context_tokens: int | None = None

    def having(self, key: str, value: object) -> GatewaySettings:
        """With one setting as the gateway told it; what is not known here, or makes no sense, is left out."""
        match key, value:
            case "reactions", str():
                return replace(self, reactions=value, message_reactions=value != "off")
            case "display.message_reactions", bool():
                return replace(self, message_reactions=value)
            case "context_tokens", int() if not isinstance(value, bool):
                return replace(self, context_tokens=value)
            case _:
                return self

    def value(self, key: str) -> Value | None:
        """One of them by its name on the wire; None where it is not known."""
        match key:
            case "reactions":
                return self.reactions
            case "display.message_reactions":
                return self.message_reactions
            case "context_tokens":
                return self.context_tokens
            case _:
                return None


UNKNOWN_SETTINGS = GatewaySettings()
"""Of a gateway that has not said anything yet."""
