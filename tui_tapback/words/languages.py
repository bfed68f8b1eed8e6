"""The languages of the interface, and which one a person wants by setting and environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

ENGLISH = "en"
AUTO = "auto"

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "en": "English",
        "de": "Deutsch",
        "es": "Español",
        "fr": "Français",
        "hi": "हिन्दी",
        "it": "Italiano",
        "ja": "日本語",
        "ko": "한국어",
        "nl": "Nederlands",
        "pl": "Polski",
        "pt": "Português",
        "ru": "Русский",
        "sv": "Svenska",
        "th": "ไทย",
        "tr": "Türkçe",
        "uk": "Українська",
        "vi": "Tiếng Việt",
        "zh": "简体中文",
        "zh-hant": "繁體中文",
    }
)
"""Code → name in the language itself; the same codes as the bundle of emoji names has."""

_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")
_NOT_A_LANGUAGE = ("", "c", "posix")


def choose(setting: str, environ: Mapping[str, str]) -> str:
    """The code of the language that is wanted: the setting, and for ``auto`` what the environment says.

    The first of LC_ALL, LC_MESSAGES and LANG that is set names the locale; where that is a language at all,
    LANGUAGE (a list, best first) comes before it, as for other programs. English where none is known.
    """
    if setting != AUTO:
        return known(setting) or ENGLISH
    return next((code for name in _wanted(environ) if (code := known(name))), ENGLISH)


def _wanted(environ: Mapping[str, str]) -> Iterator[str]:
    names = (environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "")
    if locale.partition(".")[0].lower() not in _NOT_A_LANGUAGE:
        yield from filter(None, environ.get("LANGUAGE", "").split(":"))
        yield locale


def known(locale: str) -> str:
    """The code of a locale's language (``pt_BR.UTF-8`` → ``pt``); empty where it is none of ours."""
    name = locale.partition(".")[0].partition("@")[0].replace("_", "-").lower()
    if name.startswith(_TRADITIONAL):
        return "zh-hant"
    code = name.partition("-")[0]
    return code if code in LANGUAGES else ""
