"""The gateway's log: a small rotating file, its text harmless for a terminal and free of secrets."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable
from logging.handlers import RotatingFileHandler
from pathlib import Path

from tui_tapback.config.secret import Secret
from tui_tapback.domain.text import clean_line, clean_text

_BYTES, _OLD_FILES = 512_000, 2
_LONGEST = 2_000
_TOKEN = re.compile(
    r"((?:token|ticket|api[_-]?key)[\"']?\s*[=:]\s*[\"']?|bearer\s+|\bsk-)[^\s\"'&,;]+", re.IGNORECASE
)


class CleanFormatter(logging.Formatter):
    """One line for each message, traces below it; control sequences made visible, secrets masked."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")
        self._secrets = [secret for secret in secrets if secret]

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line itself."""
        record.message = clean_line(record.message, _LONGEST)
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        """The line with its trace."""
        text = clean_text(super().format(record))
        for secret in self._secrets:
            text = text.replace(secret.reveal(), "***")
        return _TOKEN.sub(r"\1***", text)


def start_log(path: Path, *, secrets: Iterable[Secret] = (), to_stderr: bool = False) -> None:
    """Send the log of this process to ``path``, and to standard error if asked. Raises OSError."""
    formatter = CleanFormatter(secrets)
    handlers: list[logging.Handler] = [
        RotatingFileHandler(path, maxBytes=_BYTES, backupCount=_OLD_FILES, encoding="utf-8", errors="replace")
    ]
    if to_stderr:
        handlers.append(logging.StreamHandler(sys.stderr))
    for handler in handlers:
        handler.setFormatter(formatter)
    logging.basicConfig(level=logging.INFO, handlers=handlers, force=True)
    for noisy in ("asyncio", "httpx", "httpx2", "httpcore", "openai"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
