"""Decides how emoji are drawn and says why: what was ordered, what the terminal answered, now or earlier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tui_tapback.domain.values import value
from tui_tapback.terminal.cache import Known
from tui_tapback.terminal.probe import ProbeResult, measured_profile, pinnable
from tui_tapback.terminal.profile import (
    WidthProfile,
    detect_profile,
    in_browser,
    in_multiplexer,
    ordered_profile,
    speaks_utf8,
    wants_colour,
)
from tui_tapback.words import _, mark

_NOT_ANSWERED: Final[Mapping[str, str]] = {
    "silent": mark("The terminal gave no answer, so what all terminals draw alike is used."),
    "partial": mark("The terminal answered only in part, so what all terminals draw alike is used."),
    "garbled": mark("The terminal's answers made no sense, so what all terminals draw alike is used."),
}
_NOT_ASKED: Final = mark("The terminal has not been asked yet, so what all terminals draw alike is used.")


@value
class Choice:
    """The profile to draw with, and a sentence that says why it is this one."""

    profile: WidthProfile
    why: str


def choose_profile(
    environ: Mapping[str, str],
    override: str = "auto",
    known: Known | None = None,
    probed: ProbeResult | None = None,
) -> Choice:
    """What was ordered; else what a terminal that must not be asked can do; else what it answered.

    ``known`` is an answer kept from before, ``probed`` one of just now, which wins if it is complete. Raises
    ``SettingsError`` for an ``override`` that is no profile.
    """
    ordered = ordered_profile(environ, override)
    if ordered is not None:
        profile, source = ordered
        return Choice(
            profile, _("The profile {name} is ordered by {source}.").format(name=profile.name, source=source)
        )
    reason = reason_not_to_ask(environ)
    if reason is not None:
        return Choice(detect_profile(environ), reason)
    colour = wants_colour(environ, override)
    if probed is not None and (profile := _drawn(probed, colour)) is not None:
        return Choice(profile, _("The terminal was asked just now."))
    if known is not None and (profile := _drawn(known.result, colour)) is not None:
        return Choice(profile, _("The terminal was asked at an earlier start."))
    last = probed or (known.result if known else None)
    return Choice(detect_profile(environ), _(_NOT_ANSWERED[last.outcome] if last else _NOT_ASKED))


def _drawn(result: ProbeResult, colour: bool) -> WidthProfile | None:
    profile = measured_profile(result)
    if profile is None or not profile.wide:
        return profile
    return replace(profile, pinned=colour and pinnable(result))


def reason_not_to_ask(environ: Mapping[str, str]) -> str | None:
    """A sentence, where the terminal cannot or must not be asked; ``None`` where it may be."""
    term = environ.get("TERM", "")
    if not speaks_utf8(environ):
        return _("The locale is not a UTF-8 one, so only ASCII is drawn.")
    if term in ("", "dumb", "linux") or term.startswith("vt"):
        return _("A terminal of the kind {term!r} has no emoji, so it is not asked.").format(
            term=term or "unknown"
        )
    if in_browser(environ):
        return _("The screen goes to a browser, whose widths are known and which cannot be asked.")
    if in_multiplexer(environ):
        return _("A multiplexer would tell its own opinion, not what the terminal outside of it draws.")
    return None


def worth_asking(environ: Mapping[str, str], override: str, known: Known | None) -> bool:
    """Whether the terminal should be asked now: nothing forbids it and there is no fresh answer."""
    if ordered_profile(environ, override) is not None or reason_not_to_ask(environ) is not None:
        return False
    return known is None or known.stale
