"""``[keys]`` of the settings: the preset and a person's own keys, resolved with the line of each trouble."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tui_tapback.actions.keymap import Keymap, Problem
from tui_tapback.actions.presets import PresetName
from tui_tapback.actions.resolving import resolve

TABLE: Final = "keys.map"


class KeySettings(msgspec.Struct, frozen=True, kw_only=True):
    """``[keys]``: which keys do what."""

    preset: Annotated[
        PresetName,
        Meta(description="The keys to begin with; docs/keys.md has a table of each."),
    ] = "default"
    map: Annotated[
        dict[str, str],
        Meta(
            description='Action → keys, such as open_pill = "r, f6"; empty: no key. Ids are in docs/keys.md.'
        ),
    ] = {}

    def keymap(self, where: Callable[[str], str] = lambda key: "") -> Keymap:
        """The resolved keymap; ``where`` gives the place of a setting, for the sentences about it."""
        return placed(resolve(self.preset, self.map), where)


def placed(keymap: Keymap, where: Callable[[str], str]) -> Keymap:
    """The same keymap with the place in the settings file at each of its problems."""
    return replace(
        keymap,
        problems=tuple(
            replace(problem, where=where(f"{TABLE}.{problem.action}")) for problem in keymap.problems
        ),
    )


def judged(preset: PresetName, keys: Mapping[str, str], action_id: str, new: str) -> tuple[Problem, ...]:
    """What there would be to say if ``new`` were the keys of an action, beyond what there is already."""
    before = set(resolve(preset, keys).problems)
    # What is named last gives way, so that a new key takes nothing from the keys chosen before it.
    after = resolve(
        preset, {**{each: its for each, its in keys.items() if each != action_id}, action_id: new}
    )
    return tuple(problem for problem in after.problems if problem not in before)
