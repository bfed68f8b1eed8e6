"""The house rules a machine can check: layers, sizes, docstrings, style, types, a core without a screen."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tui_tapback"
SOURCES = sorted(PACKAGE.rglob("*.py"))

FILE_LINES, CLASS_LINES, CLASS_METHODS, FUNCTION_LINES = 400, 250, 25, 60

ALLOWED: dict[str, str] = {}
"""``path`` or ``path::name`` → why it may be larger. Each line was reviewed; keep it short."""


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _parsed() -> Iterator[tuple[Path, ast.Module]]:
    for path in SOURCES:
        yield path, ast.parse(path.read_text("utf-8"))


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _too_large() -> Iterator[tuple[str, str]]:
    for path, tree in _parsed():
        name = _name(path)
        lines = len(path.read_text("utf-8").splitlines())
        if lines > FILE_LINES:
            yield name, f"{lines} lines"
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                methods = sum(isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) for item in node.body)
                if _length(node) > CLASS_LINES or methods > CLASS_METHODS:
                    yield f"{name}::{node.name}", f"{_length(node)} lines, {methods} methods"
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _length(node) > FUNCTION_LINES:
                yield f"{name}::{node.name}", f"{_length(node)} lines"


def test_files_classes_and_functions_stay_small() -> None:
    too_large = {where: size for where, size in _too_large() if where not in ALLOWED}
    assert not too_large


def test_the_allow_list_holds_no_stale_entry() -> None:
    assert set(ALLOWED) <= {where for where, _ in _too_large()}


def test_every_module_says_in_one_sentence_what_it_is_for() -> None:
    bad: list[str] = []
    for path, tree in _parsed():
        docstring = ast.get_docstring(tree) or ""
        first = docstring.split("\n\n")[0].replace("\n", " ")
        if not first.endswith(".") or len(first) < 20 or "TODO" in docstring:
            bad.append(f"{_name(path)}: {first!r}")
    assert not bad


def test_the_source_holds_no_unfinished_business() -> None:
    words = ("TODO", "FIXME", "XXX", "raise NotImplementedError", "type: ignore")
    found = [
        f"{_name(path)}:{number}: {line.strip()}"
        for path in SOURCES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if any(word in line for word in words)
    ]
    assert not found


def _run(*command: str) -> None:
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}\n{result.stderr}"


def test_imports_go_down_only() -> None:
    _run(
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-cache",
    )


def test_ruff_finds_nothing() -> None:
    _run(sys.executable, "-m", "ruff", "check", ".")
    _run(sys.executable, "-m", "ruff", "format", "--check", ".")


@pytest.mark.slow
@pytest.mark.types
def test_pyright_finds_nothing_in_strict_mode() -> None:
    _run(sys.executable, "-m", "pyright", "--pythonpath", sys.executable)


CORE = ("words", "domain", "emoji", "wire", "client", "gateway", "config")

IMPORT_THE_CORE = """
import importlib, pkgutil, sys
for layer in {layers!r}:
    package = importlib.import_module("tui_tapback." + layer)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
heavy = {{"textual", "rich", "openai", "pydantic", "pygments", "markdown_it"}} & set(sys.modules)
assert not heavy, heavy
"""


def test_the_core_runs_without_a_screen_and_loads_nothing_heavy() -> None:
    _run(sys.executable, "-c", IMPORT_THE_CORE.format(layers=CORE))
