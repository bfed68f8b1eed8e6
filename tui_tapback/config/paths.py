"""Where data, settings, logs and the gateway's socket lie, all moved together by TUI_TAPBACK_HOME."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from tui_tapback.domain.values import value

from .folders import private_folder

HOME_VARIABLE = "TUI_TAPBACK_HOME"
SOCKET_LIMIT = 100
"""Bytes below which a socket path stays (the kernel's limit is 104 or 108)."""

_APP = "tui-tapback"
_SOCKET = "gateway.sock"


@value
class Paths:
    """Folders and files of one life of the program; nothing exists before ``prepare``."""

    data: Path
    settings_file: Path
    logs: Path
    runtime: Path

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Paths:
        """Find the folders.

        With ``TUI_TAPBACK_HOME`` everything lies under it; otherwise in the user's usual folders. The
        runtime folder is ``$XDG_RUNTIME_DIR/tapback-<hash of the data folder>`` where that exists, else a
        short one in the folder for temporary files, so that the socket path stays below SOCKET_LIMIT.
        """
        home = environ.get(HOME_VARIABLE, "").strip()
        if home:
            root = Path(os.path.realpath(Path(home).expanduser()))
            data, settings, logs = root / "data", root / "settings.toml", root / "logs"
            runtime = root / "run"
            if _fits(runtime):
                return cls(data, settings, logs, runtime)
        else:
            import platformdirs

            data = platformdirs.user_data_path(_APP)
            settings = platformdirs.user_config_path(_APP) / "settings.toml"
            logs = platformdirs.user_log_path(_APP)
        return cls(data, settings, logs, _short_runtime(data, environ))

    @property
    def socket_path(self) -> Path:
        """The Unix socket of the embedded gateway."""
        return self.runtime / _SOCKET

    @property
    def endpoint_file(self) -> Path:
        """Address and token of the embedded gateway where there are no Unix sockets (JSON, mode 0600)."""
        return self.runtime / "gateway.json"

    @property
    def database(self) -> Path:
        """The store of the embedded gateway."""
        return self.data / "tapback.db"

    @property
    def lock_file(self) -> Path:
        """Held by the gateway that owns the database; beside it, so that one lock guards one database."""
        return self.data / "gateway.lock"

    @property
    def recents_file(self) -> Path:
        """Recently used emoji."""
        return self.data / "recent-emoji.json"

    @property
    def tapbacks_file(self) -> Path:
        """Lenses, pins, figures and the like."""
        return self.data / "tapbacks.json"

    @property
    def outbox(self) -> Path:
        """Folder of what waits to be sent, by gateway."""
        return self.data / "outbox"

    @property
    def drafts(self) -> Path:
        """Folder of what was typed and not sent."""
        return self.data / "drafts"

    @property
    def gateway_log(self) -> Path:
        """Log of the gateway process."""
        return self.logs / "gateway.log"

    def prepare(self) -> Paths:
        """Create the folders, closed to other users. Raises SettingsError where one is not ours."""
        private_folder(self.data)
        private_folder(self.logs)
        if self.runtime.parent.name.startswith("tapback-"):
            private_folder(self.runtime.parent, follow_link=False)
        private_folder(self.runtime, follow_link=False)
        return self


def _fits(runtime: Path) -> bool:
    return len(os.fsencode(runtime / _SOCKET)) < SOCKET_LIMIT


def _short_runtime(data: Path, environ: Mapping[str, str]) -> Path:
    """A folder of its own for each data folder, with a path short enough for a socket."""
    key = hashlib.sha256(os.fsencode(os.path.realpath(data))).hexdigest()[:12]
    given = environ.get("XDG_RUNTIME_DIR", "")
    if given and Path(given).is_absolute() and Path(given).is_dir():
        runtime = Path(given) / f"tapback-{key}"
        if _fits(runtime):
            return runtime
    if os.name == "posix":
        # Not TMPDIR: it differs between logins and is long on macOS, and all terminals must meet here.
        return Path("/tmp") / f"tapback-{os.geteuid()}" / key
    import tempfile

    return Path(tempfile.gettempdir()) / "tapback" / key
