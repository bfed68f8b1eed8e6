"""Files as they are looked at before they go out."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from tui_tapback.client.handing import (
    LARGEST,
    HandedOver,
    hand_over,
    is_image,
    look_at,
    megabytes,
    take_back,
)
from tui_tapback.domain.errors import InvalidInput, RpcError
from tui_tapback.wire.base import Params, Result
from tui_tapback.wire.foreign_work import DetachParams, ImageBytesParams

R = TypeVar("R", bound=Result)


def test_what_a_file_is_shows_in_its_bytes_and_not_in_its_name(tmp_path: Path) -> None:
    liar = tmp_path / "picture.png"
    liar.write_text("no picture")
    photo = tmp_path / "photo"
    photo.write_bytes(b"\xff\xd8\xff\xe0 and so on")
    assert not look_at(liar).image
    assert look_at(photo).image
    assert is_image(b"RIFF\0\0\0\0WEBPVP8 ")
    assert not is_image(b"RIFF\0\0\0\0WAVEfmt ")


def test_what_cannot_go_out_is_a_sentence(tmp_path: Path) -> None:
    empty, large = tmp_path / "empty", tmp_path / "large"
    empty.touch()
    with large.open("wb") as file:
        file.write(b"x")
        file.truncate(LARGEST + 1)
    for path, told in (
        (tmp_path / "nowhere", "There is no file"),
        (tmp_path, "is a folder"),
        (empty, "is empty"),
        (large, "is too large: 26.2 MB"),
        (Path("/dev/null"), "is no ordinary file"),
        (tmp_path / ("x" * 300), "cannot be read"),
        (tmp_path / "a\0b", "cannot be read"),
    ):
        with pytest.raises(InvalidInput, match=told) as error:
            look_at(path)
        assert str(error.value).endswith((".", "MB."))


def test_names_are_harmless(tmp_path: Path) -> None:
    odd = tmp_path / "a\x1b[2Jb\u202e.txt"
    odd.write_text("x")
    assert look_at(odd).name == "a␛[2Jb.txt"


def test_references_stand_behind_the_words() -> None:
    assert HandedOver(("@file:a", "@file:b")).text("look") == "look\n@file:a\n@file:b"
    assert HandedOver().text("look") == "look"
    assert (megabytes(1), megabytes(310_000), megabytes(2_400_000)) == ("1 kB", "310 kB", "2.4 MB")


class Desk:
    """Takes images, and no files."""

    def __init__(self) -> None:
        self.images: list[str] = []

    async def call(self, method: str, params: Params, result: type[R], *, within: float | None = None) -> R:
        match params:
            case ImageBytesParams(filename=name):
                self.images.append(f"/there/{name}")
                return msgspec.convert({"attached": True, "path": self.images[-1]}, result)
            case DetachParams(path=path):
                self.images.remove(path)
                return msgspec.convert({"detached": True}, result)
            case _:
                raise RpcError(5028, "no room")


async def test_images_do_not_stay_behind_where_a_file_of_the_message_is_not_taken(tmp_path: Path) -> None:
    picture, notes = tmp_path / "dot.png", tmp_path / "notes.txt"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n....")
    notes.write_text("words")
    desk = Desk()
    with pytest.raises(InvalidInput, match=r"did not take notes\.txt\. no room"):
        await hand_over(desk, "s", [look_at(picture), look_at(notes)])
    assert desk.images == [], "they would go with whatever is said next"
    handed = await hand_over(desk, "s", [look_at(picture)])
    assert handed.images == ("/there/dot.png",)
    await take_back(desk, "s", handed.images)
    assert desk.images == []
