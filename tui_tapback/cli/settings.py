"""``tui-tapback config``: shows, changes, edits and finds the settings, without a screen or a gateway."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tui_tapback.app.writing.editor import edit_file, run_editor
from tui_tapback.config.origins import Origin, Setting, overridings, settings_of
from tui_tapback.config.paths import Paths
from tui_tapback.config.secret import Secret
from tui_tapback.config.values import Value, literal, read_value, row_of
from tui_tapback.config.writing import SettingsFile
from tui_tapback.domain.errors import InvalidInput, SettingsError
from tui_tapback.words import _

from .output import say, say_json


def config(
    options: argparse.Namespace,
    environ: Mapping[str, str],
    *,
    run: Callable[[Sequence[str]], int] = run_editor,
    ask: Callable[[str], str] = getpass.getpass,
) -> int:
    """Carry out ``config get|set|reset|edit|path``; returns the exit status. Raises SettingsError.

    ``run`` starts the editor, ``ask`` reads a secret from the terminal.
    """
    file = SettingsFile(Paths.from_environ(environ).settings_file)
    match options.doing:
        case "path":
            _path(file, options)
        case "set":
            _set(file, options, ask)
        case "reset":
            for key in options.keys:
                if not file.holds(key):
                    row_of(key)
            file.change(dict.fromkeys(options.keys))
            _told(file, options, environ, options.keys)
        case "edit":
            return _edit(file, options, environ, run)
        case _:
            _get(file, options, environ)
    if options.doing == "set":
        _told(file, options, environ, [options.key])
    return 0


def _path(file: SettingsFile, options: argparse.Namespace) -> None:
    if options.json:
        say_json({"path": str(file.path), "exists": file.path.exists()})
    else:
        say(str(file.path))


def _get(file: SettingsFile, options: argparse.Namespace, environ: Mapping[str, str]) -> None:
    wanted = options.key
    if wanted:
        row_of(wanted)  # raises for what there is not
    found = [each for each in _all(file, environ) if wanted in (None, each.key)]
    if wanted and not found:
        raise SettingsError(_("Nothing is set for {key}.").format(key=wanted))
    if options.json:
        said = [_as_json(each) for each in found]
        say_json(said[0] if wanted else said)
    elif wanted:
        value = found[0].value
        say("\n".join(value) if isinstance(value, tuple) else _plain(found[0]))
    else:
        for each in found:
            say(f"{each.key} = {each.shown}{_whence(each)}")


def _plain(setting: Setting) -> str:
    if setting.secret:
        return "***" if setting.given else ""
    value = setting.value
    return value if isinstance(value, str) else literal(value)


def _whence(setting: Setting) -> str:
    match setting.origin:
        case Origin.DEFAULT:
            return ""
        case Origin.FILE:
            return f"  # line {setting.line}" if setting.line else "  # file"
        case _:
            return f"  # {setting.origin}: {setting.by}"


def _as_json(setting: Setting) -> dict[str, Any]:
    return {
        "key": setting.key,
        "value": None if setting.secret else setting.value,
        "set": setting.origin is not Origin.DEFAULT,
        "default": None if setting.secret else setting.row.standard,
        "origin": str(setting.origin),
        "by": setting.by or None,
        "line": setting.line,
        "expected": setting.row.expected,
        "meaning": setting.row.meaning,
        "needs": setting.row.extra.get("needs"),
    }


def _all(file: SettingsFile, environ: Mapping[str, str]) -> tuple[Setting, ...]:
    return settings_of(file.revision().text(file.path), overridings(environ, {}))


def _set(file: SettingsFile, options: argparse.Namespace, ask: Callable[[str], str]) -> None:
    key, words = options.key, options.value
    row = row_of(key)
    if row.base is Secret:
        if words:
            raise InvalidInput(
                _("A key on the command line can be read by others and stays in the shell's history."),
                hint=_("Give it to standard input, or leave it out and type it."),
            )
        text = ask(f"{key}: ") if sys.stdin.isatty() else sys.stdin.readline()
        file.change({key: text.strip()})
        return
    if not words:
        raise InvalidInput(_("There is no value for {key}.").format(key=key), hint=row.expected)
    if row.base == tuple[str, ...] and len(words) > 1:
        value: Value = tuple(words)
    else:
        value = read_value(key, " ".join(words))
    if key == "theme":
        _known_theme(str(value))
    file.change({key: value})


def _known_theme(name: str) -> None:
    from tui_tapback.app.preferences import theme_of

    theme_of(name, dark=True)


def _told(
    file: SettingsFile, options: argparse.Namespace, environ: Mapping[str, str], keys: Sequence[str]
) -> None:
    found = [each for each in _all(file, environ) if each.key in keys]
    if options.json:
        say_json([_as_json(each) for each in found])
        return
    for each in found:
        say(f"{each.key} = {each.shown}{_whence(each)}")
        match each.row.extra.get("needs"):
            case "restart":
                say(_("A chat that is open takes it over when it starts again."), stream=sys.stderr)
            case "gateway":
                say(_("The gateway takes it over when it starts again."), stream=sys.stderr)
            case _:
                pass


def _edit(
    file: SettingsFile,
    options: argparse.Namespace,
    environ: Mapping[str, str],
    run: Callable[[Sequence[str]], int],
) -> int:
    file.create()
    edit_file(file.path, environ, run)
    warnings: list[str] = []
    file.read(warn=warnings.append)  # raises with the line of what cannot be used
    if options.json:
        say_json({"path": str(file.path), "warnings": warnings})
    for warning in warnings if not options.json else ():
        say(f"tui-tapback: {warning}", stream=sys.stderr)
    return 0
