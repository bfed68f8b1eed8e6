"""What the program keeps of one gateway on this machine: places in chats, drafts, what was sent before."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Self

from tui_tapback.client.drafts import Drafts
from tui_tapback.domain.values import value

from .reading.places import Places
from .writing.prompts import Prompts


@value
class Belongings:
    """``connection`` names the gateway; without ``drafts`` nothing typed is kept."""

    connection: str = ""
    places: Places = field(default_factory=Places)
    drafts: Drafts | None = None
    prompts: Prompts = field(default_factory=Prompts)

    @classmethod
    def within(cls, folder: Path, drafts: Path, connection: str) -> Self:
        """Kept in ``folder``; what was sent is shared by all gateways of this person."""
        return cls(
            connection,
            Places(folder / "places.json", connection),
            Drafts(drafts),
            Prompts(folder / "prompts.jsonl"),
        )
