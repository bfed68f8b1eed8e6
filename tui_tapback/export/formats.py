"""The formats of an export by name, and the one function that writes each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.words import _

from .data import to_json
from .html import to_html
from .markdown import to_markdown
from .plain import to_text
from .record import Record

FORMATS: Mapping[str, Callable[[Record], str]] = MappingProxyType(
    {"text": to_text, "markdown": to_markdown, "html": to_html, "json": to_json}
)


def export(record: Record, form: str) -> str:
    """The conversation in the format of that name. Raises InvalidInput for a name that is none of FORMATS."""
    write = FORMATS.get(form)
    if write is None:
        raise InvalidInput(
            _("There is no export format “{form}”.").format(form=form),
            hint=_("Choose one of {names}.").format(names=", ".join(FORMATS)),
        )
    return write(record)
