"""The whole screen as text and as SVG: what changes here must be looked at."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.pilot import Pilot

from tui_tapback.client.state import ConnectionState, Phase
from tui_tapback.demo.screenshots import SHOTS, Shot, main, take
from tui_tapback.demo.script import conversation
from tui_tapback.demo.svg import CELL, correct
from tui_tapback.domain.messages import Status
from tui_tapback.export.png import find_browser, first_rows, render
from tui_tapback.terminal.profile import ASCII_ONLY, SAFE
from tui_tapback.testing.app import shows
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.screen import line_widths, screen_text

Opened = Callable[..., AbstractAsyncContextManager[Pilot[Any]]]
SIZES = pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)], ids=lambda s: f"{s[0]}x{s[1]}")
BY_NAME = {shot.name: shot for shot in SHOTS}


class SvgExtension(SingleFileSnapshotExtension):
    """One ``.svg`` for each picture."""

    _write_mode = WriteMode.TEXT
    file_extension = "svg"


@SIZES
async def test_the_chat_as_text(opened: Opened, snapshot: SnapshotAssertion, size: tuple[int, int]) -> None:
    async with opened(conversation(), size, profile=SAFE) as pilot:
        assert line_widths(pilot.app) == {size[0]}
        assert screen_text(pilot.app) == snapshot


async def test_the_chat_in_plain_ascii(opened: Opened, snapshot: SnapshotAssertion) -> None:
    async with opened(conversation(), profile=ASCII_ONLY) as pilot:
        assert screen_text(pilot.app).isascii()
        assert screen_text(pilot.app) == snapshot


async def test_trouble_as_text(opened: Opened, snapshot: SnapshotAssertion) -> None:
    chat = conversation()
    chat.arrive("half an answ", status=Status.INTERRUPTED)
    chat.arrive("", status=Status.FAILED, error="The model's server failed (status 500).")
    chat.put(connection=ConnectionState(Phase.OFFLINE, "Nothing answers at the socket."), waiting=1)
    async with opened(chat) as pilot:
        await shows(pilot, "Nothing answers")
        assert screen_text(pilot.app) == snapshot


@pytest.mark.parametrize("name", ["chat", "pill", "light", "narrow"])
async def test_the_pictures(snapshot: SnapshotAssertion, name: str) -> None:
    assert await take(BY_NAME[name]) == snapshot(extension_class=SvgExtension)


async def test_every_picture_is_sound_xml_with_its_runs_on_the_grid() -> None:
    picture = await take(Shot("grid", keys=("escape", "r")))
    runs = [e for e in ElementTree.fromstring(picture).iter() if e.get("textLength")]
    assert runs
    for run in runs:
        cells = cell_len((run.text or "").replace("\xa0", " "))
        assert float(run.get("textLength", "0")) == pytest.approx(cells * CELL, abs=0.01)
        assert float(run.get("x", "0")) / CELL == pytest.approx(
            round(float(run.get("x", "0")) / CELL), abs=0.02
        )
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "").replace(
        "https://www.textualize.io", ""
    )


def test_a_picture_of_an_unknown_rich_is_refused() -> None:
    with pytest.raises(ValueError, match="not a screenshot"):
        correct("<svg></svg>")


def test_the_first_rows_of_a_png() -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    pixels = b"".join(b"\0" + bytes([row] * 8) for row in range(5))
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 5, 8, 6, 0, 0, 0))
    png += chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    cut = first_rows(png, 3)
    assert struct.unpack(">II", cut[16:24]) == (2, 3)
    start = cut.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", cut[start - 8 : start - 4])
    assert zlib.decompress(cut[start : start + length]) == pixels[: 3 * 9]


def test_pictures_without_a_browser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["narrow", "--svg-only", "--into", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["narrow.svg"]
    assert "40×24" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.browser
async def test_a_png_has_the_size_of_its_picture(tmp_path: Path) -> None:
    assert find_browser()
    target = tmp_path / "narrow.png"
    picture = await take(BY_NAME["narrow"])
    render(picture, target, scale=1)
    head = target.read_bytes()[:24]
    width, height = struct.unpack(">II", head[16:24])
    box = ElementTree.fromstring(picture).get("viewBox", "").split()
    assert abs(width - float(box[2])) <= 1
    assert abs(height - float(box[3])) <= 1


async def test_a_theme_of_textuals_own_works(opened: Opened) -> None:
    async with opened(conversation(), theme="nord") as pilot:
        await settle(pilot)
        assert "Luna" in screen_text(pilot.app)
