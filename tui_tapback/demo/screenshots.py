"""Makes the pictures under screenshots/ from the real app (``python -m tui_tapback.demo.screenshots``)."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tui_tapback.domain.errors import TapbackError
from tui_tapback.export.png import render
from tui_tapback.testing.app import chat_app
from tui_tapback.testing.pilot import settle
from tui_tapback.testing.quiet import quiet
from tui_tapback.words import language, use

from .script import EVENING, conversation
from .svg import DARK_FRAME, LIGHT_FRAME, Frame, correct

FOLDER = Path(__file__).parents[2] / "screenshots"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: its file name, the size in cells, the theme, the keys pressed before it is taken, and the
    language of the interface."""

    name: str
    size: tuple[int, int] = (88, 34)
    theme: str = "tapback-dark"
    keys: tuple[str, ...] = ()
    frame: Frame = DARK_FRAME
    language: str = "en"


SHOTS: tuple[Shot, ...] = (
    Shot("chat"),
    Shot("pill", keys=("escape", "k", "k", "k", "k", "r")),
    Shot("picker", keys=("escape", "k", "k", "colon", *"love")),
    Shot("told", keys=("escape", "w", "down", "space")),
    Shot("part", keys=("escape", "k", "k", "k", "k", "tab", "tab", "6")),
    Shot("light", theme="tapback-light", frame=LIGHT_FRAME),
    Shot("narrow", size=(40, 24)),
    Shot("help", keys=("f1",)),
    Shot("sessions", keys=("ctrl+o",)),
    Shot("settings", keys=("f10",)),
    Shot("keys", keys=(*"/keys", "enter")),
    Shot("german", keys=("escape", "w"), language="de"),
)


async def take(shot: Shot) -> str:
    """The SVG of one picture."""
    before = language()
    with TemporaryDirectory(prefix="tapback-shot-") as folder:
        settings = Path(folder) / "settings.toml"
        app = chat_app(conversation(), theme=shot.theme, now=EVENING + 600, settings_file=settings)
        use(shot.language)
        try:
            async with app.run_test(size=shot.size) as pilot:
                await settle(pilot)
                for key in shot.keys:
                    await pilot.press(key)
                    await settle(pilot)
                await quiet(pilot)
                return correct(app.export_screenshot(title="tui_tapback"), shot.frame)
        finally:
            use(before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write all pictures, or those named; returns the exit status."""
    parser = argparse.ArgumentParser(description="Make the pictures under screenshots/.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(shot.name for shot in SHOTS))
    parser.add_argument("--svg-only", action="store_true", help="no PNG (that needs Chromium)")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER")
    options = parser.parse_args(arguments)
    options.into.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        if options.names and shot.name not in options.names:
            continue
        svg = asyncio.run(take(shot))
        (options.into / f"{shot.name}.svg").write_text(svg, "utf-8")
        try:
            if not options.svg_only:
                render(svg, options.into / f"{shot.name}.png")
        except TapbackError as error:
            print(error.sentence(), file=sys.stderr)
            return 1
        print(f"{shot.name}: {shot.size[0]}×{shot.size[1]} cells")
    return 0


if __name__ == "__main__":
    sys.exit(main())
