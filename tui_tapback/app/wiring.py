"""Builds the widgets with what they ask for: fitter, search, names, quick reactions."""

from __future__ import annotations

from collections.abc import Sequence

from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.search import Match, search
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.picker import EmojiPicker
from tui_tapback.widgets.transcript import Transcript

from .preferences import Preferences


def find(query: str, limit: int) -> Sequence[Match]:
    """Emoji for the composer's completion, best first."""
    return search(query, limit)


def shortcode(name: str) -> str | None:
    """The emoji of a full shortcode, None for none."""
    found = load_catalogue().by_shortcode(name)
    return found.char if found else None


def name_of(emoji: str) -> str:
    """The spoken name of an emoji."""
    return load_catalogue().name(emoji)


def build_composer(preferences: Preferences) -> Composer:
    """The composer with emoji completion."""
    return Composer(preferences.fitter, find, shortcode, name_of=name_of, placeholder="Message")


def build_transcript(preferences: Preferences) -> Transcript:
    """The transcript with the person's quick reactions."""
    return Transcript(preferences.fitter, quick=preferences.quick_reactions, zone=preferences.zone)


def build_picker(preferences: Preferences) -> EmojiPicker:
    """The picker over the whole catalogue."""
    return EmojiPicker(
        preferences.fitter,
        find,
        load_catalogue(),
        preferences.habits.shown,
        ascii_only=not preferences.fitter.profile.utf8,
    )
