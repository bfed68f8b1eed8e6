"""Gathers the texts of the interface and brings the catalogues up to date with them.

``python -m tui_tapback.demo.translations`` writes the template ``tui-tapback.pot`` and the German catalogue,
which must be complete; ``… translations fr it`` does so for other languages: translations are kept, new texts
stand there untranslated, and texts that are no longer shown go.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tui_tapback.actions.action import Group
from tui_tapback.actions.table import ACTIONS
from tui_tapback.config.reference import rows
from tui_tapback.config.settings import Settings
from tui_tapback.widgets.composer.commands import COMMANDS
from tui_tapback.words.catalogue import FOLDER, plural_rule
from tui_tapback.words.po import Entry, read_po

PACKAGE = Path(__file__).parents[1]
TEMPLATE = FOLDER / "tui-tapback.pot"
COMPLETE = ("de",)
"""Languages in which every text has a translation, English aside."""

_TAKES = {"_": 1, "mark": 1, "plural": 2}


@dataclass(slots=True)
class Text:
    """A text that is shown: the English for one and for ``many`` (empty: it is not counted), and where."""

    one: str
    many: str
    places: list[str]


def gather(package: Path = PACKAGE) -> list[Text]:
    """Every text of the interface, in the order of the files. Raises ValueError where one has two plurals."""
    found: dict[str, Text] = {}
    for place, one, many in (*_in_source(package), *_in_tables()):
        text = found.setdefault(one, Text(one, many, []))
        if many and text.many and many != text.many:
            raise ValueError(f"{place}: {one!r} is counted in another way in {text.places[0]}.")
        text.many = text.many or many
        if place not in text.places:
            text.places.append(place)
    return list(found.values())


def _in_source(package: Path) -> Iterator[tuple[str, str, str]]:
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package).as_posix()
        source = path.read_text("utf-8")
        if "tui_tapback.words" in source or place.startswith("words/"):
            for one, many in texts_of(ast.parse(source)):
                yield place, one, many


def texts_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """English for one and for many ("" where nothing is counted) of each call, in the order of the lines."""
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        takes = _TAKES.get(call.func.id, 0) if isinstance(call.func, ast.Name) else 0
        texts = [arg.value for arg in call.args[:takes] if isinstance(arg, ast.Constant)]
        said = [text for text in texts if isinstance(text, str)]
        if takes and len(said) == takes:
            yield said[0], said[1] if takes == 2 else ""


def _in_tables() -> Iterator[tuple[str, str, str]]:
    """What the tables of actions and of settings say is shown in the language in use."""
    for group in Group:
        yield "actions/action.py", group.value, ""
    for action in ACTIONS:
        for text in (action.title, action.help, action.family):
            if text:
                yield "actions/table.py", text, ""
    for row in rows(Settings):
        yield "config/settings.py", row.meaning, ""
    for command in COMMANDS:
        yield "widgets/composer/commands.py", command.summary, ""


def _quoted(keyword: str, text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\r", "\\r")
    lines = [f'"{line}\\n"' for line in escaped.split("\n")[:-1]]
    last = escaped.rpartition("\n")[2]
    if not lines:
        return f'{keyword} "{last}"'
    return "\n".join([f'{keyword} ""', *lines, *([f'"{last}"'] if last else [])])


def _written(entry: Entry) -> str:
    lines = [*entry.notes, _quoted("msgid", entry.one)]
    if entry.many:
        lines.append(_quoted("msgid_plural", entry.many))
        lines += [_quoted(f"msgstr[{number}]", text) for number, text in enumerate(entry.texts)]
    else:
        lines.append(_quoted("msgstr", entry.texts[0]))
    return "\n".join(lines)


def write(entries: Iterable[Entry]) -> str:
    """The text of a .po file."""
    return "\n\n".join(_written(entry) for entry in entries) + "\n"


def merged(entries: Iterable[Entry], texts: Iterable[Text]) -> list[Entry]:
    """The header and the translations that ``entries`` have, for exactly these texts.

    A translation whose plural came or went is dropped; the comments of translators (``# …``) and the mark
    fuzzy are kept.
    """
    header, *rest = entries
    known = {(entry.one, bool(entry.many)): entry for entry in rest}
    forms, _which = plural_rule(header.texts[0])
    return [header, *(_renewed(text, known.get((text.one, bool(text.many))), forms) for text in texts)]


def _renewed(text: Text, old: Entry | None, forms: int) -> Entry:
    own = tuple(note for note in old.notes if note.startswith("# ")) if old else ()
    flags = [
        name
        for name, on in (("fuzzy", bool(old and old.fuzzy)), ("python-brace-format", "{" in text.one))
        if on
    ]
    notes = (*own, f"#: {' '.join(text.places)}", *([f"#, {', '.join(flags)}"] if flags else []))
    empty = ("",) * (forms if text.many else 1)
    texts = old.texts if old and len(old.texts) == len(empty) else empty
    return Entry(text.one, text.many, texts, bool(old and old.fuzzy), notes)


def _header_of_template() -> Entry:
    lines = (
        "Project-Id-Version: tui-tapback",
        "Language: ",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
        "Plural-Forms: nplurals=2; plural=(n != 1);",
    )
    note = "# The texts of tui-tapback; how to translate them: docs/translating.md."
    return Entry("", "", ("".join(f"{line}\n" for line in lines),), False, (note,))


def template(texts: Iterable[Text]) -> str:
    """The text of the template, from which a new language begins."""
    return write(merged([_header_of_template()], texts))


def renewed(code: str, texts: Iterable[Text]) -> str:
    """The catalogue of a language with exactly these texts."""
    return write(merged(read_po((FOLDER / f"{code}.po").read_text("utf-8")), texts))


def missing(code: str) -> list[str]:
    """The English of what has no translation in a language, or one that is marked as doubtful."""
    entries = read_po((FOLDER / f"{code}.po").read_text("utf-8"))[1:]
    return [entry.one for entry in entries if entry.fuzzy or not all(entry.texts)]


def main(codes: Iterable[str], say: Callable[[str], object] = print) -> int:
    """Write template and catalogues; returns 0."""
    texts = gather()
    TEMPLATE.write_text(template(texts), "utf-8")
    for code in (*COMPLETE, *codes):
        (FOLDER / f"{code}.po").write_text(renewed(code, texts), "utf-8")
        say(f"{code}: {len(texts)} texts, {len(missing(code))} without a translation")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
