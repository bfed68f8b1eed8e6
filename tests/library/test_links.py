"""Every link within the documents leads to a file that is there, and to a heading that it has. No network."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md"), ROOT / "tests" / "cases.md"])
FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!\\)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")


def prose(text: str) -> str:
    """A document without its blocks of code and code spans."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives the headings of a document."""
    seen: Counter[str] = Counter()
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *$", FENCE.sub("", text), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def broken(document: Path, text: str) -> list[str]:
    """Its links that lead nowhere, each with the reason."""
    faults: list[str] = []
    for link in LINK.findall(prose(text)):
        if re.match(r"[a-z]+:", link):
            if not re.match(r"https://[\w.-]+\.[a-z]{2,}(?:/|$)", link):
                faults.append(f"{link}: only https")
            continue
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        if not target.exists():
            faults.append(f"{link}: no such file")
        elif not target.resolve().is_relative_to(ROOT):
            faults.append(f"{link}: leads out of the repository")
        elif anchor and target.suffix == ".md":
            known = anchors(text if not name else target.read_text("utf-8"))
            if anchor not in known:
                faults.append(f"{link}: no such heading")
    return faults


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    assert broken(document, document.read_text("utf-8")) == []


def test_every_document_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        document = waiting.pop()
        if document in reached:
            continue
        reached.add(document)
        for link in LINK.findall(prose(document.read_text("utf-8"))):
            target = (document.parent / link.partition("#")[0]).resolve()
            if ":" not in link and target.suffix == ".md" and target.is_file():
                waiting.append(target)
    assert not {path.relative_to(ROOT).as_posix() for path in DOCUMENTS if path not in reached}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[x](docs/gone.md)", "no such file"),
        ("[x](docs/library.md#gone)", "no such heading"),
        ("# A\n[x](#b)", "no such heading"),
        ("[x](http://example.org)", "only https"),
        ("[x](../elsewhere.md)", "no such file"),
        ("![picture](screenshots/gone.png)", "no such file"),
        ("[![picture](screenshots/gone.png) and more](LICENSE)", ""),
    ],
)
def test_a_wrong_link_is_seen(text: str, fault: str) -> None:
    faults = broken(ROOT / "README.md", text)
    assert fault in " ".join(faults)
    assert bool(faults) is bool(fault)


def test_code_is_no_link_and_headings_are_counted() -> None:
    assert not broken(ROOT / "README.md", "`[x](gone)`\n\n```\n[y](gone)\n```\n\\[z](gone)")
    assert anchors("# What it costs\n## A, b & c\n# What it costs\n") == {
        *("what-it-costs", "a-b--c", "what-it-costs-1")
    }
