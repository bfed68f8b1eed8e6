"""Gathers what ``doctor`` tells: terminal, gateway, model, folders and versions, without any secret."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tui_tapback import __version__
from tui_tapback.client.ports import Connector
from tui_tapback.client.transport import NobodyListens
from tui_tapback.config.paths import Paths
from tui_tapback.config.settings import Settings, load_settings
from tui_tapback.domain.errors import LinkDown, SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.gateway.agent.discovery import LOCAL_SERVERS, LocalServer, find_local_endpoint
from tui_tapback.gateway.agent.endpoint import wanted_endpoint, wants_companion
from tui_tapback.words import _, mark

PATIENCE: Final = 3.0
"""Seconds that a gateway or the host of a model is given."""
_LIBRARIES: Final = ("textual", "rich", "wcwidth", "emoji", "websockets", "msgspec", "openai")
_COMPANION: Final = mark("The offline companion answers")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``well`` is None where it is neither good nor bad."""

    what: str
    told: str
    well: bool | None = None


def versions() -> dict[str, str]:
    """Of the program, Python, the system and the libraries that matter on a screen and on a wire."""
    told = {
        "tui-tapback": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }
    for name in _LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            told[name] = metadata.version(name)
    return told


def colours(environ: Mapping[str, str]) -> str:
    """How many colours the environment promises, in words."""
    if environ.get("NO_COLOR"):
        return _("none (NO_COLOR is set)")
    term = environ.get("TERM", "")
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "16 million (COLORTERM)"
    if "256color" in term:
        return "256 (TERM)"
    return "none (TERM)" if term in ("", "dumb") or term.startswith("vt") else "16"


def swallowed_keys(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Keys of the chat that the host is known to keep for itself; each has a second way (docs/keys.md)."""
    told: list[str] = []
    if environ.get("TMUX"):
        told.append(_("tmux keeps its prefix, Ctrl+B unless it was changed."))
    if environ.get("STY"):
        told.append(_("screen keeps Ctrl+A unless that was changed."))
    if environ.get("TERM_PROGRAM") == "vscode":
        told.append(_("VS Code keeps Ctrl+P, Ctrl+N, Ctrl+R, F1 and F3 while its own shortcuts go first."))
    if environ.get("VTE_VERSION"):
        told.append(_("GNOME Terminal keeps F1, F10 and F11; its preferences can give them back."))
    if "web_driver" in environ.get("TEXTUAL_DRIVER", ""):
        told.append(_("The browser keeps Ctrl+N, Ctrl+T and Ctrl+W."))
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        told.append(_("Terminal sends no Alt+letter unless “Use Option as Meta key” is on."))
    return tuple(told)


def short(path: Path, environ: Mapping[str, str]) -> str:
    """The path for a report: the home folder, whose name is a person's, is ``~``."""
    text, home = str(path), environ.get("HOME", "").rstrip("/")
    if home and (text == home or text.startswith(home + "/")):
        text = "~" + text[len(home) :]
    return clean_line(text, 300)


def settings_of(paths: Paths, environ: Mapping[str, str]) -> tuple[Settings, list[Finding]]:
    """The settings, or the defaults where the file cannot be used, and what is wrong with it."""
    where = short(paths.settings_file, environ)
    warnings: list[str] = []
    try:
        settings = load_settings(paths.settings_file, warn=warnings.append)
    except SettingsError as error:
        return Settings(), [Finding("settings", error.sentence(), well=False)]
    state = "" if paths.settings_file.exists() else _(" (none, the defaults are used)")
    return settings, [
        Finding("settings", where + state, well=True),
        *(Finding("settings", warning, well=False) for warning in warnings),
    ]


def folders(paths: Paths, environ: Mapping[str, str]) -> list[Finding]:
    """Where the data lies, whether it can be written, and how much it is."""
    found: list[Finding] = []
    for name, path in (("data", paths.data), ("logs", paths.logs), ("runtime", paths.runtime)):
        if not path.is_dir():
            found.append(Finding(name, _("{short} (not there yet)").format(short=short(path, environ))))
        elif os.access(path, os.W_OK | os.X_OK):
            found.append(Finding(name, short(path, environ), well=True))
        else:
            found.append(
                Finding(name, _("{short} cannot be written.").format(short=short(path, environ)), well=False)
            )
    with suppress(OSError):
        size = paths.database.stat().st_size
        found.append(Finding("database", f"{size / 1024:,.0f} kB", well=True))
    return found


async def gateway(connect: Connector, place: str, *, own: bool) -> Finding:
    """Whether a gateway answers; none is started. ``place`` is what may be shown of its address.

    That our ``own`` is not running is no fault: the chat starts it.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            transport = await connect()
        await transport.close()
    except TimeoutError:
        return Finding(
            "gateway", _("The gateway at {place} did not answer in time.").format(place=place), well=False
        )
    except NobodyListens as error:
        if own:
            return Finding("gateway", _("Not running (the chat starts it, at {place}).").format(place=place))
        return Finding("gateway", error.sentence(), well=False)
    except LinkDown as error:
        return Finding("gateway", error.sentence(), well=False)
    return Finding("gateway", _("A gateway answers at {place}.").format(place=place), well=True)


async def model(
    settings: Settings, environ: Mapping[str, str], servers: Sequence[LocalServer] = LOCAL_SERVERS
) -> Finding:
    """Who would answer, and whether the way there is open. Nothing is asked of a model, no key is sent."""
    try:
        if wants_companion(settings.model, environ):
            return Finding("model", _("{companion}, as ordered.").format(companion=_(_COMPANION)), well=True)
        endpoint = wanted_endpoint(settings.model, environ)
    except SettingsError as error:
        return Finding("model", error.sentence(), well=False)
    if endpoint is not None:
        key = _("with a key") if endpoint.key else _("without a key")
        name = clean_line(endpoint.model, 80) or _("its first model")
        why = await _unreachable(endpoint.base_url)
        told = _("{model} at {place}, {key}: {state}.").format(
            model=name, place=endpoint.shown, key=key, state=why or _("reachable")
        )
        return Finding("model", told, well=not why)
    if settings.model.discover:
        found = await find_local_endpoint(servers, wanted=settings.model.model.strip())
        if found is not None:
            return Finding(
                "model",
                _("{model} at {shown}, found here.").format(
                    model=clean_line(found.model, 80), shown=found.shown
                ),
                well=True,
            )
        names = ", ".join(server.name for server in servers)
        return Finding(
            "model",
            _("{companion}: no model is set, and none was found here ({names}).").format(
                companion=_(_COMPANION), names=names
            ),
        )
    return Finding(
        "model",
        _("{companion}: no model is set, and looking for one is switched off.").format(
            companion=_(_COMPANION)
        ),
    )


async def _unreachable(url: str) -> str:
    """Why no connection to the host of ``url`` can be made; empty if one can."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        async with asyncio.timeout(PATIENCE):
            _reader, writer = await asyncio.open_connection(parts.hostname or "", port)
    except TimeoutError:
        return _("no answer in time")
    except (OSError, ValueError) as error:
        number = error.errno if isinstance(error, OSError) else None
        # asyncio's own words name address and port once more.
        told = os.strerror(number) if number and number > 0 else getattr(error, "strerror", None)
        return clean_line(told or _("the address cannot be used"), 120)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return ""
