"""Writes the completions and the man page that a wheel carries (``python -m tui_tapback.cli.shipped``)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from .complete import script
from .man import page
from .parser import build_parser

FOLDER = Path(__file__).parents[2] / "assets" / "shell"


def files() -> Mapping[str, str]:
    """Content by file name; each shell looks for its own name (see ``shared-data`` in pyproject.toml)."""
    parser = build_parser()
    return {
        "tui-tapback.bash": script(parser, "bash"),
        "_tui-tapback": script(parser, "zsh"),
        "tui-tapback.fish": script(parser, "fish"),
        "tui-tapback.1": page(parser),
    }


def main() -> int:
    """Write them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
