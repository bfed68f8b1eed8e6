"""Keeps the compiled methods of dataclasses from start to start: to compile them is a quarter of a start.

``dataclasses`` writes the methods of each class as text and has Python compile it, each time the program
starts; no ``.pyc`` keeps them. Here the text's digest finds the code of the last time. Where anything is not
as expected (another Python, a file that others could write) all is compiled as ever.
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

FILE_NAME = f"compiled-{sys.implementation.cache_tag}"
_MOST = 8_000_000  # bytes
_MUCH = 20
"""Texts compiled in one run for which the file is written anew."""


class CompiledMethods:
    """Compiled texts of ``path``; a text that is not among them is compiled and kept by ``save``."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._kept = _read(path)
        self._new: dict[str, CodeType] = {}

    def install(self) -> None:
        """From now on ``dataclasses`` looks here first: its own ``exec`` is found before the builtin one."""
        import dataclasses

        dataclasses.__dict__["exec"] = self.execute

    def execute(self, text: str, names: dict[str, Any], found: dict[str, Any] | None = None) -> None:
        """As the builtin ``exec``."""
        exec(self._code(text), names, found)

    def _code(self, text: str) -> CodeType:
        if text in self._new:
            return self._new[text]
        kept = self._kept.get(text)
        code: CodeType = marshal.loads(kept) if kept is not None else compile(text, "<string>", "exec")
        if kept is None:
            self._new[text] = code
        return code

    def save(self) -> None:
        """Keep what was compiled in this run, if much was; where that fails all stays as it is."""
        if not self._path or len(self._new) < _MUCH:
            return
        fresh = {text: marshal.dumps(code) for text, code in self._new.items()}
        # After an update much of the old is of no use: whoever compiled anew keeps only what is new then.
        kept = self._kept if len(self._new) < len(self._kept) else {}
        temporary = f"{self._path}.{os.getpid()}.tmp"
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(marshal.dumps((sys.version, {**kept, **fresh})))
            os.replace(temporary, self._path)
        except OSError:
            return  # the next start compiles again


def _read(path: str) -> dict[str, bytes]:
    try:
        with open(path, "rb") as file:
            about = os.fstat(file.fileno())
            if about.st_mode & 0o077 or about.st_uid != os.geteuid() or about.st_size > _MOST:
                return {}
            version, kept = marshal.loads(file.read(_MOST))
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return kept if version == sys.version else {}
