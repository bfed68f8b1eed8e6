"""``tui-tapback keys``: prints the keymap in use, or a preset, and what is wrong with one's own keys."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tui_tapback.actions.action import Group
from tui_tapback.actions.keymap import Keymap
from tui_tapback.actions.resolving import keys_shown, resolve
from tui_tapback.actions.table import ACTIONS, in_group, lines
from tui_tapback.config.folders import shown
from tui_tapback.config.paths import Paths
from tui_tapback.config.settings import load_settings
from tui_tapback.config.toml_lines import place_of
from tui_tapback.words import _

from .output import say, say_json

REFUSED = 1


def show_keymap(options: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Print the table; the exit status is 1 where some of one's own keys were refused, else 0.

    Raises SettingsError for a settings file that cannot be read.
    """
    keymap = resolve(options.preset) if options.preset else _of_settings(Paths.from_environ(environ))
    if options.json:
        say_json(_data(keymap))
    else:
        say(_text(keymap))
        for problem in keymap.problems:
            say(problem.told, stream=sys.stderr)
    return REFUSED if any(problem.kind == "refused" for problem in keymap.problems) else 0


def _of_settings(paths: Paths) -> Keymap:
    file = paths.settings_file
    settings = load_settings(file)
    return settings.keys.keymap(partial(place_of, shown(file), _read(file)))


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8-sig") if file.exists() else ""


def _text(keymap: Keymap) -> str:
    """A block for each place: keys, what they do, the id for ``[keys.map]``."""
    found = [f"Preset: {keymap.preset}"]
    for group in Group:
        found += ["", _(group.value)]
        for line in lines(in_group(group)):
            keys = keys_shown(keymap, line.actions)
            if keys or any(item.keys for item in line.actions):
                last = line.actions[-1].id
                ids = line.id if last == line.id else f"{line.id} … {last}"
                found.append(f"  {keys or _('no key'):22} {line.told}  [{ids}]")
    return "\n".join(found)


def _data(keymap: Keymap) -> dict[str, object]:
    return {
        "preset": keymap.preset,
        "actions": [
            {
                "id": item.id,
                "place": item.group.name.lower(),
                "keys": list(keymap.keys(item.id)),
                "default": list(item.keys),
                "title": item.title,
                "typed": item.slash,
            }
            for item in ACTIONS
        ],
        "problems": [
            {
                "kind": problem.kind,
                "action": problem.action,
                "other": problem.other,
                "where": problem.where,
                "sentence": problem.sentence,
            }
            for problem in keymap.problems
        ],
    }
