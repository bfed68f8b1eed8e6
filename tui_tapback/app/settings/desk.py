"""The settings of a running program: changed here or by an editor, checked, applied, taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path

import msgspec

from tui_tapback.config.origins import Origin, Overriding, Setting, overridings, settings_of
from tui_tapback.config.settings import Settings
from tui_tapback.config.toml_lines import place_of
from tui_tapback.config.values import Value, checked
from tui_tapback.config.writing import Revision, SettingsFile
from tui_tapback.domain import values
from tui_tapback.domain.errors import SettingsError
from tui_tapback.words import _

Applied = Callable[[Settings, Settings], None]
Check = Callable[[Settings], object]


@values.value
class Change:
    """One setting as the file had it before and after; None: it was not in there."""

    key: str
    before: Value | None
    after: Value | None


@values.value
class Seen:
    """What a look at the file has found: the keys that changed, and what could be passed over."""

    keys: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    waiting: tuple[str, ...] = field(default=())
    """Those of them that count only when something starts again."""


Stamp = tuple[int, int, int] | None


class SettingsDesk:
    """One file, and what counts of it. ``environ`` and ``options`` (key → value, option) go before the file.

    ``check`` raises SettingsError for settings that the program cannot use, such as a theme there is not.
    ``began_with`` is what the program was started with, where that was read before.
    Nothing of a file that is not valid ever counts: what counted before stays.
    """

    def __init__(
        self,
        path: Path,
        environ: Mapping[str, str],
        options: Mapping[str, tuple[Value, str]] | None = None,
        *,
        check: Check = lambda settings: None,
        began_with: Settings | None = None,
    ) -> None:
        self.file = SettingsFile(path)
        self._over = overridings(environ, options or {})
        self._check = check
        self._applied: list[Applied] = []
        self._undo: list[Change] = []
        self._stamp: Stamp = None
        self._glanced: Stamp = None
        self._known = Revision(None)
        self.settings = began_with or Settings()
        self._began_with = began_with
        self.trouble: SettingsError | None = None
        """Why the file as it stands does not count, None where it does."""
        with suppress(SettingsError):  # it is told as ``trouble``
            self.look()

    def follow(self, applied: Applied) -> None:
        """Have ``applied(before, after)`` called whenever other settings count."""
        self._applied.append(applied)
        if self._began_with is not None:
            before, now = self.effective(self._began_with), self.effective(self.settings)
            if before != now:  # the file was saved while the program started
                applied(before, now)

    @property
    def followed(self) -> bool:
        """Whether somebody is told of changes."""
        return bool(self._applied)

    # what there is

    def all(self) -> tuple[Setting, ...]:
        """Every setting with its value and origin, as the last valid file has them."""
        return settings_of(self._known.text(self.file.path), self._over)

    def find(self, key: str) -> Setting:
        """One of them. Raises KeyError."""
        return next(each for each in self.all() if each.key == key)

    def effective(self, settings: Settings) -> Settings:
        """``settings`` with what environment and command line decide."""
        found = {
            key: by.value for key, by in self._over.items() if "." not in key and _counts(key, by, settings)
        }
        return msgspec.structs.replace(settings, **found)

    # changes

    def change(self, key: str, value: Value | None) -> Change:
        """Set a setting, or put it back (None); written and applied at once. Raises SettingsError."""
        self.look()
        if self.trouble is not None:
            raise self.trouble
        wanted = None if value is None else checked(key, value)
        done = Change(key, self._filed(key), wanted)
        by = self._over.get(key)
        if by is not None and by.origin is Origin.COMMAND_LINE:
            del self._over[key]  # who chooses anew here has thought of it later
        self._write(key, wanted)
        if not self.file.is_secret(key):
            self._undo.append(done)
        return done

    @property
    def can_undo(self) -> bool:
        """Whether something was changed here that can be taken back."""
        return bool(self._undo)

    def undo(self) -> Change | None:
        """Take back the last change made here; None where there is none. Raises SettingsError."""
        if not self._undo:
            return None
        last = self._undo[-1]
        self.look()
        if self._filed(last.key) != last.after:
            self._undo.pop()
            raise SettingsError(
                _("{key} was changed elsewhere since; it stays as it is.").format(key=last.key)
            )
        self._write(last.key, last.before)
        self._undo.pop()
        return last

    def _write(self, key: str, value: Value | None) -> None:
        candidate = self.file.preview({key: value}, self._known)
        self._checked(candidate)
        self._take(self.file.replace(candidate, self._known, private=self.file.is_secret(key)))

    def _filed(self, key: str) -> Value | None:
        return next((each.filed for each in self.all() if each.key == key), None)

    # the file as it stands

    def look(self) -> Seen | None:
        """Look whether the file is another one (one ``stat``), and take it over; None where nothing is new.

        Raises SettingsError, once for each change of the file, where it is not valid.
        """
        stamp = self._stat()
        if stamp is not None and stamp == self._stamp:
            return None
        self._stamp = stamp
        revision = self.file.revision()
        if revision == self._known and self.trouble is None:
            return None
        warnings: list[str] = []
        try:
            self._checked(revision, warnings.append)
        except SettingsError as error:
            self.trouble = error
            raise
        return self._take(revision, tuple(warnings))

    def glance(self) -> Seen | None:
        """For a timer: as ``look``, once the file has been left alone between two glances.

        Who saves empties the file first, or renames it away; what is half written shall not count.
        """
        stamp = self._stat()
        calm, self._glanced = stamp == self._glanced, stamp
        return self.look() if calm and stamp != self._stamp else None

    def _checked(self, revision: Revision, warn: Callable[[str], None] = lambda text: None) -> Settings:
        found = self.file.read(revision, warn)
        try:
            self._check(found)
        except SettingsError as error:
            where = place_of(str(self.file.path), revision.text(self.file.path), "theme")
            raise SettingsError(f"{where}: {error}", hint=error.hint) from error
        return found

    def _take(self, revision: Revision, warnings: tuple[str, ...] = ()) -> Seen:
        before = {each.key: each for each in self.all()}
        old = self.effective(self.settings)
        self._known, self.settings, self.trouble = revision, self.file.read(revision), None
        self._stamp = self._stat()
        moved = tuple(each for each in self.all() if not _same(before.get(each.key), each))
        new = self.effective(self.settings)
        if new != old:
            for applied in self._applied:
                applied(old, new)
        waiting = tuple(each.key for each in moved if each.row.extra.get("needs"))
        return Seen(tuple(each.key for each in moved), warnings, waiting)

    def _stat(self) -> Stamp:
        try:
            found = self.file.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def _same(one: Setting | None, other: Setting) -> bool:
    """Whether only its line changed; of another secret in the place of one that cannot be told."""
    known = one is not None and (one.value, one.given) == (other.value, other.given)
    return known and one is not None and one.origin == other.origin


def _counts(key: str, by: Overriding, settings: Settings) -> bool:
    return key != "emoji_profile" or by.origin is Origin.COMMAND_LINE or settings.emoji_profile == "auto"
