"""Writes the completion scripts for bash, zsh and fish from the parser, so that they never fall behind it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tui_tapback.domain.values import value

from .parser import CommandParser


@value
class Option:
    """An option: its spellings, what it is for, and what follows it.

    ``value``: "" for nothing, "file" for a path, "any" for text; ``choices`` are all that may follow.
    """

    names: tuple[str, ...]
    told: str
    value: str = ""
    choices: tuple[str, ...] = ()


@value
class Level:
    """What can stand behind ``path`` (the empty one is the program itself).

    ``commands`` are names with what they do, ``words`` the values of a positional argument that has choices,
    ``file`` tells that one is a path.
    """

    path: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]
    options: tuple[Option, ...]
    words: tuple[str, ...] = ()
    file: bool = False


def levels(parser: CommandParser, path: tuple[str, ...] = ()) -> Iterator[Level]:
    """The program and every command below it."""
    arguments = parser.arguments
    positional = [action for action in arguments if not action.option_strings]
    yield Level(
        path,
        tuple((name, _told(below.description)) for name, below in parser.commands.items()),
        tuple(_option(action) for action in arguments if action.option_strings),
        tuple(str(choice) for action in positional for choice in action.choices or ()),
        any(action.type is Path for action in positional),
    )
    for name, below in parser.commands.items():
        yield from levels(below, (*path, name))


def _option(action: argparse.Action) -> Option:
    choices = tuple(map(str, action.choices or ()))
    value = "" if action.nargs == 0 else "file" if action.type is Path else "any"
    return Option(tuple(action.option_strings), _told(action.help), value, choices)


def _told(words: str | None) -> str:
    return (words or "").split("\n")[0].rstrip(".")


def script(parser: CommandParser, shell: str) -> str:
    """The script for ``bash``, ``zsh`` or ``fish``. Raises KeyError."""
    return {"bash": bash, "zsh": zsh, "fish": fish}[shell](tuple(levels(parser)))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_BASH_FILES = """\
compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current"))"""


def bash(found: tuple[Level, ...]) -> str:
    """For ``share/bash-completion/completions/tui-tapback``, or to be read by ``source``."""
    known = "|".join(_quoted(" ".join(level.path)) for level in found if level.path) or "''"
    lines = [
        "# Completion of tui-tapback for bash; made by: tui-tapback completion bash",
        "_tui_tapback() {",
        '    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path="" word place',
        "    COMPREPLY=()",
        "    for ((place = 1; place < COMP_CWORD; place++)); do",
        "        word=${COMP_WORDS[place]}",
        '        case "${path:+$path }$word" in',
        f"            {known}) path=${{path:+$path }}$word ;;",
        "        esac",
        "    done",
        '    case "$path:$before" in',
    ]
    for level in found:
        for option in level.options:
            pattern = "|".join(_quoted(f"{' '.join(level.path)}:{name}") for name in option.names)
            if option.choices:
                words = _quoted(" ".join(option.choices))
                reply = f'COMPREPLY=($(compgen -W {words} -- "$current"))'
            elif option.value == "file":
                reply = _BASH_FILES
            elif option.value:
                reply = ":"
            else:
                continue
            lines.append(f"        {pattern}) {reply}; return ;;")
    lines += ["    esac", '    case "$path" in']
    for level in found:
        words = [*(name for name, _ in level.commands), *level.words]
        names = [name for option in level.options for name in option.names]
        lines += [
            f"        {_quoted(' '.join(level.path))})",
            f"            case $current in -*) COMPREPLY=($(compgen -W {_quoted(' '.join(names))}"
            ' -- "$current")); return ;; esac',
        ]
        if words:
            lines.append(f'            COMPREPLY=($(compgen -W {_quoted(" ".join(words))} -- "$current")) ;;')
        elif level.file:
            lines.append(f"            {_BASH_FILES} ;;")
        else:
            lines.append("            ;;")
    lines += ["    esac", "}", "complete -F _tui_tapback tui-tapback", ""]
    return "\n".join(lines)


def zsh(found: tuple[Level, ...]) -> str:
    """For a file ``_tui-tapback`` in a folder of ``$fpath``."""
    lines = [
        "#compdef tui-tapback",
        "# Completion of tui-tapback for zsh; made by: tui-tapback completion zsh",
        "",
    ]
    for level in found:
        lines.append(f"{_function(level.path)}() {{")
        lines.append("    local context state line; typeset -A opt_args")
        specs = [_zsh_option(option, name) for option in level.options for name in option.names]
        if level.commands:
            specs += ["'1: :->command'", "'*:: :->rest'"]
        elif level.words:
            specs.append(f"'1: :({' '.join(level.words)})'")
        else:
            specs.append("'*: :_files'" if level.file else "'*: :'")
        lines.append("    _arguments -C \\\n        " + " \\\n        ".join(specs))
        if level.commands:
            described = " ".join(_quoted(f"{name}:{told}") for name, told in level.commands)
            lines += [
                "    case $state in",
                f"        command) local -a commands; commands=({described})",
                "            _describe -t commands command commands ;;",
                "        rest) case $line[1] in",
                *(f"            {name}) {_function((*level.path, name))} ;;" for name, _ in level.commands),
                "        esac ;;",
                "    esac",
            ]
        lines += ["}", ""]
    lines += [
        '# Read as a completion function it completes; read by "source" it registers itself.',
        f'if [ "$funcstack[1]" = "_tui-tapback" ]; then {_function(())} "$@"; else'
        f" compdef {_function(())} tui-tapback; fi",
        "",
    ]
    return "\n".join(lines)


def _function(path: tuple[str, ...]) -> str:
    return "_".join(("_tui_tapback", *path))


def _zsh_option(option: Option, name: str) -> str:
    told = option.told.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    value = ""
    if option.choices:
        value = f": :({' '.join(option.choices)})"
    elif option.value:
        value = ": :_files" if option.value == "file" else ": : "
    others = " ".join(option.names)
    return _quoted(f"({others}){name}[{told}]{value}")


def fish(found: tuple[Level, ...]) -> str:
    """For ``share/fish/vendor_completions.d/tui-tapback.fish``, or a user's completions folder."""
    lines = [
        "# Completion of tui-tapback for fish; made by: tui-tapback completion fish",
        "function __tui_tapback_at",
        "    # True when the commands given so far are exactly the arguments of this function.",
        "    set -l path",
        "    for word in (commandline -opc)[2..-1]",
        '        switch "$path $word"',
        f"            case {' '.join(_quoted(' ' + ' '.join(level.path)) for level in found if level.path)}",
        '                set path "$path $word"',
        "        end",
        "    end",
        '    test "$path" = "$argv"',
        "end",
        "complete -c tui-tapback -f",
    ]
    for level in found:
        path = "".join(f" {word}" for word in level.path)
        at = f"-n {_quoted(f'__tui_tapback_at {_fish(path)}')}"
        lines += [f"complete -c tui-tapback {at} -a {name} -d {_fish(told)}" for name, told in level.commands]
        if level.words:
            lines.append(f"complete -c tui-tapback {at} -a {_fish(' '.join(level.words))}")
        if level.file:
            lines.append(f"complete -c tui-tapback {at} -F")
        for option in level.options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
            )
            value = ""
            if option.choices:
                value = f" -x -a {_fish(' '.join(option.choices))}"
            elif option.value:
                value = " -r -F" if option.value == "file" else " -x"
            lines.append(f"complete -c tui-tapback {at} {names}{value} -d {_fish(option.told)}")
    return "\n".join((*lines, ""))


def _fish(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + '"'
