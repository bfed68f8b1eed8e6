"""Writes the settings file: one setting at a time, whole or not at all, never over somebody else's change."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tui_tapback.domain.errors import SettingsError
from tui_tapback.emoji.file_lock import locked
from tui_tapback.words import _

from .folders import private_folder, shown
from .secret import Secret
from .settings import Settings, parse_settings
from .template import template
from .toml_edit import holds, with_value, without_value
from .values import FREE, Value, checked, row_of, split_key

PRIVATE = 0o600
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Revision:
    """The settings file at one moment; ``data`` is None where there was none."""

    data: bytes | None

    def text(self, path: Path) -> str:
        """Its text with ``\\n`` at the end of lines. Raises SettingsError where it is none."""
        data = (self.data or b"").removeprefix(_BOM)
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise SettingsError(
                _("The settings file {path} is not UTF-8 text (byte {start}).").format(
                    path=shown(path), start=error.start
                ),
                hint=_("Save it as UTF-8."),
            ) from error
        return text.replace("\r\n", "\n") if self.windows else text

    @property
    def windows(self) -> bool:
        """Whether every line ends with ``\\r\\n``."""
        data = self.data or b""
        return 0 < data.count(b"\r\n") == data.count(b"\n")

    def like(self, text: str) -> Revision:
        """``text`` in the manner of this file."""
        data = text.replace("\n", "\r\n").encode() if self.windows else text.encode()
        return Revision(_BOM + data if (self.data or b"").startswith(_BOM) else data)


class SettingsFile:
    """``settings.toml``, read and written. A link (from a folder of dotfiles) stays a link."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def revision(self) -> Revision:
        """The file as it is now. Raises SettingsError where it cannot be read."""
        try:
            return Revision(self.path.read_bytes())
        except FileNotFoundError:
            return Revision(None)
        except OSError as error:
            raise SettingsError(
                _("The settings file {path} cannot be read: {reason}.").format(
                    path=shown(self.path), reason=error.strerror or error
                ),
                hint=_("Check its permissions."),
            ) from error

    def read(
        self, revision: Revision | None = None, warn: Callable[[str], None] = lambda text: None
    ) -> Settings:
        """The settings of a revision (None: of now). Raises SettingsError with line and expectation."""
        revision = revision or self.revision()
        return parse_settings(revision.text(self.path), shown(self.path), warn=warn)

    def holds(self, key: str) -> bool:
        """Whether the file gives that setting, or that table, known or not. Raises SettingsError."""
        return holds(self.revision().text(self.path), split_key(key))

    def change(self, changes: Mapping[str, Value | None], known: Revision | None = None) -> Revision:
        """Set (or with None: back to the default) settings by their dotted keys; returns what stands then.

        A key may also name a whole table (``connections.home``), to be removed with None. ``known`` is the
        revision that the person saw. A file that is not there is made, with every setting explained.
        Raises SettingsError, and nothing is written, where a value is refused, the file does not parse, would
        not be valid, was changed since ``known`` or cannot be written.
        """
        before = self.revision() if known is None else known
        secret = any(value is not None and self.is_secret(key) for key, value in changes.items())
        return self.replace(self.preview(changes, before), before, private=secret)

    @staticmethod
    def is_secret(key: str) -> bool:
        """Whether nobody else may read a file that gives this setting. Raises SettingsError."""
        return row_of(key).base is Secret

    def preview(self, changes: Mapping[str, Value | None], before: Revision) -> Revision:
        """What ``change`` would write. Raises SettingsError."""
        values = {key: None if value is None else checked(key, value) for key, value in changes.items()}
        text = before.text(self.path) if before.data is not None else template()
        for key, value in values.items():
            path = split_key(key)
            if value is None:
                text = without_value(text, path, self._default(key))
            else:
                text = with_value(text, path, value)
        self._check(text, before)
        return before.like(text)

    def reset(self, key: str, known: Revision | None = None) -> Revision:
        """Back to the default, or a whole table away; see ``change``."""
        return self.change({key: None}, known)

    def create(self) -> Revision:
        """Make the file if there is none, with every setting explained; returns what stands."""
        before = self.revision()
        return self.replace(Revision(template().encode()), before) if before.data is None else before

    def replace(self, new: Revision, known: Revision, *, private: bool = False) -> Revision:
        """Put ``new`` in the place of ``known``. Raises SettingsError; then all is as it was."""
        private_folder(self.path.parent)
        target = Path(os.path.realpath(self.path))
        try:
            with locked(self.path.with_name(f".{self.path.name}.lock")):
                if self.revision() != known:
                    raise SettingsError(
                        _("The settings file {path} was changed meanwhile; nothing was written.").format(
                            path=shown(self.path)
                        ),
                        hint=_("Look at it again, and change it once more."),
                    )
                if new != known:
                    _write(target, new.data or b"", PRIVATE if private else _mode(target))
        except OSError as error:
            raise SettingsError(
                _("The settings file {path} cannot be written: {reason}.").format(
                    path=shown(self.path), reason=error.strerror or error
                ),
                hint=_("Check its permissions and the free space."),
            ) from error
        return new

    def _check(self, text: str, before: Revision) -> None:
        """Raises SettingsError where the new text is not valid, with the line of the file as it stands."""
        try:
            parse_settings(text, shown(self.path), warn=lambda sentence: None)
        except SettingsError:
            self.read(before)
            raise

    @staticmethod
    def _default(key: str) -> str | None:
        try:
            row = row_of(key)
        except SettingsError:
            return None  # an unknown setting, or a whole table
        return None if FREE in row.key.split(".") else row.default


def _mode(target: Path) -> int:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return PRIVATE


def _write(target: Path, data: bytes, mode: int) -> None:
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123  # a descriptor, not a path
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
