"""``tui-tapback doctor``: what terminal, gateway, model and folders are like, for a person or as JSON."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

from rich.cells import cell_len

from tui_tapback.client.keyring_store import kept_logins
from tui_tapback.client.transport import unix_connector
from tui_tapback.config.paths import Paths
from tui_tapback.config.settings import Settings
from tui_tapback.domain.errors import SettingsError
from tui_tapback.terminal.background import answers_colour
from tui_tapback.terminal.background_cache import BACKGROUNDS, BackgroundCache
from tui_tapback.terminal.cache import FILE_NAME, Known, ProbeCache, identity
from tui_tapback.terminal.choice import Choice, choose_profile, reason_not_to_ask
from tui_tapback.terminal.driver import Answer, Inquiry
from tui_tapback.terminal.graphemes import wrap
from tui_tapback.words import LANGUAGES, _, language, mark

from . import doctor_facts as facts
from .doctor_background import Background, background_of
from .doctor_card import card, quick_line, two_cells
from .doctor_facts import Finding
from .gateways import connector_of, named
from .output import say, say_json

PATIENCE: Final = 2.0
"""Seconds that the terminal is given here, where nobody waits for a first picture."""
_BOXES: Final = tuple("┌│└+|")
_MARKS: Final = {True: "ok", False: "!!", None: "--"}


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was found. ``asked`` is None where the terminal was not asked."""

    choice: Choice
    asked: Answer | None
    background: Background
    findings: tuple[Finding, ...]
    environ: Mapping[str, str]

    @property
    def well(self) -> bool:
        """Whether nothing is wrong."""
        return all(finding.well is not False for finding in self.findings)


def doctor(options: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> int:
    """Look at everything and print it; returns 0, or 1 where something is wrong."""
    report = examine(options, environ)
    if options.json:
        say_json(as_json(report))
    else:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
        for line in as_text(report):
            for row in wrapped(line, width):
                say(row)
        if sys.stdout.isatty() and not facts.colours(environ).startswith("none"):
            sys.stdout.write(_colour_row() + "\n")
    return 0 if report.well else 1


def examine(options: argparse.Namespace, environ: Mapping[str, str]) -> Report:
    """Gather all facts. Settings and folders that cannot be used are findings, not errors."""
    paths = Paths.from_environ(environ)
    findings: list[Finding] = []
    try:
        paths.prepare()
    except SettingsError as error:
        findings.append(Finding("folders", error.sentence(), well=False))
    settings, told = facts.settings_of(paths, environ)
    findings += told
    cache = ProbeCache(paths.data / FILE_NAME)
    answer = _ask(environ)
    asked = answer if reason_not_to_ask(environ) is None else None
    backgrounds = BackgroundCache(paths.data / BACKGROUNDS)
    with suppress(OSError):  # a folder that takes nothing is a finding of its own
        if asked is not None:
            cache.keep(environ, asked.result)
        if answer is not None and answer.dark is not None:
            backgrounds.keep(environ, dark=answer.dark)
    known = cache.find(environ)
    background = background_of(
        answer,
        backgrounds.find(environ),
        getattr(options, "theme", None) or settings.theme,
        environ,
        tells=known is not None and known.result.tells,
    )
    ordered = getattr(options, "emoji_profile", None) or settings.emoji_profile
    choice = _choose(environ, ordered, known, asked, findings)
    findings += facts.folders(paths, environ)
    findings += asyncio.run(_reach(options, settings, paths, environ))
    return Report(choice, asked, background, tuple(findings), environ)


def _choose(
    environ: Mapping[str, str],
    ordered: str,
    known: Known | None,
    asked: Answer | None,
    findings: list[Finding],
) -> Choice:
    try:
        return choose_profile(environ, ordered, known, asked.result if asked else None)
    except SettingsError as error:
        findings.append(Finding("emoji", error.sentence(), well=False))
        rest = {name: value for name, value in environ.items() if name != "TUI_TAPBACK_EMOJI"}
        return choose_profile(rest, "auto", known, asked.result if asked else None)


def _ask(environ: Mapping[str, str]) -> Answer | None:
    widths = reason_not_to_ask(environ) is None
    if not (widths or answers_colour(environ)) or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    with Inquiry(widths=widths, deadline=PATIENCE) as inquiry:
        return inquiry.answer(PATIENCE)


async def _reach(
    options: argparse.Namespace, settings: Settings, paths: Paths, environ: Mapping[str, str]
) -> list[Finding]:
    return list(
        await asyncio.gather(_gateway(options, settings, paths, environ), facts.model(settings, environ))
    )


async def _gateway(
    options: argparse.Namespace, settings: Settings, paths: Paths, environ: Mapping[str, str]
) -> Finding:
    url: str | None = getattr(options, "connect", None)
    if not url:
        place = facts.short(paths.socket_path, environ)
        return await facts.gateway(unix_connector(paths.socket_path), place, own=True)
    try:
        connect = connector_of(named(url, settings.connections), environ, kept_logins(paths.data / "logins"))
    except SettingsError as error:
        return Finding("gateway", error.sentence(), well=False)
    return await facts.gateway(connect, getattr(connect, "place", _("the given address")), own=False)


def as_json(report: Report) -> dict[str, Any]:
    """The report for a bug report: no secrets, no address of a person, no name of a home folder."""
    asked = report.asked
    return {
        "versions": facts.versions(),
        "terminal": {
            "environment": identity(report.environ),
            "colours": facts.colours(report.environ),
            "background": report.background.as_json(),
            "asked": None
            if asked is None
            else {
                "outcome": asked.result.outcome,
                "mode_2027": asked.result.mode2027,
                "ms": round(asked.seconds * 1000, 1),
                "cells": asked.result.by_class(),
            },
            "profile": asdict(report.choice.profile),
            "why": report.choice.why,
            "swallowed_keys": list(facts.swallowed_keys(report.environ)),
        },
        "findings": [asdict(finding) for finding in report.findings],
        "well": report.well,
    }


_ABOUT: Final = (
    *(mark("settings"), mark("data"), mark("logs"), mark("runtime"), mark("database")),
    *(mark("gateway"), mark("model")),
)
"""What findings are about, as ``Finding.what`` names it."""


def _spoken() -> str:
    """The language of the interface, and that it is only wanted where nothing of it is translated."""
    name = LANGUAGES[language()]
    if language() != "en" and _("Send") == "Send":
        return _("language: {language}, not translated yet").format(language=name)
    return _("language: {language}").format(language=name)


def as_text(report: Report) -> Iterator[str]:
    """The report for a person, with the card to be judged at a glance."""
    yield "  ".join(f"{name} {version}" for name, version in facts.versions().items())
    yield ""
    yield _("Terminal")
    told = " ".join(f"{name}={value}" for name, value in identity(report.environ).items())
    yield f"  {told or _('says nothing of itself')}"
    yield "  " + _("colours: {colours}").format(colours=facts.colours(report.environ))
    for sentence in report.background.sentences:
        yield f"  {sentence}"
    yield "  " + _spoken()
    if report.asked is not None:
        result = report.asked.result
        took = f"{report.asked.seconds * 1000:.0f} ms"
        yield "  " + _("asked about widths: {outcome} after {time}; mode 2027: {mode}").format(
            outcome=result.outcome, time=took, mode=result.mode2027
        )
    profile = report.choice.profile
    yield "  " + _("emoji profile: {name}. {why}").format(name=profile.name, why=report.choice.why)
    yield "  " + _("two cells: {classes}").format(classes=", ".join(two_cells(profile)) or _("nothing"))
    yield "  " + _("newest emoji: Unicode {version}; quick reactions: {quick}").format(
        version=profile.unicode, quick=quick_line(profile)
    )
    for sentence in facts.swallowed_keys(report.environ):
        yield f"  {sentence}"
    yield _("  tui-tapback doctor --keys tries which keys arrive.")
    yield ""
    yield _("Test card: the right border of the left box must be straight.")
    for line in card(profile):
        yield f"  {line}"
    yield ""
    yield _("Everything else")
    for finding in report.findings:
        yield f"  {_MARKS[finding.well]} {_(finding.what)}: {finding.told}"


def wrapped(line: str, width: int) -> list[str]:
    """``line`` in rows of at most ``width`` cells (0: as it is); what goes on stands further in."""
    words = line.lstrip(" ")
    if not width or cell_len(line) <= width or words[:1] in _BOXES:
        return [line]
    indent = len(line) - len(words)
    further = indent + 4
    first, *rest = wrap(words, max(12, width - further))
    return [" " * indent + first, *(" " * further + row.lstrip(" ") for row in rest)]


def _colour_row() -> str:
    basic = "".join(f"\x1b[4{number}m  " for number in range(8))
    fine = "".join(f"\x1b[48;2;{red};80;{255 - red}m " for red in range(0, 256, 16))
    told = _("16 colours {basic}  16 million {fine} (a smooth run)")
    return "  " + told.format(basic=f"{basic}\x1b[0m", fine=f"{fine}\x1b[0m")
