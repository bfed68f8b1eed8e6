"""Creates folders that only their owner can read, and refuses those that somebody else prepared."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tui_tapback.domain.errors import SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

PRIVATE = 0o700


def shown(path: Path) -> str:
    """The path for a sentence, harmless for a terminal."""
    return clean_line(str(path), 300)


def private_folder(path: Path, *, follow_link: bool = True) -> Path:
    """Make sure that ``path`` is a folder of this user, closed to others (mode 0700), and return it.

    Parents are created likewise where they are missing; those that exist are left as they are. With
    ``follow_link`` a link that the user made is followed to a folder of the user; without it (folders in
    shared places such as ``/tmp``) a link is refused. Raises SettingsError.
    """
    try:
        path.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        path.mkdir(mode=PRIVATE, exist_ok=True)
        if os.name == "posix":
            _check_owner(path, follow_link=follow_link)
    except FileExistsError as error:
        raise SettingsError(
            _("{path} should be a folder, but something else stands there.").format(path=shown(path)),
            hint=_("Move it away, or set TUI_TAPBACK_HOME to another folder."),
        ) from error
    except OSError as error:
        raise SettingsError(
            _("The folder {path} cannot be created or used: {reason}.").format(
                path=shown(path), reason=error.strerror or error
            ),
            hint=_("Check its permissions and the free space, or set TUI_TAPBACK_HOME to another folder."),
        ) from error
    return path


def _check_owner(path: Path, *, follow_link: bool) -> None:
    own = os.geteuid()
    link = path.lstat()
    if stat.S_ISLNK(link.st_mode) and (not follow_link or link.st_uid != own):
        raise SettingsError(
            _("The folder {path} is a symbolic link, which may lead anywhere.").format(path=shown(path)),
            hint=_("Remove the link and start again."),
        )
    info = path.stat()
    if info.st_uid != own:
        raise SettingsError(
            _("The folder {path} belongs to another user (uid {st_uid}, you are {own}).").format(
                path=shown(path), st_uid=info.st_uid, own=own
            ),
            hint=_("Set TUI_TAPBACK_HOME to a folder of your own."),
        )
    if stat.S_IMODE(info.st_mode) & 0o077:
        path.chmod(PRIVATE)
