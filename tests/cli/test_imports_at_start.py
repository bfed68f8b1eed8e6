"""What the first live frame does without is not imported before it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LATER = (
    *("websockets", "http.client", "urllib.request", "importlib.metadata", "sqlite3", "openai", "keyring"),
    *("markdown_it", "pygments", "textual_serve", "tui_tapback.gateway"),
    *("tui_tapback.emoji.search", "tui_tapback.emoji.index", "argparse", "gettext"),
    # ``export.bare`` alone is there: sentences quote with it, and it brings nothing along.
    *(f"tui_tapback.export.{name}" for name in ("card", "formats", "html", "markdown", "png", "record")),
)
PROGRAM = """
import os, sys
import tui_tapback.cli.main
from tui_tapback.app.app import ChatApp
from tui_tapback.app.crash import CrashLog
from tui_tapback.app.picture import PictureKeeper
from tui_tapback.cli.chat import open_chat
from tui_tapback.cli.compose import Program
from tui_tapback.cli.nothing import nothing_ordered
program = Program.from_environ(os.environ)
options = nothing_ordered()
program.chat(options), program.gateways(options)
print(*sorted(sys.modules))
"""


def test_what_only_a_later_moment_needs_is_imported_then(tmp_path: Path) -> None:
    environ = {**os.environ, "TUI_TAPBACK_HOME": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environ, capture_output=True, text=True, check=True
    )
    loaded = told.stdout.split()
    assert "textual.app" in loaded
    assert [name for name in LATER if name in loaded] == []
