"""Hands a text to the person's own editor and takes it back."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.words import _

LONGEST = 4_000_000
"""Bytes that are read back."""


def run_editor(command: Sequence[str]) -> int:
    """Start it and wait for its end; returns its exit status."""
    return subprocess.run(command, check=False).returncode


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """``$VISUAL``, else ``$EDITOR``, else what is usually there. Raises InvalidInput for none."""
    wanted = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        command = shlex.split(wanted)
    except ValueError:
        raise InvalidInput(_("VISUAL or EDITOR cannot be read: {wanted!r}.").format(wanted=wanted)) from None
    if command:
        return command
    for name in ("nano", "vi", "vim"):
        if shutil.which(name):
            return [name]
    raise InvalidInput(_("There is no editor."), hint=_("Set VISUAL or EDITOR."))


def edit_file(
    path: Path, environ: Mapping[str, str], run: Callable[[Sequence[str]], int] = run_editor
) -> None:
    """Let the person change the file itself; the terminal must be free for it.

    Raises InvalidInput where the editor cannot be started or says that it failed.
    """
    command = editor_command(environ)
    try:
        status = run([*command, str(path)])
    except OSError as error:
        raise InvalidInput(
            _("The editor {name} could not be used: {reason}.").format(
                name=command[0], reason=os.strerror(error.errno) if error.errno else error
            ),
            hint=_("Set VISUAL or EDITOR."),
        ) from error
    if status != 0:
        raise InvalidInput(_("The editor ended with status {status}.").format(status=status))


def edit(text: str, environ: Mapping[str, str], run: Callable[[Sequence[str]], int] = run_editor) -> str:
    """What the editor makes of ``text``; the terminal must be free for it.

    Raises InvalidInput where the editor cannot be started or fails: the text then is as it was.
    """
    command = editor_command(environ)
    descriptor, name = tempfile.mkstemp(prefix="tui-tapback-", suffix=".md")  # mode 0600
    file = Path(name)
    try:
        with open(descriptor, "w", encoding="utf-8") as draft:  # noqa: PTH123  # a descriptor, not a path
            draft.write(text)
        status = run([*command, name])
        if status != 0:
            raise InvalidInput(
                _("The editor ended with status {status}; your text is as it was.").format(status=status)
            )
        with file.open("rb") as written:
            return written.read(LONGEST).decode("utf-8").removesuffix("\n" if not text.endswith("\n") else "")
    except UnicodeDecodeError:
        raise InvalidInput(_("What the editor wrote is not UTF-8; your text is as it was.")) from None
    except OSError as error:
        what = os.strerror(error.errno) if error.errno else str(error)
        raise InvalidInput(
            _("The editor {command} could not be used: {what}.").format(command=command[0], what=what),
            hint=_("Set VISUAL or EDITOR."),
        ) from error
    finally:
        file.unlink(missing_ok=True)
