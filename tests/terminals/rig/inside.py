"""Runs a command inside a terminal: ``inside.py TERMINAL FOLDER -- COMMAND...`` (``--list`` names them).

``tmux@xtermjs-unicode11`` means tmux in that terminal. ``FOLDER`` takes logs and the screens to compare.
Packages of xterm.js are looked for in the folder that TERMINAL_PACKAGES names.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from emulators import Emulator, Ghostty, Void, XtermJs
from headless import COLUMNS, LINES, run_at
from windows import SYSTEM_PYTHON, run_in_window

MULTIPLEXERS = ("tmux", "screen")
EMULATORS = ("xtermjs-plain", "xtermjs-unicode11", "xtermjs-graphemes", "ghostty", "ghostty-graphemes")
WINDOWS = ("xterm", "xterm-cjk", "vte", "kitty", "foot")
DEADLINE = 240.0


def reason_not_to_run(terminal: str) -> str:
    """Why ``terminal`` cannot run here; empty where it can."""
    inner, _, outer = terminal.partition("@")
    reasons = [_missing(each) for each in (inner, outer) if each]
    return "; ".join(filter(None, reasons))


def _missing(name: str) -> str:
    if name.startswith("xtermjs"):
        folder = os.environ.get("TERMINAL_PACKAGES", "")
        if not folder or not Path(folder, "node_modules", "@xterm", "headless").is_dir():
            return "TERMINAL_PACKAGES names no folder with the packages of xterm.js (docs/terminals.md)"
        return "" if shutil.which("node") else "node is not installed"
    if name.startswith("ghostty"):
        return "" if importlib.util.find_spec("pyghostty") else "the package pyghostty is not installed"
    needs = {
        "vte": ["Xvfb", SYSTEM_PYTHON],
        "foot": ["foot", "weston", "Xvfb"],
        "xterm-cjk": ["xterm", "Xvfb"],
    }
    programs = needs.get(name, [name] if name in MULTIPLEXERS else [name, "Xvfb"])
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        return f"{' and '.join(missing)} not installed"
    if name == "vte":
        bindings = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('Vte', '2.91')"
        probe = subprocess.run([SYSTEM_PYTHON, "-c", bindings], capture_output=True, check=False)
        return "the bindings of VTE are not installed" if probe.returncode else ""
    return ""


def emulator(name: str) -> Emulator:
    """The terminal without a window that is called so; ``""`` is one that answers nothing."""
    kind, _, variant = name.partition("-")
    match kind:
        case "xtermjs":
            return XtermJs(os.environ["TERMINAL_PACKAGES"], variant, COLUMNS, LINES)
        case "ghostty":
            return Ghostty(COLUMNS, LINES, graphemes=variant == "graphemes")
        case "":
            return Void()
        case _:
            raise ValueError(f"no such terminal: {name}")


def in_multiplexer(name: str, folder: Path, command: Sequence[str]) -> list[str]:
    """``command`` in a tmux or screen of its own, in the foreground."""
    if name == "tmux":
        # Its socket lies in a short path: the folder may be longer than a socket's name can be.
        return ["tmux", "-L", f"rig-{os.getpid()}", "-f", "/dev/null", "-u", "new-session", *command]
    (folder / "screenrc").write_text("startup_message off\ndefutf8 on\n", "utf-8")
    return ["screen", "-U", "-c", str(folder / "screenrc"), "-S", f"rig-{os.getpid()}", *command]


def clean(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without what tells of the terminal in which this one was started."""
    kept = ("PATH", "HOME", "TZ", "PYTHONPATH", "TERMINAL_PACKAGES", "TEXTUAL_DRIVER")
    found = {name: environ[name] for name in kept if name in environ}
    return found | {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}


def run(terminal: str, folder: Path, command: Sequence[str], environ: Mapping[str, str]) -> int:
    """The exit status of what was started first."""
    inner, _, outer = terminal.partition("@")
    if inner in WINDOWS:
        return run_in_window(inner, command, clean(environ), (COLUMNS, LINES), folder, DEADLINE)
    if inner in MULTIPLEXERS:
        command = in_multiplexer(inner, folder, command)
        return run_at(emulator(outer), command, clean(environ), folder, DEADLINE)
    return run_at(emulator(inner), command, clean(environ), folder, DEADLINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("terminal")
    parser.add_argument("folder", type=Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    if reason := reason_not_to_run(options.terminal):
        print(reason, file=sys.stderr)
        return 77
    return run(options.terminal, options.folder, options.command, os.environ)


if __name__ == "__main__":
    sys.exit(main())
