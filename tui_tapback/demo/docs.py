"""Writes the generated parts of the documents (``python -m tui_tapback.demo.docs``); a test compares them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tui_tapback.actions.documents import presets_markdown
from tui_tapback.actions.showing import basic_table, markdown_table
from tui_tapback.demo import cases, reference

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tui_tapback"
LAYERS = (
    *("words", "domain", "emoji", "wire", "terminal", "actions", "client", "widgets"),
    *("export", "config", "gateway", "plain", "app", "cli", "testing", "demo"),
)


def _purpose(path: Path) -> str:
    """First sentence of a module's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return docstring.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def modules() -> str:
    """A table for each layer: module and what it is for, taken from the docstrings."""
    return "\n\n".join(_layer(PACKAGE / layer) for layer in LAYERS)


def _layer(folder: Path) -> str:
    rows = [
        f"### {folder.name}/",
        "",
        _purpose(folder / "__init__.py"),
        "",
        "| module | what it is for |",
        "| --- | --- |",
    ]
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if name != "__init__.py":
            rows.append(f"| `{name}` | {_purpose(path)} |")
    return "\n".join(rows)


GENERATED: dict[tuple[str, str], Callable[[], str]] = {
    ("ARCHITECTURE.md", "modules"): modules,
    **reference.PARTS,
    ("README.md", "keys"): basic_table,
    ("docs/keys.md", "keys"): markdown_table,
    ("docs/keys.md", "presets"): presets_markdown,
}
"""(document, name of the part) → text. The part stands between ``<!-- generated:NAME -->`` marks."""


def renewed(document: str, name: str, text: str) -> str:
    """``document``'s content with the part ``name`` replaced by ``text``.

    Raises ValueError where the document lacks the marks.
    """
    content = (ROOT / document).read_text("utf-8")
    pattern = re.compile(rf"(<!-- generated:{name} -->\n).*?(<!-- /generated:{name} -->)", re.DOTALL)
    if not pattern.search(content):
        raise ValueError(f"{document} has no marks for the generated part '{name}'")
    return pattern.sub(lambda marks: f"{marks[1]}\n{text.strip()}\n\n{marks[2]}", content)


def stale() -> Iterator[tuple[Path, str]]:
    """Documents that differ from what would be generated, each with its new content."""
    for (document, name), generate in GENERATED.items():
        path = ROOT / document
        content = renewed(document, name, generate())
        if content != path.read_text("utf-8"):
            yield path, content
    table = cases.document()
    if not cases.TABLE.exists() or cases.TABLE.read_text("utf-8") != table:
        yield cases.TABLE, table


def main() -> int:
    """Rewrite what is stale and say so."""
    for path, content in stale():
        path.write_text(content, "utf-8")
        print(f"renewed {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
