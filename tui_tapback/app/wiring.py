"""Builds the widgets with what they ask for: fitter, search, names, quick reactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tui_tapback.actions.keymap import Keymap
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.widgets.asking import CardKeys, QuestionCard
from tui_tapback.widgets.composer import Composer
from tui_tapback.widgets.found import Searcher
from tui_tapback.widgets.picker import EmojiPicker
from tui_tapback.widgets.transcript import Transcript

from .notes import pill_labels
from .preferences import Preferences

if TYPE_CHECKING:
    from tui_tapback.emoji.search import Match


def finder(preferences: Preferences) -> Searcher:
    """The search that picker and completion share: in the person's language and in English, then in all."""

    def find(query: str, limit: int) -> Sequence[Match]:
        from tui_tapback.emoji.search import search  # when it is needed: the app warms it up after its start

        recents = preferences.habits.recents.weights()
        others = preferences.further.ready
        return search(query, limit, locales=(preferences.locale,), others=others, recents=recents)

    return find


def shortcode(name: str) -> str | None:
    """The emoji of a full shortcode, None for none."""
    found = load_catalogue().by_shortcode(name)
    return found.char if found else None


def build_composer(preferences: Preferences) -> Composer:
    """The composer with emoji completion."""
    return Composer(
        preferences.fitter,
        finder(preferences),
        shortcode,
        tone=preferences.habits.form,
        name_of=load_catalogue(preferences.locale).name,
    )


def build_transcript(preferences: Preferences) -> Transcript:
    """The transcript with the person's quick reactions, and a suggestion for each message beside them."""
    transcript = Transcript(
        preferences.fitter,
        quick=preferences.quick,
        zone=preferences.zone,
        motion=not preferences.reduced_motion,
    )
    transcript.suggest = preferences.seventh
    transcript.double_click = preferences.at_once
    transcript.signed = preferences.badge_marks == "always"
    transcript.pill_labels = pill_labels(preferences.keymap)
    return transcript


def build_card(preferences: Preferences, clock: Callable[[], float]) -> QuestionCard:
    """The card for what is asked in mid-turn."""
    card = QuestionCard(preferences.fitter, clock=clock)
    card.keys = card_keys(preferences.keymap)
    return card


def card_keys(keymap: Keymap) -> CardKeys:
    """What the keys of the card are called."""
    goes_here, back, below = map(keymap.first, ("answer_question", "card_back", "card_down"))
    return CardKeys(goes_here, back, below)


def build_picker(preferences: Preferences) -> EmojiPicker:
    """The picker over the whole catalogue."""
    return EmojiPicker(
        preferences.fitter,
        finder(preferences),
        load_catalogue(preferences.locale),
        preferences.habits.shown,
        forms=preferences.habits.recents.form,
        tone=preferences.habits.tone,
        ascii_only=not preferences.fitter.profile.utf8,
    )
