"""Sets the text of a Textual screenshot back on its cell grid, so that rows with emoji are not stretched."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len

from tui_tapback.terminal.graphemes import clusters

CELL = 12.2
"""Width of a cell in the units of the picture."""

FONTS = "'Fira Code', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
EMOJI_FONTS = "'Noto Color Emoji', 'Apple Color Emoji', 'Segoe UI Emoji'"

_ID = re.compile(r"terminal-\d+")
_FONT_FACE = re.compile(r"\s*@font-face \{.*?\}\n", re.DOTALL)
_RUN = re.compile(
    r'<text class="(?P<style>[^"]*)" x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)" textLength="[\d.]+"'
    r' clip-path="(?P<clip>[^"]*)">(?P<body>.*?)</text>',
    re.DOTALL,
)
_RECT = re.compile(
    r'<rect fill="(?P<fill>[^"]*)" x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)" width="(?P<width>[\d.]+)"'
    r' height="(?P<height>[\d.]+)" shape-rendering="crispEdges"/>'
)
_RECTS = re.compile(r'(?:<rect fill="[^"]*" x="[^>]*shape-rendering="crispEdges"/>)+')
# Where a cluster of two cells is drawn by the emoji font; other wide characters belong to the text font.
_EMOJI = re.compile("[\u200d\ufe0f\u203c\u2049\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001faff]")


@dataclass(frozen=True, slots=True)
class Frame:
    """Colours of the window around the terminal: its ``face``, its ``edge`` and the ``title``."""

    face: str
    edge: str
    title: str


DARK_FRAME = Frame(face="#1b1e24", edge="#3a404b", title="#8b97a8")
LIGHT_FRAME = Frame(face="#e9ebf0", edge="#c9ced8", title="#5b6b7f")
# How Rich writes its own window; a change there must not pass unseen.
_RICH_FACE = 'fill="#292929" stroke="rgba(255,255,255,0.35)"'
_RICH_TITLE = re.compile(r'(class="terminal-title" fill=")#[0-9a-f]+"')


def correct(svg: str, frame: Frame = DARK_FRAME) -> str:
    """A picture in which every run has the length of its cells and every emoji stands alone in its two.

    Rich gives each run ``textLength`` by code points, which is wrong wherever one character takes two cells
    or two take one. Also makes the ids stable, names only fonts and no addresses, and gives the window the
    colours of ``frame``. Raises ValueError for a picture of another Rich.
    """
    svg = _FONT_FACE.sub("", _ID.sub("terminal", svg))
    if _RICH_FACE not in svg or not _RICH_TITLE.search(svg):
        raise ValueError("This is not a screenshot of the Rich that this program was made for.")
    svg = svg.replace(_RICH_FACE, f'fill="{frame.face}" stroke="{frame.edge}"')
    svg = _RICH_TITLE.sub(rf'\g<1>{frame.title}"', svg)
    svg = svg.replace("font-family: Fira Code, monospace;", f"font-family: {FONTS};")
    svg = svg.replace(
        "    </style>", f"    .emoji {{ font-family: {EMOJI_FONTS}; font-size: 17px; }}\n    </style>", 1
    )
    svg = _RECTS.sub(lambda row: "".join(_merged(row[0])), svg)
    return _RUN.sub(lambda run: "".join(_pieces(run)), svg)


def _merged(row: str) -> Iterator[str]:
    """Neighbouring backgrounds of one colour as one rectangle: between two a hairline would shine through."""
    fill, x, y, width, height = "", 0.0, "", 0.0, ""
    for rect in _RECT.finditer(row):
        at, wide = float(rect["x"]), float(rect["width"])
        if (rect["fill"], rect["y"], rect["height"]) == (fill, y, height) and abs(x + width - at) < 0.05:
            width = at + wide - x
            continue
        if fill:
            yield _rect(fill, x, y, width, height)
        fill, x, y, width, height = rect["fill"], at, rect["y"], wide, rect["height"]
    if fill:
        yield _rect(fill, x, y, width, height)


def _rect(fill: str, x: float, y: str, width: float, height: str) -> str:
    return (
        f'<rect fill="{fill}" x="{x:g}" y="{y}" width="{width:g}" height="{height}"'
        ' shape-rendering="crispEdges"/>'
    )


def _pieces(run: re.Match[str]) -> Iterator[str]:
    text = html.unescape(run["body"]).replace("\xa0", " ")
    at, begun, waiting = float(run["x"]), float(run["x"]), ""
    for cluster in clusters(text.rstrip("\n")):
        width = cell_len(cluster) * CELL
        if _EMOJI.search(cluster) and width > CELL:
            yield _text(run, begun, waiting)
            yield _emoji(run, at + width / 2, cluster)
            begun, waiting = at + width, ""
        else:
            waiting += cluster
        at += width
    yield _text(run, begun, waiting)


def _text(run: re.Match[str], x: float, text: str) -> str:
    if not text.strip():
        return ""
    x += (len(text) - len(text.lstrip())) * CELL
    text = text.strip(" ")
    length = cell_len(text) * CELL
    body = html.escape(text, quote=False).replace(" ", "&#160;")
    return (
        f'<text class="{run["style"]}" x="{x:g}" y="{run["y"]}" textLength="{length:g}"'
        f' clip-path="{run["clip"]}">{body}</text>'
    )


def _emoji(run: re.Match[str], centre: float, cluster: str) -> str:
    # No clip: a colour glyph is a little taller than the row and would lose its edge.
    style = f"{run['style']} emoji"
    return f'<text class="{style}" x="{centre:g}" y="{run["y"]}" text-anchor="middle">{cluster}</text>'
