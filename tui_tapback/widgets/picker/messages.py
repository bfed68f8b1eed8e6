"""What the picker tells: an emoji was taken, it was left, another tone is wanted."""

from __future__ import annotations

from textual.message import Message
from textual.widget import Widget


class Picked(Message, namespace="emoji_picker"):
    """An emoji was chosen; the picker is closed."""

    def __init__(self, picker: Widget, emoji: str) -> None:
        super().__init__()
        self.picker = picker
        self.emoji = emoji


class Dismissed(Message, namespace="emoji_picker"):
    """The picker was closed without a choice. ``outside``: by a click somewhere else."""

    def __init__(self, picker: Widget, *, outside: bool = False) -> None:
        super().__init__()
        self.picker = picker
        self.outside = outside


class ToneChosen(Message, namespace="emoji_picker"):
    """Another default skin tone was chosen: 0 none, 1 light to 5 dark."""

    def __init__(self, picker: Widget, tone: int) -> None:
        super().__init__()
        self.picker = picker
        self.tone = tone


class FormChosen(Message, namespace="emoji_picker"):
    """One form of an emoji was chosen out of its tones, to be wanted from now on; ``Picked`` follows.

    The form without a tone takes such a choice back.
    """

    def __init__(self, picker: Widget, form: str) -> None:
        super().__init__()
        self.picker = picker
        self.form = form
