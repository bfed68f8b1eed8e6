"""A conversation as JSON, with each tapback as data and as a sentence."""

from __future__ import annotations

import json
from typing import Any

from tui_tapback.domain.messages import Message

from .record import Record, told


def message_data(message: Message) -> dict[str, Any]:
    """One message. ``at`` is Unix seconds, ``row_id`` None until the gateway has stored it."""
    sentences = told(message)
    return {
        "row_id": message.row_id,
        "role": str(message.role),
        "text": message.text,
        "at": message.at,
        "status": str(message.status),
        "error": message.error or None,
        "reactions": [
            {
                "emoji": r.emoji,
                "author": str(r.author),
                "at": r.at,
                "part": r.part,
                "quote": r.quote or None,
                "sentence": words,
            }
            for r, words in zip(message.reactions, sentences, strict=True)
        ],
    }


def to_json(record: Record) -> str:
    """One document; anything but ASCII is escaped, so that it is safe in every terminal."""
    document = {
        "session_id": record.session_id,
        "title": record.title,
        "messages": [message_data(message) for message in record.said],
    }
    return json.dumps(document, indent=2) + "\n"
