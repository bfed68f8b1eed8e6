"""The keymap in use: for each place what every key means, made from a preset and a person's own changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from tui_tapback.domain.values import value
from tui_tapback.words import _

from .action import Action
from .chords import Chord, is_text
from .contexts import TYPING, Context
from .presets import PresetName
from .showing import show_keys
from .table import ACTIONS, action


@value
class Problem:
    """What is wrong with a person's keys, as whole sentences; ``action`` is the one that was to have them.

    ``refused`` keys mean nothing new, ``taken`` ones were taken from ``other``, ``doubtful`` ones hold but
    may never arrive. ``line`` is that of the settings file, once somebody who has the file has found it.
    """

    kind: Literal["refused", "taken", "doubtful"]
    action: str
    sentence: str
    other: str = ""
    where: str = ""

    @property
    def told(self) -> str:
        """The sentence with the place in the settings file before it."""
        return f"{self.where}: {self.sentence}" if self.where else self.sentence


@value
class Keymap:
    """``chords`` are the ways to each action, ``tables`` what a chord means in each place."""

    preset: PresetName
    chords: Mapping[str, tuple[Chord, ...]]
    tables: Mapping[Context, Mapping[Chord, Action]]
    problems: tuple[Problem, ...] = ()

    def keys(self, action_id: str) -> tuple[str, ...]:
        """The keys of an action; two in a row with a space between. Empty for an action without any."""
        return tuple(" ".join(chord) for chord in self.chords.get(action_id, ()))

    def shown(self, action_id: str) -> str:
        """All keys of an action for people."""
        return show_keys(self.keys(action_id))

    def first(self, action_id: str) -> str:
        """The key to show where there is room for one, empty for none."""
        return show_keys(self.keys(action_id)[:1])

    def first_in(self, context: Context, action_id: str) -> str:
        """The same, passing over keys that mean something else in that place."""
        table = self.tables[context]
        held = [
            " ".join(chord)
            for chord in self.chords.get(action_id, ())
            if (there := table.get(chord)) is None or there.id == action_id
        ]
        return show_keys(held[:1])

    def way(self, action_id: str) -> str:
        """How to do it, in a sentence: by its first key, else by what is typed, else by its name."""
        item = action(action_id)
        typed = item.slash.split(" ")[0]
        return self.first(action_id) or typed or _("“{text}”").format(text=_(item.title))

    def meaning(self, context: Context, chord: Chord) -> Action | None:
        """What the keys do there."""
        return self.tables[context].get(chord)

    def begun(self, context: Context, key: str) -> tuple[tuple[str, Action], ...]:
        """The second keys that may follow ``key`` there, and what each pair does; empty: none may."""
        return tuple(
            (chord[1], item)
            for chord, item in self.tables[context].items()
            if len(chord) > 1 and chord[0] == key
        )


@value
class Send:
    """Hand on this key, the one by which the program knows the action."""

    key: str


@value
class Run:
    """No default key means this action there: run it by its id."""

    action: str


@value
class Drop:
    """The key means nothing there any more."""


Decision = Send | Run | Drop


def decide(keymap: Keymap, standard: Keymap, context: Context, chord: Chord) -> Decision:
    """What to do with keys pressed in a place; ``standard`` is the default keymap.

    The widgets know the default keys alone. So what is pressed is turned, in this one function, into the
    default key of what it means; keys that mean nothing to either keymap go on as they are.
    """
    item = keymap.meaning(context, chord)
    known = standard.tables[context]
    if item is None:
        lost = chord in known and not (context in TYPING and is_text(chord[0]))
        return Drop() if lost or len(chord) > 1 else Send(*chord)
    if known.get(chord) == item:
        return Send(*chord)
    for key in item.keys:
        if known.get((key,)) == item:
            return Send(key)
    return Run(item.id)


def differing(keymap: Keymap, standard: Keymap) -> frozenset[str]:
    """First keys that mean another thing than by default in any place; all others need no look at all."""
    if keymap is standard:
        return frozenset()
    return frozenset(
        chord[0]
        for context, table in keymap.tables.items()
        for chord in {*table, *standard.tables[context]}
        if table.get(chord) != standard.tables[context].get(chord)
    )


def without_keys(keymap: Keymap) -> tuple[Action, ...]:
    """Actions that have a default key and none in this keymap."""
    return tuple(item for item in ACTIONS if item.keys and not keymap.chords.get(item.id))
