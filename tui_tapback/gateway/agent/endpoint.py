"""Which endpoint the settings and the environment ask for, and how its address is shown."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from tui_tapback.config.secret import Secret
from tui_tapback.config.settings import ModelSettings
from tui_tapback.domain.errors import ModelUnreachable
from tui_tapback.domain.text import clean_line

OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_OPENAI_MODEL = "gpt-5.4-mini"
"""The model where there is a key for OpenAI and nothing else was said."""
COMPANION_WORD = "companion"
"""As the name of a model it asks for the offline companion, whatever else is set."""
LOCAL_WORD = "local"
"""As the name of a model it asks for the one that runs on this machine without a server."""
LOCAL_URL = "local:"
"""Stands for the address of that model."""
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint; with an empty ``model`` the first one that it offers is taken."""

    base_url: str
    key: Secret = field(default_factory=Secret)
    model: str = ""

    @property
    def shown(self) -> str:
        """The address for people: without a password in it, clean."""
        try:
            parts = urlsplit(self.base_url)
            address = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
        except ValueError:
            address = self.base_url.rpartition("@")[2]
        return clean_line(address, _SHOWN)

    @property
    def plain_loopback(self) -> bool:
        """Whether it is on this machine and without TLS, as local model servers are."""
        parts = _split(self)
        host = parts.hostname or ""
        if parts.scheme != "http":
            return False
        if host == "localhost" or host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False

    def check(self) -> None:
        """Raises ModelUnreachable where nothing can stand at such an address."""
        parts = _split(self)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise _no_address(self)


def _split(endpoint: Endpoint) -> SplitResult:
    try:
        parts = urlsplit(endpoint.base_url)
        _ = parts.port
    except ValueError:
        raise _no_address(endpoint) from None
    return parts


def _no_address(endpoint: Endpoint) -> ModelUnreachable:
    return ModelUnreachable(
        f"“{endpoint.shown}” is not an address of a model server.",
        hint="OPENAI_BASE_URL must look like http://127.0.0.1:11434/v1.",
    )


def wants_companion(settings: ModelSettings, environ: Mapping[str, str]) -> bool:
    """Whether the offline companion was asked for by name."""
    return _named(settings, environ) == COMPANION_WORD


def wants_local(settings: ModelSettings, environ: Mapping[str, str]) -> bool:
    """Whether the model without a server was asked for by name."""
    return _named(settings, environ) == LOCAL_WORD


def _named(settings: ModelSettings, environ: Mapping[str, str]) -> str:
    return (environ.get("OPENAI_MODEL", "").strip() or settings.model.strip()).lower()


def wanted_endpoint(settings: ModelSettings, environ: Mapping[str, str]) -> Endpoint | None:
    """The endpoint that was asked for, or None.

    ``OPENAI_BASE_URL``, ``OPENAI_API_KEY`` and ``OPENAI_MODEL`` go before the settings; a key alone means
    OpenAI itself. A key goes only to the address it came with: the environment's is not sent to an address
    from the settings, nor the other way round. Raises SettingsError for a key that cannot be read.
    """
    url, key, model = (
        environ.get(name, "").strip() for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL")
    )
    model = model or settings.model.strip()
    if url:
        same = settings.base_url in ("", url)
        return Endpoint(url, Secret(key) if key or not same else settings.key(environ), model)
    if settings.base_url:
        return Endpoint(settings.base_url, settings.key(environ), model)
    secret = Secret(key) if key else settings.key(environ)
    return Endpoint(OPENAI_URL, secret, model or DEFAULT_OPENAI_MODEL) if secret else None
