"""The program alone is ordered what its parser says of no arguments."""

from __future__ import annotations

from tui_tapback.cli.nothing import nothing_ordered
from tui_tapback.cli.parser import build_parser


def test_without_arguments_the_options_are_those_of_the_parser() -> None:
    assert vars(nothing_ordered()) == vars(build_parser().parse_args([]))


def test_each_has_its_own() -> None:
    nothing_ordered().new = True
    assert not nothing_ordered().new
