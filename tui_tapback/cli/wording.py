"""Puts what ``argparse`` says by itself into the language in use: headings, the help option, errors."""

from __future__ import annotations

import argparse
import re
from typing import Any

from tui_tapback.words import _, language, mark

HELP = mark("show this help message and exit")
_HEADINGS = (mark("options"), mark("positional arguments"))
_SAID = (
    (r"the following arguments are required: (?P<names>.*)", mark("these arguments are missing: {names}")),
    (r"unrecognized arguments: (?P<names>.*)", mark("unknown arguments: {names}")),
    (r"argument (?P<name>\S+): expected one argument", mark("{name} needs a value")),
    (r"argument (?P<name>\S+): expected at least one argument", mark("{name} needs at least one value")),
    (
        r"argument (?P<name>\S+): invalid choice: (?P<value>.*) \(choose from (?P<choices>.*)\)",
        mark("{name}: {value} is not among these: {choices}"),
    ),
    (
        r"argument (?P<name>\S+): invalid \S+ value: (?P<value>.*)",
        mark("{name}: {value} is of the wrong kind"),
    ),
    (
        r"argument (?P<name>\S+): not allowed with argument (?P<other>\S+)",
        mark("{name} does not go with {other}"),
    ),
)
"""What ``argparse`` says in English, and how we say it in other languages; the rest stays as it is."""


class WordedHelp(argparse.HelpFormatter):
    """Help with headings in the language in use."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """With our word for “usage”."""
        super().add_usage(usage, actions, groups, _("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        """With our words for “options” and the like."""
        super().start_section(_(heading) if heading in _HEADINGS else heading)


class WordedPlainHelp(WordedHelp, argparse.RawDescriptionHelpFormatter):
    """The same, with the lines of description and epilogue as they are."""


def wrong_arguments(said: str) -> str:
    """What is wrong with the arguments, from the English of ``argparse``."""
    if language() == "en":
        return said
    for pattern, ours in _SAID:
        if found := re.fullmatch(pattern, said):
            return _(ours).format(**found.groupdict())
    return said
