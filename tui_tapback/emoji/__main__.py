"""The ``emoji`` command: ``tui-tapback emoji thumbs up dark`` prints what the picker would show."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TextIO

from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.catalogue import available_locales, known_locale, load_catalogue
from tui_tapback.emoji.search import search
from tui_tapback.words import _


def main(
    arguments: Sequence[str] | None = None,
    *,
    prog: str = "python -m tui_tapback.emoji",
    environ: Mapping[str, str] = os.environ,
    out: TextIO | None = None,
) -> int:
    """One line for each answer: emoji, shortcode, name; returns 1 where nothing was found."""
    parser = argparse.ArgumentParser(prog=prog, description=_("Find an emoji."))
    parser.add_argument("query", nargs="+", help=_("words, an emoticon, a shortcode or the emoji itself"))
    parser.add_argument("--limit", type=int, default=10, metavar="N", help=_("at most so many (10)"))
    parser.add_argument("--locale", choices=available_locales(), help=_("your language beside English"))
    parser.add_argument("--json", action="store_true", help=_("as JSON"))
    options = parser.parse_args(arguments)
    languages = (environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = options.locale or known_locale(next(filter(None, languages), ""))
    catalogue, target = load_catalogue(locale), out or sys.stdout
    query = clean_line(" ".join(options.query))
    found = search(query, options.limit, locales=(locale,), others=available_locales)
    rows: list[dict[str, str | None]] = []
    for match in found:
        known = catalogue.get(match.emoji)
        code = f":{known.shortcodes[0]}:" if known and known.shortcodes else None
        rows.append({"emoji": match.emoji, "shortcode": code, "name": catalogue.name(match.emoji)})
    if options.json:
        target.write(json.dumps(rows, indent=2) + "\n")
    else:
        target.writelines("\t".join(value or "" for value in row.values()) + "\n" for row in rows)
    return 0 if found else 1


if __name__ == "__main__":
    raise SystemExit(main())
