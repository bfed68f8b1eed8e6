"""Reads a model request back: the user's last words, the notes at their head, and what came since."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tui_tapback.gateway.service.ports import ModelRequest

_QUOTED = r'(?: message: "(?P<quote>.*)"| earlier message.*)\]'
_WHOSE = r"(?:(?:this|a) part of )?(?P<whose>your|their own)"
_NOTES = (
    re.compile(r"\[The user reacted (?P<emoji>\S+) to " + _WHOSE + _QUOTED),
    re.compile(
        r"\[The user changed their reaction from (?P<old>\S+) to (?P<emoji>\S+) on " + _WHOSE + _QUOTED
    ),
    re.compile(r"\[The user took back their (?P<old>\S+) from " + _WHOSE + _QUOTED),
)
_ANY_NOTE = re.compile(r"\[.*\breact(?:ed|ion|ions)\b.*\]")


@dataclass(frozen=True, slots=True)
class Note:
    """What the user did: ``emoji`` is empty where one was taken back, ``old`` where none stood before."""

    emoji: str
    old: str
    own: bool
    quote: str


@dataclass(frozen=True, slots=True)
class Chat:
    """The end of a conversation: ``text`` without its notes, ``turns`` counts the user's messages."""

    text: str
    notes: tuple[Note, ...] = ()
    turns: int = 0
    tool_results: tuple[str, ...] = ()


class _Part(msgspec.Struct):
    text: str = ""


class _Message(msgspec.Struct):
    role: str
    content: str | list[_Part] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


def read_chat(request: ModelRequest) -> Chat:
    """The chat as far as it matters for an answer."""
    messages = [msgspec.json.decode(text, type=_Message) for text in request.messages]
    turns = [place for place, message in enumerate(messages) if message.role == "user"]
    if not turns:
        return Chat("")
    results = tuple(message.text for message in messages[turns[-1] :] if message.role == "tool")
    notes, text = split_notes(messages[turns[-1]].text)
    return Chat(text, notes, len(turns), results)


def split_notes(content: str) -> tuple[tuple[Note, ...], str]:
    """The reaction notes at the head of a user message, and the rest."""
    lines = content.split("\n")
    notes: list[Note] = []
    begin = 0
    for line in lines:
        note = _read_note(line.strip())
        if note is None and _ANY_NOTE.fullmatch(line.strip()) is None and line.strip():
            break
        begin += 1
        if note is not None:
            notes.append(note)
    return tuple(notes), _joined(lines[begin:])


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip()


def _read_note(line: str) -> Note | None:
    for form in _NOTES:
        found = form.fullmatch(line)
        if found is not None:
            parts = found.groupdict()
            own = parts["whose"] == "their own"
            return Note(parts.get("emoji") or "", parts.get("old") or "", own, parts["quote"] or "")
    return None
