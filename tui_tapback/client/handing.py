"""Images and files: looked at on this machine, and handed to a Hermes gateway when their message leaves."""

from __future__ import annotations

import asyncio
import base64
import mimetypes
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol, TypeVar

from tui_tapback.domain.errors import InvalidInput, LinkDown, RpcError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value
from tui_tapback.domain.work import Attachment
from tui_tapback.wire.base import Params, Result
from tui_tapback.wire.foreign_work import (
    Detached,
    DetachParams,
    FileAttached,
    FileParams,
    ImageAttached,
    ImageBytesParams,
)
from tui_tapback.words import _

R = TypeVar("R", bound=Result)
LARGEST: Final = 25 * 1024 * 1024
"""Bytes of one image or file: what a Hermes gateway takes."""
_SLOW: Final = 120.0
"""Seconds that handing one over may take."""
_SIGNS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM")
_RIFF, _WEBP = b"RIFF", b"WEBP"


def megabytes(size: int) -> str:
    """``310 kB``, ``2.4 MB``."""
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{max(1, round(size / 1000))} kB"


def look_at(path: str | Path) -> Attachment:
    """The file at ``path`` (``~`` is the home folder) as it would go out.

    Raises InvalidInput where there is none, or it is too large, empty, or cannot be read.
    """
    where = Path(path).expanduser()
    shown = clean_line(str(where), 200)
    try:
        found = where.stat()
        if stat.S_ISDIR(found.st_mode):
            raise InvalidInput(
                _("{path} is a folder.").format(path=shown), hint=_("Choose a file that is in it.")
            )
        if not stat.S_ISREG(found.st_mode):
            raise InvalidInput(_("{path} is no ordinary file.").format(path=shown))
        with where.open("rb") as file:
            head = file.read(16)
    except FileNotFoundError as error:
        raise InvalidInput(
            _("There is no file {path}.").format(path=shown), hint=_("Tab completes a path behind @.")
        ) from error
    except (OSError, ValueError) as error:
        reason = clean_line(getattr(error, "strerror", None) or str(error), 200)
        raise InvalidInput(_("{path} cannot be read: {reason}.").format(path=shown, reason=reason)) from error
    if not head:
        raise InvalidInput(_("{path} is empty.").format(path=shown))
    if found.st_size > LARGEST:
        raise InvalidInput(
            _("{path} is too large: {size}.").format(path=shown, size=megabytes(found.st_size)),
            hint=_("This gateway takes {size}.").format(size=megabytes(LARGEST)),
        )
    name = clean_line(where.name, 80) or "file"
    return Attachment(str(where.absolute()), name, found.st_size, is_image(head))


def is_image(head: bytes) -> bool:
    """Whether a file that begins with these bytes (16 are enough) is an image that models look at."""
    return head.startswith(_SIGNS) or (head.startswith(_RIFF) and head[8:12] == _WEBP)


class Caller(Protocol):
    """What files are handed over with: a link."""

    async def call(self, method: str, params: Params, result: type[R], *, within: float | None = None) -> R:
        """Call and wait for the answer."""
        ...


@value
class HandedOver:
    """``refs`` stand for files in the text; ``images`` wait at the gateway for the next message, by path."""

    refs: tuple[str, ...] = ()
    images: tuple[str, ...] = ()

    def text(self, words: str) -> str:
        """The message with its references, each on a line of its own at the end."""
        return "\n".join((words, *self.refs))


async def hand_over(link: Caller, session_id: str, attachments: Sequence[Attachment]) -> HandedOver:
    """Give the files to a Hermes gateway. Raises InvalidInput (gone, refused; then none waits), LinkDown."""
    refs: list[str] = []
    images: list[str] = []
    name = ""
    try:
        for attachment in attachments:
            name = attachment.name
            data = await asyncio.to_thread(_read, attachment)
            if attachment.image:
                params = ImageBytesParams(session_id, data, attachment.name)
                image = await link.call("image.attach_bytes", params, ImageAttached, within=_SLOW)
                if not image.attached or not image.path:
                    raise _refused(name, image.message or "")
                images.append(image.path)
            else:
                kind = mimetypes.guess_type(attachment.name)[0] or "application/octet-stream"
                named = FileParams(session_id, f"data:{kind};base64,{data}", attachment.name)
                file = await link.call("file.attach", named, FileAttached, within=_SLOW)
                if not file.attached or not file.ref_text:
                    raise _refused(name, "")
                refs.append(clean_line(file.ref_text, 400))
    except (InvalidInput, RpcError) as error:
        await take_back(link, session_id, images)
        if isinstance(error, RpcError):
            raise _refused(name, str(error)) from error
        raise
    return HandedOver(tuple(refs), tuple(images))


async def take_back(link: Caller, session_id: str, images: Sequence[str]) -> None:
    """Let the images not go with whatever is said next."""
    for path in images:
        try:
            await link.call("image.detach", DetachParams(session_id, path), Detached)
        except (RpcError, LinkDown):
            return  # with the session or the link what waits there is gone, too


def _read(attachment: Attachment) -> str:
    """The bytes as base64; the file may have changed since it was looked at."""
    look_at(attachment.path)
    try:
        return base64.b64encode(Path(attachment.path).read_bytes()).decode()
    except OSError as error:
        raise InvalidInput(
            _("{path} cannot be read: {reason}.").format(path=attachment.name, reason=error.strerror or error)
        ) from error


def _refused(name: str, reason: str) -> InvalidInput:
    told = clean_line(reason, 200)
    return InvalidInput(
        _("The gateway did not take {name}.").format(name=name) + (f" {told}" if told else "")
    )
