"""A secret that does not show itself in logs, reprs or errors, and where it may be read from."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from tui_tapback.domain.errors import SettingsError
from tui_tapback.words import _

from .folders import shown

_LARGEST = 16_384


class Secret:
    """Text that prints as stars; ``reveal`` gives it to whoever must send it."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        self._text = text

    def reveal(self) -> str:
        """The secret itself."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return "Secret('***')" if self._text else "Secret('')"

    __str__ = __repr__

    def __reduce__(self) -> str:
        raise TypeError("A secret is not pickled.")


def secret_from_environ(variable: str, environ: Mapping[str, str]) -> Secret:
    """The value of ``variable``. Raises SettingsError when it is missing or empty."""
    text = environ.get(variable, "").strip()
    if not text:
        raise SettingsError(
            _("The settings take a key from the environment variable {variable}, which is not set.").format(
                variable=variable
            ),
            hint=_("Set {variable}, or change api_key_env in the settings.").format(variable=variable),
        )
    return Secret(text)


def secret_from_file(path: Path) -> Secret:
    """The first line of a small file that others cannot read. Raises SettingsError."""
    path = path.expanduser()
    try:
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SettingsError(
                _("The key file {path} can be read by other users.").format(path=shown(path)),
                hint=_("Run: chmod 600 {path}").format(path=shown(path)),
            )
        with path.open(encoding="utf-8") as file:
            text = file.read(_LARGEST)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else _("it is not text")
        raise SettingsError(
            _("The key file {path} cannot be read: {reason}.").format(path=shown(path), reason=reason),
            hint=_("Correct api_key_file in the settings."),
        ) from error
    first = text.strip().split("\n", 1)[0].strip()
    if not first:
        raise SettingsError(
            _("The key file {path} is empty.").format(path=shown(path)),
            hint=_("Put the key on its first line."),
        )
    return Secret(first)
