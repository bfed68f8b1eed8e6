"""Completion scripts and the man page: they follow the parser, and the shells understand them."""

from __future__ import annotations

import argparse
import re
import subprocess
from pathlib import Path

import pytest

from tui_tapback.cli.complete import Level, levels, script
from tui_tapback.cli.man import page
from tui_tapback.cli.parser import FORMATS, SHELLS, CommandParser, build_parser
from tui_tapback.cli.shipped import FOLDER, files
from tui_tapback.export.formats import FORMATS as WRITTEN

ROOT = Path(__file__).parents[2]


def test_what_the_package_carries_is_what_the_parser_says() -> None:
    told = "run python -m tui_tapback.cli.shipped"
    for name, text in files().items():
        assert (FOLDER / name).read_text("utf-8") == text, told


def test_the_formats_of_the_parser_are_those_that_can_be_written() -> None:
    assert set(FORMATS) == set(WRITTEN)


def test_every_command_and_option_is_in_every_script_and_in_the_man_page() -> None:
    found = list(levels(build_parser()))
    assert {(), ("export",), ("sessions", "rename"), ("completion",)} <= {level.path for level in found}
    texts = {shell: script(build_parser(), shell) for shell in SHELLS} | {"man": page(build_parser())}
    for level in found:
        for option in level.options:
            for name in option.names:
                spelt = {"fish": f"-l {name[2:]} " if name[:2] == "--" else f"-s {name[1:]} "}
                spelt["man"] = name.replace("-", "\\-")
                for shell, text in texts.items():
                    assert spelt.get(shell, name) in text + " ", (shell, level.path, name)


def test_the_documents_name_every_command() -> None:
    told = (ROOT / "docs" / "cli.md").read_text("utf-8")
    for level in levels(build_parser()):
        if level.path:
            assert f"tui-tapback {' '.join(level.path)}" in told


def bash_completes(*words: str) -> set[str]:
    line = " ".join(f"'{word}'" for word in words)
    code = (
        f"{script(build_parser(), 'bash')}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}\n"
        '_tui_tapback 2>/dev/null; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True, timeout=30)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "some"),
    [
        (("tui-tapback", ""), {"send", "react", "watch", "export", "sessions", "doctor"}),
        (("tui-tapback", "se"), {"send", "sessions", "serve"}),
        (("tui-tapback", "sessions", "re"), {"rename", "repair", "restore"}),
        (("tui-tapback", "export", "--format", ""), set(FORMATS)),
        (("tui-tapback", "--session", "s1", "export", "--format", "ht"), {"html"}),
        (("tui-tapback", "sessions", "search", "--au"), {"--author"}),
        (("tui-tapback", "sessions", "search", "--author", ""), {"user", "agent"}),
        (("tui-tapback", "completion", ""), set(SHELLS)),
        (("tui-tapback", "--connect", ""), set[str]()),
    ],
)
def test_bash_completes(words: tuple[str, ...], some: set[str]) -> None:
    found = bash_completes(*words)
    assert some <= found if some else not found


def test_bash_completes_the_file_of_an_export(tmp_path: Path) -> None:
    (tmp_path / "one chat.html").touch()
    code = (
        f"{script(build_parser(), 'bash')}\ncd {tmp_path}\n"
        "COMP_WORDS=(tui-tapback export -o one); COMP_CWORD=3\n"
        '_tui_tapback 2>/dev/null; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout == "one chat.html\n"


@pytest.mark.shells
def test_fish_completes(tmp_path: Path) -> None:
    source = tmp_path / "tui-tapback.fish"
    source.write_text(script(build_parser(), "fish"), "utf-8")

    def completes(line: str) -> set[str]:
        code = f"source {source}; complete -C '{line}'"
        done = subprocess.run(["fish", "-c", code], capture_output=True, text=True, check=True, timeout=30)
        return {found.split("\t")[0] for found in done.stdout.splitlines()}

    assert {"rename", "repair", "restore"} == completes("tui-tapback sessions re")
    assert set(FORMATS) == completes("tui-tapback export --format ")
    assert completes("tui-tapback watch --j") == {"--json"}
    assert "send" not in completes("tui-tapback sessions s")


@pytest.mark.shells
def test_zsh_completes(tmp_path: Path) -> None:
    (tmp_path / "_tui-tapback").write_text(script(build_parser(), "zsh"), "utf-8")
    # An interactive zsh in a pseudo-terminal of its own; what it lists stands on its screen.
    code = f"""
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell 'PS1=; fpath=({tmp_path} $fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=0'
zpty -w shell 'echo re""ady'
zpty -r -m shell out '*ready*'
zpty -n -w shell $'tui-tapback sessions re\\t\\t'
zpty -r -m shell out '*restore*' && print -r -- $out
zpty -d shell
"""
    done = subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, check=True, timeout=60)
    for word in ("rename", "repair", "restore"):
        assert word in done.stdout


def test_quotes_and_brackets_in_a_help_cannot_break_a_script() -> None:
    parser = CommandParser(prog="tui-tapback")
    parser.add_argument("--odd", metavar="X", help='it\'s [odd]: `id` $(id) "x" \\ end')
    level = next(iter(levels(parser)))
    assert level == Level((), (), level.options)
    assert r"it'\''s \[odd\]\:" in script(parser, "zsh")
    assert '"it\'s [odd]: `id` \\$(id) \\"x\\" \\\\ end"' in script(parser, "fish")
    subprocess.run(["bash", "-n"], input=script(parser, "bash"), text=True, check=True, timeout=30)


def test_the_man_page_is_clean_roff() -> None:
    parser = CommandParser(prog="tui-tapback")
    parser.add_argument("--odd", help=".so /etc/passwd \\*[x]")
    text = page(parser)
    assert "\n\\&.so /etc/passwd \\e*[x]\n" in text
    whole = page(build_parser())
    for line in whole.splitlines():
        assert re.match(r"""\.(TH|SH|SS|TP|B|\\") ?|[^.']""", line) or not line
    for action in build_parser().commands["export"].arguments:
        assert isinstance(action, argparse.Action)
        assert all(name.replace("-", "\\-") in whole for name in action.option_strings)
