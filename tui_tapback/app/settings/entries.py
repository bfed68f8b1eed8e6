"""What the screen of the settings shows: an entry for each setting, in groups, searched; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Final

from tui_tapback.app.themes import available
from tui_tapback.client.gateway_settings import MESSAGE_REACTIONS, GatewaySettings
from tui_tapback.config.origins import Origin, Setting
from tui_tapback.config.secret import Secret
from tui_tapback.config.values import Value, literal
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import value as frozen
from tui_tapback.words import _, mark


class Kind(Enum):
    """How a setting is edited."""

    SWITCH = auto()
    CHOICE = auto()
    NUMBER = auto()
    TEXT = auto()
    LIST = auto()
    SECRET = auto()
    QUICK = auto()
    """The quick reactions, which have a screen of their own."""


@frozen
class Entry:
    """One line.

    ``value`` counts now (of a secret: the empty text), ``shown`` tells it to a person, ``origin`` where it
    comes from, ``waits`` what a change waits for (empty: it counts at once). ``changed``: it is not the
    default. ``shared``: the gateway keeps it, for all its clients.
    """

    key: str
    group: str
    kind: Kind
    value: Value
    shown: str
    default: str
    origin: str
    meaning: str
    expected: str
    choices: tuple[str, ...] = ()
    waits: str = ""
    changed: bool = False
    shared: bool = False

    def stepped(self, delta: int) -> Value | None:
        """The value of the next or previous choice; None where there is none to step through."""
        match self.kind:
            case Kind.SWITCH:
                return not self.value
            case Kind.CHOICE:
                place = self.choices.index(str(self.value)) if self.value in self.choices else -delta
                return self.choices[(place + delta) % len(self.choices)]
            case _:
                return None

    @property
    def typed(self) -> str:
        """The value as one types it."""
        match self.value:
            case tuple():
                plain = all("," not in item and item == item.strip() and item for item in self.value)
                if len(self.value) == 1 and " " in self.value[0]:
                    plain = False  # without a comma words are items
                return ", ".join(self.value) if plain else literal(self.value)
            case str():
                return self.value
            case _:
                return literal(self.value)


_GROUPS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("theme", "emoji_profile", "badge_marks", "reduced_motion", "mouse"), mark("Look and feel")
    ),
    **dict.fromkeys(("replay_last_frame", "language"), mark("Look and feel")),
    **dict.fromkeys(("quick_reactions", "skin_tone", "double_click", "approve_by_tapback"), mark("Tapbacks")),
    **dict.fromkeys(("plain", "plain_quiet", "plain_emoji"), mark("Plain mode")),
    "verbs": mark("What a tapback may offer"),
    "notifications": mark("Notifications"),
    "keys": mark("Keys"),
    "model": mark("Model"),
    "gateway": mark("Gateway of this machine"),
    "connections": mark("Connections"),
}
_ORDER: Final = tuple(dict.fromkeys(_GROUPS.values()))
OTHERS: Final = mark("More")
SHARED: Final = mark("At this gateway, for all its clients")
_WAITS: Final = {
    "restart": mark("Counts from the next start."),
    "gateway": mark("Counts when the gateway starts again."),
}


def kind_of(setting: Setting) -> Kind:
    """How it is edited."""
    base = setting.row.base
    if setting.key == "quick_reactions":
        return Kind.QUICK
    if setting.key == "theme" or setting.row.choices:
        return Kind.CHOICE
    kinds = {bool: Kind.SWITCH, float: Kind.NUMBER, int: Kind.NUMBER, Secret: Kind.SECRET, str: Kind.TEXT}
    return kinds.get(base, Kind.LIST)


def entry_of(setting: Setting) -> Entry:
    """The line of a setting of the file."""
    kind, row = kind_of(setting), setting.row
    table = setting.key.partition(".")[0]
    return Entry(
        key=setting.key,
        group=_GROUPS.get(table, OTHERS),
        kind=kind,
        value=setting.value,
        shown=_shown(kind, setting.value, given=setting.given),
        default=_shown(kind, "" if setting.secret else row.standard, given=False),
        origin=_origin(setting),
        meaning=row.meaning,
        expected=row.expected,
        choices=available() if setting.key == "theme" else row.choices,
        waits=_(_WAITS[needs]) if (needs := row.extra.get("needs")) else "",
        changed=setting.origin is not Origin.DEFAULT,
    )


def _shown(kind: Kind, value: Value, *, given: bool) -> str:
    match value:
        case bool():
            return _("on") if value else _("off")
        case tuple():
            return ", ".join(clean_line(item, 40) for item in value) or _("none")
        case str() if kind is Kind.SECRET:
            return _("set, not shown") if given else _("none")
        case str():
            return clean_line(value, 80) or _("none")
        case _:
            return literal(value)


def _origin(setting: Setting) -> str:
    match setting.origin:
        case Origin.DEFAULT:
            return _("default")
        case Origin.FILE:
            return _("file, line {line}").format(line=setting.line) if setting.line else _("file")
        case Origin.ENVIRONMENT:
            return _("environment: {name}").format(name=setting.by)
        case Origin.COMMAND_LINE:
            return _("command line: {name}").format(name=setting.by)


def shared_entries(shared: GatewaySettings) -> tuple[Entry, ...]:
    """The lines of what the gateway keeps, as far as it tells of it."""
    found: list[Entry] = []
    if shared.reactions is not None:
        meaning = _("Who may tap back: nobody, you, or you and the agent.")
        choices = ("off", "user", "both")
        found.append(_shared("reactions", Kind.CHOICE, shared.reactions, "both", meaning, *choices))
    elif shared.message_reactions is not None:
        meaning = _("Whether tapbacks reach the model.")
        found.append(_shared(MESSAGE_REACTIONS, Kind.SWITCH, shared.message_reactions, False, meaning))
    if shared.context_tokens is not None:
        meaning = _("Tokens to which a chat may grow before its old part is summed up; 0: without limit.")
        found.append(_shared("context_tokens", Kind.NUMBER, shared.context_tokens, None, meaning))
    return tuple(found)


def _shared(key: str, kind: Kind, now: Value, standard: Value | None, meaning: str, *choices: str) -> Entry:
    return Entry(
        key=key,
        group=SHARED,
        kind=kind,
        value=now,
        shown=_shown(kind, now, given=True),
        default="" if standard is None else _shown(kind, standard, given=True),
        origin=_("the gateway"),
        meaning=meaning,
        expected=_("a whole number, 0 or more") if kind is Kind.NUMBER else "",
        choices=choices,
        changed=standard is not None and now != standard,
        shared=True,
    )


def grouped(entries: Iterable[Entry], query: str = "") -> list[tuple[str, list[Entry]]]:
    """The entries that say all words of ``query`` in name, meaning, value or group, under their groups."""
    words = query.casefold().split()
    found: dict[str, list[Entry]] = {group: [] for group in (*_ORDER, SHARED, OTHERS)}
    for entry in entries:
        told = " ".join(
            (entry.key, entry.key.replace("_", " "), _(entry.meaning), entry.shown, _(entry.group))
        ).casefold()
        if all(word in told for word in words):
            found[entry.group].append(entry)
    return [(group, held) for group, held in found.items() if held]
