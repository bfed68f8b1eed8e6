"""The pill and the stack of badges as widgets of their own, drawn by the code that draws the transcript's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.filter import Monochrome, NoColor
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui_tapback.domain.reactions import NO_REACTIONS, Author, Reaction, ReactionSet, toggled
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.sentence import spoken
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import SAFE
from tui_tapback.words import _, language, mark

from . import badges
from .contrast import system_of
from .fitter import Fitter
from .host import app_of, filtered
from .pill import HEIGHT, Pill
from .transcript.keys import PILL_COMMANDS
from .transcript.palette import COMPONENT_CLASSES, CSS, Palette
from .transcript.signs import AsciiSigns

_RULES: Final = CSS[CSS.index("& >") :]
_ASCII: Final = AsciiSigns()
_FROM: Final = {
    Author.USER: mark("{emoji} from you"),
    Author.AGENT: mark("{emoji} from the other side"),
}


class TapbackPart(Widget):
    """What both share: reactions that go down, a fitter, the colours of the transcript."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(COMPONENT_CLASSES)
    DEFAULT_CSS = f"TapbackPart {{ width: auto; height: auto; color: $foreground;\n{_RULES}"
    ALLOW_SELECT = False

    def __init__(self, reactions: Iterable[Reaction], fitter: Fitter | None, id: str | None) -> None:  # noqa: A002 -- Textual's own name for it
        super().__init__(id=id)
        self._fitter: Fitter = fitter or EmojiFitter(SAFE)
        self._reactions = reactions if isinstance(reactions, ReactionSet) else ReactionSet.of(reactions)

    @property
    def reactions(self) -> ReactionSet:
        """What is shown."""
        return self._reactions

    def show(self, reactions: Iterable[Reaction]) -> None:
        """Show other reactions; of several in one slot the last counts."""
        self._reactions = reactions if isinstance(reactions, ReactionSet) else ReactionSet.of(reactions)
        self.refresh(layout=True)

    @property
    def colorless(self) -> bool:
        """Whether the app shows no colours, so that signs have to tell what is whose."""
        return any(isinstance(one, (Monochrome, NoColor)) for one in self.get_line_filters())

    @property
    def _system(self) -> ColorSystem:
        return system_of(app_of(self).console.color_system)

    def _component(self, name: str) -> Style:
        return self.get_component_rich_style(name)

    def rows(self, palette: Palette) -> list[list[tuple[str, Style]]]:
        """The drawn rows, each of runs ``(text, style)``; a part has some of its own."""
        del palette
        return []

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its rows after the filters of the app (no colour, dim) and, without UTF-8, in ASCII."""
        base, width = self.rich_style, self.size.width
        palette = Palette.resolve(base, self._component, colorless=self.colorless, system=self._system)
        strips = [
            Strip([Segment(text, style) for text, style in row]).adjust_cell_length(width, base)
            for row in self.rows(palette)
        ]
        if isinstance(self._fitter, EmojiFitter) and not self._fitter.profile.utf8:
            strips = [strip.apply_filter(_ASCII, self.background_colors[1]) for strip in strips]
        strips += [Strip.blank(width, base)] * max(0, crop.bottom - len(strips))
        return filtered(self, [strip.crop(crop.x, crop.right) for strip in strips[crop.y : crop.bottom]])


class BadgeStack(TapbackPart):
    """The badges of one message, one row high and as wide as they are: newest on top, one for each author.

    ``reactions`` are what the message bears, ``corner`` on which side of a bubble it is meant to sit. A click
    on a badge is told, and nothing is done about it.
    """

    class Pressed(Message):
        """A badge was clicked."""

        def __init__(self, stack: BadgeStack, reaction: Reaction) -> None:
            super().__init__()
            self.stack = stack
            self.reaction = reaction

        @property
        def control(self) -> BadgeStack:
            """The stack that tells it."""
            return self.stack

    def __init__(
        self,
        reactions: Iterable[Reaction] = NO_REACTIONS,
        *,
        fitter: Fitter | None = None,
        corner: badges.Corner = "right",
        id: str | None = None,  # noqa: A002 -- Textual's own name for it
    ) -> None:
        super().__init__(reactions, fitter, id)
        self._corner: badges.Corner = corner
        self._drawn: badges.BadgeStack | None = None

    @property
    def spoken(self) -> str:
        """For a screen reader, newest first: ``thumbs up from you, red heart from the other side``."""
        shown = badges.shown(self.reactions)
        return ", ".join(_(_FROM[one.author]).format(emoji=spoken(one.emoji, language())) for one in shown)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Four cells for a badge; the second looks out from under the first, except in brackets."""
        count = len(badges.shown(self.reactions))
        styles = Palette.resolve(
            self.rich_style, self._component, colorless=self.colorless, system=self._system
        ).badges
        return 4 * count if styles.bracketed or count < 2 else 7

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One row, also without a badge, so that nothing moves when one comes."""
        return 1

    def rows(self, palette: Palette) -> list[list[tuple[str, Style]]]:
        """One row."""
        self._drawn = badges.badge_stack(self.reactions, self._corner, self._fitter, palette.badges)
        return [list(self._drawn.runs)]

    def on_click(self, event: events.Click) -> None:
        """Tell whose badge it was."""
        for badge in self._drawn.badges if self._drawn else ():
            if badge.start <= event.x < badge.stop and event.y == 0:
                event.stop()
                self.post_message(self.Pressed(self, badge.reaction))


class TapbackPill(TapbackPart, can_focus=True):
    """The row of quick reactions, three rows high, by keys and by mouse as on the transcript.

    ``reactions`` are what the message bears (the user's own is marked), ``quick`` the slots, ``suggestion``
    one slot more. It stays where it is put: closing is the app's, on ``Dismissed`` or after ``Chosen``.
    """

    class Chosen(Message):
        """The user wants ``emoji`` as their reaction, None for none. Absolute, not a toggle."""

        def __init__(self, pill: TapbackPill, emoji: str | None) -> None:
            super().__init__()
            self.pill = pill
            self.emoji = emoji

        @property
        def control(self) -> TapbackPill:
            """The pill that tells it."""
            return self.pill

    class PickerRequested(Message):
        """The user wants to choose from all emoji."""

    class Dismissed(Message):
        """The user wants none of it."""

    def __init__(
        self,
        reactions: Iterable[Reaction] = NO_REACTIONS,
        *,
        fitter: Fitter | None = None,
        quick: Sequence[str] = QUICK_REACTIONS,
        suggestion: str | None = None,
        id: str | None = None,  # noqa: A002 -- Textual's own name for it
    ) -> None:
        super().__init__(reactions, fitter, id)
        self._pill = Pill.opened("", tuple(quick), suggestion, self.reactions)

    @property
    def spoken(self) -> str:
        """For a screen reader: ``2 of 7, thumbs up, yours``."""
        pill = self._pill
        place = _("{number} of {count}").format(number=pill.cursor + 1, count=len(pill.slots) + 1)
        if pill.emoji is None:
            return _("{place}, all emoji").format(place=place)
        mine = pill.own is not None and pill.own.emoji == pill.emoji
        name = spoken(pill.emoji, language())
        return _("{place}, {emoji}, yours").format(place=place, emoji=name) if mine else f"{place}, {name}"

    def show(self, reactions: Iterable[Reaction]) -> None:
        """Follow other reactions; the cursor stays."""
        super().show(reactions)
        self._pill = self._pill.following(self.reactions)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Slots of four cells, of three where there is little room."""
        return self._pill.width(self._pill.slot_width(container.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Always three rows."""
        return HEIGHT

    def rows(self, palette: Palette) -> list[list[tuple[str, Style]]]:
        """Border, faces, numbers."""
        return self._pill.draw(self._slot, self._fitter, palette.pill)

    @property
    def _slot(self) -> int:
        return self._pill.slot_width(self.size.width)

    def on_key(self, event: events.Key) -> None:
        """The keys that the pill has on the transcript; all others go on to the app."""
        key = event.key
        if key.isdecimal() and 0 < int(key) <= len(self._pill.slots):
            self._move(self._pill.at(int(key) - 1))
            self._choose()
        elif not self._command(key):
            return
        event.stop()
        event.prevent_default()

    def _command(self, key: str) -> bool:
        match PILL_COMMANDS.get(key):
            case "left":
                self._move(self._pill.moved(-1))
            case "right":
                self._move(self._pill.moved(1))
            case "choose":
                self._choose()
            case "remove":
                if self._pill.own is not None:
                    self.post_message(self.Chosen(self, None))
            case "picker":
                self.post_message(self.PickerRequested())
            case "close":
                self.post_message(self.Dismissed())
            case None:
                return False
        return True

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The cursor follows the mouse."""
        slot = self._pill.hit(event.x, event.y, self._slot)
        if slot is not None:
            self._move(self._pill.at(slot))

    def on_click(self, event: events.Click) -> None:
        """Choose what is under it."""
        slot = self._pill.hit(event.x, event.y, self._slot)
        if slot is not None:
            event.stop()
            self._move(self._pill.at(slot))
            self._choose()

    def _move(self, pill: Pill) -> None:
        self._pill = pill
        self.refresh()

    def _choose(self) -> None:
        emoji = self._pill.emoji
        if emoji is None:
            self.post_message(self.PickerRequested())
        else:
            self.post_message(self.Chosen(self, toggled(self._pill.own, emoji)))
