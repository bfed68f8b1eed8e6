"""Every text that a person sees asks for its translation, and asks for it when it is shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tui_tapback"
SPOKEN = (
    "app",
    "widgets",
    "cli",
    "client",
    "config",
    "plain",
    "export",
    "domain/errors.py",
    "emoji/sentence.py",
)
"""Where what a person sees is said. The tables of actions and of settings are gathered whole."""

ASKING = frozenset({"_", "plural", "mark"})
TABLES = frozenset({"Meta", "Action", "SlashCommand"})
"""Rows of tables that ``demo.translations`` gathers by themselves."""

SILENT = frozenset(
    {"compile", "fullmatch", "match", "sub", "search", "cast", "TypeVar", "debug", "info", "warning", "error"}
    | {"exception", "getLogger", "addLevelName", "namedtuple", "css", "run_action", "query_one", "query"}
)
"""Calls whose texts nobody reads on a screen: patterns, types, logs, selectors."""

SHOWING = frozenset({"notify", "tell", "_tell", "Button", "Static", "Notice", "Banner", "Offer", "Option"})
"""Calls whose texts are shown, so that a single word counts as well."""
SHOWN = frozenset(
    {"title", "label", "placeholder", "hint", "help", "border_title", "border_subtitle", "told"}
)
"""Names of arguments and attributes that are shown."""

SENTENCE = re.compile(r"[^\W\d_]{2,}[,;:]? +[^\W\d_]|[^\W\d_]{2,}[.…?!](\s|$)")
"""Two words in a row, or one that ends a sentence."""
WORD = re.compile(r"[^\W\d_]{3,}")

ALLOWED = Path(__file__).with_name("not_translated.txt")
"""Literals that only look like words for a person: ``file: text``, reviewed."""


def _files() -> Iterator[Path]:
    for name in SPOKEN:
        path = PACKAGE / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def _callee(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


class _Finder(ast.NodeVisitor):
    """Collects literals that nobody asks a translation for."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and SENTENCE.search(node.value):
            self.found.append(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        if SENTENCE.search(text):
            self.found.append(text)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Call(self, node: ast.Call) -> None:
        name = _callee(node)
        if name in SILENT:
            return
        if name in ASKING or name in TABLES:
            for each in (*node.args, *(keyword.value for keyword in node.keywords)):
                if not isinstance(each, ast.Constant):
                    self.visit(each)
            return
        if name in SHOWING:
            self._words(node.args[:1])
        for keyword in node.keywords:
            if keyword.arg in SHOWN:
                self._words([keyword.value])
        self.generic_visit(node)

    def _words(self, nodes: list[ast.expr]) -> None:
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if WORD.search(text) and not SENTENCE.search(text):
                    self.found.append(text)

    def visit_Assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        name = target.id if isinstance(target, ast.Name) else getattr(target, "attr", "")
        if name.endswith("CSS") or name in ("BINDINGS", "__all__"):
            return
        if name in SHOWN and isinstance(target, ast.Attribute):
            self._words([node.value])
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        if node.value is not None and not name.endswith("CSS") and name != "BINDINGS":
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """For programmers."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for each in (*node.args.defaults, *node.args.kw_defaults, *node.body):
            if each is not None:
                self.visit(each)


def literals(source: str) -> list[str]:
    """The texts of ``source`` that look like words for a person and ask for no translation."""
    finder = _Finder()
    finder.visit(ast.parse(source))
    return finder.found


def test_no_text_for_a_person_goes_without_asking_for_its_translation() -> None:
    allowed = set(ALLOWED.read_text("utf-8").splitlines())
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}: {text.strip()!r}"
        for path in _files()
        for text in literals(path.read_text("utf-8"))
    }
    assert sorted(found - allowed) == [], "wrap them in _(…), see docs/translating.md"
    assert sorted(allowed - found) == [], "not_translated.txt holds what is no longer there"


@pytest.mark.parametrize(
    "source",
    [
        'tell("Nothing was found.")',
        'raise InvalidInput(f"There is no {thing} here.")',
        'notify("Gone")',
        'Static("Loading")',
        'frame.border_title = "Help"',
        'super().__init__("a", hint="Wait")',
        'x = "one thing" if y else _("another thing")',
        '_("{what} is here.").format(what="all of it")',
        'def f(told: str = "Copied it.") -> None: ...',
        'KEYS = {"a": "some words"}',
    ],
)
def test_the_check_finds_what_was_forgotten(source: str) -> None:
    assert len(literals(source)) == 1


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls of what is ours: some modules have another ``mark``."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    foreign = {name.name for node in imports if "words" not in (node.module or "") for name in node.names}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ASKING - foreign
        ):
            yield node


def _translates(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ("_", "plural")


def early(tree: ast.Module) -> list[int]:
    """Lines on which a translation is asked for while the module is being imported."""
    late: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            late |= {id(call) for each in node.body for call in _calls(each)}
        elif isinstance(node, ast.Lambda):
            late |= {id(call) for call in _calls(node.body)}
    return [call.lineno for call in _calls(tree) if _translates(call) and id(call) not in late]


def unreadable(tree: ast.Module) -> list[int]:
    """Lines on which a text is put together before its translation is looked up."""
    wanted = {"_": 1, "mark": 1, "plural": 2}
    found: list[int] = []
    for call in _calls(tree):
        assert isinstance(call.func, ast.Name)
        texts = call.args[: wanted[call.func.id]]
        built = any(isinstance(text, ast.JoinedStr | ast.BinOp) for text in texts)
        literal = call.func.id == "_" or all(isinstance(text, ast.Constant) for text in texts)
        if built or not literal or len(texts) < wanted[call.func.id]:
            found.append(call.lineno)
    return found


@cache
def _modules() -> tuple[tuple[str, ast.Module], ...]:
    sources = {path: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    return tuple(
        (path.relative_to(PACKAGE).as_posix(), ast.parse(source))
        for path, source in sources.items()
        if "tui_tapback.words import" in source or path.parent.name == "words"
    )


def test_a_translation_is_asked_for_when_it_is_shown_never_at_import() -> None:
    found = [f"{name}:{line}" for name, tree in _modules() for line in early(tree)]
    assert found == []


def test_a_text_is_looked_up_as_it_stands_in_the_source() -> None:
    found = [f"{name}:{line}" for name, tree in _modules() for line in unreadable(tree)]
    assert found == []


@pytest.mark.parametrize(
    "source", ['A = _("x")', 'class C:\n    a = _("x")', 'def f(a=_("x")): ...', "@_('x')\ndef f(): ..."]
)
def test_asking_too_early_is_found(source: str) -> None:
    assert early(ast.parse(source))


@pytest.mark.parametrize("source", ['_(f"{x} here")', '_("a" + b)', 'plural(a, "b", 1)', "mark(a)"])
def test_a_text_that_is_put_together_first_is_found(source: str) -> None:
    assert unreadable(ast.parse(source))


def shadowing(tree: ast.Module) -> list[int]:
    """Lines of functions in which ``_`` is also the name of something that is thrown away."""
    found: list[int] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            own = list(_own(node))
            bound = any(isinstance(each, ast.Name) and _bound(each) for each in own)
            bound |= any(isinstance(each, ast.arg) and each.arg == "_" for each in ast.walk(node.args))
            asked = any(isinstance(each, ast.Call) and _callee(each) == "_" for each in own)
            if bound and asked:
                found.append(node.lineno)
    return found


def _bound(name: ast.Name) -> bool:
    return name.id == "_" and isinstance(name.ctx, ast.Store)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in the scope of a function itself, not of one in it or of a comprehension."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*inner, ast.GeneratorExp)):
            yield child
            yield from _own(child)


def test_the_name_that_translates_is_no_waste_bin() -> None:
    found = [f"{name}:{line}" for name, tree in _modules() for line in shadowing(tree)]
    assert found == []


@pytest.mark.parametrize(
    "source",
    ['def f(t):\n    a, _ = t\n    return _("x")', 'def f(_):\n    return _("x")', 'lambda _: _("x")'],
)
def test_a_waste_bin_is_found(source: str) -> None:
    assert shadowing(ast.parse(source))
