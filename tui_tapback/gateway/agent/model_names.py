"""Chooses a model for chat among the names that a server offers."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NOT_FOR_CHAT = re.compile(
    r"embed|rerank|whisper|\btts\b|-tts|moderation|dall-e|\bbge\b|bge-|minilm|transcribe|realtime|image",
    re.IGNORECASE,
)


def chat_model(names: Iterable[str], wanted: str = "") -> str:
    """``wanted`` if the server offers it, without a wish its first model for chat, else the empty string."""
    offered = [name for name in names if name.strip() and name.isprintable()]
    if wanted:
        same = (name for name in offered if name in (wanted, f"{wanted}:latest"))
        return next(same, "")
    return next((name for name in offered if not _NOT_FOR_CHAT.search(name)), "")
