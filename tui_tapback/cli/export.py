"""``tui-tapback export``: a whole session, read page by page, in one of the formats."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tui_tapback.app.ports import ChatSession
from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.messages import Message
from tui_tapback.export.formats import export
from tui_tapback.export.record import Record
from tui_tapback.words import _, plural

from .output import say

PAGE = 1000
"""Messages asked for at once; the most that a gateway gives."""


async def export_session(chat: ChatSession, form: str, output: Path | None) -> int:
    """Write the open session to ``output`` (None or ``-``: standard output). Raises InvalidInput."""
    messages = await every_message(chat)
    state = chat.state
    text = export(Record(messages, title=state.title, session_id=state.session_id or ""), form)
    if output is None or str(output) == "-":
        say(text, end="")
        return 0
    write_whole(output, text)
    count = sum(message.reactable for message in messages)
    told = plural("{count:,} message written to {file}.", "{count:,} messages written to {file}.", count)
    say(told.format(count=count, file=output), stream=sys.stderr)
    return 0


async def every_message(chat: ChatSession) -> tuple[Message, ...]:
    """All messages in order, also those before the part of a long chat that is held; what is held at the
    end is what counts where a message changed meanwhile."""
    if not chat.state.has_older:
        return chat.state.messages
    await chat.history.load_first(PAGE)
    found: dict[str, Message] = {}
    while True:
        found |= {message.key: message for message in chat.state.messages}
        if not chat.state.has_newer:
            return tuple(found.values())
        await chat.history.load_newer(PAGE)


def write_whole(path: Path, text: str) -> None:
    """Write the file in one step: an export that is broken off leaves the old one. Raises InvalidInput."""
    try:
        if path.exists() and not path.is_file():  # a pipe or a device is written to, not replaced
            path.write_text(text, "utf-8", newline="\n")
            return
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600  # a conversation is nobody else's
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.resolve().parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            Path(name).chmod(mode)
            Path(name).replace(path.resolve())
        except BaseException:
            with suppress(FileNotFoundError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise InvalidInput(
            _("The file {path} cannot be written: {reason}.").format(
                path=path, reason=error.strerror or error
            )
        ) from error
