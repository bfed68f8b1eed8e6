"""Resolves a preset and a person's own keys into a keymap without conflicts, and tells of each it met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.text import clean_line
from tui_tapback.words import _

from .action import Action, Group
from .chords import Chord, doubtful, is_text, parse_chord, split_chords
from .contexts import ESSENTIAL, IDS, OWN, TYPING, Context, borrowed, mappable, own, shared
from .keymap import Keymap, Problem
from .presets import PRESETS, PresetName
from .showing import show_key, show_keys
from .table import ACTIONS, action

_TYPED_GROUPS: Final = frozenset(group for context in TYPING for group in OWN[context])


def resolve(preset: PresetName = "default", own_keys: Mapping[str, str] | None = None) -> Keymap:
    """The keymap of a preset with a person's own keys over it, as ``[keys.map]`` has them.

    Never raises: what cannot be is left out and told of in ``problems``.
    """
    base = _base(preset)
    return _Resolving(preset, base).resolve(own_keys) if own_keys else _of_preset(preset)


@cache
def _of_preset(preset: PresetName) -> Keymap:
    """A preset alone has no conflicts (tests look for them), so its tables are put together at once."""
    base = _base(preset)
    tables = {
        context: MappingProxyType(
            {
                chord: item
                for item in (*borrowed(context), *shared(context), *own(context))
                for chord in base[item.id]
                if not (context in TYPING and is_text(chord[0]))
            }
        )
        for context in Context
    }
    return Keymap(preset, base, MappingProxyType(tables))


@cache
def _base(preset: PresetName) -> Mapping[str, tuple[Chord, ...]]:
    changed = PRESETS[preset]
    return MappingProxyType(
        {
            item.id: tuple(map(parse_chord, split_chords(changed[item.id])))
            if item.id in changed
            else tuple((key,) for key in item.keys)
            for item in ACTIONS
        }
    )


def standard() -> Keymap:
    """The default keymap."""
    return _of_preset("default")


def named(item: Action) -> str:
    """The action in a sentence: title and id."""
    return f"{_('“{text}”').format(text=_(item.title))} ({item.id})"


def chord_shown(chord: Chord) -> str:
    """``Ctrl+X Ctrl+C``."""
    return " ".join(map(show_key, chord))


def _clash(one: Chord, other: Chord) -> bool:
    """Whether both cannot be told apart: the same keys, or one begins the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


@dataclass
class _Resolving:
    """One run; ``wanted`` are the keys that each action asks for, ``mine`` the ids a person named."""

    preset: PresetName
    base: Mapping[str, tuple[Chord, ...]]
    wanted: dict[str, tuple[Chord, ...]] = field(default_factory=dict[str, tuple[Chord, ...]])
    mine: list[str] = field(default_factory=list[str])
    problems: list[Problem] = field(default_factory=list[Problem])

    def resolve(self, own_keys: Mapping[str, str]) -> Keymap:
        """Read, keep what is essential, then hand each key to one action in every place."""
        self.wanted = dict(self.base)
        for action_id, text in own_keys.items():
            self._read(action_id, text)
        self._keep_essential()
        tables = {context: self._table(context) for context in Context}
        held = set[tuple[Chord, str]]()
        for context, table in tables.items():
            guests = borrowed(context)  # where an action is only a guest a key is no way to it
            held.update((chord, item.id) for chord, item in table.items() if item not in guests)
        chords = {
            item.id: tuple(chord for chord in self.wanted[item.id] if (chord, item.id) in held)
            for item in ACTIONS
        }
        return Keymap(
            self.preset,
            MappingProxyType(chords),
            MappingProxyType({context: MappingProxyType(table) for context, table in tables.items()}),
            tuple(dict.fromkeys(self.problems)),
        )

    # what a person wrote

    def _read(self, action_id: str, text: str) -> None:
        if action_id not in IDS:
            import difflib

            near = difflib.get_close_matches(action_id, IDS, 1)
            hint = _(" Did you mean {name}?").format(name=near[0]) if near else ""
            told = clean_line(action_id, 40)
            self._refuse(action_id, _("There is no action “{name}”.").format(name=told) + hint)
            return
        item = action(action_id)
        if not mappable(item):
            self._refuse(
                action_id,
                _("{action} needs words behind it, so no key can run it; type {typed}.").format(
                    action=named(item), typed=item.slash or _("what you want")
                ),
            )
            return
        self.mine.append(action_id)
        parts = split_chords(clean_line(text, 200))
        chords: list[Chord] = []
        for chord in dict.fromkeys(self._readable(item, parts)):
            if any(_clash(chord, other) for other in chords):
                told = _("{action} cannot have {keys} beside a key that begins it.")
                self._refuse(item.id, told.format(action=named(item), keys=chord_shown(chord)))
            else:
                chords.append(chord)
        if parts and not chords:
            self.mine.remove(action_id)  # nothing of it can be, so all stays as it was
        else:
            self.wanted[action_id] = tuple(chords)

    def _readable(self, item: Action, parts: tuple[str, ...]) -> Iterator[Chord]:
        for part in parts:
            try:
                chord = parse_chord(part)
            except InvalidInput as error:
                self._refuse(item.id, f"{named(item)}: {error}")
                continue
            begin = chord[0]
            if item.group in _TYPED_GROUPS and is_text(begin):
                told = _("{key} is text where {action} works, so it cannot be its key.")
                self._refuse(item.id, told.format(key=show_key(begin), action=named(item)))
                continue
            if "escape" in chord and len(chord) > 1:
                told = _("{key} cannot be one of two keys: {action} would hide the way back.")
                self._refuse(item.id, told.format(key="Esc", action=named(item)))
                continue
            for key in filter(doubtful, chord):
                told = _("Many terminals do not send {key} as a key of its own; {action} may never hear it.")
                self._tell("doubtful", item, told.format(key=show_key(key), action=named(item)))
            yield chord

    # what must stay

    def _keep_essential(self) -> None:
        """All of them go back to the preset's keys where any of them would be left without a way."""
        if set(ESSENTIAL).isdisjoint(self.mine):
            return
        seen: list[Chord] = []
        for action_id in ESSENTIAL:
            usable = [
                chord
                for chord in self.wanted[action_id]
                if not is_text(chord[0]) and not any(_clash(chord, other) for other in seen)
            ]
            if not usable:
                kept = [action(each) for each in ESSENTIAL if each in self.mine]
                for item in kept:
                    self.wanted[item.id] = self.base[item.id]
                    self.mine.remove(item.id)
                told = _("{action} would have no key that works everywhere; {kept} keep theirs.")
                names = ", ".join(map(named, kept))
                for item in kept:
                    self._refuse(item.id, told.format(action=named(action(action_id)), kept=names))
                return
            seen += self.wanted[action_id]

    # who gets a key

    def _table(self, context: Context) -> dict[Chord, Action]:
        """What each chord means in one place: the essential first, then a person's own, then the rest."""
        guests = borrowed(context)
        table: dict[Chord, Action] = {}
        for item in self._in_turn((*shared(context), *own(context)), guests):
            for chord in self.wanted[item.id]:
                if context in TYPING and is_text(chord[0]):
                    continue
                holders = [(keys, holder) for keys, holder in table.items() if _clash(keys, chord)]
                rival = next(
                    (holder for _keys, holder in holders if not self._give_way(item, holder, chord)), None
                )
                if rival is None:
                    for keys, _holder in holders:
                        del table[keys]
                    table[chord] = item
                elif rival != item and item not in guests:
                    self._lost(item, rival, chord, context)
        return table

    def _in_turn(self, items: tuple[Action, ...], guests: tuple[Action, ...]) -> list[Action]:
        order = {action_id: place for place, action_id in enumerate((*ESSENTIAL, *self.mine))}
        reserved = len(order)

        def turn(item: Action) -> tuple[int, int]:
            if item.id in ESSENTIAL:
                return (0, ESSENTIAL.index(item.id))
            if item in guests:
                return (4, 0)
            if item.priority and item.id not in self.mine:
                return (1, 0)  # reserved: no other place may take its keys
            if item.id in self.mine:
                return (2, order[item.id])
            return (3, reserved)

        return sorted((*items, *guests), key=turn)

    def _give_way(self, item: Action, holder: Action, chord: Chord) -> bool:
        """Whether ``holder``, which works everywhere, leaves the key to ``item`` in its own place.

        So it is where the preset itself has the key for both: Esc goes back everywhere, and closes the pill
        in the pill.
        """
        return (
            holder.group is Group.EVERYWHERE
            and item.group is not Group.EVERYWHERE
            and item.id not in self.mine
            and holder.id not in self.mine
            and chord in self.base[item.id]
            and chord in self.base[holder.id]
        )

    def _lost(self, item: Action, rival: Action, chord: Chord, context: Context) -> None:
        if item.id not in self.mine and rival.id not in self.mine:
            return  # a preset's own doing, and a test looks at these
        keys = chord_shown(chord)
        if item.id in self.mine:
            told = _("{keys} belongs to {rival}, so {action} cannot have it.")
            self._refuse(item.id, told.format(keys=keys, rival=named(rival), action=named(item)), rival)
            return
        told = _("{keys} means {rival} now, no longer {action} ({place}).")
        place = show_place(context)
        sentence = told.format(keys=keys, rival=named(rival), action=named(item), place=place)
        self._tell("taken", rival, sentence, item)

    def _refuse(self, action_id: str, sentence: str, other: Action | None = None) -> None:
        self.problems.append(Problem("refused", action_id, sentence, other.id if other else ""))

    def _tell(self, kind: str, item: Action, sentence: str, other: Action | None = None) -> None:
        taken = kind == "taken"
        self.problems.append(
            Problem("taken" if taken else "doubtful", item.id, sentence, other.id if other else "")
        )


def show_place(context: Context) -> str:
    """The place in the words of the tables."""
    groups = OWN[context]
    if not groups:
        return _("where a line is typed")
    place = _(groups[0].value)
    return place[:1].lower() + place[1:]


def keys_shown(keymap: Keymap, actions: tuple[Action, ...]) -> str:
    """The keys of several actions that are shown as one line."""
    return show_keys(tuple(key for item in actions for key in keymap.keys(item.id)))
