"""The settings: one struct that gives validation, defaults and the documentation table."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tui_tapback.domain.errors import NotAnEmoji, SettingsError
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.words import _, mark

from .connections import ConnectionSettings
from .folders import shown
from .keys import KeySettings
from .quick import Normalise, Warn, quick_reactions, reaction
from .reference import expectation
from .secret import Secret, secret_from_environ, secret_from_file
from .toml_lines import place_of, unknown_keys

EMOJI = {"emoji": True}
RESTART = {"needs": "restart"}
GATEWAY = {"needs": "gateway"}
"""What ``reference.Row.extra`` tells of a setting."""

Url = Annotated[
    str, Meta(pattern=r"^(https?://\S+)?$", title="an address that begins with http:// or https://")
]


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """``[model]``: who answers."""

    base_url: Annotated[
        Url,
        Meta(
            description="Address of an OpenAI-compatible endpoint; empty: look on this machine.",
            extra=GATEWAY,
        ),
    ] = ""
    model: Annotated[
        str,
        Meta(
            description="Name of the model; empty: the first that the endpoint offers; companion: a script; "
            "local: a small one on this machine (docs/models.md).",
            extra=GATEWAY,
        ),
    ] = ""
    api_key_env: Annotated[
        str, Meta(description="Environment variable that holds the key.", extra=GATEWAY)
    ] = ""
    api_key_file: Annotated[
        str, Meta(description="File (mode 0600) with the key on its first line.", extra=GATEWAY)
    ] = ""
    api_key: Annotated[
        Secret, Meta(description="The key itself; the two above are safer.", extra=GATEWAY)
    ] = Secret()
    local_file: Annotated[
        str,
        Meta(description='GGUF file for model = "local"; empty: the small one of the extra.', extra=GATEWAY),
    ] = ""
    local_python: Annotated[
        str,
        Meta(
            description='Python that has llama-cpp-python for model = "local"; empty: this one.',
            extra=GATEWAY,
        ),
    ] = ""
    discover: Annotated[
        bool, Meta(description="Look for local model servers when no address is set.", extra=GATEWAY)
    ] = True

    def key(self, environ: Mapping[str, str]) -> Secret:
        """The key from the variable, the file or the settings, in this order; may be empty.

        Raises SettingsError where the variable or file that is named gives nothing.
        """
        if self.api_key_env:
            return secret_from_environ(self.api_key_env, environ)
        if self.api_key_file:
            return secret_from_file(Path(self.api_key_file))
        return self.api_key


class GatewaySettings(msgspec.Struct, frozen=True, kw_only=True):
    """``[gateway]``: the embedded gateway."""

    idle_exit: Annotated[
        float,
        Meta(
            ge=0,
            description="Seconds after which it leaves when nobody is connected; 0: never.",
            extra=GATEWAY,
        ),
    ] = 60.0


class VerbSettings(msgspec.Struct, frozen=True, kw_only=True):
    """``[verbs]``: what a tapback may offer to do, after it was set; nothing is sent without a yes."""

    retry: Annotated[
        str,
        Meta(
            description='Emoji that offers to ask for another answer, for example "👎"; empty: none.',
            extra=EMOJI,
        ),
    ] = ""
    explain: Annotated[
        str, Meta(description='Emoji that offers to ask what it means, such as "❓".', extra=EMOJI)
    ] = ""
    shorten: Annotated[
        str,
        Meta(description='Emoji that offers to ask for a shorter version, such as "✂️".', extra=EMOJI),
    ] = ""
    pin: Annotated[
        str, Meta(description='Emoji that offers to pin the message, such as "📌".', extra=EMOJI)
    ] = ""

    def chosen(self) -> tuple[tuple[str, str], ...]:
        """Name and emoji of those that are set."""
        named = (
            ("retry", self.retry),
            ("explain", self.explain),
            ("shorten", self.shorten),
            ("pin", self.pin),
        )
        return tuple((name, emoji) for name, emoji in named if emoji)


class NotificationSettings(msgspec.Struct, frozen=True, kw_only=True):
    """``[notifications]``: what is told while the terminal has not the focus."""

    when: Annotated[
        Literal["unfocused", "never"],
        Meta(
            description="unfocused: answers, tapbacks, questions and failures while another window is used."
        ),
    ] = "unfocused"
    how: Annotated[
        Literal["auto", "osc9", "osc777", "osc99", "bell", "command"],
        Meta(description="auto asks the known terminals in their way and rings the bell elsewhere."),
    ] = "auto"
    command: Annotated[
        tuple[str, ...],
        Meta(
            description="Program and arguments, run without a shell; title and text follow as the last two."
        ),
    ] = ()


Language = Literal[
    "auto", "en", "de", "es", "fr", "hi", "it", "ja", "ko", "nl",
    "pl", "pt", "ru", "sv", "th", "tr", "uk", "vi", "zh", "zh-hant",
]  # fmt: skip
"""The codes of ``words.LANGUAGES``, or what the environment says."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """``settings.toml`` as a whole; a missing file means the defaults."""

    language: Annotated[
        Language,
        Meta(description="Language of the interface; auto follows the environment (LANG).", extra=RESTART),
    ] = "auto"
    theme: Annotated[
        str,
        Meta(
            description="auto (follows the terminal), light, dark, contrast (auto in high contrast), or the "
            "name of a theme."
        ),
    ] = "auto"
    emoji_profile: Annotated[
        Literal["auto", "colour", "full", "safe", "text", "ascii"],
        Meta(
            description="How emoji are drawn; auto asks the terminal, colour keeps ❤️ red there.",
            extra=RESTART,
        ),
    ] = "auto"
    badge_marks: Annotated[
        Literal["auto", "always"],
        Meta(
            description="Brackets that tell whose a badge is, [👍] yours and (👍) the agent's; auto: where "
            "colours cannot tell it."
        ),
    ] = "auto"
    reduced_motion: Annotated[bool, Meta(description="No pop of a new badge, no other motion.")] = False
    mouse: Annotated[
        bool,
        Meta(
            description="Take the mouse; false leaves selecting and scrolling to the terminal.", extra=RESTART
        ),
    ] = True
    replay_last_frame: Annotated[
        bool,
        Meta(
            description="Keep the last screen (mode 0600) and show it at once at the next start.",
            extra=RESTART,
        ),
    ] = True
    quick_reactions: Annotated[
        tuple[str, ...], Meta(description="The reactions on the keys 1 to 6, as emoji.", extra=EMOJI)
    ] = QUICK_REACTIONS
    skin_tone: Annotated[
        Literal["none", "light", "medium-light", "medium", "medium-dark", "dark"],
        Meta(description="Skin tone of emoji until another is chosen in the picker."),
    ] = "none"
    double_click: Annotated[
        str,
        Meta(description="Emoji that a double click sets at once; empty: it opens the pill.", extra=EMOJI),
    ] = ""
    approve_by_tapback: Annotated[
        bool, Meta(description="On the card of an approval the quick reactions 👍 and 👎 answer as well.")
    ] = False
    plain: Annotated[
        bool,
        Meta(description="Open the chat as plain lines for a screen reader, as --plain does.", extra=RESTART),
    ] = False
    plain_quiet: Annotated[
        bool, Meta(description="In plain mode: what happens waits until Enter is pressed.", extra=RESTART)
    ] = False
    plain_emoji: Annotated[
        Literal["both", "names"],
        Meta(description="In plain mode: emoji by name and as they are, or by name alone.", extra=RESTART),
    ] = "both"
    model: ModelSettings = ModelSettings()
    gateway: GatewaySettings = GatewaySettings()
    connections: dict[str, ConnectionSettings] = {}
    verbs: VerbSettings = VerbSettings()
    notifications: NotificationSettings = NotificationSettings()
    keys: KeySettings = KeySettings()


_FOUND = {
    "str": mark("text"),
    "bool": mark("true or false"),
    "array": mark("a list"),
    "object": mark("a table"),
    "int": mark("a number"),
    "float": mark("a number with a point"),
}


def load_settings(
    path: Path, *, warn: Warn = lambda text: None, normalise: Normalise | None = None
) -> Settings:
    """Read the settings file.

    What can be passed over (an unknown key, a reaction that is no emoji) goes to ``warn`` as a sentence;
    ``normalise`` (default: ours) turns text into one emoji or raises NotAnEmoji. Raises SettingsError with
    file, line, key and what was expected.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Settings()
    except UnicodeDecodeError as error:
        raise SettingsError(
            _("The settings file {path} is not UTF-8 text (byte {start}).").format(
                path=shown(path), start=error.start
            ),
            hint=_("Save it as UTF-8."),
        ) from error
    except OSError as error:
        raise SettingsError(
            _("The settings file {path} cannot be read: {reason}.").format(
                path=shown(path), reason=error.strerror or error
            ),
            hint=_("Check its permissions."),
        ) from error
    settings = parse_settings(text, shown(path), warn=warn, normalise=normalise)
    if settings.model.api_key and os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        warn(
            _("{path} holds a key and can be read by other users. Run: chmod 600 {path}").format(
                path=shown(path)
            )
        )
    return settings


def parse_settings(text: str, name: str, *, warn: Warn, normalise: Normalise | None = None) -> Settings:
    """``load_settings`` for text at hand; ``name`` stands in the sentences."""
    import tomllib

    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            _("The settings file {name} is not valid TOML: {error}.").format(
                name=name, error=clean_line(str(error), 200)
            ),
            hint=_("Correct that line."),
        ) from error
    for key, near in unknown_keys(raw, Settings):
        where = place_of(name, text, key)
        told = (
            _("{where}: the setting {key} is unknown; did you mean {near}?")
            if near
            else _("{where}: the setting {key} is unknown.")
        )
        warn(told.format(where=where, key=key, near=near))
    try:
        settings = msgspec.convert(raw, Settings, dec_hook=_decode)
    except msgspec.ValidationError as error:
        raise _explained(error, text, name) from error

    def warn_of(key: str, sentence: str) -> None:
        warn(f"{place_of(name, text, key)}: {key}: {sentence}")

    if settings.notifications.how == "command" and not settings.notifications.command:
        warn_of("notifications.how", _("no command is set, so the terminal is asked instead."))
    for problem in settings.keys.keymap(partial(place_of, name, text)).problems:
        warn(problem.told)
    return _with_emoji(settings, raw, warn_of, normalise or find_emoji)


def _explained(error: msgspec.ValidationError, text: str, name: str) -> SettingsError:
    """``Expected `bool`, got `str` - at `$.model.discover``` → a sentence with the line."""
    what, _at, at = str(error).partition(" - at `$.")
    key = at.rstrip("`").split("[", 1)[0]
    got = what.partition(", got ")[2].replace("`", "")
    found = _(", not {found}").format(found=_(_FOUND.get(got, got))) if got else ""
    return SettingsError(
        _("{where}: the setting {key} must be {expected}{found}.").format(
            where=place_of(name, text, key), key=key, expected=expectation(Settings, key), found=found
        ),
        hint=_("docs/settings.md lists what is allowed."),
    )


def _decode(kind: type, value: object) -> Any:
    if kind is Secret and isinstance(value, str):
        return Secret(value)
    # The value itself stays out of the sentence: it may be a key of the wrong type.
    raise TypeError(f"Expected `str`, got `{type(value).__name__}`")


def find_emoji(text: str) -> str:
    """The one form of an emoji, by a table that is loaded with the first call. Raises NotAnEmoji."""
    from tui_tapback.emoji.normalise import normalise

    return normalise(text)


def _with_emoji(
    settings: Settings, raw: Mapping[str, Any], warn: Callable[[str, str], None], normalise: Normalise
) -> Settings:
    """Check the emoji only where the person set some: the check needs a table that takes time to load."""
    quick, double = settings.quick_reactions, settings.double_click
    if "quick_reactions" in raw:
        quick = quick_reactions(quick, normalise, lambda sentence: warn("quick_reactions", sentence))
    if double:
        try:
            double = reaction(double, normalise)
        except NotAnEmoji:
            warn(
                "double_click",
                _("“{double}” is not one emoji, so it opens the pill.").format(double=clean_line(double, 20)),
            )
            double = ""
    verbs = _verbs(settings.verbs, warn, normalise)
    return msgspec.structs.replace(settings, quick_reactions=quick, double_click=double, verbs=verbs)


def _verbs(verbs: VerbSettings, warn: Callable[[str, str], None], normalise: Normalise) -> VerbSettings:
    """The same with emoji in their one form; what is none, or stands twice, means nothing."""
    found: dict[str, str] = {}
    for name, text in verbs.chosen():
        try:
            emoji = reaction(text, normalise)
        except NotAnEmoji:
            emoji = ""
            warn(
                f"verbs.{name}",
                _("“{text}” is not one emoji, so it offers nothing.").format(text=clean_line(text, 20)),
            )
        if emoji in found.values():
            warn(f"verbs.{name}", _("{emoji} stands for something else already.").format(emoji=emoji))
            emoji = ""
        if emoji:
            found[name] = emoji
    return VerbSettings(**found)
