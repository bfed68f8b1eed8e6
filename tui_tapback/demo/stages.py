"""The pages of the gallery: each widget in each of its states, made of plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Final

from textual import on
from textual.containers import Vertical, VerticalScroll
from textual.message import Message as TextualMessage
from textual.widget import Widget
from textual.widgets import Static

from tui_tapback.domain.messages import Message, Role, Status, ToolActivity
from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.emoji.catalogue import load_catalogue
from tui_tapback.emoji.recents import Recents
from tui_tapback.emoji.search import Match, search
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import ASCII_ONLY, SAFE
from tui_tapback.widgets import (
    BadgeStack,
    CategoryBar,
    EmojiGrid,
    EmojiPicker,
    EmojiPreview,
    EmojiSearch,
    PickerSource,
    TapbackPill,
    ToneSelector,
    Transcript,
)

from .script import EVENING, conversation

YOURS: Final = Reaction("👍", Author.USER, 1.0)
THEIRS: Final = Reaction("❤️", Author.AGENT, 2.0)
UNSURE: Final = Reaction("😂", Author.USER, 3.0, confirmed=False)
LONG: Final = "\n\n".join(f"Paragraph {number}: " + "words and " * 20 for number in range(1, 12))


@dataclass(frozen=True, slots=True)
class Page:
    """``title`` in the head line, ``hint`` above the stage, ``make`` the widgets; the first gets the keys."""

    title: str
    hint: str
    make: Callable[[], Sequence[Widget]]


def find(query: str, limit: int) -> list[Match]:
    """The search of the pickers."""
    return search(query, limit)


def _recents() -> Recents:
    recents = Recents(lambda: EVENING)
    for emoji in ("🎉", "👀", "🎉", "🙏"):
        recents.use(emoji)
    return recents


def _badges(rows: Iterable[tuple[str, Iterable[Reaction]]]) -> list[Widget]:
    shown: list[Widget] = []
    for label, reactions in rows:
        shown += [Static(label, markup=False), BadgeStack(ReactionSet.of(reactions))]
    return shown


def badges() -> list[Widget]:
    """One row for each kind of stack."""
    return [
        VerticalScroll(
            *_badges(
                (
                    ("Nobody has reacted", ()),
                    ("You", (YOURS,)),
                    ("The other side", (THEIRS,)),
                    ("Both, theirs is newer and lies on top", (YOURS, THEIRS)),
                    ("Both, yours is newer", (THEIRS, YOURS)),
                    ("Yours is on its way", (THEIRS, UNSURE)),
                    (
                        "A tone, a flag",
                        (Reaction("👍🏽", Author.USER, 1.0), Reaction("🇩🇪", Author.AGENT, 2.0)),
                    ),
                    ("No emoji at all, from a foreign gateway", (Reaction("[b]x", Author.AGENT, 1.0),)),
                )
            )
        )
    ]


def pills() -> list[Widget]:
    """Nothing set, yours set, a suggestion, ASCII."""
    return [
        TapbackPill(),
        TapbackPill([YOURS, THEIRS]),
        TapbackPill([UNSURE], suggestion="🎂"),
        TapbackPill([YOURS], fitter=EmojiFitter(ASCII_ONLY)),
    ]


class Playing(Transcript):
    """A transcript that grants each wish itself, so that one can play with it."""

    def __init__(self, messages: Sequence[Message], *, older: int = 0, hint: str = "") -> None:
        super().__init__(zone=UTC, empty_hint=hint, motion=False)
        self._messages = list(messages)
        self._older = older

    def on_mount(self) -> None:
        """Show what was given."""
        self.show_session("gallery", self._messages)
        self.show(self._messages, older=self._older)

    def grant(self, event: Transcript.ReactionRequested) -> None:
        """Set or take back what was asked for."""
        anchor = event.part.anchor if event.part is not None else None
        for at, message in enumerate(self._messages):
            if message.key == event.key:
                reactions = message.reactions.remove(Author.USER, anchor)
                if event.emoji is not None:
                    reactions = reactions.set(Reaction(event.emoji, Author.USER, EVENING, anchor))
                self._messages[at] = message.with_reactions(reactions)
        self.show(self._messages, older=self._older)


def _said(role: Role, text: str, number: int, **more: object) -> Message:
    values = {"key": f"m{number}", "role": role, "text": text, "at": EVENING + number} | more
    return Message(**values)  # pyright: ignore[reportArgumentType] -- the keywords of one dataclass


def chat() -> list[Widget]:
    """A short chat with tapbacks of both sides."""
    return [Playing(conversation().state.messages)]


def states() -> list[Widget]:
    """Every state that a message can be in."""
    call = ToolActivity("c1", "search", "hotels near the harbour", result="Luna\nMarina")
    return [
        Playing(
            [
                _said(Role.USER, "Stored, with a tapback.", 1, reactions=ReactionSet.of([THEIRS])),
                _said(Role.TOOL, "", 2, tool=call),
                _said(Role.ASSISTANT, "An answer with thoughts.", 3, reasoning="First this, then that."),
                _said(Role.ASSISTANT, "Half of an answer", 4, status=Status.INTERRUPTED),
                _said(Role.ASSISTANT, "", 5, status=Status.FAILED, error="The model did not answer."),
                _said(Role.USER, "Your tapback was refused.", 6, reaction_error="No such row."),
                _said(Role.SYSTEM, "The older part was summed up.", 7, kind="compression"),
                _said(Role.USER, "On its way.", 8, status=Status.SENDING, reactions=ReactionSet.of([UNSURE])),
                _said(Role.ASSISTANT, "Being **written", 9, status=Status.STREAMING),
                _said(Role.USER, "Waits for its turn.", 10, status=Status.WAITING),
            ]
        )
    ]


def long_chat() -> list[Widget]:
    """A long answer, and a history that is not all held."""
    return [
        Playing([_said(Role.USER, "Tell me everything.", 1), _said(Role.ASSISTANT, LONG, 2)], older=9_800)
    ]


def empty_chat() -> list[Widget]:
    """Nothing has been said."""
    return [Playing([], hint="Say hello.")]


class PickerStage(Vertical):
    """Opens a picker beside a pill, and again on its ``+``."""

    def __init__(self, *, tone: int = 0, locale: str = "en", ascii_only: bool = False) -> None:
        super().__init__()
        recents = _recents()
        fitter = EmojiFitter(ASCII_ONLY if ascii_only else SAFE)
        catalogue = load_catalogue(locale)
        self.pill = TapbackPill([YOURS], fitter=fitter)
        self.picker = EmojiPicker(
            fitter,
            lambda query, limit: search(query, limit, locales=(locale,)),
            catalogue,
            recents.shown,
            tone=tone,
            ascii_only=ascii_only,
        )

    def on_mount(self) -> None:
        """The pill, and over it the picker."""
        self.mount(self.pill, self.picker)
        self.call_after_refresh(self.offer)

    def offer(self) -> None:
        """Open the picker below the pill."""
        self.pill.focus()
        self.picker.open(self.pill.region, "👍", present=["❤️"], suggested=["🎂"])


class PartsStage(Vertical):
    """The parts of the picker in an order of one's own; values go from one to the next."""

    class Picked(TextualMessage):
        """Told anew: Textual stops a message at the parent that made a child send it."""

        def __init__(self, emoji: str) -> None:
            super().__init__()
            self.emoji = emoji

    def __init__(self) -> None:
        super().__init__()
        fitter, recents = EmojiFitter(SAFE), _recents()
        source = PickerSource(find, load_catalogue(), recents.shown, recents.form)
        self.tones = ToneSelector(source, fitter)
        self.search_line = EmojiSearch(source, fitter)
        self.grid = EmojiGrid(source, fitter)
        self.preview = EmojiPreview(source, fitter)
        self.bar = CategoryBar(source, fitter)

    def on_mount(self) -> None:
        """Upside down, to show that any order will do."""
        self.mount(self.preview, self.grid, self.bar, self.tones, self.search_line)
        self.search_line.focus()
        self.follow()

    def follow(self) -> None:
        """Preview and categories tell where the grid is."""
        self.preview.show(self.grid.state)
        self.bar.show(self.grid.state)

    @on(EmojiSearch.Changed)
    def _changed(self, event: EmojiSearch.Changed) -> None:
        """Another query."""
        self.grid.show(event.query)
        self.follow()

    @on(EmojiSearch.Moved)
    def _moved(self, event: EmojiSearch.Moved) -> None:
        """Arrows and Enter of the search line are the grid's."""
        self.grid.run(event.command)

    @on(EmojiGrid.Picked)
    def _picked(self, event: EmojiGrid.Picked) -> None:
        event.stop()
        self.post_message(self.Picked(event.emoji))

    @on(EmojiGrid.Highlighted)
    def _highlighted(self) -> None:
        """Another emoji."""
        self.follow()

    @on(CategoryBar.Chosen)
    def _category(self, event: CategoryBar.Chosen) -> None:
        """To a category."""
        self.grid.to_section(event.section)

    @on(ToneSelector.Chosen)
    def _tone(self, event: ToneSelector.Chosen) -> None:
        """All hands in that tone."""
        self.grid.set_tone(event.tone)
        self.follow()


PAGES: Final = (
    Page("Badges", "Click one: it says whose it is.", badges),
    Page("Pill", "1-7, arrows, Enter, Backspace, +, mouse. Tab: the next one.", pills),
    Page("Transcript: a chat", "j k, 1-6, r, Tab for parts, / to search.", chat),
    Page("Transcript: every state", "Stored, failed, refused, sending, written, waiting.", states),
    Page("Transcript: long", "Space unfolds. The bar counts what is not held.", long_chat),
    Page("Transcript: empty", "An empty chat says what to do.", empty_chat),
    Page("Picker", "Type to search. + opens it again.", lambda: [PickerStage()]),
    Page("Picker: German, toned", "Try: herz, daumen.", lambda: [PickerStage(tone=3, locale="de")]),
    Page("Picker: ASCII", "For a terminal without UTF-8.", lambda: [PickerStage(ascii_only=True)]),
    Page("Picker: its parts alone", "The same parts, upside down.", lambda: [PartsStage()]),
)
