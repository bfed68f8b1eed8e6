"""What the method table is made of: one row of it, and the bases of all parameters and results."""

from __future__ import annotations

from typing import Literal

import msgspec

from tui_tapback.domain.values import value


class Params(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Base of parameters: strict, an unknown one is refused with its name."""


class Result(msgspec.Struct, omit_defaults=True):
    """Base of results: forgiving, unknown fields are ignored."""


class SessionParams(Params):
    """``session_id``: the runtime id (on our gateway the same as the stored id)."""

    session_id: str


@value
class Method:
    """One row of the table; ``origin`` "hermes" exists on both gateways, "tapback" on ours only."""

    name: str
    params: type[Params]
    result: type[Result]
    doc: str
    origin: Literal["hermes", "tapback"] = "hermes"
