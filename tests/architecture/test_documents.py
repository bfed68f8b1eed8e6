"""Documents agree with the code: generated parts fresh, links alive, commands where CI looks for them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tui_tapback.demo import docs

ROOT = Path(__file__).parents[2]
TEXTS = (".py", ".md", ".toml", ".json", ".svg", "/run")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def test_generated_parts_are_fresh() -> None:
    stale = [path.name for path, _ in docs.stale()]
    assert not stale, "run: python -m tui_tapback.demo.docs"


def test_relative_links_lead_to_files() -> None:
    broken = [
        f"{document.name}: {target}"
        for document in DOCUMENTS
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", document.read_text("utf-8"))
        if not (document.parent / target).exists()
    ]
    assert not broken


def test_the_readme_holds_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for mark in ("chat", "tests"):
        part = re.search(rf"<!-- {mark}:begin -->\n```sh\n(.+?)\n```\n<!-- {mark}:end -->", readme, re.DOTALL)
        assert part, f"README.md lacks the {mark} command between its marks"
        assert "\n" not in part[1], "one line, so that it can be copied"


def test_no_document_or_source_names_a_machine() -> None:
    pattern = re.compile(r"/(?:work|root)/|/home/(?!you\b)\w+/|localhost\.localdomain")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    files = [ROOT / name for name in listed.stdout.decode().split("\0") if name.endswith(TEXTS)]
    others = [path for path in files if path.exists() and path != Path(__file__)]
    named = [path.name for path in others if pattern.search(path.read_text("utf-8", "ignore"))]
    assert not named
