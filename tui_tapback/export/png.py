"""Turns a picture into PNG with headless Chromium, the one renderer that draws colour emoji truly."""

from __future__ import annotations

import math
import re
import shutil
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from tui_tapback.domain.errors import TapbackError
from tui_tapback.words import _

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--default-background-color=00000000", "--virtual-time-budget=2000"),
)
_CHROME = 200  # a headless window counts its invisible bars as part of its height
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def find_browser() -> str | None:
    """Path of a Chromium, None where there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def render(svg: str, target: Path, *, scale: float = 2.0, timeout: float = 60.0) -> None:
    """Write ``svg`` as PNG to ``target``, ``scale`` pixels a unit. Raises TapbackError where it cannot be."""
    browser = find_browser()
    if browser is None:
        raise TapbackError(_("There is no Chromium to make a PNG with."), hint=_("Install chromium."))
    found = _SIZE.search(svg)
    if found is None:
        raise TapbackError(_("The picture has no viewBox."))
    width, height = float(found[1]), float(found[2])
    sized = svg.replace("<svg ", f'<svg width="{width:g}" height="{height:g}" ', 1)
    with tempfile.TemporaryDirectory(prefix="tapback-png-") as folder:
        page = Path(folder) / "page.html"
        page.write_text(f"<!doctype html><meta charset=utf-8><style>body{{margin:0}}</style>{sized}", "utf-8")
        shot = Path(folder) / "shot.png"
        command = [
            browser,
            *_FLAGS,
            f"--user-data-dir={folder}/profile",
            f"--force-device-scale-factor={scale:g}",
            f"--window-size={math.ceil(width)},{math.ceil(height) + _CHROME}",
            f"--screenshot={shot}",
            page.as_uri(),
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired as error:
            raise TapbackError(
                _("Chromium did not finish within {timeout:g} seconds.").format(timeout=timeout)
            ) from error
        if not shot.exists():
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise TapbackError(
                _("Chromium made no picture: {reason}.").format(
                    reason=said[-1] if said else _("no reason given")
                )
            )
        target.write_bytes(first_rows(shot.read_bytes(), round(height * scale)))


def first_rows(png: bytes, rows: int) -> bytes:
    """The upper ``rows`` of an 8-bit PNG without interlacing (a row depends only on those above)."""
    kept = [b"\x89PNG\r\n\x1a\n"]
    pixels = b""
    stride = 0
    for kind, body in _chunks(png):
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            stride = 1 + width * depth // 8 * {0: 1, 2: 3, 4: 2, 6: 4}[colour]
            rows = min(rows, height)
            kept.append(_chunk(kind, struct.pack(">II", width, rows) + body[8:]))
        elif kind == b"IDAT":
            pixels += body
    kept.append(_chunk(b"IDAT", zlib.compress(zlib.decompress(pixels)[: rows * stride], 9)))
    kept.append(_chunk(b"IEND", b""))
    return b"".join(kept)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
